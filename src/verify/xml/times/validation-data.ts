import type { Certificate } from '../../../formats/x509/index.ts';
import type { QualifyingProperties, UnsignedProperty } from '../../../formats/xades/index.ts';
import type { CertificatePool } from '../../../trust/path.ts';
import { mergeData, tokenData } from '../../cades/index.ts';
import type { StoredValidationData } from '../../existence/index.ts';
import type { XmlSignatureObject } from '../signature-object.ts';

/** Validation data in a signature. */
export interface EmbeddedData {
  /** Data by unsigned property, in document order. Properties without data are omitted. */
  readonly byProperty: readonly {
    readonly property: UnsignedProperty;
    readonly data: StoredValidationData;
  }[];
  /** All data, including that in content time-stamps and in surrounding signatures. */
  readonly all: StoredValidationData;
  /** The certificates of KeyInfo and of the properties, which are also in the pool. */
  readonly certificates: readonly Certificate[];
}

const NOTHING: StoredValidationData = { certificates: [], ocsp: [], crls: [] };

/**
 * Collects certificates, OCSP responses and CRLs of a signature: from KeyInfo, the properties
 * defined for them, and time-stamp tokens. The certificates are added to the pool.
 *
 * @spec ETSI EN 319 132-1 §5.4, §5.5.1, §5.5.3
 */
export function collectData(
  { signature, properties }: XmlSignatureObject,
  pool: CertificatePool,
  around: readonly StoredValidationData[] = [],
): EmbeddedData {
  const byProperty = (properties?.unsigned ?? []).flatMap((property) => {
    const data = propertyData(property);
    return data === NOTHING ? [] : [{ property, data }];
  });
  const all = mergeData([
    { ...NOTHING, certificates: signature?.keyInfo?.certificates ?? [] },
    ...contentTokens(properties).map(tokenData),
    ...byProperty.map(({ data }) => data),
    ...around,
  ]);
  const certificates = all.certificates.flatMap((der) => pool.add(der) ?? []);
  return { byProperty, all, certificates };
}

/** The part of the data in the given properties. */
export function dataWithin(
  { byProperty }: EmbeddedData,
  isWithin: (property: UnsignedProperty) => boolean,
): StoredValidationData {
  return mergeData(byProperty.filter(({ property }) => isWithin(property)).map(({ data }) => data));
}

function contentTokens(properties: QualifyingProperties | undefined): readonly Uint8Array[] {
  return properties?.signed?.contentTimestamps.flatMap(({ tokens }) => tokens) ?? [];
}

function propertyData(property: UnsignedProperty): StoredValidationData {
  switch (property.kind) {
    case 'timestamp':
      return mergeData(property.timestamp.tokens.map(tokenData));
    case 'certificateValues':
    case 'attributeCertificateValues':
      return { ...NOTHING, certificates: property.certificates };
    case 'revocationValues':
    case 'attributeRevocationValues':
      return { ...NOTHING, crls: property.crls, ocsp: property.ocsps };
    case 'timestampValidationData':
    case 'anyValidationData': {
      const { certificates, crls, ocsps } = property;
      return { certificates, crls, ocsp: ocsps };
    }
    default:
      return NOTHING;
  }
}
