import { describe, expect, test } from 'vitest';
import { readStampFonts } from '../../../src/adapters/appearance/index.ts';
import { type FlowWork, flowWork, publishedForm } from '../../../src/app/flow/index.ts';
import type { Flow } from '../../../src/domain/flow/index.ts';

// When a form is published, the company learns whether it can be submitted, at the cost of one
// document and not of one per answer that other questions depend on.

const own = flowWork(readStampFonts);
let calls: string[] = [];
const work: FlowWork = {
  ...own,
  renderDocument: (...given) => {
    calls.push('renderDocument');
    return own.renderDocument(...given);
  },
  findValueFaults: (trial) => {
    calls.push(`findValueFaults of ${trial.all.length}`);
    return own.findValueFaults(trial);
  },
};
let count = 0;
const formOf = async (blocks: readonly object[], schema: object) => {
  calls = [];
  count += 1;
  const bytes = Buffer.from(JSON.stringify({ v: 1, title: 'Order', blocks }));
  const flow = {
    ...{ companyKey: 'acme', type: 'RenderFlow', templateSha256: String(count) },
    settings: { initiationMethod: 'Customer' },
  } as unknown as Flow;
  const ports = { blobs: { get: async () => bytes }, work } as unknown as Parameters<
    typeof publishedForm
  >[0];
  return publishedForm(ports, flow, JSON.stringify({ type: 'object', ...schema }));
};
const places = (length: number) => Array.from({ length }, (_, at) => at);
const branch = (name: string, test: object, later: string, isNeeded = true) => ({
  if: { properties: { [name]: test }, ...(isNeeded ? { required: [name] } : {}) },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: [later] },
  else: { properties: { [later]: false } },
});
const shown = (name: string, when?: string) => ({
  ...{ type: 'paragraph', text: `{{${name}}}` },
  ...(when === undefined ? {} : { when }),
});

/** Check boxes, each with a dependent question. */
const boxes = (length: number) => ({
  blocks: places(length).map((at) => shown(`more${at}`, `box${at}`)),
  schema: {
    properties: Object.fromEntries(places(length).map((at) => [`box${at}`, { type: 'boolean' }])),
    allOf: places(length).map((at) => branch(`box${at}`, { const: true }, `more${at}`)),
  },
});

describe('combinations of answers with conditions', () => {
  test('of 29 boxes are all covered with one document', async () => {
    const { blocks, schema } = boxes(29);
    const { fault, questions } = await formOf(blocks, schema);
    expect([fault, questions.length]).toEqual([undefined, 58]);
    expect(calls).toEqual(['renderDocument', 'findValueFaults of 58']);
  });

  test('with more than 60 distinct answers reject the form', async () => {
    const { blocks, schema } = boxes(31);
    expect((await formOf(blocks, schema)).fault).toMatch(/at most 60 answers/);
  });

  test.each([
    ['of 200 values in one list', 200, 1, 3],
    ['of 200 values in two lists', 200, 2, 4],
    ['of 61 values with a list each', 61, 61, undefined],
  ] as const)('%s: equivalent answers count as one', async (_, length, lists, tried) => {
    const land = places(length).map((at) => `land${at}`);
    const each = places(lists).map((at) => land.filter((_, place) => place % lists === at));
    const { fault } = await formOf(
      each.map((_, at) => ({ type: 'paragraph', text: `{{visa${at}?}}` })),
      {
        required: ['land'],
        properties: { land: { enum: [...land, 'other'] } },
        allOf: each.map((words, at) => branch('land', { enum: words }, `visa${at}`)),
      },
    );
    if (tried === undefined) expect(fault).toMatch(/at most 60 answers/);
    else expect([fault, calls.at(-1)]).toEqual([undefined, `findValueFaults of ${tried - 1}`]);
  });

  test('are tried until one leaves the document without a value', async () => {
    const { blocks: all, schema } = boxes(20);
    const blocks = [{ type: 'pageBreak', when: 'box0' }, ...all.slice(1)];
    const lacking = [...blocks, shown('more0')];
    expect((await formOf(lacking, schema)).fault).toContain('more0 has no value');
    // Nothing is missing where the placeholder is optional.
    const without = [...blocks, { type: 'paragraph', text: '{{more0?}}' }];
    expect((await formOf(without, schema)).fault).toBeUndefined();
  });

  test('are checked against schema rules over several answers', async () => {
    const { blocks, schema } = boxes(3);
    const rule = { not: { properties: { box1: { const: false } }, required: ['box1'] } };
    const strict = { ...schema, allOf: [...schema.allOf, rule] };
    expect((await formOf(blocks, strict)).fault).toMatch(/^values: /);
  });
});

describe('a condition on something that is not asked for', () => {
  const blocks = [{ type: 'paragraph', text: '{{street?}} {{buyer.name?}}' }];

  test.each([
    ['that holds without a value is met', 'channel', false, undefined],
    [
      'that does not hold without a value rejects the form',
      'channel',
      true,
      /channel.*has no single answer/,
    ],
    ['on a part of an answer rejects the form', 'buyer', false, /buyer.*has no single answer/],
  ] as const)('%s', async (_, name, isNeeded, why) => {
    const schema = branch(name, { const: 'web' }, 'street', isNeeded);
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    const { fault, questions } = await formOf(blocks, { ...schema, then: {} });
    if (why === undefined) {
      expect(fault).toBeUndefined();
      expect(questions.map((each) => each.name)).toContain('street');
    } else expect(fault).toMatch(why);
  });
});
