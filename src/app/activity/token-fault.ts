import type { DayFault } from '../../domain/activity/index.ts';
import type { Certificate } from '../../formats/x509/index.ts';

/**
 * Why the time-stamp of a daily root does not hold; undefined when it does.
 *
 * @param digest what it must be over, hexadecimal
 * @param anchors what its path must lead to; undefined: no path is asked for
 */
export async function tokenFault(
  token: Uint8Array,
  digest: string,
  anchors: readonly Certificate[] | undefined,
  nowMs: number,
): Promise<DayFault | undefined> {
  const { verifyTimestampToken } = await import('../../trust/timestamp.ts');
  const { createCertificatePool } = await import('../../trust/pool.ts');
  const verdict = verifyTimestampToken({
    token,
    imprint: { digest: 'sha256', value: Buffer.from(digest, 'hex') },
    pool: createCertificatePool(),
    ...(anchors === undefined ? {} : { anchors }),
    nowMs,
  });
  return verdict.problem === undefined ? undefined : 'token.invalid';
}
