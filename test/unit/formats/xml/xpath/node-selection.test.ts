import { describe, expect, test } from 'vitest';
import { parseXml } from '../../../../../src/formats/xml/index.ts';
import type { IndexedDocument } from '../../../../../src/formats/xml/tree/document.ts';
import {
  NodeSelection,
  type SetOperation,
} from '../../../../../src/formats/xml/xpath/node-selection.ts';
import { NodeTree } from '../../../../../src/formats/xml/xpath/node-tree.ts';

const count = 1_000;
const document = parseXml(Buffer.from(`<r>${'<a/>'.repeat(count - 1)}</r>`)) as IndexedDocument;
const tree = new NodeTree(document, { step: () => undefined });

function selectionOf(isSelected: (index: number) => boolean): NodeSelection {
  const selection = new NodeSelection(tree, false);
  for (let index = 0; index < count; index++) selection.elements[index] = +isSelected(index);
  return selection;
}

const expected: Readonly<Record<SetOperation, (a: boolean, b: boolean) => boolean>> = {
  intersect: (a, b) => a && b,
  subtract: (a, b) => a && !b,
  union: (a, b) => a || b,
};

const patterns: readonly (readonly [title: string, isSelected: (index: number) => boolean])[] = [
  ['no element', () => false],
  ['all elements', () => true],
  ['the first ones', (index) => index < 10],
  ['the last ones', (index) => index >= count - 10],
  ['one run', (index) => index > 400 && index < 500],
  ['64 runs', (index) => index < 128 && index % 2 === 0],
  ['65 runs', (index) => index < 130 && index % 2 === 1],
  ['each second element', (index) => index % 2 === 0],
  ['runs of all lengths', (index) => Math.floor(Math.sqrt(index * 40)) % 2 === 0],
];
const pairs = patterns.flatMap(([a, inA]) => patterns.map(([b, inB]) => [a, b, inA, inB] as const));

describe('combining two selections', () => {
  test.each(pairs)('works for %s and %s', (_a, _b, inA, inB) => {
    for (const operation of ['intersect', 'subtract', 'union'] as const) {
      const operands = [selectionOf(inA), selectionOf(inB)] as const;
      const wanted = selectionOf((index) => expected[operation](inA(index), inB(index)));
      expect(operands[0].with(operation, operands[1]).elements).toEqual(wanted.elements);
      expect(operands.map(({ elements }) => elements)).toEqual([
        selectionOf(inA).elements,
        selectionOf(inB).elements,
      ]);
    }
  });
});
