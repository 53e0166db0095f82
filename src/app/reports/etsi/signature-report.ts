import { type DigestValue, objectsOf } from '../../../verify/report/index.ts';
import type { ReportedDocument } from '../report-view.ts';
import type { AnyConclusion } from '../verdict.ts';
import { digestTag, type ObjectList, reference, sha256Uri } from './object-list.ts';
import { type ReportContext, related } from './report-context.ts';
import { attributesTag } from './signature-attributes.ts';
import { addTimestamps, timeTag } from './timestamp-objects.ts';
import { digestIdentifier, processUri } from './uris.table.ts';
import { addPath, constraintsTag, statusTag } from './validation-status.ts';
import { tag, tagFor, type XmlTag } from './xml-text.ts';

/** The report on one signature. @spec ETSI TS 119 102-2 §4.3 */
export function signatureReport(conclusion: AnyConclusion, context: ReportContext): XmlTag {
  const { objects, verifiedAt } = context;
  const { bestTime, timeProved, signer } = conclusion;
  const [certificate] = addPath(conclusion, objects);
  const stamps = addTimestamps(conclusion, context);
  const proof = timeProved ? proofOf(conclusion, stamps) : undefined;
  const ids = [...stamps, ...addData(conclusion, objects)];
  return tag(
    'vr:SignatureValidationReport',
    identifierTag(conclusion),
    constraintsTag(conclusion.buildingBlocks),
    timeTag(verifiedAt, bestTime, proof),
    documentTag(conclusion, context),
    attributesTag(conclusion, { certificate, stamps }),
    tagFor(certificate, (id) => signerTag(id, signer?.subject)),
    qualityTag(conclusion),
    tag('vr:SignatureValidationProcess', tag('vr:SignatureValidationProcessID', processUri)),
    statusTag(conclusion, objects, related(ids, context)),
  );
}

function signerTag(certificate: string, subject: string | undefined): XmlTag | undefined {
  if (subject === undefined) return undefined;
  const id = reference('vr:SignerCertificate', certificate);
  return tag('vr:SignerInformation', id, tag('vr:Signer', subject));
}

/** The qualification by trusted lists; ETSI has no identifiers for that. */
function qualityTag({ qualification }: AnyConclusion): XmlTag | undefined {
  if (qualification === undefined) return undefined;
  const uri = `urn:innsigli:qualification:${qualification.result}`;
  return tag('vr:SignatureQuality', tag('vr:SignatureQualityInformation', uri));
}

/** The time-stamp whose time is the best signature time, when it is one of the signature. */
function proofOf({ timestamps, bestTime }: AnyConclusion, stamps: readonly string[]) {
  const isProof = timestamps.findIndex(({ time, valid }) => valid && time === bestTime);
  return stamps[isProof];
}

/** Certificates, CRLs and OCSP responses at hand. */
function addData(conclusion: AnyConclusion, objects: ObjectList): readonly string[] {
  const data = objectsOf(conclusion)?.data;
  if (data === undefined) return [];
  const ids = [
    ...data.certificates.map((der) => objects.add('certificate', der)),
    ...data.crls.map((der) => objects.add('crl', der)),
    ...data.ocsp.map((der) => objects.add('ocsp', der)),
  ];
  return [...new Set(ids)];
}

function identifierTag(conclusion: AnyConclusion): XmlTag {
  const { signatureValue, signedDigest } = objectsOf(conclusion) ?? {};
  const name = 'field' in conclusion ? conclusion.field : nameOfFile(conclusion);
  return tag(
    'vr:SignatureIdentifier',
    tagFor(signedDigest, digestValueTag),
    tagFor(signatureValue, (value) =>
      tag('ds:SignatureValue', Buffer.from(value).toString('base64')),
    ),
    tag('vr:HashOnly', 'false'),
    tag('vr:DocHashOnly', 'false'),
    name === '' ? undefined : tag('vr:DAIdentifier', name),
  );
}

function nameOfFile(conclusion: Exclude<AnyConclusion, { field: string }>): string {
  const id = 'id' in conclusion ? conclusion.id : undefined;
  return [conclusion.file, id].filter(Boolean).join('#');
}

function digestValueTag({ digest, value }: DigestValue): XmlTag {
  return digestTag('vr:DigestAlgAndValue', digestIdentifier(digest), value);
}

/**
 * The signed document: the digest if a signature covers all of it, and the file that carries it.
 */
function documentTag(
  conclusion: AnyConclusion,
  { objects, document }: ReportContext,
): XmlTag | undefined {
  const { documentDigest, references = [] } = objectsOf(conclusion) ?? {};
  const file = addFile(document, objects);
  const signed = references.map(({ digest, value }) =>
    objects.addShown('signedData', Buffer.from(value).toString('hex'), [
      digestTag('vr:DigestAlgAndValue', digestIdentifier(digest), value),
    ]),
  );
  const shown = signed.length > 0 ? signed : file === undefined ? [] : [file];
  if (documentDigest === undefined && shown.length === 0) return undefined;
  return tag(
    'vr:SignersDocument',
    tagFor(documentDigest, digestValueTag),
    shown.length === 0 ? undefined : reference('vr:SignersDocumentRepresentation', ...shown),
    signed.length === 0 ? undefined : tagFor(file, (id) => reference('vr:SignersDocumentRef', id)),
  );
}

function addFile({ sha256 }: ReportedDocument, objects: ObjectList): string | undefined {
  if (sha256 === undefined || !/^[0-9a-f]{64}$/i.test(sha256)) return undefined;
  const digest = digestTag('vr:DigestAlgAndValue', sha256Uri, Buffer.from(sha256, 'hex'));
  return objects.addShown('signedData', sha256, [digest]);
}
