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
import { archiveTimestampText, signatureTimestampText } from './unsigned-properties.ts';
import { unsignedNames, type XadesState } from './xades-state.ts';

/** A time-stamp property and the token in it. */
export interface StampedText extends FreshTimestamp {
  /** To be appended to the unsigned properties. */
  readonly text: string;
}

/**
 * A time-stamp over the signature value, which proves that it existed.
 *
 * @throws tsa.*
 * @spec ETSI EN 319 132-1 §5.3
 */
export async function stampSignature(
  state: XadesState,
  timestamps: TimestampContext,
): Promise<StampedText> {
  const stamp = await requestStamp(state, 'signature', timestamps);
  const id = newId('ts', timestamps.random);
  return { ...stamp, text: signatureTimestampText(unsignedNames(state), id, stamp.token) };
}

/**
 * A time-stamp over everything: the data, the signature and all its properties so far.
 *
 * @throws tsa.*; xml.signature.invalid when something that the signature covers cannot be had
 * @spec ETSI EN 319 132-1 §5.5.2
 */
export async function stampArchive(
  state: XadesState,
  timestamps: TimestampContext,
): Promise<StampedText> {
  const stamp = await requestStamp(state, 'archive141', timestamps);
  const id = newId('ts', timestamps.random);
  return { ...stamp, text: archiveTimestampText(unsignedNames(state), id, stamp.token) };
}

async function requestStamp(
  state: XadesState,
  kind: ImprintForm['kind'],
  timestamps: TimestampContext,
): Promise<FreshTimestamp> {
  const { algorithm } = state.signature.signedInfo.signatureMethod;
  const digest = strongDigest(algorithm?.digest);
  return requestTimestamp(timestamps, digest, imprintOf(state, kind, digest));
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
  const reason = 'refused' in answer ? answer.refused : `«${answer.missing}» is missing`;
  throw new InnsigliError(
    'xml.signature.invalid',
    `the signature cannot be time-stamped: ${reason}`,
  );
}
