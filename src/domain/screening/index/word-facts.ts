import type { WordFacts } from '../names/word-likeness.ts';
import type { NameWord } from '../names/words.ts';
import { hashWithout } from './layout.ts';

/** Properties by which most words can be told apart cheaply. */
export function wordFacts({ text, letters, skeleton, sound }: NameWord): WordFacts {
  return {
    length: text.length,
    letters,
    skeleton: hashWithout(skeleton, -1),
    sound: hashWithout(sound, -1),
  };
}
