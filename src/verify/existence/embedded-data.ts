import { attempt } from '../../base/errors.ts';
import {
  contentOf,
  type DerNode,
  derOf,
  oids,
  readDer,
  readSequence,
} from '../../formats/asn1/index.ts';
import {
  parseCertificateValues,
  parseRevocationValues,
  type SignerInfo,
  signedDataOf,
  valueBytesOf,
} from '../../formats/cms/index.ts';
import { NOTHING, type StoredValidationData } from './document-security-store.ts';

const tokenTypes = new Set<string>([
  oids.signatureTimeStampToken,
  oids.archiveTimeStampV3,
  oids.archiveTimeStampV2,
  oids.archiveTimeStamp,
  oids.cadesCTimeStamp,
  oids.certCrlTimeStamp,
]);

/** Merges the validation data of several values or stores. */
export function mergeData(parts: readonly StoredValidationData[]): StoredValidationData {
  const certificates: Uint8Array[] = [];
  const ocsp: Uint8Array[] = [];
  const crls: Uint8Array[] = [];
  for (const part of parts) {
    for (const each of part.certificates) certificates.push(each);
    for (const each of part.ocsp) ocsp.push(each);
    for (const each of part.crls) crls.push(each);
  }
  return { certificates, ocsp, crls };
}

/** The validation data in a time-stamp token. Empty if the token cannot be read. */
export function tokenData(token: Uint8Array): StoredValidationData {
  const found = attempt(() => {
    const { certificates, ocsp, crls, signerInfos } = signedDataOf(token);
    const inner = signerInfos.flatMap(({ unsignedAttributes }) =>
      [oids.certificateValues, oids.revocationValues].flatMap((type) =>
        (unsignedAttributes.get(type) ?? []).map(
          (node) => attempt(() => attributeData(type, node)) ?? NOTHING,
        ),
      ),
    );
    return mergeData([{ certificates, ocsp, crls }, ...inner]);
  });
  return found ?? NOTHING;
}

/**
 * The validation data in the CMS of a signature: in its lists, in the signed attribute of ISO 32000
 * signatures, and in its time-stamps. Empty if the CMS cannot be read.
 *
 * @spec ISO 32000-2 §12.8.3.3.2
 */
export function cmsData(cms: Uint8Array): StoredValidationData {
  const found = attempt(() => {
    const { certificates, ocsp, crls, signerInfos } = signedDataOf(cms);
    return mergeData([{ certificates, ocsp, crls }, ...signerInfos.flatMap(signerData)]);
  });
  return found ?? NOTHING;
}

function signerData({ signedAttributes, unsignedAttributes }: SignerInfo): StoredValidationData[] {
  const archived = signedAttributes?.get(oids.adobeRevocationInfoArchival) ?? [];
  const parts = archived.map((node) => attempt(() => archivedRevocation(node)) ?? NOTHING);
  for (const [type, values] of unsignedAttributes) {
    for (const node of values) parts.push(attempt(() => attributeData(type, node)) ?? NOTHING);
  }
  return parts;
}

/** `SEQUENCE { [0] SEQUENCE OF CRL, [1] SEQUENCE OF OCSPResponse, … }`, tags EXPLICIT. */
function archivedRevocation(node: DerNode): StoredValidationData {
  const fields = readSequence(node, 'RevocationInfoArchival');
  const list = (tag: number) => {
    const field = fields.find((one) => one.tag === tag);
    return field === undefined ? [] : readSequence(readDer(contentOf(field)), 'list').map(derOf);
  };
  return { certificates: [], crls: list(0xa0), ocsp: list(0xa1) };
}

/** The validation data in the value of an unsigned attribute. */
export function attributeData(type: string, node: DerNode): StoredValidationData {
  if (type === oids.certificateValues) {
    return { ...NOTHING, certificates: parseCertificateValues(node) };
  }
  if (type === oids.revocationValues) return { ...NOTHING, ...parseRevocationValues(node) };
  return tokenTypes.has(type) ? tokenData(valueBytesOf(node)) : NOTHING;
}
