/** Limits on starts of logins and signatures by e-ID. */
export interface LoginBounds {
  /** Pending logins of one number at a time. */
  readonly open: number;
  /** Logins of one number in ten minutes. */
  readonly inTenMinutes: number;
  /** Logins of one number per day. */
  readonly aDay: number;
  /** Logins of one number per day by one client, so that none uses up another's daily limit. */
  readonly aDayByClient: number;
  /** Share of the ten-minute limit for all clients together that only know the number. */
  readonly strangersInTenMinutes: number;
  /** The same share of the daily limit. The rest is for links of the person and for companies. */
  readonly strangersADay: number;
  /** Logins of one flow per minute, unless the flow sets its own limit. */
  readonly aMinuteOfFlow: number;
  /** Whether the published test numbers are limited like all others. */
  readonly boundsTestNumbers: boolean;
}

/** Default limits. */
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

/** The party that started a login. */
export interface Opener {
  /**
   * `stranger`: only knows the number. `named`: holds a link of a person who may own the phone.
   * `link`: holds a link of the person whose number it is.
   */
  readonly standing: 'stranger' | 'named' | 'link' | 'company';
  /** Identifies the party. */
  readonly who: string;
  /** Absent for clients on this machine and for companies. */
  readonly client?: string;
}

/** A login to which its person has not yet responded. */
export interface OpenLogin {
  readonly id: string;
  readonly startedAtMs: number;
  /** Absent in logins of earlier versions. */
  readonly by?: Opener;
  /** Absent while the provider is starting it. */
  readonly session?: OpenSession;
}

/** Reference to the session of a pending login. */
export interface OpenSession {
  /** A login for a flow or sequence, by the digest of its token; or a challenge, by its token. */
  readonly kind: 'login' | 'challenge';
  readonly key: string;
  readonly provider: string;
  readonly providerRef: string;
  readonly pollingMs: number;
  /** Name of the counter for its polls. */
  readonly pace: string;
}

/** Recorded use of a rate limit. */
export interface Tally {
  /** Times in epoch milliseconds, oldest first. */
  readonly timesMs: readonly number[];
  readonly open: readonly OpenLogin[];
  /** Total count, if single times are irrelevant; `timesMs` then contains only the last one. */
  readonly count?: number;
}

/** Maximum number of events within a span, in milliseconds. */
export type Span = readonly [spanMs: number, most: number];

/** A counted subject and its limits. */
export interface Count {
  readonly subject: string;
  readonly spans: readonly Span[];
}

/** Tolerated clock skew between hosts. Times further ahead are from a clock since set back. */
const skewMs = 5 * 60_000;
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Time without a poll after which a login is considered abandoned, in milliseconds. */
export const abandonedAfterMs = 30_000;

/** Time within which the provider must start a login, in milliseconds; later it is over. */
export const startedWithinMs = 30_000;

/** The limits of a number, or of a link that may name any number. */
export function numberSpans({ inTenMinutes, aDay }: LoginBounds): readonly Span[] {
  return [
    [10 * minuteMs, inTenMinutes],
    [dayMs, aDay],
  ];
}

/** The limits of one client or link of the person for a number. They leave a part to others. */
export function clientSpans({ inTenMinutes, aDayByClient }: LoginBounds): readonly Span[] {
  return [
    [10 * minuteMs, Math.max(1, Math.floor(inTenMinutes * 0.8))],
    [dayMs, aDayByClient],
  ];
}

/** The limits for a number that all parties who only know it share. */
export function strangerSpans(bounds: LoginBounds): readonly Span[] {
  return [
    [10 * minuteMs, bounds.strangersInTenMinutes],
    [dayMs, bounds.strangersADay],
  ];
}

/** Daily limit of one such party: allows a retry after a typo, but not the whole shared limit. */
export function strangerClientSpans({ strangersADay }: LoginBounds): readonly Span[] {
  return [[dayMs, Math.ceil(strangersADay / 2)]];
}

/**
 * The limits that all links share for a phone number that they name. The company named only the
 * national number of their signee, so strangers who use up their own limit cannot lock that person
 * out.
 */
export function namedSpans(bounds: LoginBounds): readonly Span[] {
  return [
    [10 * minuteMs, bounds.strangersInTenMinutes],
    [dayMs, Math.ceil(bounds.strangersADay * 0.75)],
  ];
}

/** The daily limit of one such link, or of one of its clients. */
export function namedByOneSpans({ strangersADay }: LoginBounds): readonly Span[] {
  return [[dayMs, Math.ceil(strangersADay * 0.375)]];
}

/** The limit of a flow. `share` is the share of one client. */
export function flowSpans(most: number, share = 1): readonly Span[] {
  return [[minuteMs, Math.ceil(most * share)]];
}

/** Limit per link for a flow: enough to log in and sign, or a sixth of the flow's limit if more. */
export function flowLinkSpans(most: number): readonly Span[] {
  return [[minuteMs, Math.min(most, Math.max(2, Math.ceil(most / 6)))]];
}

/**
 * Whether a pending login may be replaced by one of `next`. The party that started it may replace
 * it once it is no longer polled; links on the same client count as one party, because a person
 * with two documents has two links. A party with a stronger claim may replace it
 * {@link abandonedAfterMs} after its start in any case.
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

/** Maximum time until one of `open` ends, in milliseconds; 0 if another may be started now. */
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

/** Time until one more event is allowed, in milliseconds; 0 if it is allowed now. */
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

/** Appends `nowMs` to the times and drops those outside every span. */
export function withTime(
  timesMs: readonly number[],
  spans: readonly Span[],
  nowMs: number,
): readonly number[] {
  const longestMs = Math.max(...spans.map(([spanMs]) => spanMs));
  const kept = timesMs.filter((atMs) => isWithin(atMs, longestMs, nowMs));
  return [...kept, nowMs];
}

/** Whether a time is within the last `spanMs`, regardless of which host wrote it. */
export function isWithin(atMs: number, spanMs: number, nowMs: number): boolean {
  return atMs > nowMs - spanMs && atMs <= nowMs + skewMs;
}

/** The time from which a tally with these spans has no effect, in epoch milliseconds. */
export function forgottenAtMs(spans: readonly Span[], nowMs: number): number {
  return nowMs + Math.max(...spans.map(([spanMs]) => spanMs));
}
