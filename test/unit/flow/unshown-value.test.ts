import { expect, test } from 'vitest';
import { unshownPointer } from '../../../src/app/flow/unshown-value.ts';
import type { FlowValues } from '../../../src/domain/flow/index.ts';

const isShown = (text: string) => !text.includes('x');

test.each<[string, FlowValues, string[], string | undefined]>([
  ['a text', { a: 'o', b: 'x' }, ['a', 'b'], '/b'],
  ['a value without a placeholder is skipped', { a: 'x', b: 'x' }, ['b'], '/b'],
  ['a text inside an object', { a: { b: 'x' } }, ['a.b'], '/a/b'],
  ['a name with a dot in it', { 'a.b': 'x' }, ['a.b'], '/a.b'],
  ['a name with characters that pointers escape', { 'a/b~': 'x' }, ['a/b~'], '/a~1b~0'],
  ['a member of a row', { rows: [{ a: 'o' }, { a: 'x' }] }, ['a'], '/rows/1/a'],
  ['a value in a list', { rows: ['o', 'x'] }, ['value'], '/rows/1'],
  ['only values that can be shown', { a: 'o' }, ['a'], undefined],
  ['only values without a placeholder', { a: 'x' }, ['b'], undefined],
  ['a number', { a: 1 }, ['a'], undefined],
  ['no placeholders', { a: 'x' }, [], undefined],
])(
  'the pointer to the first value that the font cannot show is returned: %s',
  (_, values, names, pointer) => {
    expect(unshownPointer(values, new Set(names), isShown)).toBe(pointer);
  },
);
