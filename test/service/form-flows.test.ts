import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerAt, answerId, type FormQuestions, readAnswers } from '../../src/app/flow/index.ts';
import { openTestApi, type TestApi } from '../api/support/open-api.ts';
import { pdfWithTable } from '../support/pdf-builder.ts';

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
}, 60_000);
afterAll(() => api.close());

const settings = { initiationMethod: 'Customer', signatureType: 'Simple' };

/** A template whose title shows `text`, with a list over `each` if given. */
function templateOf(text: string, ...blocks: readonly object[]): Uint8Array {
  const all = blocks.length === 0 ? [{ type: 'paragraph', text: 'Text' }] : blocks;
  return Buffer.from(JSON.stringify({ v: 1, title: text, blocks: all }));
}

const listOf = (text: string) => ({ type: 'list', items: [text], each: 'rows' });

/** Widgets of a form, each given by the entries of its dictionary. */
function pdfOf(...fields: readonly string[]): Uint8Array {
  const refs = fields.map((_, at) => `${at + 4} 0 R`).join(' ');
  return pdfWithTable([
    `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${refs}]>>>>`,
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 400 400]/Annots[${refs}]>>`,
    ...fields.map((entries, at) => {
      const y = 20 + 30 * at;
      return `<</Subtype/Widget${entries}/Rect[20 ${y} 220 ${y + 20}]>>`;
    }),
  ]);
}

async function openFlow(document: Uint8Array, schema?: object): Promise<string> {
  const type =
    Buffer.from(document.subarray(0, 5)).toString() === '%PDF-' ? 'FillAndSign' : 'RenderFlow';
  const { key } = await api.toolkit.flows.create({ name: 'Form', type }, document);
  if (schema !== undefined) {
    const text = JSON.stringify({ type: 'object', ...schema });
    await api.toolkit.flows.putSchema(key, { version: '1', schema: text, publish: true });
  }
  await api.toolkit.flows.update(key, { settings });
  return key;
}

/** Starts a process with answers by the names of questions; returns its values. */
async function send(key: string, answers: Readonly<Record<string, string>>): Promise<unknown> {
  const { questions } = await api.toolkit.flows.form(key);
  const { values, faults } = readAnswers(questions, byIds(questions, answers));
  expect([...faults]).toEqual([]);
  const persons = [{ name: 'Anna', email: 'anna@example.com', phoneNumber: '6666666' }];
  const { process } = await api.toolkit.processes.startByForm({ flowKey: key, values, persons });
  return JSON.parse(process.meta['pdfFieldData'] ?? '');
}

function byIds(questions: FormQuestions, answers: Readonly<Record<string, string>>) {
  const ids = new Map<string, string>();
  for (const [at, question] of questions.entries()) {
    if (question.kind !== 'rows') {
      ids.set(question.name, answerId(at));
      continue;
    }
    for (let row = 0; row < question.rowCount; row += 1) {
      for (const [column, { name }] of question.columns.entries()) {
        ids.set(`${question.name}.${row}.${name}`, answerId(at, row, column));
      }
    }
  }
  return new Map(
    Object.entries(answers).map(([name, text]) => {
      const id = ids.get(name);
      if (id === undefined) throw new Error(`no question ${name} of ${[...ids.keys()]}`);
      return [id, text] as const;
    }),
  );
}

type Answers = Readonly<Record<string, string>>;

describe('a form asks for what the schema defines, and can be sent', () => {
  test.each<[string, object, Answers, object]>([
    [
      'a reference',
      { properties: { x: { $ref: '#/$defs/day' } }, $defs: { day: { format: 'date' } } },
      { x: '2027-01-31' },
      { x: '2027-01-31' },
    ],
    [
      'combined schemas',
      { allOf: [{ properties: { x: { allOf: [{ type: 'integer' }, { minimum: 4 }] } } }] },
      { x: '7' },
      { x: 7 },
    ],
    [
      'a value that may be null, present',
      { properties: { x: { type: ['integer', 'null'] } } },
      { x: '7' },
      { x: 7 },
    ],
    [
      'a value that may be null, absent',
      { required: ['x'], properties: { x: { type: ['integer', 'null'] } } },
      {},
      { x: null },
    ],
    [
      'a value that may be null by anyOf',
      { required: ['x'], properties: { x: { anyOf: [{ type: 'integer' }, { type: 'null' }] } } },
      { x: '3' },
      { x: 3 },
    ],
    ['numbers to choose from', { properties: { x: { enum: [1, 2.5] } } }, { x: '2.5' }, { x: 2.5 }],
    ['a box to check', { properties: { x: { const: true } } }, { x: 'checked' }, { x: true }],
    ['a constant text', { properties: { x: { const: 'yes' } } }, { x: 'yes' }, { x: 'yes' }],
    ['an empty option', { properties: { x: { enum: ['', 'a'] } } }, { x: 'a' }, { x: 'a' }],
    ['an option with spaces', { properties: { x: { enum: [' a '] } } }, { x: ' a ' }, { x: ' a ' }],
    [
      'a pattern',
      { properties: { x: { pattern: '^\\d{6}-?\\d{4}$' } } },
      { x: '0101302989' },
      { x: '0101302989' },
    ],
    [
      'digits',
      { properties: { x: { type: 'string' } } },
      { x: '12345678901234567' },
      { x: '12345678901234567' },
    ],
    [
      'what no placeholder shows, in an object that one does',
      { required: ['o'], properties: { x: {}, o: { required: ['p'], properties: { p: {} } } } },
      { x: 'a', 'o.p': 'b' },
      { x: 'a', o: { p: 'b', q: 'c' } },
    ],
  ])('%s', async (name, schema, answers, values) => {
    const isInside = name.startsWith('what no placeholder');
    const key = await openFlow(templateOf(isInside ? '{{x}} {{o.q}}' : '{{x}}'), schema);
    const given = isInside ? { ...answers, 'o.q': 'c' } : answers;
    expect(await send(key, given)).toEqual(values);
  });

  test('at least as many rows as the list requires', async () => {
    const rows = {
      type: 'array',
      minItems: 7,
      items: { required: ['day'], properties: { day: {} } },
    };
    const key = await openFlow(templateOf('T', listOf('{{day}}')), { properties: { rows } });
    const days = Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`rows.${at}.day`, 'd']));
    expect(await send(key, days)).toMatchObject({ rows: { length: 7 } });
  });

  test('a list of texts or numbers', async () => {
    const rows = { type: 'array', items: { type: 'integer' } };
    const key = await openFlow(templateOf('T', listOf('{{value}}')), { properties: { rows } });
    expect(await send(key, { 'rows.0.value': '1', 'rows.2.value': '3' })).toEqual({ rows: [1, 3] });
  });

  test.each(['{{a}} {{a.b}} {{a.b.c}}', '{{a.b.c}} {{a.b}} {{a}}'])(
    'a value next to values below it: %s',
    async (text) => {
      const key = await openFlow(templateOf(text));
      expect(await send(key, { a: '1', 'a.b': '2', 'a.b.c': '3' })).toEqual({
        ...{ a: '1', 'a.b': '2', 'a.b.c': '3' },
      });
    },
  );

  test('a required placeholder whose name ends like an optional one', async () => {
    const { questions } = await api.toolkit.flows.form(await openFlow(templateOf('{{a}} {{ba?}}')));
    expect(
      questions.map(({ name, kind, ...each }) => [name, 'isRequired' in each && each.isRequired]),
    ).toEqual([
      ['a', true],
      ['ba', false],
    ]);
  });

  test('does not ask for what the schema excludes', async () => {
    const schema = {
      properties: { x: {}, y: false, z: { maxLength: 0 } },
      additionalProperties: false,
    };
    const key = await openFlow(templateOf('{{x}} {{y?}} {{z?}} {{w?}}'), schema);
    expect((await api.toolkit.flows.form(key)).questions.map(({ name }) => name)).toEqual(['x']);
  });

  test.each(['1234567890123456', '0.1234567890123456', '9007199254740993'])(
    'rejects a number that cannot be represented exactly: %s',
    async (text) => {
      const key = await openFlow(templateOf('{{x}}'), { properties: { x: { type: 'number' } } });
      const { questions } = await api.toolkit.flows.form(key);
      expect([...readAnswers(questions, new Map([['q0', text]])).faults]).toEqual([
        ['q0', 'unfit'],
      ]);
    },
  );
});

describe('a form that no one could send is rejected', () => {
  test.each<[string, Uint8Array, object, RegExp]>([
    [
      'an object without placeholders',
      templateOf('T'),
      { required: ['o'], properties: { o: { type: 'object' } } },
      /\bo\b/,
    ],
    [
      'more rows than the limit',
      templateOf('T', listOf('{{a}}')),
      { properties: { rows: { minItems: 21 } } },
      /rows/,
    ],
    ['only an empty text', templateOf('{{x}}'), { properties: { x: { enum: [''] } } }, /x/],
    ['no value at all', templateOf('{{x}}'), { properties: { x: false } }, /x/],
    [
      'contradictory bounds',
      templateOf('{{x}}'),
      { properties: { x: { type: 'number', minimum: 2, maximum: 1 } } },
      /x must be >= 2/,
    ],
    [
      'contradictory types',
      templateOf('{{x}}'),
      { properties: { x: { allOf: [{ type: 'string' }, { type: 'number' }] } } },
      /x/,
    ],
    [
      'a text of at most 0 characters',
      templateOf('{{x}}'),
      { properties: { x: { maxLength: 0 } } },
      /x accepts no answer/,
    ],
    [
      'an object for a placeholder',
      templateOf('{{x}}'),
      { properties: { x: { const: { a: 1 } } } },
      /x/,
    ],
    ['no values at all', templateOf('{{x}}'), { not: {} }, /must NOT be valid/],
    [
      'a boolean for a PDF check box',
      pdfOf('/FT/Btn/T(x)'),
      { properties: { x: { type: 'boolean' } } },
      /x must be boolean/,
    ],
    [
      'a required text field of length 0',
      pdfOf('/FT/Tx/T(x)/Ff 2/MaxLen 0'),
      {},
      /x accepts no answer/,
    ],
    ['a required hidden field', pdfOf('/FT/Tx/T(x)/Ff 2/F 2'), {}, /x needs a value/],
  ])('%s', async (_, document, schema, why) => {
    const message = expect.stringMatching(why);
    const refusal = { code: 'validation.error', message };
    await expect(openFlow(document, schema)).rejects.toMatchObject(refusal);
    // The schema is also rejected for a flow that is already open, and the flow if it is updated as a whole.
    const type = document[0] === 0x25 ? 'FillAndSign' : 'RenderFlow';
    const text = JSON.stringify({ type: 'object', ...schema });
    const fine = document[0] === 0x25 ? pdfOf('/FT/Tx/T(y)') : templateOf('T');
    const { flows } = api.toolkit;
    const { key } = await flows.create({ name: 'Form', type, settings }, fine);
    await flows.putSchema(key, { version: '1', schema: '{}', publish: true });
    await flows.putSchema(key, { version: '2', schema: text });
    await flows.update(key, { settings: { initiationMethod: 'Api' } });
    await flows.update(key, {}, document);
    await flows.publish(key, '2');
    await expect(flows.update(key, { settings })).rejects.toMatchObject(refusal);
    expect((await flows.show(key)).initiationMethod).toBe('Api');
  });

  test('whether it comes by its schema or by a new document', async () => {
    const { flows } = api.toolkit;
    const { key } = await flows.create(
      { name: 'Form', type: 'RenderFlow', settings },
      templateOf('{{x}}'),
    );
    const never = JSON.stringify({ not: {} });
    const refusal = { code: 'validation.error', details: { field: 'settings.initiationMethod' } };
    const put = (version: string, schema: string, publish: boolean) =>
      flows.putSchema(key, { version, schema, publish });
    await put('1', '{}', true);
    await expect(put('2', never, true)).rejects.toMatchObject(refusal);
    await expect(put('1', never, false)).rejects.toMatchObject(refusal);
    await put('3', never, false);
    await expect(flows.publish(key, '3')).rejects.toMatchObject(refusal);
    expect((await flows.show(key)).publishedVersion).toBe('1');
    const broken = templateOf('T', {
      type: 'table',
      each: 'rows',
      columns: [{ title: 'A', text: 'b' }],
    });
    await expect(flows.update(key, {}, broken)).rejects.toMatchObject(refusal);
  });
});

describe('fields of a PDF form', () => {
  test('are asked for if they are visible, each name once', async () => {
    const key = await openFlow(
      pdfOf(
        '/FT/Tx/T(seen)',
        '/FT/Tx/T(hidden)/F 2',
        '/FT/Tx/T(notOnScreen)/F 32',
        `/FT/Tx/T(secret)/Ff ${1 << 13}`,
        `/FT/Tx/T(file)/Ff ${1 << 20}`,
        '/FT/Tx/T(none)/MaxLen 0',
        '/FT/Tx/T(seen)',
      ),
    );
    const { questions } = await api.toolkit.flows.form(key);
    expect(questions.map(({ name }) => name)).toEqual(['seen']);
    expect(await send(key, { seen: 'a' })).toEqual({ seen: 'a' });
  });

  test('can be numbers of a schema', async () => {
    const key = await openFlow(pdfOf('/FT/Tx/T(x)'), { properties: { x: { type: 'integer' } } });
    expect(await send(key, { x: '12' })).toEqual({ x: 12 });
  });

  test('are prefilled with their values, and can be emptied', async () => {
    const on = '/FT/Btn/T(on)/V/Yes/AS/Yes/AP<</N<</Yes 3 0 R>>>>';
    const key = await openFlow(pdfOf('/FT/Tx/T(text)/V(before)', on, '/FT/Btn/T(off)'));
    const { questions } = await api.toolkit.flows.form(key);
    expect(questions).toMatchObject([{ preset: 'before' }, { preset: 'checked' }, {}]);
    expect(questions[2]).not.toHaveProperty('preset');
    const page = await api.app.inject({ url: `/s/${key}` });
    expect(page.body).toMatch(/id="q0"[^>]*value="before"/);
    expect(page.body).toMatch(/id="q1"[^>]* checked/);
    expect(page.body).not.toMatch(/id="q2"[^>]* checked/);
    expect(await send(key, { text: '' })).toEqual({ text: '', on: '', off: '' });
  });
});

describe('a document that cannot be created is reported at its question', () => {
  test.each<[string, Uint8Array, object | undefined, Answers, string]>([
    [
      'a missing member',
      templateOf('{{x}} {{o.p?}}'),
      { required: ['o'], properties: { o: { type: 'object' } } },
      { x: 'a' },
      'q1',
    ],
    [
      'a placeholder in a block that is shown',
      templateOf('T', { type: 'paragraph', text: '{{y}}', when: 'x' }),
      undefined,
      { x: 'a' },
      'q1',
    ],
    [
      'a text that does not fit its field',
      pdfOf('/FT/Tx/T(z)', '/FT/Tx/T(a~1/b)'),
      undefined,
      { 'a~1/b': 'w'.repeat(400) },
      'q1',
    ],
  ])('%s', async (_, document, schema, answers, id) => {
    const key = await openFlow(document, schema);
    const { questions } = await api.toolkit.flows.form(key);
    await send(key, answers).then(
      () => expect.unreachable(),
      (error: { readonly details: { readonly pointer: string } }) =>
        expect(answerAt(questions, error.details.pointer)).toBe(id),
    );
  });
});
