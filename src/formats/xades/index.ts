/** XAdES: the properties of an XML signature and what their time-stamps cover; no conclusion. */
export type { CertificateReference, DigestAndValue } from './certificate-reference.ts';
export {
  type ImprintAnswer,
  type ImprintFound,
  type ImprintInput,
  signedPropertiesType,
  signedPropertiesTypeIn,
  timestampImprintPieces,
} from './imprint.ts';
export {
  findQualifyingProperties,
  parseQualifyingProperties,
  type QualifyingProperties,
} from './qualifying-properties.ts';
export type {
  Commitment,
  DataObjectFormat,
  ProductionPlace,
  SignaturePolicy,
  SignedProperties,
} from './signed-properties.ts';
export type {
  ImprintForm,
  TimestampInclude,
  XadesTimestamp,
  XadesTimestampKind,
} from './timestamp.ts';
export type {
  CertificateRefsProperty,
  CertificateValuesProperty,
  CounterSignatureProperty,
  MalformedProperty,
  OtherProperty,
  RevocationRefsProperty,
  RevocationValuesProperty,
  TimestampProperty,
  UnsignedProperty,
  ValidationDataProperty,
} from './unsigned-properties.ts';
