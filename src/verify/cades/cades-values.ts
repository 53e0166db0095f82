import { attempt } from '../../base/errors.ts';
import {
  type DerNode,
  derOf,
  readDer,
  readOid,
  readSequence,
  readSet,
} from '../../formats/asn1/index.ts';
import {
  parseOtherRevocation,
  type SignedDataParts,
  type SignerParts,
} from '../../formats/cms/index.ts';
import { attributeData, NOTHING, type StoredValidationData } from '../existence/index.ts';

export { mergeData, tokenData } from '../existence/index.ts';

/** A value of a signature that may be added later, and is thus listed by archive time-stamps. */
export interface CadesValue {
  readonly kind: 'certificate' | 'revocation' | 'attribute';
  /** Object identifier of an unsigned attribute. Empty for other kinds. */
  readonly type: string;
  /** The value, DER. */
  readonly der: Uint8Array;
  /** The enclosing structure: the whole attribute, or the value itself. */
  readonly whole: Uint8Array;
  /** The concatenated bytes that the index of an archive time-stamp digests. */
  readonly bytes: readonly Uint8Array[];
  /** The validation data in it. */
  readonly data: StoredValidationData;
}

/**
 * Lists the certificates and revocation values of a SignedData, and the values of the unsigned
 * attributes of one signer. Unreadable values contain no validation data.
 */
export function listValues(parts: SignedDataParts, signer: SignerParts): readonly CadesValue[] {
  const values: CadesValue[] = [];
  for (const der of parts.certificates) {
    const data = der[0] === 0x30 ? { ...NOTHING, certificates: [der] } : NOTHING;
    values.push({ kind: 'certificate', type: '', der, whole: der, bytes: [der], data });
  }
  for (const der of parts.revocation) {
    const data = attempt(() => revocationData(der)) ?? NOTHING;
    values.push({ kind: 'revocation', type: '', der, whole: der, bytes: [der], data });
  }
  for (const attribute of signer.unsignedAttributes) {
    const [typeNode, set] = readSequence(readDer(attribute), 'attribute');
    const type = readOid(typeNode, 'attribute type');
    for (const node of readSet(set, 'attribute values')) {
      const data = attempt(() => attributeData(type, node)) ?? NOTHING;
      const der = derOf(node);
      const bytes = [derOf(typeNode as DerNode), der];
      values.push({ kind: 'attribute', type, der, whole: attribute, bytes, data });
    }
  }
  return values;
}

function revocationData(der: Uint8Array): StoredValidationData {
  if (der[0] === 0x30) return { ...NOTHING, crls: [der] };
  return der[0] === 0xa1 ? { ...NOTHING, ocsp: parseOtherRevocation(readDer(der)) } : NOTHING;
}
