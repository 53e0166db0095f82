import { createDigest } from '../../base/bytes.ts';
import { InnsigliError } from '../../base/errors.ts';
import type { DigestAlgorithm } from '../../formats/x509/index.ts';
import { type ImprintForm, timestampImprintPieces } from '../../formats/xades/index.ts';
import { canonicalUris } from '../../formats/xmldsig/index.ts';
import { strongDigest } from '../signing.ts';
import {
  type FreshTimestamp,
  requestTimestamp,
  type TimestampContext,
} from '../timestamp-client.ts';
import { newId } from './signature-ids.ts';
import { timestampText } from './unsigned-properties.ts';
import { unsignedNames, type XadesState } from './xades-state.ts';

/** A time-stamp property and the token in it. */
export interface StampedText extends FreshTimestamp {
  /** Text to append to the unsigned properties. */
  readonly text: string;
}

/**
 * Obtains a time-stamp over the signature value, which proves its existence (`signature`), or over
 * everything: the data, the signature and all its current properties (`archive141`).
 *
 * @throws tsa.*; xml.signature.invalid if covered data is not available
 * @spec ETSI EN 319 132-1 §5.3, §5.5.2
 */
export async function stampXades(
  state: XadesState,
  kind: 'signature' | 'archive141',
  timestamps: TimestampContext,
): Promise<StampedText> {
  const { algorithm } = state.signature.signedInfo.signatureMethod;
  const digest = strongDigest(algorithm?.digest);
  const stamp = await requestTimestamp(timestamps, digest, imprintOf(state, kind, digest));
  const id = newId('ts', timestamps.random);
  return { ...stamp, text: timestampText(unsignedNames(state), kind, id, stamp.token) };
}

function imprintOf(
  state: XadesState,
  kind: ImprintForm['kind'],
  digest: DigestAlgorithm,
): Uint8Array {
  const timestamp: ImprintForm = {
    kind,
    canonicalUri: canonicalUris.exclusive,
    prefixList: [],
    includes: [],
    element: undefined,
  };
  const hash = createDigest(digest);
  const answer = timestampImprintPieces({ ...state, timestamp }, (piece) => hash.update(piece));
  if ('covered' in answer) return hash.digest();
  const reason = 'refused' in answer ? answer.refused : `"${answer.missing}" is missing`;
  const message = `the signature cannot be time-stamped: ${reason}`;
  throw new InnsigliError('xml.signature.invalid', message);
}
