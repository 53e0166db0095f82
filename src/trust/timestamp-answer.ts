import { defined } from '../base/defined.ts';
import { InnsigliError } from '../base/errors.ts';
import { parseTimestampRequest, requireToken } from '../formats/tsp/index.ts';
import type { Certificate } from '../formats/x509/index.ts';
import type { AlgorithmTable } from './algorithms/index.ts';
import { createCertificatePool } from './pool.ts';
import { requireTimestamp, type TimestampVerdict } from './timestamp.ts';

/** A request and what came back. */
export interface TimestampAnswer {
  /** TimeStampReq, DER. */
  readonly request: Uint8Array;
  /** TimeStampResp, DER. */
  readonly response: Uint8Array;
  /** Name of the authority, for messages. */
  readonly authority: string;
  /** Not given: the path of the authority is not looked at. */
  readonly anchors?: readonly Certificate[];
  /** Not given: its time is not compared with ours. */
  readonly nowMs?: number;
  /** Expiry dates of algorithms. Default: the usual table. */
  readonly algorithms?: AlgorithmTable;
}

/**
 * The verdict on an answer that is exactly what was asked for, strong enough
 * to prove its time, from an authority that leads to an anchor.
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
