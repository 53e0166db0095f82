import type { ListedPerson } from '../listed-person.ts';

/** A list as it is read from a file. */
export interface ReadList {
  /** Date that the list states, `YYYY-MM-DD`. */
  readonly publishedDate?: string;
  /** Everybody and everything on it, read while it is gone through, once. */
  readonly entries: Iterable<ListedPerson>;
}
