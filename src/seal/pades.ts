import { getOrCompute } from '../base/memo.ts';
import { oids } from '../formats/asn1/index.ts';
import { buildAttribute, maxSignatureLength } from '../formats/cms/index.ts';
import type { PdfFile, PdfReference } from '../formats/pdf/index.ts';
import type { Certificate } from '../formats/x509/index.ts';
import { digestOf } from '../trust/signature.ts';
import { declareExtensions } from './developer-extensions.ts';
import type { FieldChoice } from './field/index.ts';
import type { Signer } from './ports.ts';
import {
  digestContainer,
  fillContainer,
  openContainer,
  type SignatureContainer,
} from './signature-container.ts';
import { certification, type SignatureDetails, signatureEntries } from './signature-dictionary.ts';
import { draftCms, signBytes, strongDigest } from './signing.ts';
import {
  expectedTokenLength,
  type FreshTimestamp,
  requestTimestamp,
  type TimestampContext,
} from './timestamp-client.ts';

/** A signed update. */
export interface SignedUpdate {
  readonly container: SignatureContainer;
  /** The signature time-stamp, if one was requested. */
  readonly timestamp?: FreshTimestamp;
}

/** Parameters of a signature other than the key. */
export interface SignPdfOptions {
  /** If given, the level is B-T. */
  readonly timestamps: TimestampContext | undefined;
  /** Signed attributes in addition to those of the baseline, DER. */
  readonly signedAttributes?: readonly Uint8Array[] | undefined;
  /** Bytes reserved for the CMS. Undefined: the calculated size. */
  readonly reservedBytes?: number | undefined;
}

/** Attempts with an increasing reservation: a guess, the required size, and one spare. */
const RESERVATION_TRIES = 3;

/**
 * Signs the document in one update: level B-B, or B-T if `timestamps` is given.
 *
 * The space for the value must be known before signing, because the signature covers the offsets
 * around it. Everything in the CMS has a known length, except that the signature and the token only
 * have an upper bound. A token that exceeds its bound costs one more round.
 *
 * @throws key.sign.failed, tsa.*, seal.reservation.exceeded
 * @spec ETSI EN 319 142-1 §6.3
 */
export async function signPdf(
  file: PdfFile,
  choice: FieldChoice,
  details: SignatureDetails,
  signer: Signer,
  certificate: Certificate,
  options: SignPdfOptions,
): Promise<SignedUpdate> {
  const { timestamps, reservedBytes, signedAttributes: further = [] } = options;
  const dict = choice.existing?.lock;
  const lock = dict === undefined ? undefined : { dict, catalog: file.catalogReference };
  const entries = signatureEntries(details, 'ETSI.CAdES.detached', lock);
  const extensions = declareExtensions(file, signer.algorithm);
  const extra = (value: PdfReference) =>
    new Map([...extensions, ...(details.certify === undefined ? [] : certification(value))]);
  let tokenLength = timestamps === undefined ? 0 : expectedTokenLength(timestamps.authority);
  for (let round = 1; ; round++) {
    const capacity =
      reservedBytes ?? measureCms(signer, certificate, tokenLength) + lengthOf(further);
    const container = openContainer(file, choice, entries, capacity, extra);
    const { cms, timestamp } = await signContainer(container, signer, certificate, options);
    const mayGrow = reservedBytes === undefined && round < RESERVATION_TRIES;
    if (cms.length > capacity && mayGrow && timestamp !== undefined) {
      tokenLength = expectedTokenLength((timestamps as TimestampContext).authority);
      continue;
    }
    fillContainer(container, cms);
    return timestamp === undefined ? { container } : { container, timestamp };
  }
}

/** Bytes that further attributes add to a CMS, including longer length octets around them. */
function lengthOf(attributes: readonly Uint8Array[]): number {
  const sum = attributes.reduce((total, { length }) => total + length, 0);
  return sum === 0 ? 0 : sum + 32;
}

async function signContainer(
  container: SignatureContainer,
  signer: Signer,
  certificate: Certificate,
  { timestamps, signedAttributes: further = [] }: SignPdfOptions,
): Promise<{ cms: Uint8Array; timestamp?: FreshTimestamp }> {
  const { digest } = signer.algorithm;
  const messageDigest = digestContainer(container, digest);
  const draft = draftCms(signer, certificate, { messageDigest, further });
  const signature = await signBytes(signer, draft.signedAttributes);
  if (timestamps === undefined) return { cms: draft.build(signature) };
  const timestampDigest = strongDigest(digest);
  const imprint = digestOf(timestampDigest, signature);
  const timestamp = await requestTimestamp(timestamps, timestampDigest, imprint);
  const attribute = buildAttribute(oids.signatureTimeStampToken, timestamp.token);
  return { cms: draft.build(signature, [attribute]), timestamp };
}

const measured = new WeakMap<Signer, Map<number, number>>();

/** Length of the CMS with a signature of maximum length and a token of the given length. */
function measureCms(signer: Signer, certificate: Certificate, tokenLength: number): number {
  const known = getOrCompute(measured, signer, () => new Map());
  return getOrCompute(known, tokenLength, () => {
    const messageDigest = digestOf(signer.algorithm.digest);
    const draft = draftCms(signer, certificate, { messageDigest });
    const signature = new Uint8Array(maxSignatureLength(signer.algorithm, certificate));
    const token = new Uint8Array(tokenLength);
    const unsigned = tokenLength === 0 ? [] : [buildAttribute(oids.signatureTimeStampToken, token)];
    return draft.build(signature, unsigned).length;
  });
}
