import { latin1Text } from '../../base/bytes.ts';
import { canonicalUris } from '../../formats/xmldsig/index.ts';
import type { ValidationData } from '../validation-data.ts';
import type { PropertyNames } from './property-names.ts';
import { writeBase64, writeElement } from './write-element.ts';

/**
 * SignatureTimeStamp, or ArchiveTimeStamp of XAdES 1.4.1, with one token.
 *
 * @spec ETSI EN 319 132-1 §5.3, §5.5.2
 */
export function timestampText(
  names: PropertyNames,
  kind: 'signature' | 'archive141',
  id: string,
  token: Uint8Array,
): string {
  const isArchive = kind === 'archive141';
  const later = isArchive ? (['xades141'] as const) : [];
  return writeElement(
    isArchive ? names.of('xades141', 'ArchiveTimeStamp') : names.of('xades', 'SignatureTimeStamp'),
    { ...names.declare('ds', 'xades', ...later), Id: id },
    writeElement(names.of('ds', 'CanonicalizationMethod'), { Algorithm: canonicalUris.exclusive }),
    writeElement(names.of('xades', 'EncapsulatedTimeStamp'), {}, writeBase64(token)),
  );
}

/** CertificateValues and RevocationValues; empty for no data. @spec ETSI EN 319 132-1 §5.4 */
export function validationValuesText(names: PropertyNames, data: ValidationData): string {
  const declarations = names.declare('xades');
  const list = (outer: string, inner: string, values: readonly Uint8Array[], top = false) => {
    const items = values.map((value) =>
      writeElement(names.of('xades', inner), {}, writeBase64(value)),
    );
    if (items.length === 0) return '';
    return writeElement(names.of('xades', outer), top ? declarations : {}, ...items);
  };
  const { certificates, crls, ocsp } = data;
  const inner = 'EncapsulatedX509Certificate';
  const certificateValues = list('CertificateValues', inner, certificates, true);
  const revocation =
    list('CRLValues', 'EncapsulatedCRLValue', crls) +
    list('OCSPValues', 'EncapsulatedOCSPValue', ocsp);
  if (revocation === '') return certificateValues;
  return (
    certificateValues +
    writeElement(names.of('xades', 'RevocationValues'), declarations, revocation)
  );
}

/** TimeStampValidationData; empty for no data. @spec ETSI EN 319 132-1 §5.5.1 */
export function timestampDataText(names: PropertyNames, id: string, data: ValidationData): string {
  const inside: PropertyNames = { of: names.of, declare: () => ({}) };
  const values = validationValuesText(inside, data);
  if (values === '') return '';
  const attributes = { ...names.declare('xades', 'xades141'), Id: id };
  return writeElement(names.of('xades141', 'TimeStampValidationData'), attributes, values);
}

/** The part of `data` that is not yet present. */
export function missingData(data: ValidationData, present: Iterable<Uint8Array>): ValidationData {
  const known = new Set([...present].map(latin1Text));
  const fresh = (values: readonly Uint8Array[]) =>
    values.filter((value) => !known.has(latin1Text(value)));
  return {
    certificates: fresh(data.certificates),
    ocsp: fresh(data.ocsp),
    crls: fresh(data.crls),
  };
}
