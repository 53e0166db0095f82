import { isInnsigliError } from '../../base/errors.ts';
import type { Certificate } from '../../formats/x509/index.ts';
import { signedInfoBytes, type XmlSignature } from '../../formats/xmldsig/index.ts';
import type { Finding } from '../report.ts';
import type { XmlContext } from './context.ts';
import type { CheckedReference } from './references/check-references.ts';
import type { XmlSignatureObject } from './signature-object.ts';
import { describeValueForm, verifyXmlValue } from './signature-value.ts';
import { type KeyCandidate, listKeys } from './signing-key.ts';

/** Whether digests and signature value of a signature hold. */
export interface XmlVerdict {
  /** References and signature value hold. */
  readonly intact: boolean;
  /** Set when not intact. @spec ETSI EN 319 102-1 §5.1.3 */
  readonly subIndication?: string;
  /** Whose key verifies the signature value, or should have. */
  readonly certificate: Certificate | undefined;
  readonly findings: readonly Finding[];
}

/**
 * The conclusion on the mathematics. Of several faults the gravest decides: form, changed data,
 * no key, unknown algorithm, signature value, data that are not there.
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
  const fail = (subIndication: string, ...findings: Finding[]): XmlVerdict => {
    return { intact: false, subIndication, certificate: first?.certificate, findings };
  };
  if (signature === undefined || faults.length > 0) return fail('FORMAT_FAILURE', ...faults);
  const broken = checkBindings(references);
  if (broken !== undefined) return fail(...broken);
  if (first === undefined) {
    const message = 'the signing certificate is missing';
    return fail('NO_SIGNING_CERTIFICATE_FOUND', error('signature.certificate.missing', message));
  }
  const value = checkValue(signature, keys);
  if ('subIndication' in value) return fail(value.subIndication, value.finding);
  const { certificate, misfit } = value;
  const notes: Finding[] = [];
  if (misfit !== undefined) notes.push(warning('signature.certificate.misfit', misfit));
  const odd = describeValueForm(signature, value);
  if (odd !== undefined) notes.push(warning('signature.value.form', odd));
  const missing = references.filter(({ report }) => report.status === 'missing');
  if (missing.length > 0) {
    notes.push(...missing.slice(0, MAX_TOLD).map(describeReference));
    const isOwn = missing.some(({ report }) => report.listedBy === undefined);
    const subIndication = 'SIGNED_DATA_NOT_FOUND';
    return { intact: !isOwn, subIndication, certificate, findings: notes };
  }
  if (certificate === undefined) {
    const message = 'the signature has a bare key: nothing identifies its owner';
    notes.push(warning('signature.certificate.missing', message));
  }
  return { intact: true, certificate, findings: notes };
}

/** References that are told one by one. */
const MAX_TOLD = 10;

/** Sub-indication and findings when a reference is refused or what it covers was changed. */
function checkBindings(
  references: readonly CheckedReference[],
): readonly [string, ...Finding[]] | undefined {
  const withStatus = (status: string) => references.filter((each) => each.report.status === status);
  const tell = (found: readonly CheckedReference[]) =>
    found.slice(0, MAX_TOLD).map(describeReference);
  const changed = withStatus('changed');
  if (changed.length > 0) return ['HASH_FAILURE', ...tell(changed)];
  const refused = withStatus('refused');
  if (refused.length === 0) return undefined;
  const isUnknown = refused.every(({ isUnknownDigest }) => isUnknownDigest);
  return [isUnknown ? 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE' : 'FORMAT_FAILURE', ...tell(refused)];
}

const codes: Readonly<Record<string, string>> = {
  changed: 'signature.digest.mismatch',
  missing: 'signature.reference.missing',
  refused: 'signature.reference.refused',
};

function describeReference({ report }: CheckedReference): Finding {
  const { uri, listedBy, status, message = status } = report;
  const name = uri === undefined ? 'without URI' : `«${uri.slice(0, 100)}»`;
  const list = listedBy === undefined ? '' : ` of the manifest «${listedBy.slice(0, 100)}»`;
  return error(
    codes[status] ?? 'signature.reference.refused',
    `reference ${name}${list}: ${message}`,
  );
}

interface ValueFault {
  readonly subIndication: string;
  readonly finding: Finding;
}

/** The key that made the signature value, or why it is not valid. */
function checkValue(
  { signedInfo, signatureValue }: XmlSignature,
  keys: readonly KeyCandidate[],
): KeyCandidate | ValueFault {
  const { algorithm, uri } = signedInfo.signatureMethod;
  if (algorithm === undefined) {
    const message = `the signature algorithm ${uri.slice(0, 100)} is unknown`;
    const finding = error('signature.algorithm.unsupported', message);
    return { subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE', finding };
  }
  const bytes = readBytes(signedInfo);
  if (typeof bytes === 'string') {
    const finding = error('signature.canonicalization.unsupported', bytes);
    return { subIndication: 'FORMAT_FAILURE', finding };
  }
  const made = keys.find(({ key }) => verifyXmlValue(algorithm, key, bytes, signatureValue.bytes));
  if (made !== undefined) return made;
  const finding = error('signature.value.invalid', 'the signature was not made with this key');
  return { subIndication: 'SIG_CRYPTO_FAILURE', finding };
}

function readBytes(signedInfo: XmlSignature['signedInfo']): Uint8Array | string {
  try {
    const bytes = signedInfoBytes(signedInfo);
    if (bytes !== undefined) return bytes;
    return `the canonicalization ${signedInfo.canonicalUri.slice(0, 100)} is unknown`;
  } catch (error) {
    if (isInnsigliError(error)) return error.message;
    throw error;
  }
}

function error(code: string, message: string): Finding {
  return { code, severity: 'error', message };
}

function warning(code: string, message: string): Finding {
  return { code, severity: 'warning', message };
}
