import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { templateQuestions } from '../../src/app/flow/form/form-questions.ts';
import { parseDocumentTemplate, rootPlace } from '../../src/domain/flow/index.ts';
import { openTestApi, type TestApi } from '../api/support/open-api.ts';
import { cpuMs } from '../support/cpu-time.ts';
import { costlyTest } from '../support/sample.ts';

// Schemas of a company that would occupy the service or its memory as soon as a form or an example
// is created: both happen in the process that serves all companies.

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
}, 60_000);
afterAll(() => api.close());

const settings = { initiationMethod: 'Customer', signatureType: 'Simple' };
const names = Array.from({ length: 1200 }, (_, at) => `n${at}`);
const everyOne = (of: object) => Object.fromEntries(names.map((name) => [name, of]));

const template = Buffer.from(
  JSON.stringify({ v: 1, title: '{{x}}', blocks: [{ type: 'paragraph', text: 'T' }] }),
);

async function open(schema: object): Promise<string> {
  const { flows } = api.toolkit;
  const { key } = await flows.create({ name: 'Form', type: 'RenderFlow' }, template);
  const text = JSON.stringify(schema);
  await flows.putSchema(key, { version: '1', schema: text, publish: true });
  return key;
}

/** The reason why the flow cannot be opened to customers. Empty if it can. */
function whyNot(key: string): Promise<string> {
  return api.toolkit.flows.update(key, { settings }).then(
    () => '',
    ({ code, message }: { readonly code: string; readonly message: string }) =>
      `${code} ${message}`,
  );
}

/** Nested lists of twenty elements each, which may also be a text, as a form requires. */
function nested(depth: number): object {
  if (depth === 0) return { type: 'string' };
  return { type: ['array', 'string'], minItems: 20, items: nested(depth - 1) };
}

describe('the size of example values', () => {
  test('is bounded for nested lists', async () => {
    const key = await open({ properties: { x: nested(6) } });
    const example = await api.toolkit.flows.example(key);
    expect(JSON.stringify(example).length).toBeLessThan(2_000_000);
    expect(await whyNot(key)).toBe('');
  });

  costlyTest.each<[string, object, string]>([
    // Without the example any other text is accepted.
    ['an example', { examples: ['A'.repeat(100_000)] }, ''],
    ['a minimum length', { minLength: 20_000 }, 'the form could never be sent'],
    ['a pattern', { pattern: '[A]{150}', minLength: 20_000 }, 'the form could never be sent'],
  ])('is bounded for %s shared by a thousand members', async (_, word, fault) => {
    const key = await open({
      required: names,
      properties: everyOne({ $ref: '#/$defs/word' }),
      $defs: { word: { type: 'string', ...word } },
    });
    const example = await api.toolkit.flows.example(key);
    expect(JSON.stringify(example).length).toBeLessThan(2_000_000);
    expect(await whyNot(key)).toContain(fault);
  });
});

describe('the size of forms', () => {
  test.each<[string, object]>([
    ['a default answer', { default: 'A'.repeat(20_000) }],
    ['a choice', { enum: ['A'.repeat(100_000), 'b'] }],
  ])('%s shared by a thousand members is rejected', async (_, word) => {
    const key = await open({
      required: names,
      properties: everyOne({ $ref: '#/$defs/word' }),
      $defs: { word: { type: 'string', ...word } },
    });
    expect(await whyNot(key)).toContain('characters of questions');
  });

  const wide = Array.from({ length: 6000 }, () => ({}));
  costlyTest.each<[string, object]>([
    ['shared allOf branches', { allOf: wide, properties: everyOne({ type: 'string' }) }],
    [
      'allOf branches of each member',
      { properties: everyOne({ $ref: '#/$defs/word' }), $defs: { word: { allOf: wide } } },
    ],
    [
      'enumeration values',
      {
        properties: everyOne({ $ref: '#/$defs/word' }),
        $defs: { word: { enum: wide.map((_, at) => at) } },
      },
    ],
    ['required names', { required: wide.map((_, at) => `w${at}`) }],
  ])('thousands of %s are processed in time', (_, schema) => {
    const text = names.map((name) => `{{${name}}}`).join('');
    const form = parseDocumentTemplate(
      Buffer.from(JSON.stringify({ v: 1, title: 'T', blocks: [{ type: 'paragraph', text }] })),
    );
    const began = cpuMs();
    const questions = templateQuestions(form, [], schema);
    expect(questions.length).toBeGreaterThanOrEqual(names.length);
    // Without a limit it takes 3 to 30 s.
    expect(cpuMs() - began).toBeLessThan(1500);
  });

  test('rejects a required name with more levels than values can have', async () => {
    const key = await open({ required: [Array(100_000).fill('a').join('.')] });
    expect(await whyNot(key)).toContain('validation.error');
  });

  test('the schema of list elements is resolved once', () => {
    const rows = rootPlace({ properties: { rows: { items: { type: 'string' } } } })?.member('rows');
    expect(rows?.items).toBeDefined();
    expect(rows?.items).toBe(rows?.items);
  });
});
