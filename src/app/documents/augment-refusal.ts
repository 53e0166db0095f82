import { InnsigliError } from '../../base/errors.ts';
import type { TimestampSummary } from '../../verify/report.ts';

/**
 * The refusal to put an archive time-stamp over one that does not hold: the new one would make it
 * look like proof.
 */
export function brokenArchive(signature: string, reason = 'it is not valid'): InnsigliError {
  return new InnsigliError(
    'archive.timestamp.broken',
    `an archive time-stamp of the signature ${signature} is broken: ${reason}; nothing is written`,
    { hint: 'ask for an undamaged copy; innsigli verify tells what is broken' },
  );
}

/**
 * Requires that no archive time-stamp of the signature is refuted; one of an unchecked form
 * may stand there.
 *
 * @throws archive.timestamp.broken
 */
export function requireSoundArchive(
  signature: string,
  timestamps: readonly TimestampSummary[],
): void {
  for (const { covers, valid, problem, message } of timestamps) {
    if (valid || covers !== 'archive' || problem === 'tsa.imprint.unknown') continue;
    throw brokenArchive(signature, message);
  }
}
