import { InnsigliError } from '../../base/errors.ts';
import { reachesLevel, type SealLevel } from '../../base/level.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import type { ContentDigest } from '../../trust/content-digest.ts';
import type { IsListedResponder } from '../../trust/revocation/index.ts';
import type { RevocationSource, Signer } from '../ports.ts';
import { draftCms, signBytes } from '../signing.ts';
import type { FreshTimestamp, TimestampContext } from '../timestamp-client.ts';
import { collectValidationData } from '../validation-data.ts';
import { addArchiveTimestamp, addSignatureTimestamp } from './add-timestamp.ts';
import { addValidationValues } from './validation-values.ts';

/** Parameters of a detached CAdES signature. */
export interface CadesRequest {
  readonly signer: Signer;
  /** The parsed certificate of the signer. */
  readonly certificate: Certificate;
  readonly level: SealLevel;
  /** Signing time claimed by the signer, epoch milliseconds, written in whole seconds. */
  readonly signingTimeMs: number;
  /** Required above B-B. */
  readonly timestamps?: TimestampContext | undefined;
  /** Required above B-T. */
  readonly revocation?: RevocationSource | undefined;
  /** Whether trusted lists authorise an OCSP responder. Default: no responder. */
  readonly isListedResponder?: IsListedResponder | undefined;
}

/** A signature and the time-stamps obtained for it. */
export interface SignedCades {
  /** ContentInfo with SignedData, DER. */
  readonly signature: Uint8Array;
  readonly timestamps: readonly FreshTimestamp[];
}

/**
 * Signs detached content at the requested level. Certificates, responses and time-stamps are
 * verified before they are embedded.
 *
 * @param content returns the digest of the content
 * @throws key.sign.failed, tsa.*, certificate.*, revocation.missing, network.*
 * @spec ETSI EN 319 122-1 §6.3
 */
export async function signCades(
  content: ContentDigest,
  request: CadesRequest,
): Promise<SignedCades> {
  const { level, certificate, signingTimeMs } = request;
  const basic = await signBasic(content, request);
  if (level === 'B-B') return { signature: basic, timestamps: [] };
  const stamps = request.timestamps;
  if (stamps === undefined) {
    throw new InnsigliError(
      'tsa.missing',
      `${level} needs a time-stamp authority, but none was supplied`,
    );
  }
  const stamped = await addSignatureTimestamp(basic, 0, stamps);
  if (level === 'B-T') return { signature: stamped.signature, timestamps: [stamped.timestamp] };
  const { revocation, isListedResponder } = request;
  if (revocation === undefined) {
    throw new InnsigliError('revocation.missing', 'no source of revocation data was supplied');
  }
  const subjects = [{ certificate, atMs: signingTimeMs }];
  const authority = stamped.timestamp.verdict.certificate;
  if (authority !== undefined) subjects.push({ certificate: authority, atMs: signingTimeMs });
  const { anchors, pool, now } = stamps;
  const context = { anchors, pool, revocation, nowMs: now(), isListedResponder };
  const data = await collectValidationData(subjects, context);
  const signature = addValidationValues(stamped.signature, data);
  if (!reachesLevel(level, 'B-LTA')) return { signature, timestamps: [stamped.timestamp] };
  const archived = await addArchiveTimestamp(signature, 0, content, stamps);
  return {
    signature: archived.signature,
    timestamps: [stamped.timestamp, archived.timestamp],
  };
}

async function signBasic(content: ContentDigest, request: CadesRequest): Promise<Uint8Array> {
  const { signer, certificate, signingTimeMs } = request;
  const messageDigest = content(signer.algorithm.digest);
  const draft = draftCms(signer, certificate, { messageDigest, signingTimeMs });
  return draft.build(await signBytes(signer, draft.signedAttributes));
}
