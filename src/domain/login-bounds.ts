/** Limits on starts of logins and signatures by e-ID. */
export interface LoginBounds {
  /** Logins of one number that wait for their person at one time. */
  readonly open: number;
  /** Logins of one number in ten minutes. */
  readonly inTenMinutes: number;
  /** Logins of one number in a day. */
  readonly aDay: number;
  /**
   * Logins of one number in a day by one client: no client alone uses up the day of another person.
   */
  readonly aDayByClient: number;
  /** The part of those in ten minutes that is shared by all clients who only know the number. */
  readonly strangersInTenMinutes: number;
  /** The same of a day: the links of the person and companies find room. */
  readonly strangersADay: number;
  /** Logins of one flow in a minute, unless the flow sets another value. */
  readonly aMinuteOfFlow: number;
  /** The published test numbers are bounded as all others. */
  readonly boundsTestNumbers: boolean;
}

/** The defaults. */
export const usualLoginBounds: LoginBounds = {
  open: 1,
  inTenMinutes: 5,
  aDay: 20,
  aDayByClient: 10,
  strangersInTenMinutes: 2,
  strangersADay: 8,
  aMinuteOfFlow: 60,
  boundsTestNumbers: false,
};

/** The party that opened a login. */
export interface Opener {
  /**
   * A stranger knows the number; `named`: a link of somebody whose phone it may be; a link is of
   * the person whose number it is.
   */
  readonly standing: 'stranger' | 'named' | 'link' | 'company';
  /** The same text for the same one. */
  readonly who: string;
  /** Absent for clients of this machine, and for companies. */
  readonly client?: string;
}

/** A login that waits for its person. */
export interface OpenLogin {
  readonly id: string;
  readonly startedAtMs: number;
  /** Absent in those of earlier versions. */
  readonly by?: Opener;
  /** Absent while the provider is asked to start it. */
  readonly session?: OpenSession;
}

/** Store of the session of an open login. */
export interface OpenSession {
  /** A login for a flow or sequence, by the digest of its token; or a challenge, by its token. */
  readonly kind: 'login' | 'challenge';
  readonly key: string;
  readonly provider: string;
  readonly providerRef: string;
  readonly pollingMs: number;
  /** Name under which its polls are counted. */
  readonly pace: string;
}

/** Recorded use of a rate limit. */
export interface Tally {
  /** Times in epoch milliseconds, oldest first. */
  readonly timesMs: readonly number[];
  readonly open: readonly OpenLogin[];
  /** Total count where single times do not matter; `timesMs` then contains the last one. */
  readonly count?: number;
}

/** Number of times in a number of milliseconds. */
export type Span = readonly [spanMs: number, most: number];

/** One thing that is counted, and how often it may be done. */
export interface Count {
  readonly subject: string;
  readonly spans: readonly Span[];
}

/** Clocks of hosts differ; one that is further ahead has gone back since. */
const skewMs = 5 * 60_000;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Time without a poll after which the answer is no longer awaited, in milliseconds. */
export const abandonedAfterMs = 30_000;

/** A provider that takes longer to start has not started. */
export const startedWithinMs = 30_000;

/** The spans of a number, or of a link that may name any number. */
export function numberSpans({ inTenMinutes, aDay }: LoginBounds): readonly Span[] {
  return [
    [10 * minuteMs, inTenMinutes],
    [dayMs, aDay],
  ];
}

/** The spans of one client, or one link of the person, for a number: some is left to others. */
export function clientSpans({ inTenMinutes, aDayByClient }: LoginBounds): readonly Span[] {
  return [
    [10 * minuteMs, Math.max(1, Math.floor(inTenMinutes * 0.8))],
    [dayMs, aDayByClient],
  ];
}

/** The spans that all have together for a number who only know it. */
export function strangerSpans(bounds: LoginBounds): readonly Span[] {
  return [
    [10 * minuteMs, bounds.strangersInTenMinutes],
    [dayMs, bounds.strangersADay],
  ];
}

/** The day of one of them: one who mistypes can try again, and nobody has the day alone. */
export function strangerClientSpans({ strangersADay }: LoginBounds): readonly Span[] {
  return [[dayMs, Math.ceil(strangersADay / 2)]];
}

/**
 * The spans that all links have together for a phone that they name: of their signee the company
 * has said the national number alone, so strangers who use up theirs do not keep that person out.
 */
export function namedSpans(bounds: LoginBounds): readonly Span[] {
  return [
    [10 * minuteMs, bounds.strangersInTenMinutes],
    [dayMs, Math.ceil(bounds.strangersADay * 0.75)],
  ];
}

/** The day of one of these links, or of one client of theirs. */
export function namedByOneSpans({ strangersADay }: LoginBounds): readonly Span[] {
  return [[dayMs, Math.ceil(strangersADay * 0.375)]];
}

/** The span of a flow; `share` is that of one client. */
export function flowSpans(most: number, share = 1): readonly Span[] {
  return [[minuteMs, Math.ceil(most * share)]];
}

/** The span of one link for a flow: a login and a signature, and a sixth where that is more. */
export function flowLinkSpans(most: number): readonly Span[] {
  return [[minuteMs, Math.min(most, Math.max(2, Math.ceil(most / 6)))]];
}

/**
 * True when a login that waits gives way to one of `next`. Only who has opened it takes its place,
 * once nobody asks about it (a person with two documents has two links, on one client). Somebody
 * with a better right than the number need not wait longer than that for a stranger.
 */
export function givesWay(
  { by, startedAtMs }: OpenLogin,
  next: Opener,
  isAbandoned: boolean,
  nowMs: number,
): boolean {
  if (by === undefined) return false;
  if (hasBetterRight(next, by)) return nowMs - startedAtMs >= abandonedAfterMs;
  const isSameClient = by.client !== undefined && by.client === next.client;
  const areLinks = by.standing === 'link' && next.standing === 'link';
  return isAbandoned && (by.who === next.who || (areLinks && isSameClient));
}

/** Milliseconds until one of `open` is over at the latest; 0 when there is room for another. */
export function waitOfOpenMs(
  open: readonly OpenLogin[],
  most: number,
  next: Opener,
  { nowMs, lifeMs }: { readonly nowMs: number; readonly lifeMs: number },
): number {
  if (open.length < most) return 0;
  const waits = open.map(({ by, startedAtMs }) => {
    const isShort = by !== undefined && hasBetterRight(next, by);
    return startedAtMs + (isShort ? abandonedAfterMs : lifeMs) - nowMs;
  });
  return Math.max(1, Math.min(...waits));
}

function hasBetterRight(next: Opener, by: Opener): boolean {
  const ranks = { stranger: 0, named: 1, link: 2, company: 2 } as const;
  return ranks[next.standing] > ranks[by.standing];
}

/** Milliseconds until there is room for one more; 0 when there is. */
export function roomAfterMs(
  timesMs: readonly number[],
  spans: readonly Span[],
  nowMs: number,
): number {
  const waits = spans.map(([spanMs, most]) => {
    const recent = timesMs.filter((atMs) => isWithin(atMs, spanMs, nowMs));
    const oldest = recent.at(-most);
    return oldest === undefined ? 0 : oldest + spanMs - nowMs;
  });
  return Math.max(0, ...waits);
}

/** The times with one more, without those that no span looks at. */
export function withTime(
  timesMs: readonly number[],
  spans: readonly Span[],
  nowMs: number,
): readonly number[] {
  const longestMs = Math.max(...spans.map(([spanMs]) => spanMs));
  const kept = timesMs.filter((atMs) => isWithin(atMs, longestMs, nowMs));
  return [...kept, nowMs];
}

/** True for a time of the last `spanMs`, whichever host has written it. */
export function isWithin(atMs: number, spanMs: number, nowMs: number): boolean {
  return atMs > nowMs - spanMs && atMs <= nowMs + skewMs;
}

/** The time from which a tally with these spans has no effect, in epoch milliseconds. */
export function forgottenAtMs(spans: readonly Span[], nowMs: number): number {
  return nowMs + Math.max(...spans.map(([spanMs]) => spanMs));
}
