import { createHash } from 'node:crypto';
import {
  objectsOf,
  type SignatureReport,
  type TimestampSummary,
  type XmlSignatureReport,
} from '../../../verify/report/index.ts';
import type { AnyConclusion } from '../verdict.ts';
import { digestTags, reference, sha256Uri } from './object-list.ts';
import { uriPart } from './uris.table.ts';
import { tag, tagAround, tagFor, type XmlNode, type XmlTag } from './xml-text.ts';

/** Identifiers of the objects that attributes hold. */
interface AttributeObjects {
  readonly certificate: string | undefined;
  /** In the order of the time-stamps. */
  readonly stamps: readonly string[];
}

/** The signed and unsigned attributes of a signature. @spec ETSI TS 119 102-2 Annex A */
export function attributesTag(
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
  // A report that was read from JSON may say anything.
  if (Number.isNaN(Date.parse(time))) return undefined;
  const object = tagFor(id, (each) => reference('vr:AttributeObject', each));
  return tag(`vr:${stampNames[covers]}`, object, tag('vr:TimeStampValue', time));
}

/** The text where it is a URI, an object identifier as one, else its characters encoded. */
function uriOf(text: string): string {
  if (/^\d+(?:\.\d+)+$/.test(text)) return `urn:oid:${text}`;
  if (/^(?:urn:[\w.:-]+|https?:\/\/[\w.:/~#?=&-]+)$/.test(text)) return text;
  return uriPart(text);
}
