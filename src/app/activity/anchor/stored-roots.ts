import { defined } from '../../../base/defined.ts';
import {
  anchorDigest,
  anchorStart,
  type DailyRoot,
  type DayFault,
  dayOf,
  isDay,
  stampTimeFault,
} from '../../../domain/activity/index.ts';
import type { CompanyKey } from '../../../domain/keys.ts';
import type { Certificate } from '../../../formats/x509/index.ts';
import type { StoreUnit } from '../../ports/index.ts';
import type { ActivityPorts } from '../ports.ts';

/** The stored roots of a company, divided into valid and invalid ones. */
interface StoredRoots {
  /** Valid roots in the order of their days. */
  readonly roots: readonly DailyRoot[];
  /** Days whose roots are ignored, with their faults. */
  readonly strange: readonly { readonly day: string; readonly fault: DayFault }[];
}

/**
 * Reads the roots of a company. An invalid root, or one for a day that has not ended, was written
 * by another program or under an incorrect clock: the remaining roots are verified and continued
 * without it.
 */
export async function readRoots(
  { activity }: Pick<StoreUnit, 'activity'>,
  companyKey: CompanyKey,
  nowMs: number,
  tokens?: 'none',
): Promise<StoredRoots> {
  const today = dayOf(nowMs);
  const roots: DailyRoot[] = [];
  const strange: { readonly day: string; readonly fault: DayFault }[] = [];
  for (const root of await activity.dailyRoots(companyKey, tokens)) {
    const day = String(root.day);
    if (!isSound(root)) strange.push({ day: day.slice(0, 40), fault: 'root.malformed' });
    else if (day >= today) strange.push({ day, fault: 'root.early' });
    else roots.push(root);
  }
  return { roots: roots.sort((one, other) => (one.day < other.day ? -1 : 1)), strange };
}

function isSound({ day, count, root }: DailyRoot): boolean {
  const isCount = Number.isSafeInteger(count) && count >= 0;
  return isDay(day) && isCount && typeof root === 'string' && /^[0-9a-f]{64}$/.test(root);
}

/** The digest that the time-stamp of the last of `roots` covers, hexadecimal. */
export function digestOfRoots(roots: readonly DailyRoot[]): string {
  return roots.reduce(anchorDigest, anchorStart);
}

/** A company's newest root with its digest, which binds all earlier roots. Used in evidence. */
export async function newestRoot(
  unit: Pick<StoreUnit, 'activity'>,
  companyKey: CompanyKey,
  nowMs: number,
): Promise<{ readonly day: string; readonly digest: string } | undefined> {
  const { roots } = await readRoots(unit, companyKey, nowMs, 'none');
  const day = roots.at(-1)?.day;
  return day === undefined ? undefined : { day, digest: digestOfRoots(roots) };
}

/** Input for verifying the time-stamp of a daily root. */
interface StampToVerify {
  readonly day: string;
  readonly token: Uint8Array;
  /** Expected imprint, hexadecimal. */
  readonly digest: string;
  /** Trust anchors of its certificate path. Undefined: no path is required. */
  readonly anchors?: readonly Certificate[];
  readonly nowMs: number;
}

/** Returns why the time-stamp of a daily root proves nothing or too little; undefined if valid. */
export async function tokenFault(question: StampToVerify): Promise<DayFault | undefined> {
  const { day, token, digest, anchors, nowMs } = question;
  const { verifyTimestampToken } = await import('../../../trust/timestamp.ts');
  const { createCertificatePool } = await import('../../../trust/pool.ts');
  const { problem, info } = verifyTimestampToken({
    token,
    imprint: { digest: 'sha256', value: Buffer.from(digest, 'hex') },
    pool: createCertificatePool(),
    ...defined({ anchors }),
    nowMs,
  });
  if (problem !== undefined || info === undefined) return 'token.invalid';
  return stampTimeFault(day, info.genTimeMs);
}

/** The time-stamp authority to query: its tokens must chain to `timestamps.anchors`. */
type TrustedTimePorts = Pick<ActivityPorts, 'random' | 'timestamps'>;

/**
 * The time of the time-stamp authority in epoch milliseconds, from a token over random data. The
 * token is verified except against the local clock, which is in question. Undefined if no token was
 * obtained.
 */
export async function trustedTime({
  random,
  timestamps,
}: TrustedTimePorts): Promise<number | undefined> {
  if (timestamps?.authority === undefined) return undefined;
  const { requestTimestamp } = await import('../../../seal/timestamp-client.ts');
  const { createCertificatePool } = await import('../../../trust/pool.ts');
  const { authority, anchors } = timestamps;
  const now = () => Number.MAX_SAFE_INTEGER;
  const context = { authority, anchors, pool: createCertificatePool(), random, now };
  try {
    const { verdict } = await requestTimestamp(context, 'sha256', random(32));
    return verdict.info?.genTimeMs;
  } catch {
    // On any failure there is no trusted time.
    return undefined;
  }
}
