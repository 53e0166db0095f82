import { expect, test } from 'vitest';
import { parseDocumentTemplate, requireTemplateMembers } from '../../../src/domain/flow/index.ts';

const column = { title: 'Day', text: '{{day}}', width: 2, align: 'left' };
const blocks = [
  { type: 'heading', text: 'Parties', when: 'lender' },
  { type: 'values', rows: [{ name: 'Lender', text: '{{lender}}' }] },
  { type: 'list', items: ['{{name}}'], each: 'owners', ordered: true },
  { type: 'table', each: 'payments', columns: [column] },
  { type: 'pageBreak' },
];
const bytes = (value: object) => Buffer.from(JSON.stringify(value));
const template = (changes: object) => ({ v: 1, title: 'Loan', language: 'is', blocks, ...changes });
const withBlock = (block: object) => template({ blocks: [...blocks, block] });

test('a template with every known member is accepted', () => {
  expect(() => requireTemplateMembers(bytes(template({})))).not.toThrow();
});

test.each([
  ['version: a template has no such member', template({ version: 2 }), undefined],
  ['defaultTemplate: a template', template({ defaultTemplate: 'x' }), undefined],
  ['titel: a template', template({ titel: 'x' }), 'title'],
  [
    'blocks[5].ordering: a list',
    withBlock({ type: 'list', items: ['a'], ordering: true }),
    'ordered',
  ],
  ['blocks[5].start: a list', withBlock({ type: 'list', items: ['a'], start: 3 }), undefined],
  ['blocks[5].wen: a paragraph', withBlock({ type: 'paragraph', text: 'a', wen: 'b' }), 'when'],
  [
    'blocks[5].rows[0].txt: a row',
    withBlock({ type: 'values', rows: [{ name: 'a', text: 'b', txt: 'c' }] }),
    'text',
  ],
  [
    'blocks[5].columns[0].alignment: a column',
    withBlock({ type: 'table', each: 'a', columns: [{ ...column, alignment: 'right' }] }),
    'align',
  ],
  [
    'blocks[5].columns[0].align: expected left or right',
    withBlock({ type: 'table', each: 'a', columns: [{ ...column, align: 'center' }] }),
    undefined,
  ],
  [
    'blocks[5].ordered: expected true or false',
    withBlock({ type: 'list', items: ['a'], ordered: 'yes' }),
    undefined,
  ],
] as const)(
  'a member that is unknown or has an invalid value is rejected: %s',
  (message, value, meant) => {
    // A stored template of an earlier version with this member still renders as before.
    expect(() => parseDocumentTemplate(bytes(value))).not.toThrow();
    const hint = meant === undefined ? undefined : `did you mean ${meant}?`;
    expect(() => requireTemplateMembers(bytes(value))).toThrow(
      expect.objectContaining({
        ...{ code: 'template.invalid', message: expect.stringContaining(message), hint },
      }),
    );
  },
);
