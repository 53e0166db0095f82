import type { MatchedField, NamePart } from '../name-index.types.ts';
import { takenJoints } from '../names/align.ts';
import { compareWords } from '../names/compare.ts';
import { howAlike } from '../names/word-likeness.ts';
import { type NameWord, namesOf, wordsOf } from '../names/words.ts';
import type { IndexArrays } from './layout.ts';
import type { Vocabulary } from './vocabulary.ts';

/** How the words of a query match those of a listed name. */
export interface Explanation {
  readonly parts: readonly NamePart[];
  /** Kinds of match other than equal or nearly equal spelling. */
  readonly ways: readonly MatchedField[];
}

const fieldOf: Readonly<Partial<Record<NamePart['how'], MatchedField>>> = {
  sound: 'phonetic',
  nickname: 'nickname',
  initial: 'initial',
};

/** Explains the similarity of a query and a name of the index. */
export function explain(
  { nameStart, nameWords }: IndexArrays,
  vocabulary: Vocabulary,
  text: string,
  name: number,
): Explanation {
  const numbers = nameWords.subarray(nameStart[name], nameStart[name + 1]);
  const listed = Array.from(numbers, (word) => vocabulary.word(word));
  const asked = namesOf(text).map(wordsOf);
  const alike = asked.length < 2 ? [1] : asked.map((words) => compareWords(words, listed));
  return explainWords(asked[alike.indexOf(Math.max(...alike))] ?? [], listed);
}

function explainWords(query: readonly NameWord[], listed: readonly NameWord[]): Explanation {
  compareWords(query, listed);
  const restOfQuery = new Set(query.keys());
  const restOfListed = new Set(listed.keys());
  const met = [...takenJoints()]
    .sort((a, b) => a.query - b.query)
    .map((joint): NamePart => {
      for (const at of [joint.query, joint.queryEnd]) restOfQuery.delete(at);
      for (const at of [joint.listed, joint.listedEnd]) restOfListed.delete(at);
      const isJoined = joint.query !== joint.queryEnd || joint.listed !== joint.listedEnd;
      return {
        query: textOf(query, joint.query, joint.queryEnd),
        listed: textOf(listed, joint.listed, joint.listedEnd),
        how: isJoined
          ? 'joined'
          : howAlike(query[joint.query] as NameWord, listed[joint.listed] as NameWord),
        likeness: Math.round(100 * joint.likeness) / 100,
      };
    });
  const unmatched = { how: 'unmatched', likeness: 0 } as const;
  const parts: readonly NamePart[] = [
    ...met,
    ...[...restOfQuery].map((at) => ({ query: query[at]?.text ?? '', ...unmatched })),
    ...[...restOfListed].map((at) => ({ listed: listed[at]?.text ?? '', ...unmatched })),
  ];
  const ways = new Set(parts.flatMap(({ how }) => fieldOf[how] ?? []));
  return { parts, ways: [...ways] };
}

function textOf(words: readonly NameWord[], from: number, to: number): string {
  const first = words[from]?.text ?? '';
  return from === to ? first : `${first} ${words[to]?.text ?? ''}`;
}
