import type { Certificate } from '../../formats/x509/index.ts';
import { findTimeOutside } from '../claimed-time.ts';
import { buildFinding, type FindingCode } from '../findings/index.ts';
import type { Finding } from '../report/index.ts';
import type { CheckedReference } from './references/check-references.ts';
import { findTypeFault } from './references/properties-reference.ts';
import type { XmlSignatureObject } from './signature-object.ts';

/**
 * Findings about properties that an intact signature lacks but that the acceptance of an AdES
 * signature requires, and about a claimed time at which the certificate was not valid.
 *
 * @spec ETSI EN 319 132-1 §4.4.2, §5.2.1, §5.2.2; EN 319 102-1 §5.2.8
 */
export function listMissingProperties(
  { form, properties }: XmlSignatureObject,
  references: readonly CheckedReference[],
  certificate: Certificate,
): readonly Finding[] {
  const findings: Finding[] = [];
  const push = (code: FindingCode, message: string) => {
    findings.push(buildFinding(code, message));
  };
  if (form === 'xmldsig') {
    const message =
      'an XML signature without XAdES: no signed property identifies the signer and the time';
    push('signature.properties.none', message);
  }
  const isNamed = (properties?.signed?.signingCertificates.length ?? 0) > 0;
  const isKeySigned = references.some(({ report }) => {
    return report.scope === 'key' && report.status === 'valid';
  });
  const isEmpty = properties?.signed?.isBindingEmpty === true;
  if (isEmpty || (!isNamed && !isKeySigned)) {
    const message = isEmpty
      ? 'SigningCertificate or SigningCertificateV2 lists no certificate'
      : 'the signature does not identify its signing certificate';
    push('signature.certificate.unbound', message);
  }
  const untyped = form === 'xades' ? findTypeFault(properties, references) : undefined;
  if (untyped !== undefined) push('signature.properties.untyped', untyped);
  if (form === 'xades' && properties?.signed?.signingTimeMs === undefined) {
    push('signature.time.missing', 'the property SigningTime is missing or not a time');
  }
  const outside = findTimeOutside(properties?.signed?.signingTimeMs, certificate);
  if (outside !== undefined) findings.push(outside);
  return findings;
}
