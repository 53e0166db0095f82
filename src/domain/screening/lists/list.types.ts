import type { ListedPerson } from '../listed-person.ts';

/** A list as read from a file. */
export interface ReadList {
  /** Date stated in the list, `YYYY-MM-DD`. */
  readonly publishedDate?: string;
  /** All entries, persons and others. Parsed during iteration; can be iterated once. */
  readonly entries: Iterable<ListedPerson>;
}
