import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApi, type TestApi } from '../api/support/open-api.ts';

// Schemas of a company that would keep the service busy, or fill its memory, as soon as a form or
// an example is made of them: both are made in the process that serves everybody.

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
}, 60_000);
afterAll(() => api.close());

const settings = { initiationMethod: 'Customer', signatureType: 'Simple' };
const names = Array.from({ length: 1200 }, (_, at) => `n${at}`);
const everyOne = (of: object) => Object.fromEntries(names.map((name) => [name, of]));

function templateOf(blocks: readonly object[] = [{ type: 'paragraph', text: 'T' }]): Uint8Array {
  return Buffer.from(JSON.stringify({ v: 1, title: '{{x}}', blocks }));
}

async function open(schema: object, template = templateOf()): Promise<string> {
  const { flows } = api.toolkit;
  const { key } = await flows.create({ name: 'Form', type: 'RenderFlow' }, template);
  const text = JSON.stringify(schema);
  await flows.putSchema(key, { version: '1', schema: text, publish: true });
  return key;
}

/** Why the flow cannot be opened to customers, and the time that it took to say so. */
async function openedIn(key: string): Promise<{ readonly why: string; readonly ms: number }> {
  const from = performance.now();
  const why = await api.toolkit.flows.update(key, { settings }).then(
    () => '',
    ({ code, message }: { readonly code: string; readonly message: string }) =>
      `${code} ${message}`,
  );
  return { why, ms: performance.now() - from };
}

/** Lists in lists, each of twenty; each may be a text as well, which a form asks for. */
function nested(depth: number): object {
  if (depth === 0) return { type: 'string' };
  return { type: ['array', 'string'], minItems: 20, items: nested(depth - 1) };
}

describe('examples are of bounded size', () => {
  test('lists in lists', async () => {
    const key = await open({ properties: { x: nested(6) } });
    const example = await api.toolkit.flows.example(key);
    expect(JSON.stringify(example).length).toBeLessThan(2_000_000);
    expect((await openedIn(key)).ms).toBeLessThan(10_000);
  });

  test.each<[string, object, string]>([
    // Without the example any other text will do.
    ['an example', { examples: ['A'.repeat(100_000)] }, ''],
    ['a least length', { minLength: 20_000 }, 'nobody could send the form'],
    ['a pattern', { pattern: '[A]{150}', minLength: 20_000 }, 'nobody could send the form'],
  ])('%s that a thousand members share', async (_, word, fault) => {
    const key = await open({
      required: names,
      properties: everyOne({ $ref: '#/$defs/word' }),
      $defs: { word: { type: 'string', ...word } },
    });
    const example = await api.toolkit.flows.example(key);
    expect(JSON.stringify(example).length).toBeLessThan(2_000_000);
    const { why, ms } = await openedIn(key);
    expect(why).toContain(fault);
    expect(ms).toBeLessThan(10_000);
  });
});

describe('forms are of bounded size', () => {
  test.each<[string, object]>([
    ['an answer to begin with', { default: 'A'.repeat(20_000) }],
    ['a choice', { enum: ['A'.repeat(100_000), 'b'] }],
  ])('%s that a thousand members share', async (_, word) => {
    const key = await open({
      required: names,
      properties: everyOne({ $ref: '#/$defs/word' }),
      $defs: { word: { type: 'string', ...word } },
    });
    const { why, ms } = await openedIn(key);
    expect(why).toContain('characters of questions');
    expect(ms).toBeLessThan(10_000);
  });

  test('a required name of more levels than values have', async () => {
    const key = await open({ required: [Array(100_000).fill('a').join('.')] });
    expect((await openedIn(key)).why).toContain('validation.error');
  });

  test('lists of one name in many blocks', async () => {
    const column = (at: number) => ({ title: 'T', text: `{{n${at}}}` });
    const blocks = names
      .slice(0, 900)
      .map((_, at) => ({ type: 'table', each: 'rows', columns: [column(at)] }));
    const items = { type: 'object', properties: everyOne({ type: 'string' }) };
    const wide = Array.from({ length: 7 }, () => ({ $ref: '#/$defs/wide' }));
    const $defs = { wide: { allOf: Array.from({ length: 2_500 }, () => ({ title: 'T' })) } };
    const key = await open(
      { properties: { rows: { items: { ...items, allOf: wide } } }, $defs },
      templateOf(blocks),
    );
    expect((await openedIn(key)).ms).toBeLessThan(10_000);
  });
});
