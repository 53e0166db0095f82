import { defined } from '../base/defined.ts';
import { buildTimestampRequest, requireToken } from '../formats/tsp/index.ts';
import type { Certificate, DigestAlgorithm } from '../formats/x509/index.ts';
import type { AlgorithmTable } from '../trust/algorithms/index.ts';
import type { CertificatePool } from '../trust/path.ts';
import { requireTimestamp, type TimestampVerdict } from '../trust/timestamp.ts';
import type { RandomSource, TimestampAuthority } from './ports.ts';

/** Parameters of a time-stamp request other than the imprint. */
export interface TimestampContext {
  readonly authority: TimestampAuthority;
  readonly anchors: readonly Certificate[];
  readonly pool: CertificatePool;
  readonly random: RandomSource;
  readonly now: () => number;
  /** Expiry dates of algorithms. Default: the table of `trust`. */
  readonly algorithms?: AlgorithmTable;
  /** Called with each accepted time-stamp. */
  stamped?(verdict: TimestampVerdict): void;
}

/** A token that passed every check. */
export interface FreshTimestamp {
  readonly token: Uint8Array;
  readonly verdict: TimestampVerdict;
}

/** First guess for an authority that has not yet responded. Most tokens have 2 to 7 KB. */
const UNKNOWN_TOKEN_BYTES = 8_192;
/** Tokens of an authority vary by a few bytes: serial number, fractional second, ECDSA integers. */
const TOKEN_SLACK_BYTES = 32;

const learned = new WeakMap<TimestampAuthority, number>();

/** Bytes to reserve for a token: the declared length, that of an earlier token, or a guess. */
export function expectedTokenLength(authority: TimestampAuthority): number {
  const known = learned.get(authority) ?? authority.tokenLengthBytes;
  return known === undefined ? UNKNOWN_TOKEN_BYTES : known + TOKEN_SLACK_BYTES;
}

/**
 * Requests a time-stamp over `imprint` and verifies the response: status, imprint, nonce,
 * signature, certificate, path to an anchor, time.
 *
 * @throws tsa.* for the first check that failed
 * @spec RFC 3161 §2.4
 */
export async function requestTimestamp(
  context: TimestampContext,
  digest: DigestAlgorithm,
  imprint: Uint8Array,
): Promise<FreshTimestamp> {
  const { authority, anchors, pool, algorithms } = context;
  const nonce = context.random(8);
  // A positive integer of constant length keeps the sizes of requests and tokens constant.
  nonce[0] = ((nonce[0] as number) & 0x3f) | 0x40;
  const request = buildTimestampRequest({ digest, imprint, nonce, certReq: true });
  const token = requireToken(await authority.timestamp(request), authority.name);
  const verdict = requireTimestamp({
    token,
    imprint: { digest, value: imprint },
    nonce,
    anchors,
    pool,
    nowMs: context.now(),
    authority: authority.name,
    ...defined({ algorithms }),
  });
  learned.set(authority, token.length);
  context.stamped?.(verdict);
  return { token, verdict };
}
