import { isoTime } from '../base/time/iso-time.ts';
import type { Certificate } from '../formats/x509/index.ts';
import { buildFinding } from './findings/index.ts';
import type { Finding } from './report/index.ts';

/**
 * A finding if the signer claims a time at which the certificate was not valid: either the claim is
 * false, or the certificate was not valid when the signature was created.
 *
 * @spec ETSI EN 319 102-1 §5.2.8.4
 */
export function findTimeOutside(
  claimedMs: number | undefined,
  { notBeforeMs, notAfterMs }: Certificate,
): Finding | undefined {
  // The last second of the validity period is included.
  if (claimedMs === undefined) return undefined;
  if (claimedMs >= notBeforeMs && claimedMs < notAfterMs + 1000) return undefined;
  const validity = `from ${isoTime(notBeforeMs)} to ${isoTime(notAfterMs)}`;
  const claim = `the claimed signing time is ${isoTime(claimedMs)}`;
  const message = `${claim}, but the certificate is valid ${validity}`;
  return buildFinding('signature.time.outside', message);
}
