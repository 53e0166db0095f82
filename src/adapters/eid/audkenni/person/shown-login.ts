import type {
  EidEvidence,
  EidFinding,
  EidShownLogin,
  EidTrust,
} from '../../../../app/ports/index.ts';
import { decodeEvidence, pathFindings, shown } from '../../kept-evidence.ts';
import { readCertificate, responseFault } from '../../provider-answer.ts';
import { channelDigests } from '../login-content.ts';
import type { CommonOptions } from '../options.ts';
import { requirePerson, requireUsage } from './signer-certificate.ts';
import { hashOf, requireCms, requireRawSignature } from './verify-signature.ts';

/**
 * Verifies the evidence of a login: the signature over what was sent, the certification path, and
 * the person.
 *
 * @throws EidError if the evidence does not prove the login
 */
export function verifyAudkenniEvidence(
  evidence: EidEvidence,
  login: EidShownLogin,
  { anchors, intermediates = [] }: CommonOptions,
  trust: EidTrust,
): readonly EidFinding[] {
  const { format, certificates = [] } = evidence;
  if (format !== 'cms' && format !== 'raw-signature') {
    throw responseFault('the evidence: expected a signature of the person');
  }
  const value = decodeEvidence(evidence.data, 'a signature');
  const message = decodeEvidence(evidence.message, 'what was signed');
  const isSim = format === 'cms';
  const hash = hashOf(channelDigests[isSim ? 'Sim' : 'App'], message);
  const kept = certificates.map((text) => decodeEvidence(text, 'certificates'));
  const sent = isSim ? requireCms(value, hash) : kept;
  const path = trust.requirePath([...sent, ...intermediates], anchors, login.endedAtMs);
  const certificate = readCertificate(path[0] ?? new Uint8Array());
  requireUsage(certificate, 'auth');
  requirePerson(certificate, { number: login.ssn, name: login.name });
  if (!isSim) requireRawSignature(value, certificate, hash);
  return [
    shown('signature', 'the person signed the data that was sent'),
    ...pathFindings(path, evidence, login, trust),
    shown('person', 'the certificate has the number and name of the person'),
    shown('session', `the sent data is stored: ${message.length} bytes, specific to this login`),
  ];
}
