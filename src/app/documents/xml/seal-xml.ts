import type { SealLevel } from '../../../base/level.ts';
import { parseXml } from '../../../formats/xml/index.ts';
import {
  type DataObject,
  newSignatureIds,
  type SignatureIds,
  type SignatureSurroundings,
  signXades,
  type XadesClaims,
} from '../../../seal/xades/index.ts';
import type { XmlVerificationReport } from '../../../verify/report/index.ts';
import { prepareParty, type SigningParty } from '../check-signer.ts';
import { timestampContext } from '../long-term-steps.ts';
import { sealedUntil } from '../proof-end.ts';
import { checkContext, type SealPorts } from '../seal-ports.ts';
import { resultBytes, type SealedDocument } from '../sealed-document.ts';
import {
  checkXml,
  intactXmlSignatures,
  requireSoundValue,
  requireXmlLevel,
  requireXmlSurvival,
  type XmlCheckContext,
} from './check.ts';
import { raiseSignature } from './levels.ts';
import { fileObjects, planXml } from './plan.ts';
import { type FileObject, requireXmlTexts, type SealXmlRequest } from './request.ts';

/**
 * Seals XML, or any detached files: signs, augments the seal to the level, and verifies the result,
 * including earlier signatures, before returning it. A document is never reserialised: without the
 * signature, the result equals the input byte for byte.
 *
 * @throws xml.* if the source cannot be sealed in this way
 * @throws xml.signature.broken if an earlier signature would not survive
 * @throws key.*, algorithm.unsupported if the signer may not or cannot sign
 * @throws tsa.*, revocation.*, certificate.*, network.* if the level cannot be reached
 * @throws seal.selfcheck.failed if the result does not verify
 */
export function sealXml(
  request: SealXmlRequest,
  given: SealPorts,
): Promise<SealedDocument<XmlVerificationReport>> {
  return sealedUntil(given, async (ports) => {
    const { level } = request;
    requireXmlTexts(request);
    const party = prepareParty(level, ports);
    const ids = newSignatureIds(ports.random);
    const plan = planXml(request, ids);
    const warnings = [...plan.warnings];
    const { pool } = party;
    const { host, objects, surroundings } = plan;
    const { findFile } = surroundings;
    const before = checkContext(ports, pool, party.nowMs);
    const earlier = host === undefined ? [] : intactXmlSignatures(host, before, warnings);
    const signature = await signObjects(
      { ids, objects, surroundings },
      request,
      level,
      party,
      ports,
    );
    const { bytes, offsetBytes } = plan.finish(signature);
    const context: XmlCheckContext = { ...checkContext(ports, pool), findFile };
    const report = checkXml(parseXml(bytes), context);
    const grown = bytes.length - (host?.bytes.length ?? 0);
    requireXmlSurvival(report, earlier, (at) => (at < offsetBytes ? at : at + grown));
    requireXmlLevel(report, offsetBytes, level);
    warnings.push(...noteSplitText(report, ids.signature));
    const { source } = request;
    const made = resultBytes(source instanceof Uint8Array ? source : new Uint8Array(), bytes);
    return { ...made, level, signatureId: ids.signature, report, warnings };
  });
}

/** A warning about a signature placed within text: readers may take it for part of the text. */
function noteSplitText({ signatures }: XmlVerificationReport, made: string): readonly string[] {
  const own = signatures.find(({ id }) => id === made);
  const isSplit = own?.findings.some(({ code }) => code === 'signature.text.split') === true;
  if (!isSplit) return [];
  return [
    'the signature is inside a text, and verify will report it (signature.text.split): ' +
      'cover an element without text of its own, or the whole document',
  ];
}

/** A signature over files, to be inserted into a document or container by the caller. */
export interface SealedFiles {
  /** ds:Signature with its own namespace declarations, UTF-8, without XML declaration. */
  readonly signature: Uint8Array;
  readonly id: string;
}

/** Options of {@link sealFiles}. */
export interface SealFilesRequest extends XadesClaims {
  readonly files: readonly FileObject[];
  readonly level: SealLevel;
}

/**
 * Signs detached files, for a container. The caller inserts the signature and verifies it.
 *
 * @throws as {@link sealXml}
 */
export async function sealFiles(request: SealFilesRequest, ports: SealPorts): Promise<SealedFiles> {
  const { files, level } = request;
  requireXmlTexts(request);
  const party = prepareParty(level, ports);
  const ids = newSignatureIds(ports.random);
  const [objects, surroundings] = fileObjects(files);
  const signature = await signObjects({ ids, objects, surroundings }, request, level, party, ports);
  return { signature, id: ids.signature };
}

interface SignatureLayout {
  readonly ids: SignatureIds;
  readonly objects: readonly DataObject[];
  readonly surroundings: SignatureSurroundings;
}

async function signObjects(
  layout: SignatureLayout,
  claims: XadesClaims,
  level: SealLevel,
  { certificate, nowMs, pool }: SigningParty,
  ports: SealPorts,
): Promise<Uint8Array> {
  const timestamps = level === 'B-B' ? undefined : timestampContext(ports, pool, level);
  const { signer } = ports;
  const { surroundings, ...what } = layout;
  const signed = await signXades({ ...what, claims, signedAtMs: nowMs, signer, certificate });
  // The caller verifies the whole result; do not spend time-stamps on an invalid value.
  if (timestamps !== undefined) requireSoundValue(signed, signer, certificate);
  const subject = { certificate, atMs: nowMs };
  const context = { ports, pool, timestamps };
  return raiseSignature(signed.bytes, surroundings, level, subject, context);
}
