import { attempt } from '../../base/errors.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import { signedInfoBytes, type XmlSignature } from '../../formats/xmldsig/index.ts';
import { buildFinding, type FindingCode } from '../findings/index.ts';
import type { Finding } from '../report/index.ts';
import type { XmlContext } from './context.ts';
import type { CheckedReference } from './references/check-references.ts';
import { isTyped } from './references/properties-reference.ts';
import type { XmlSignatureObject } from './signature-object.ts';
import { describeValueForm, verifyXmlValue } from './signature-value.ts';
import { type KeyCandidate, listKeys } from './signing-key.ts';

/** Results of the checks of digests and signature value. */
export interface XmlVerdict {
  /** True if references and signature value are valid. */
  readonly intact: boolean;
  /** Set if it is not intact. @spec ETSI EN 319 102-1 §5.1.3 */
  readonly subIndication?: string;
  /** Certificate of the key that verifies, or should verify, the signature value. */
  readonly certificate: Certificate | undefined;
  readonly findings: readonly Finding[];
  /** True if the only problem is that signed data is not available. */
  readonly isDataMissing?: boolean;
}

/**
 * The result of the cryptographic checks. The first fault in the order of the building blocks
 * decides: form, missing certificate, missing data, changed data, forbidden processing, signature
 * value. The findings list all of them.
 *
 * @spec ETSI EN 319 102-1 §5.2.2, §5.2.3, §5.2.7
 */
export function checkMathematics(
  evidence: XmlSignatureObject,
  references: readonly CheckedReference[],
  embedded: readonly Certificate[],
  context: XmlContext,
): XmlVerdict {
  const { signature, faults } = evidence;
  const keys = signature === undefined ? [] : listKeys(evidence, embedded, context);
  const [first] = keys;
  const certificate = first?.certificate;
  if (signature === undefined || faults.length > 0) {
    const isAway = isPropertiesMissing(faults, references);
    const subIndication = isAway ? 'SIGNED_DATA_NOT_FOUND' : 'FORMAT_FAILURE';
    return { intact: false, subIndication, certificate, findings: faults };
  }
  const value = first === undefined ? undefined : checkValue(signature, keys);
  const broken = [...checkBindings(references)];
  if (value !== undefined && 'subIndication' in value) broken.push(value);
  const [decisive] = broken;
  const found = broken.flatMap(({ findings }) => findings);
  if (certificate === undefined) {
    const isBound = (evidence.properties?.signed?.signingCertificates.length ?? 0) > 0;
    const isBare = first !== undefined && !isBound;
    const message = isBare
      ? 'the signature has a bare key: nothing identifies its owner'
      : 'the signing certificate is missing';
    const severity = isBare ? 'warning' : 'error';
    const finding = buildFinding('signature.certificate.missing', message, severity);
    const intact = first !== undefined && decisive === undefined;
    const subIndication = 'NO_SIGNING_CERTIFICATE_FOUND';
    const findings = [...found, finding];
    return { intact, ...(intact ? {} : { subIndication }), certificate, findings };
  }
  if (decisive !== undefined) {
    const { subIndication } = decisive;
    const isDataMissing = broken.length === 1 && subIndication === 'SIGNED_DATA_NOT_FOUND';
    return { intact: false, subIndication, isDataMissing, certificate, findings: found };
  }
  return noteManifests(references, {
    intact: true,
    certificate: (value as KeyCandidate).certificate,
    findings: noteKey(signature, value as KeyCandidate),
  });
}

/**
 * Whether the only violation of the form is that the reference to the SignedProperties has no
 * target: this is unavailable data, and refutes nothing.
 *
 * @spec ETSI EN 319 102-1 §5.2.7.4
 */
function isPropertiesMissing(
  faults: readonly Finding[],
  references: readonly CheckedReference[],
): boolean {
  if (!faults.every(({ code }) => code.startsWith('signature.properties.'))) return false;
  return references.some((each) => isTyped(each) && each.report.status === 'missing');
}

/** Findings about the signing key and the signature value. */
function noteKey(signature: XmlSignature, key: KeyCandidate): readonly Finding[] {
  const { misfit } = key;
  const odd = describeValueForm(signature, key);
  return [
    ...(misfit === undefined ? [] : [buildFinding('signature.certificate.misfit', misfit)]),
    ...(odd === undefined ? [] : [buildFinding('signature.value.form', odd)]),
  ];
}

/** Adds findings about manifest references to the verdict. The signature is intact without them. */
function noteManifests(references: readonly CheckedReference[], verdict: XmlVerdict): XmlVerdict {
  const missing = references.filter(isAbsent);
  if (missing.length === 0) return verdict;
  const findings = [...verdict.findings, ...missing.slice(0, MAX_TOLD).map(describeReference)];
  return { ...verdict, subIndication: 'SIGNED_DATA_NOT_FOUND', findings };
}

/** Maximum number of references that are reported individually. */
const MAX_TOLD = 10;

interface Fault {
  readonly subIndication: string;
  readonly findings: readonly Finding[];
}

/** Whether the data is unavailable: it is missing, or its selection is unsupported. */
function isAbsent({ report, isUnsupported }: CheckedReference): boolean {
  return report.status === 'missing' || isUnsupported;
}

/** The faults of the references, in order. @spec ETSI EN 319 102-1 §5.2.7.4 */
function checkBindings(references: readonly CheckedReference[]): readonly Fault[] {
  const faultOf = (subIndication: string, found: readonly CheckedReference[]): readonly Fault[] =>
    found.length === 0
      ? []
      : [{ subIndication, findings: found.slice(0, MAX_TOLD).map(describeReference) }];
  const absent = references.filter((each) => isAbsent(each) && each.report.listedBy === undefined);
  const changed = references.filter(({ report }) => report.status === 'changed');
  const refused = references.filter((each) => each.report.status === 'refused' && !isAbsent(each));
  const isUnknown = refused.every(({ isUnknownDigest }) => isUnknownDigest);
  return [
    ...faultOf('SIGNED_DATA_NOT_FOUND', absent),
    ...faultOf('HASH_FAILURE', changed),
    ...faultOf(isUnknown ? 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE' : 'FORMAT_FAILURE', refused),
  ];
}

const codes: Readonly<Record<string, FindingCode>> = {
  changed: 'signature.digest.mismatch',
  missing: 'signature.reference.missing',
  refused: 'signature.reference.refused',
};

function describeReference({ report }: CheckedReference): Finding {
  const { uri, listedBy, status, message = status } = report;
  const name = uri === undefined ? 'without URI' : `"${uri.slice(0, 100)}"`;
  const list = listedBy === undefined ? '' : ` of the manifest "${listedBy.slice(0, 100)}"`;
  return buildFinding(
    codes[status] ?? 'signature.reference.refused',
    `reference ${name}${list}: ${message}`,
  );
}

/** The key that verifies the signature value, or the reason why it is not valid. */
function checkValue(
  { signedInfo, signatureValue }: XmlSignature,
  keys: readonly KeyCandidate[],
): KeyCandidate | Fault {
  const { algorithm, uri } = signedInfo.signatureMethod;
  if (algorithm === undefined) {
    const message = `the signature algorithm ${uri.slice(0, 100)} is unknown`;
    const finding = buildFinding('signature.algorithm.unsupported', message);
    return { subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE', findings: [finding] };
  }
  const bytes = readBytes(signedInfo);
  if (typeof bytes === 'string') {
    const finding = buildFinding('signature.canonicalization.unsupported', bytes);
    return { subIndication: 'FORMAT_FAILURE', findings: [finding] };
  }
  const made = keys.find(({ key }) => verifyXmlValue(algorithm, key, bytes, signatureValue.bytes));
  if (made !== undefined) return made;
  const finding = buildFinding(
    'signature.value.invalid',
    'the signature was not made with this key',
  );
  return { subIndication: 'SIG_CRYPTO_FAILURE', findings: [finding] };
}

function readBytes(signedInfo: XmlSignature['signedInfo']): Uint8Array | string {
  const unknown = `the canonicalization ${signedInfo.canonicalUri.slice(0, 100)} is unknown`;
  return attempt(
    () => signedInfoBytes(signedInfo) ?? unknown,
    ({ message }) => message,
  );
}
