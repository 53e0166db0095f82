/** A member of a {@link LiveSet}. */
export interface Placed {
  /** Index in the set. Only the set modifies it. */
  place: number;
}

/**
 * An unordered set of short-lived objects, such as those of a request. A member is in at most one
 * such set.
 *
 * A `Set` or `Map` gets a new table every few additions, and each table of V8 refers to the next
 * one. Once a table has been promoted to the old generation, all later ones survive until the next
 * full collection, and with them each request that was in one of them when it was replaced.
 */
export class LiveSet<Member extends Placed> implements Iterable<Member> {
  readonly #members: Member[] = [];

  get size(): number {
    return this.#members.length;
  }

  has(member: Member): boolean {
    return this.#members[member.place] === member;
  }

  add(member: Member): void {
    member.place = this.#members.push(member) - 1;
  }

  /** Removes a member. Returns false if it is not in the set. */
  delete(member: Member): boolean {
    if (!this.has(member)) return false;
    const last = this.#members.pop() as Member;
    if (last === member) return true;
    this.#members[member.place] = last;
    last.place = member.place;
    return true;
  }

  /** Iterates over a snapshot: the set may change meanwhile. */
  [Symbol.iterator](): Iterator<Member> {
    return [...this.#members].values();
  }
}
