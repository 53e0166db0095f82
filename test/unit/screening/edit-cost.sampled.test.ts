import { expect, test } from 'vitest';
import { editBudget, editCost } from '../../../src/domain/screening/names/edit-cost.ts';
import { fc } from '../../support/property.ts';
import { runs } from '../../support/sample.ts';

test.each([
  ['anna', 'anna', 0],
  ['jon', 'john', 0.4],
  ['anna', 'ana', 0.3],
  ['ivan', 'iwan', 0.5],
  ['peter', 'petar', 0.5],
  ['karel', 'karl', 0.6],
  ['maria', 'mario', 1],
  ['brain', 'brian', 0.7],
  ['smit', 'smid', 0.5],
  ['kat', 'bat', 1],
  ['', 'ab', 1.6],
  ['\u0434\u0430', '\u0434\u0435', 1],
])('the edit cost of %s and %s is %d', (a, b, cost) => {
  expect(editCost(a, b, 10)).toBeCloseTo(cost, 10);
});

const letters = fc.constantFrom(...'aeiouhbcdklmnrstvwjyz\u0434\u0435');
const aWord = fc.array(letters, { maxLength: 10 }).map((found) => found.join(''));
const anEdit = fc.tuple(fc.nat(10), fc.nat(3), letters);

/** A word with letters dropped, added, replaced or swapped. */
function edited(word: string, edits: readonly (readonly [number, number, string])[]): string {
  return edits.reduce((text, [place, kind, letter]) => {
    const at = place % (text.length + 1);
    const [head, tail] = [text.slice(0, at), text.slice(at)];
    if (kind === 0) return head + letter + tail;
    if (kind === 1) return head + tail.slice(1);
    if (kind === 2) return head + letter + tail.slice(1);
    return head + tail.slice(1, 2) + tail.slice(0, 1) + tail.slice(2);
  }, word);
}

test('a limit changes no cost below it', () => {
  fc.assert(
    fc.property(aWord, fc.array(anEdit, { maxLength: 4 }), fc.nat(60), (word, edits, tenths) => {
      const other = edited(word, edits);
      const cost = editCost(word, other, 1000);
      const most = tenths % 2 === 0 ? tenths / 10 : editBudget(Math.min(word.length, other.length));
      const bounded = editCost(word, other, most);
      if (cost <= most) expect([word, other, bounded]).toEqual([word, other, cost]);
      else expect([word, other, bounded > most]).toEqual([word, other, true]);
    }),
    { numRuns: runs(3000) },
  );
});
