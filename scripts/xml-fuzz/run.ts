import { compareDocument, type Difference, type Selector } from './compare.ts';
import { generateDocument } from './generate.ts';
import { mutate } from './mutate.ts';
import { createRandom, type Random } from './random.ts';

/** Result for many documents. */
export interface FuzzResult {
  readonly tally: {
    readonly documents: number;
    readonly both: number;
    readonly neither: number;
    readonly differ: number;
    readonly forms: number;
  };
  /** Number of occurrences of each known difference. */
  readonly explained: ReadonlyMap<string, number>;
  readonly unexplained: readonly {
    readonly document: Uint8Array;
    readonly difference: Difference;
  }[];
}

/** Compares `count` documents, alternating between generated and mutated ones. */
export function runFuzz(seed: number, count: number): FuzzResult {
  const random = createRandom(seed);
  const verdicts = { both: 0, neither: 0, differ: 0 };
  const explained = new Map<string, number>();
  const unexplained: { document: Uint8Array; difference: Difference }[] = [];
  let forms = 0;
  let generated = Buffer.alloc(0);
  for (let i = 0; i < count; i++) {
    if (i % 2 === 0) generated = Buffer.from(generateDocument(random));
    const document = i % 2 === 0 ? generated : mutate(generated, random);
    const comparison = compareDocument(document, selectAtRandom(random));
    verdicts[comparison.verdict]++;
    forms += comparison.forms;
    for (const difference of comparison.differences) {
      const { because } = difference;
      if (because === undefined) unexplained.push({ document, difference });
      else explained.set(because, (explained.get(because) ?? 0) + 1);
    }
  }
  return { tally: { documents: count, ...verdicts, forms }, explained, unexplained };
}

function selectAtRandom(random: Random): Selector {
  return (elements) => {
    const element = random.pick(elements);
    const excluded = random.oneIn(4) && element[0].index > 0 ? [element] : [];
    const prefixList = ['a', 'b', 'ä', '', 'absent'].filter(() => random.oneIn(3));
    return { elements: [element], excluded, prefixLists: [prefixList] };
  };
}
