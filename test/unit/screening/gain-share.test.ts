import { expect, test } from 'vitest';
import {
  alignment,
  alignNames,
  clearJoints,
  gainShare,
  jointWeight,
  leastOfSyllables,
  mostAlike,
  noteJoint,
} from '../../../src/domain/screening/names/align.ts';

const LEAST = 0.715;
let state = 11;

/** The same numbers in each run, from 0 up to but not including 1. */
function random(): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
}

/** Two names whose first words are pairwise similar: their likeness and its upper bound. */
function aPair(isSyllabic: boolean, least: number, isAsIfSame: boolean) {
  const [query, listed] = [1 + Math.floor(random() * 5), 1 + Math.floor(random() * 5)];
  const pairs = Math.floor(random() * (Math.min(query, listed) + 1));
  Object.assign(alignment, { queryCount: query, listedCount: listed, isChain: false, isSyllabic });
  const weight = () => 0.5 + random() / 2;
  for (let at = 0; at < query; at++) alignment.queryWeights[at] = weight();
  for (let at = 0; at < listed; at++) alignment.listedWeights[at] = weight();
  clearJoints();
  let [gained, missing, left] = [0, 0, 0];
  for (let at = 0; at < Math.max(query, listed); at++) {
    const [one, other] = [alignment.queryWeights[at] ?? 0, alignment.listedWeights[at] ?? 0];
    if (at < pairs) {
      const likeness = 0.7 + random() * 0.3;
      noteJoint(at, at, at, at, likeness);
      gained += jointWeight(one, other) * (isAsIfSame ? 1 : gainShare(likeness, query, least));
      continue;
    }
    if (at < query) missing += one;
    if (at < listed) left += other;
  }
  const against = Math.min(missing, left);
  const most = gained === 0 ? 0 : mostAlike(gained, missing, left, against, pairs, isSyllabic);
  return { alike: alignNames(), most };
}

test.each([
  ['words', false, LEAST],
  ['syllables', true, leastOfSyllables(LEAST)],
] as const)(
  'the upper bound never rules out a name whose %s reach the required likeness',
  (_, isSyllabic, least) => {
    let [reached, told] = [0, 0];
    for (let run = 0; run < 20_000; run++) {
      const { alike, most } = aPair(isSyllabic, least, false);
      if (alike >= LEAST) expect(most).toBeGreaterThanOrEqual(least);
      if (alike >= LEAST) reached += 1;
      if (most < least) told += 1;
    }
    expect(reached).toBeGreaterThan(100);
    expect(told).toBeGreaterThan(10_000);
  },
);

test('fewer names are ruled out if all pairs count as equal', () => {
  const toldOf = (isAsIfSame: boolean) => {
    state = 11;
    let told = 0;
    for (let run = 0; run < 5000; run++)
      if (aPair(false, LEAST, isAsIfSame).most < LEAST) told += 1;
    return told;
  };
  expect(toldOf(true)).toBeLessThan(toldOf(false));
});
