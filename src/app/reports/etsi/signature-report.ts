import { createHash } from 'node:crypto';
import {
  type DigestValue,
  objectsOf,
  type SignatureReport,
  type TimestampSummary,
  type XmlSignatureReport,
} from '../../../verify/report/index.ts';
import type { ReportedDocument } from '../report-view.ts';
import type { AnyConclusion } from '../verdict.ts';
import { digestTag, digestTags, type ObjectList, reference, sha256Uri } from './object-list.ts';
import { type ReportContext, related } from './report-context.ts';
import { addTimestamps, timeTag } from './timestamp-objects.ts';
import { digestIdentifier, processUri, uriPart } from './uris.table.ts';
import { addPath, constraintsTag, statusTag } from './validation-status.ts';
import { tag, tagAround, tagFor, type XmlNode, type XmlTag } from './xml-text.ts';

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

/** The qualification according to trusted lists, which has no ETSI identifiers. */
function qualityTag({ qualification }: AnyConclusion): XmlTag | undefined {
  if (qualification === undefined) return undefined;
  const uri = `urn:innsigli:qualification:${qualification.result}`;
  return tag('vr:SignatureQuality', tag('vr:SignatureQualityInformation', uri));
}

/** The identifier of the signature's time-stamp whose time is the best-signature-time, if any. */
function proofOf({ timestamps, bestTime }: AnyConclusion, stamps: readonly string[]) {
  const isProof = timestamps.findIndex(({ time, valid }) => valid && time === bestTime);
  return stamps[isProof];
}

/** Adds the available certificates, CRLs and OCSP responses. */
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
  return digestTag(digestIdentifier(digest), value);
}

/** The signed document: its digest if a signature covers all of it, and the file containing it. */
function documentTag(
  conclusion: AnyConclusion,
  { objects, document }: ReportContext,
): XmlTag | undefined {
  const { documentDigest, references = [] } = objectsOf(conclusion) ?? {};
  const file = addFile(document, objects);
  const signed = references.map(({ digest, value }) =>
    objects.addShown('signedData', Buffer.from(value).toString('hex'), [
      digestTag(digestIdentifier(digest), value),
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
  const digest = digestTag(sha256Uri, Buffer.from(sha256, 'hex'));
  return objects.addShown('signedData', sha256, [digest]);
}

/** Identifiers of the objects that attributes refer to. */
interface AttributeObjects {
  readonly certificate: string | undefined;
  /** In the order of the time-stamps. */
  readonly stamps: readonly string[];
}

/** The signed and unsigned attributes of a signature. @spec ETSI TS 119 102-2 Annex A */
function attributesTag(
  conclusion: AnyConclusion,
  { certificate, stamps }: AttributeObjects,
): XmlTag | undefined {
  const { claimedTime, timestamps } = conclusion;
  return tagAround('vr:SignatureAttributes', [
    tagFor(claimedTime, (time) => signed('SigningTime', tag('vr:Time', time))),
    certificateTag(conclusion, certificate),
    ...('field' in conclusion ? pdfTags(conclusion) : []),
    ...('offsetBytes' in conclusion ? xadesTags(conclusion) : []),
    ...timestamps.map((stamp, index) => stampTag(stamp, stamps[index])),
  ]);
}

function signed(name: string, ...children: readonly XmlNode[]): XmlTag {
  return tag(`vr:${name}`, { Signed: 'true' }, children);
}

function certificateTag(conclusion: AnyConclusion, id: string | undefined): XmlTag | undefined {
  const [certificate] = objectsOf(conclusion)?.path ?? [];
  if (certificate === undefined || id === undefined) return undefined;
  const digest = createHash('sha256').update(certificate.der).digest();
  return tag(
    'vr:SigningCertificate',
    reference('vr:AttributeObject', id),
    tag('vr:CertID', digestTags(sha256Uri, digest)),
  );
}

function pdfTags(report: SignatureReport): readonly (XmlTag | undefined)[] {
  const { reason, name, location, subFilter, byteRange } = report;
  const shown = (attribute: string, element: string, value: string | undefined) =>
    tagFor(value || undefined, (text) => signed(attribute, tag(`vr:${element}`, text)));
  return [
    shown('SignatureProductionPlace', 'AddressString', location),
    shown('Reason', 'ReasonElement', reason),
    shown('Name', 'NameElement', name),
    shown('SubFilter', 'SubFilterElement', subFilter),
    byteRange.length === 0 ? undefined : tag('vr:ByteRange', byteRange.join(' ')),
  ];
}

function xadesTags(report: XmlSignatureReport): readonly (XmlTag | undefined)[] {
  const { location, roles = [], commitments = [], policy } = report;
  const details = roles.map((role) =>
    tag('vr:RoleDetails', tag('vr:Role', role), tag('vr:EndorsementType', 'claimed')),
  );
  return [
    ...commitments.map((each) =>
      signed('CommitmentTypeIndication', tag('vr:CommitmentTypeIdentifier', uriOf(each))),
    ),
    tagFor(policy, (id) => signed('SigPolicyIdentifier', tag('vr:SigPolicyId', uriOf(id)))),
    tagFor(location, (at) => signed('SignatureProductionPlace', tag('vr:AddressString', at))),
    details.length === 0 ? undefined : signed('SignerRole', ...details),
  ];
}

const stampNames: Readonly<Record<NonNullable<TimestampSummary['covers']>, string>> = {
  signature: 'SignatureTimeStamp',
  archive: 'ArchiveTimeStamp',
  content: 'AllDataObjectsTimeStamp',
  references: 'SigAndRefsTimeStamp',
};

function stampTag(
  { covers = 'signature', time }: TimestampSummary,
  id: string | undefined,
): XmlTag | undefined {
  // A report parsed from JSON may contain anything.
  if (Number.isNaN(Date.parse(time))) return undefined;
  const object = tagFor(id, (each) => reference('vr:AttributeObject', each));
  return tag(`vr:${stampNames[covers]}`, object, tag('vr:TimeStampValue', time));
}

/** The text itself if it is a URI, a URN for an object identifier, else encoded characters. */
function uriOf(text: string): string {
  if (/^\d+(?:\.\d+)+$/.test(text)) return `urn:oid:${text}`;
  if (/^(?:urn:[\w.:-]+|https?:\/\/[\w.:/~#?=&-]+)$/.test(text)) return text;
  return uriPart(text);
}
