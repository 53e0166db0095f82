/** A member of a {@link LiveSet}. */
export interface Placed {
  /** Its place there: nobody else sets it. */
  place: number;
}

/**
 * A set of what comes and goes with each request, in no order; a member is in one such set at most.
 *
 * A `Set` or `Map` gets a new table every few additions, and each table of V8 refers to the next
 * one. As soon as one has grown old, all later ones live until the next full collection, and with
 * them each request that was in one of them when it was replaced.
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

  /** Removes a member; false when it is none. */
  delete(member: Member): boolean {
    if (!this.has(member)) return false;
    const last = this.#members.pop() as Member;
    if (last === member) return true;
    this.#members[member.place] = last;
    last.place = member.place;
    return true;
  }

  /** Those that are in it now: it may change meanwhile. */
  [Symbol.iterator](): Iterator<Member> {
    return [...this.#members].values();
  }
}
