import { equalBytes } from '../../base/bytes.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import type { QualifyingProperties, UnsignedProperty } from '../../formats/xades/index.ts';
import { namespaces, referenceTypes } from '../../formats/xmldsig/index.ts';
import { buildFinding } from '../findings/index.ts';
import type { Finding } from '../report/index.ts';
import type { CheckedReference } from './references/check-references.ts';
import { findTypeFault } from './references/properties-reference.ts';
import type { XmlSignatureObject } from './signature-object.ts';

/**
 * Violations of XAdES baseline B by a signature; empty if there are none. Checks only the form; the
 * cryptographic checks are elsewhere.
 *
 * @spec ETSI EN 319 132-1 §6.3 table 2
 */
export function checkXadesBaseline(
  { signature, properties }: XmlSignatureObject,
  certificate: Certificate | undefined,
  references: readonly CheckedReference[],
): readonly Finding[] {
  const signed = properties?.signed;
  if (properties === undefined || signed === undefined) return [];
  const findings: Finding[] = [];
  const { namespaceUri } = properties;
  if (namespaceUri !== namespaces.xades132) {
    const version = /\/v([0-9.]+)#$/.exec(namespaceUri)?.[1] ?? namespaceUri;
    findings.push(buildFinding('baseline.namespace', `XAdES of an older version, ${version}`));
  }
  if (properties.unsigned.some(isOldArchive)) {
    findings.push(
      buildFinding('baseline.archive', 'an ArchiveTimeStamp of XAdES 1.3.2 must not be present'),
    );
  }
  const untyped = findTypeFault(properties, references);
  if (untyped !== undefined) findings.push(buildFinding('baseline.properties-type', untyped));
  if (signed.signingTimeMs === undefined) {
    findings.push(buildFinding('baseline.signing-time', 'SigningTime is missing or not a time'));
  }
  if (signed.signingCertificates.length === 0) {
    findings.push(buildFinding('baseline.signing-certificate', 'SigningCertificateV2 is missing'));
  }
  const embedded = signature?.keyInfo?.certificates.some(
    (der) => certificate !== undefined && equalBytes(der, certificate.der),
  );
  if (embedded !== true) {
    findings.push(buildFinding('baseline.certificates', 'KeyInfo lacks the signing certificate'));
  }
  return [...findings, ...checkFormats(properties, references)];
}

function isOldArchive(property: UnsignedProperty): boolean {
  return property.kind === 'timestamp' && property.timestamp.kind === 'archive132';
}

const ownScopes: ReadonlySet<string> = new Set(['properties', 'key', 'manifest']);

/** True for data to be signed, false for parts of the signature itself. */
function isDataObject({ report, scope, reference }: CheckedReference): boolean {
  if (report.listedBy !== undefined || ownScopes.has(report.scope)) return false;
  if (reference.type === referenceTypes.countersigned) return false;
  const target = scope?.target;
  const isElement = target !== undefined && 'index' in target;
  return !(isElement && target.is(namespaces.dsig, 'SignatureProperties'));
}

/** Requires a DataObjectFormat with a MimeType for every signed data object. */
function checkFormats(
  { signed }: QualifyingProperties,
  references: readonly CheckedReference[],
): readonly Finding[] {
  const formats = signed?.dataObjectFormats ?? [];
  const described = new Set(formats.map(({ objectReference }) => objectReference));
  const bare = references.filter((each) => {
    return isDataObject(each) && !described.has(`#${each.reference.id}`);
  });
  const findings: Finding[] = [];
  if (bare.length > 0) {
    const message = `DataObjectFormat is missing for ${bare.length} signed data objects`;
    findings.push(buildFinding('baseline.data-object-format', message));
  }
  if (formats.some(({ mimeType }) => mimeType === undefined)) {
    findings.push(buildFinding('baseline.mime-type', 'a DataObjectFormat lacks its MimeType'));
  }
  return findings;
}

/**
 * Violations of the baseline levels LT and LTA by a signature: properties of older forms, which the
 * values themselves have superseded.
 *
 * @spec ETSI EN 319 132-1 §6.3 table 2
 */
export function checkLongTermForm(
  properties: QualifyingProperties | undefined,
): readonly Finding[] {
  const names = new Set<string>();
  for (const property of properties?.unsigned ?? []) {
    const isReference = property.kind.endsWith('Refs');
    const isOverReferences =
      property.kind === 'timestamp' && /^(?:sigAndRefs|refsOnly)/.test(property.timestamp.kind);
    if (isReference || isOverReferences) names.add(property.element.localName);
  }
  return [...names].map((name) =>
    buildFinding('baseline.values', `the property ${name} has an older format`),
  );
}
