import type { Store } from '../../../app/ports/index.ts';
import type { ProcessKey, SequenceKey } from '../../../domain/keys.ts';
import { putBounded } from './known-companies.ts';

const KEYS_MAX = 10_000;

/**
 * The number of signee places that a request with a key reads: for a sequence, those of each of its
 * documents, persons times documents. A result is cached, since it hardly changes; a missing one is
 * looked up again.
 */
export function knownPlaces(store: Pick<Store, 'read'>): (key: string) => Promise<number> {
  const known = new Map<string, number>();
  return async (key) => {
    const before = known.get(key);
    if (before !== undefined) return before;
    const found = await store.read(async ({ sequences, processes }) => {
      const process = await processes.find(key as ProcessKey);
      const sequenceKey = process === undefined ? (key as SequenceKey) : process.sequenceKey;
      // A document of its own has at most as many signees as a request may cost.
      if (sequenceKey === undefined) return 0;
      const sequence = await sequences.find(sequenceKey);
      return sequence && sequence.processKeys.length * sequence.persons.length;
    });
    if (found !== undefined) putBounded(known, key, found, KEYS_MAX);
    return found ?? 0;
  };
}
