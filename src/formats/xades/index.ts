/** XAdES: properties of XML signatures and data their time-stamps cover, without validation. */
export type { CertificateReference } from './certificate-reference.ts';
export { signedPropertiesType, signedPropertiesTypeIn, timestampImprintPieces } from './imprint.ts';
export {
  findQualifyingProperties,
  parseQualifyingProperties,
  type QualifyingProperties,
} from './qualifying-properties.ts';
export type { SignedProperties } from './signed-properties.ts';
export type { ImprintForm, XadesTimestamp, XadesTimestampKind } from './timestamp.ts';
export type { UnsignedProperty } from './unsigned-properties.ts';
