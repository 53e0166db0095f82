import { expect, test } from 'vitest';
import { hasRepeated } from '../../../src/domain/screening/names/alike/word-form.ts';
import { EditTarget, editCost, leastExtra } from '../../../src/domain/screening/names/edit-cost.ts';
import { shapeOfPair } from '../../../src/domain/screening/names/phones.table.ts';
import { phonesOf, SoundTarget } from '../../../src/domain/screening/names/phones.ts';
import { fc } from '../../support/property.ts';
import { runs } from '../../support/sample.ts';

const letter = fc.constantFrom(...'aaeiouhhbcdkklmnrstvwjyz');
const aWord = fc.array(letter, { minLength: 1, maxLength: 9 }).map((found) => found.join(''));
const anEdit = fc.tuple(fc.nat(9), fc.nat(3), letter);

/** A word with letters dropped, added, replaced or swapped. */
function edited(word: string, edits: readonly (readonly [number, number, string])[]): string {
  return edits.reduce((text, [place, kind, other]) => {
    const at = place % (text.length + 1);
    const [head, tail] = [text.slice(0, at), text.slice(at)];
    if (kind === 0) return head + other + tail;
    if (kind === 1) return head + tail.slice(1);
    if (kind === 2) return head + other + tail.slice(1);
    return head + tail.slice(1, 2) + tail.slice(0, 1) + tail.slice(2);
  }, word);
}

const twoWords = fc
  .tuple(aWord, fc.array(anEdit, { maxLength: 4 }))
  .map(([word, edits]) => [word, edited(word, edits)] as const);

const codesOf = (text: string) => Uint16Array.from(text, (each) => each.charCodeAt(0));

test('the bound rules out letters only if editing them costs too much, and then mostly does', () => {
  const counts = { far: 0, dear: 0 };
  fc.assert(
    fc.property(twoWords, fc.integer({ min: 3, max: 27 }), ([one, other], tenths) => {
      const [target, most] = [new EditTarget(), tenths / 10];
      target.begin(one);
      const hasH = one.includes('h') || other.includes('h');
      const extra = leastExtra(hasRepeated(one) || hasRepeated(other), hasH);
      const letters = codesOf(other);
      const cost = editCost(other, one, 1000);
      const isFar = target.isFar(letters, 0, letters.length, most, extra);
      if (cost > most) counts.dear += 1;
      if (isFar) counts.far += 1;
      expect([one, other, most, isFar && cost <= most]).toEqual([one, other, most, false]);
      if (cost > most) return;
      expect(target.cost(letters, 0, letters.length, most, extra)).toBe(cost);
    }),
    { numRuns: runs(6000) },
  );
  expect(counts.far).toBeGreaterThan(counts.dear / 2);
});

/** The share of sounds that agree, over all edit paths. */
function plainShare(one: string, other: string, costs: ReturnType<typeof shapeOfPair>): number {
  const [a, b] = [codesOf(one), codesOf(other)];
  const { swaps, extras, sizes } = costs;
  let row = [0];
  for (const y of b) row.push((row.at(-1) ?? 0) + (extras[y] ?? 0));
  for (const x of a) {
    const next = [(row[0] ?? 0) + (extras[x] ?? 0)];
    b.forEach((y, at) => {
      const swapped = (row[at] ?? 0) + (swaps[(x << 7) | y] ?? 0);
      const added = (next[at] ?? 0) + (extras[y] ?? 0);
      next.push(Math.min(swapped, added, (row[at + 1] ?? 0) + (extras[x] ?? 0)));
    });
    row = next;
  }
  const sizeOf = (codes: Uint16Array) => codes.reduce((sum, each) => sum + (sizes[each] ?? 0), 0);
  return 1 - (row.at(-1) ?? 0) / Math.max(sizeOf(a), sizeOf(b));
}

test.each(['latin', 'abjad', 'hangul'] as const)(
  'the bound on sounds of %s changes no likeness that is high enough',
  (script) => {
    const costs = shapeOfPair('latin', script);
    let found = 0;
    fc.assert(
      fc.property(twoWords, fc.integer({ min: 60, max: 95 }), (words, hundredths) => {
        const [one, other] = words.map(phonesOf) as [string, string];
        if (one === '' && other === '') return;
        const target = new SoundTarget();
        target.begin(one);
        const sounds = codesOf(other);
        const hasH = one.includes('h') || other.includes('h');
        const least = hundredths / 100;
        const share = target.share(sounds, 0, sounds.length, costs, least, hasH);
        const plain = plainShare(other, one, costs);
        if (plain >= least) found += 1;
        expect([one, other, least, share]).toEqual([one, other, least, plain < least ? 0 : plain]);
      }),
      { numRuns: runs(3000) },
    );
    expect(found).toBeGreaterThan(runs(300));
  },
);

test.each([
  ['tschechow', 'JeJow'],
  ['dzhokhar', 'Joxar'],
  ['shishkin', 'SiSkin'],
  ['szabo', 'Sabo'],
  ['chavez', 'Javes'],
  ['tzipi', 'sipi'],
  ['sheikh', 'Seiks'],
  ['philip', 'filip'],
  ['dhathu', 'tatu'],
  ['ghani', 'gani'],
  ['becker', 'beker'],
  ['cecil', 'sesil'],
  ['felix', 'feliks'],
  ['ahmad', 'amad'],
  ['djibril', 'Jibril'],
  ['ousmane', 'usman'],
  ['seeley', 'silei'],
  ['aiello', 'elo'],
  ['leonid', 'lonid'],
  ['eugene', 'ugen'],
  ['ozoui', 'osui'],
  ['martin', 'martin'],
])('%s sounds like %s', (word, sounds) => {
  expect(phonesOf(word)).toBe(sounds);
});
