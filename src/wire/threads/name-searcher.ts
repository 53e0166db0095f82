import {
  joinNameIndexes,
  type NameIndex,
  type PersonMatch,
  type PersonQuery,
  parseList,
  type SearchOptions,
} from '../../domain/screening/index.ts';
import type { Handlers } from './thread-channel.ts';

/** A search sent to a thread. */
export interface SearchCall {
  /** Lists to search, in order, by the digests of their contents. */
  readonly lists: readonly string[];
  /** Contents that the thread does not have yet, in shared memory. */
  readonly opened: readonly { readonly sha256: string; readonly bytes: Uint8Array }[];
  /** Digests of lists to close first. */
  readonly closed: readonly string[];
  readonly query: PersonQuery;
  readonly options: SearchOptions;
}

/** Handlers that search lists kept open in this thread. */
export function nameSearcher(): Handlers {
  const indexes = new Map<string, NameIndex>();
  return {
    searchNames({ lists, opened, closed, query, options }: SearchCall): string {
      for (const sha256 of closed) indexes.delete(sha256);
      for (const { sha256, bytes } of opened) indexes.set(sha256, parseList(bytes).index);
      const all = lists.map((sha256) => {
        const index = indexes.get(sha256);
        if (index === undefined) throw new RangeError(`list ${sha256} is not open`);
        return index;
      });
      // A string is copied in one step, objects member by member.
      return JSON.stringify(joinNameIndexes(all).search(query, options));
    },
  };
}

/** Parses the matches that `searchNames` returns. */
export function parseMatches(answer: unknown): readonly PersonMatch[] {
  return JSON.parse(String(answer)) as readonly PersonMatch[];
}
