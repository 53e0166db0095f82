import { defined } from '../../../base/defined.ts';
import { type DayFault, stampTimeFault } from '../../../domain/activity/index.ts';
import type { Certificate } from '../../../formats/x509/index.ts';

/** What the time-stamp of a daily root is held against. */
export interface StampQuestion {
  readonly day: string;
  readonly token: Uint8Array;
  /** What it must be over, hexadecimal. */
  readonly digest: string;
  /** What its path must lead to; undefined: no path is asked for. */
  readonly anchors?: readonly Certificate[];
  readonly nowMs: number;
}

/** Why the time-stamp of a daily root proves nothing, or too little; undefined when it holds. */
export async function tokenFault(question: StampQuestion): Promise<DayFault | undefined> {
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
