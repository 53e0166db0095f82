import { isInnsigliError } from '../../base/errors.ts';
import {
  type DerNode,
  derOf,
  oids,
  readDer,
  readOid,
  readSequence,
  readSet,
} from '../../formats/asn1/index.ts';
import {
  parseCertificateValues,
  parseOtherRevocation,
  parseRevocationValues,
  parseSignedData,
  type SignedDataParts,
  type SignerParts,
} from '../../formats/cms/index.ts';
import type { StoredValidationData } from '../document-security-store.ts';

/** Something around a signature that may grow, and that archive time-stamps therefore list. */
export interface CadesValue {
  readonly kind: 'certificate' | 'revocation' | 'attribute';
  /** Object identifier of an unsigned attribute; empty for other kinds. */
  readonly type: string;
  /** The value, DER. */
  readonly der: Uint8Array;
  /** The bytes that an index of an archive time-stamp digests, one after the other. */
  readonly bytes: readonly Uint8Array[];
  /** The validation data in it. */
  readonly data: StoredValidationData;
}

const NOTHING: StoredValidationData = { certificates: [], ocsp: [], crls: [] };

const tokenTypes = new Set<string>([
  oids.signatureTimeStampToken,
  oids.archiveTimeStampV3,
  oids.archiveTimeStampV2,
  oids.archiveTimeStamp,
  oids.cadesCTimeStamp,
  oids.certCrlTimeStamp,
]);

/**
 * Certificates and revocation values of a SignedData and the unsigned attributes of one signer,
 * value by value. What cannot be read gives no validation data.
 */
export function listValues(parts: SignedDataParts, signer: SignerParts): readonly CadesValue[] {
  const values: CadesValue[] = [];
  for (const der of parts.certificates) {
    const data = der[0] === 0x30 ? { ...NOTHING, certificates: [der] } : NOTHING;
    values.push({ kind: 'certificate', type: '', der, bytes: [der], data });
  }
  for (const der of parts.revocation) {
    const data = readable(() => revocationData(der)) ?? NOTHING;
    values.push({ kind: 'revocation', type: '', der, bytes: [der], data });
  }
  for (const attribute of signer.unsignedAttributes) {
    const [typeNode, set] = readSequence(readDer(attribute), 'attribute');
    const type = readOid(typeNode, 'attribute type');
    for (const node of readSet(set, 'attribute values')) {
      const data = readable(() => attributeData(type, node)) ?? NOTHING;
      const der = derOf(node);
      const bytes = [derOf(typeNode as DerNode), der];
      values.push({ kind: 'attribute', type, der, bytes, data });
    }
  }
  return values;
}

/** All validation data of several values or stores. */
export function mergeData(parts: readonly StoredValidationData[]): StoredValidationData {
  return {
    certificates: parts.flatMap(({ certificates }) => certificates),
    ocsp: parts.flatMap(({ ocsp }) => ocsp),
    crls: parts.flatMap(({ crls }) => crls),
  };
}

/** The validation data inside a time-stamp token; none when it cannot be read. */
export function tokenData(token: Uint8Array): StoredValidationData {
  const found = readable(() => {
    const { certificates, ocsp, crls, signerInfos } = parseSignedData(token);
    const inner = signerInfos.flatMap(({ unsignedAttributes }) =>
      [oids.certificateValues, oids.revocationValues].flatMap((type) =>
        (unsignedAttributes.get(type) ?? []).map(
          (node) => readable(() => attributeData(type, node)) ?? NOTHING,
        ),
      ),
    );
    return mergeData([{ certificates, ocsp, crls }, ...inner]);
  });
  return found ?? NOTHING;
}

function revocationData(der: Uint8Array): StoredValidationData {
  if (der[0] === 0x30) return { ...NOTHING, crls: [der] };
  return der[0] === 0xa1 ? { ...NOTHING, ocsp: parseOtherRevocation(readDer(der)) } : NOTHING;
}

function attributeData(type: string, node: DerNode): StoredValidationData {
  if (type === oids.certificateValues) {
    return { ...NOTHING, certificates: parseCertificateValues(node) };
  }
  if (type === oids.revocationValues) return { ...NOTHING, ...parseRevocationValues(node) };
  return tokenTypes.has(type) ? tokenData(derOf(node)) : NOTHING;
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isInnsigliError(error)) return undefined;
    throw error;
  }
}
