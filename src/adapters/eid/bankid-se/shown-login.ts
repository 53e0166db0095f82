import type { EidEvidence, EidFinding, EidShownLogin } from '../../../app/ports/index.ts';
import { defined } from '../../../base/defined.ts';
import { isoTime } from '../../../base/time/iso-time.ts';
import { shown } from '../kept-evidence.ts';
import { type BankidTrust, verifyBankidEvidence } from './evidence.ts';
import type { BankidOptions } from './options.ts';

/**
 * What the evidence of a login shows: all that was verified when it came is verified again.
 *
 * @throws EidError when it does not show the login
 */
export function shownBankidLogin(
  evidence: EidEvidence,
  { ssn: personalNumber, startedAtMs: fromMs, endedAtMs: untilMs }: EidShownLogin,
  trust: BankidTrust,
  { certificatePolicies }: Pick<BankidOptions, 'certificatePolicies'>,
): readonly EidFinding[] {
  const { nonce, text } = evidence.asked ?? {};
  const asked = defined({ nonce, text, certificatePolicies });
  const expected = { purpose: 'auth', personalNumber, fromMs, untilMs, ...asked } as const;
  const { checkedAtMs } = verifyBankidEvidence(evidence, expected, trust);
  const at = isoTime(checkedAtMs);
  return [
    shown('signature', 'the person has signed the answer, as an identification'),
    shown('certificate', `its path ended at an anchor of BankID on ${at}`),
    shown('revocation', `the certificate was good on ${at}; the OCSP response is to this answer`),
    shown('person', 'the certificate names the person'),
    shown('session', sessionText(nonce)),
  ];
}

function sessionText(nonce: string | undefined): string {
  if (nonce === undefined) return 'no nonce was kept: nothing shows which login it answers';
  return 'the answer repeats nonce and text of the login';
}
