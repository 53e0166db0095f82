import { defined } from '../base/defined.ts';
import { InnsigliError } from '../base/errors.ts';
import { parseTimestampRequest, requireToken } from '../formats/tsp/index.ts';
import type { Certificate } from '../formats/x509/index.ts';
import type { AlgorithmTable } from './algorithms/index.ts';
import { createCertificatePool } from './pool.ts';
import { requireTimestamp, type TimestampVerdict } from './timestamp.ts';

/** A time-stamp request and its response. */
export interface TimestampAnswer {
  /** TimeStampReq, DER. */
  readonly request: Uint8Array;
  /** TimeStampResp, DER. */
  readonly response: Uint8Array;
  /** Name of the authority, for messages. */
  readonly authority: string;
  /** Absent: the path of the authority is not checked. */
  readonly anchors?: readonly Certificate[];
  /** Absent: the time is not compared with the local clock. */
  readonly nowMs?: number;
  /** Expiry dates of algorithms. Default: the built-in table. */
  readonly algorithms?: AlgorithmTable;
}

/**
 * Requires a response that matches the request exactly, is strong enough to prove its time, and
 * comes from an authority with a path to an anchor. Returns the verdict on its token.
 *
 * @throws tsa.* by the first check that fails; algorithm.unsupported, tsp.invalid
 * @spec RFC 3161 §2.4.2
 */
export function requireAnswer(answer: TimestampAnswer): TimestampVerdict {
  const { authority, anchors, nowMs, algorithms } = answer;
  const { digest, imprint, nonce } = parseTimestampRequest(answer.request);
  if (digest === undefined) {
    throw new InnsigliError('algorithm.unsupported', 'the request has an unknown digest');
  }
  return requireTimestamp({
    token: requireToken(answer.response, authority),
    imprint: { digest, value: imprint },
    ...defined({ nonce, anchors }),
    pool: createCertificatePool((anchors ?? []).map(({ der }) => der)),
    ...defined({ nowMs, algorithms }),
    authority,
  });
}
