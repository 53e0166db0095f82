import { beforeAll, expect, test } from 'vitest';
import { readStampFonts } from '../../src/adapters/appearance/index.ts';
import {
  answerId,
  type FlowPorts,
  type FormQuestion,
  flowWork,
  publishedForm,
  readAnswers,
} from '../../src/app/flow/index.ts';
import { buildFlow, type FlowValues, parseFlowRequest } from '../../src/domain/flow/index.ts';
import { asKey } from '../../src/domain/keys.ts';
import { fc } from '../support/property.ts';
import { runs } from '../support/sample.ts';

const work = flowWork(() => readStampFonts());
beforeAll(() => readStampFonts());

const names = ['a', 'ba', 'o.p', 'o.q', 'o', 'list', 'toString'] as const;

/** Schemas of one value: every kind that forms support, and some that nothing satisfies. */
const single = fc.oneof(
  fc.constantFrom<object>(
    {},
    { type: 'string' },
    { type: 'string', maxLength: 3 },
    { type: 'string', minLength: 30 },
    { type: 'string', maxLength: 0 },
    { pattern: '^[A-Z]{2}\\d+$' },
    { format: 'date' },
    { type: 'string', format: 'email' },
    { enum: ['', ' x', 'y'] },
    { enum: [2, 0.5] },
    { enum: ['x', 7, null] },
    { enum: [''] },
    { const: true },
    { const: 'only' },
    { const: null },
    { type: 'boolean' },
    { $ref: '#/$defs/word' },
    { $ref: '#/$defs/nothing' },
    { not: {} },
    { type: ['string', 'null'] },
    { anyOf: [{ type: 'null' }, { type: 'integer' }] },
    { oneOf: [{ type: 'string' }, { type: 'number' }] },
    { type: 'object' },
    { type: 'array', items: { type: 'string' } },
  ),
  fc.record({
    type: fc.constantFrom('integer', 'number'),
    minimum: fc.constant(5),
    maximum: fc.constantFrom(4, 5, 9),
  }),
);
const combined = fc.oneof(
  { weight: 4, arbitrary: single },
  { weight: 1, arbitrary: fc.tuple(single, single).map((allOf) => ({ allOf })) },
);
const objectOf = (own: readonly string[]) =>
  fc.record({
    type: fc.constant('object'),
    properties: fc.dictionary(fc.constantFrom(...own), combined, { maxKeys: own.length }),
    required: fc.subarray([...own]),
    ...{ additionalProperties: fc.boolean() },
  });
const listSchema = fc.record({
  type: fc.constant('array'),
  minItems: fc.constantFrom(0, 1, 6, 20, 21),
  items: fc.oneof(single, objectOf(['a', 'day'])),
});
const schemas = fc
  .tuple(
    fc.option(objectOf(['a', 'ba']), { nil: undefined }),
    fc.option(objectOf(['p', 'q']), { nil: undefined }),
    fc.option(listSchema, { nil: undefined }),
  )
  .map(([root, o, list]) => {
    if (root === undefined) return undefined;
    const inner = { ...(o === undefined ? {} : { o }), ...(list === undefined ? {} : { list }) };
    const $defs = { word: { type: 'string', maxLength: 8 }, nothing: false };
    return { ...root, $defs, properties: { ...root.properties, ...inner } };
  });

const handle = fc
  .tuple(fc.constantFrom(...names), fc.boolean())
  .map(([name, isOptional]) => `{{${name}${isOptional ? '?' : ''}}}`);
const texts = fc.array(handle, { minLength: 1, maxLength: 3 }).map((all) => all.join(' '));
const block = fc.oneof(
  fc.record({ type: fc.constant('paragraph'), text: texts }),
  fc.record({ type: fc.constant('paragraph'), text: texts, when: fc.constantFrom(...names) }),
  fc.record({
    type: fc.constant('list'),
    each: fc.constant('list'),
    items: fc.constantFrom(['{{value}}'], ['{{a}} {{day?}}'], ['{{value?}} {{ba}}'], ['-']),
  }),
);
const templates = fc.record({
  v: fc.constant(1),
  title: texts,
  blocks: fc.array(block, { minLength: 1, maxLength: 3 }),
});

/** The input of a person who sees only the page, and enters 5 for numbers. */
function written({ kind, options = [], lengthMax = 40 }: FormQuestion, schema: string) {
  if (kind === 'choice') return options.at(-1) ?? '';
  if (kind === 'checkbox' || kind === 'boolean') return 'checked';
  if (kind === 'date') return '2027-02-28';
  if (kind === 'email') return 'nobody@example.com';
  if (kind === 'number' || kind === 'integer') return '5';
  if (schema.includes('[A-Z]') && lengthMax > 3) return 'IS45';
  return 'words of a person who writes much'.slice(0, Math.min(lengthMax, 40));
}

test('a form that is shown can be filled in and sent, or its flow is rejected', async () => {
  let shown = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(templates, schemas, async (template, schema) => {
      const bytes = Buffer.from(JSON.stringify(template));
      const text = schema === undefined ? undefined : JSON.stringify(schema);
      const ports = { blobs: { get: async () => bytes }, work } as unknown as FlowPorts;
      const request = parseFlowRequest({ name: 'Form', type: 'RenderFlow' });
      const flow = buildFlow(request, asKey('flow', 'f1'), asKey('company', 'c1'), 0);
      const form = await publishedForm(ports, { ...flow, templateSha256: 'x' }, text);
      if (form.fault !== undefined) {
        refused += 1;
        expect(form.fault).not.toBe('');
        return;
      }
      shown += 1;
      const take = async (values: FlowValues) => {
        if (text !== undefined) await work.requireFit(text, values);
        await work.renderDocument(bytes, values);
      };
      const attempts = [];
      // With all rows, or with none.
      for (const [isWhole, hasRows] of [
        [true, true],
        [false, true],
        [true, false],
        [false, false],
      ]) {
        const given = new Map<string, string>();
        for (const [at, question] of form.questions.entries()) {
          if (question.kind !== 'rows') {
            const isAnswered = isWhole || question.isRequired;
            if (isAnswered) given.set(answerId(at), written(question, text ?? ''));
            continue;
          }
          for (let row = 0; hasRows && row < question.rowCount; row += 1) {
            question.columns.forEach((each, column) => {
              given.set(answerId(at, row, column), written(each, text ?? ''));
            });
          }
        }
        const { values, faults } = readAnswers(form.questions, given);
        const taken = faults.size > 0 ? [...faults].join() : take(values).catch(String);
        attempts.push(await taken);
      }
      expect(attempts).toContain(undefined);
    }),
    { numRuns: runs(150) },
  );
  // Both outcomes occur, so that each is tested.
  expect(Math.min(shown, refused)).toBeGreaterThan(runs(20));
}, 120_000);

const listTemplate = Buffer.from(
  JSON.stringify({
    ...{ v: 1, title: 'T' },
    blocks: [{ type: 'list', each: 'list', items: ['{{value}}'] }],
  }),
);

function flowOf(company: string) {
  const request = parseFlowRequest({ name: 'Form', type: 'RenderFlow' });
  return {
    ...buildFlow(request, asKey('flow', 'f1'), asKey('company', company), 0),
    templateSha256: 'x',
  };
}

async function faultOf(schema: object): Promise<string | undefined> {
  const ports = { blobs: { get: async () => listTemplate }, work } as unknown as FlowPorts;
  return (await publishedForm(ports, flowOf('c1'), JSON.stringify(schema))).fault;
}

test.each<[object, string]>([
  [{ type: 'string' }, 'text'],
  [{ type: 'string', maxLength: 1 }, 'one letter'],
  [{ type: 'string', minLength: 12 }, 'long text'],
  [{ type: 'integer', minimum: 5, multipleOf: 5 }, 'number'],
  [{ type: 'string', format: 'date' }, 'date'],
  [{ type: 'string', format: 'email' }, 'mail'],
  [{ enum: ['a', 'b', 'c'] }, 'choice'],
  [{ type: 'string', pattern: '^[AB]$', examples: ['A', 'B'] }, 'examples'],
])('a list of at least two unique elements can be sent: %j', async (items) => {
  const list = { minItems: 2, uniqueItems: true, items };
  expect(await faultOf({ properties: { list } })).toBeUndefined();
});

test('a list that requires more unique elements than exist is rejected', async () => {
  const list = { minItems: 3, uniqueItems: true, items: { enum: ['a', 'b'] } };
  expect(await faultOf({ properties: { list } })).toContain('list');
});

test('many forms of one company do not evict the cached form of another', async () => {
  let made = 0;
  const blobs = {
    get: async () => {
      made += 1;
      return listTemplate;
    },
  } as unknown as FlowPorts['blobs'];
  const ask = (company: string, text: string) =>
    publishedForm({ blobs, work }, flowOf(company), text);
  await ask('co1', '{}');
  for (let at = 0; at < 70; at += 1) await ask('co2', JSON.stringify({ title: `${at}` }));
  expect(made).toBe(71);
  await ask('co1', '{}');
  expect(made).toBe(71);
  await ask('co2', JSON.stringify({ title: '0' }));
  expect(made).toBe(72);
});
