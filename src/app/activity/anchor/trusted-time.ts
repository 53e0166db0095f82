import type { ActivityPorts } from '../ports.ts';

/** What is asked for the time: its tokens must lead to `timestamps.anchors`. */
export type TrustedTimePorts = Pick<ActivityPorts, 'random' | 'timestamps'>;

/**
 * The time of the time-stamp authority, epoch milliseconds, from a token over nothing that was
 * verified but for our own clock, which is in question; undefined when it gave none.
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
    // Whatever keeps it from answering: there is no trusted time then.
    return undefined;
  }
}
