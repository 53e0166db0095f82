import { buildFinding, type FindingCode } from './findings/index.ts';
import type { SignatureConclusion } from './report/index.ts';

/** Verdict of a second implementation on the digests and value of a signature. */
export interface SecondOpinion {
  /** `none`: undecided, because it does not support the algorithm or has no access to a file. */
  readonly verdict: 'agrees' | 'disagrees' | 'none';
  /** Reason for a disagreement or a missing verdict, as text. */
  readonly why?: string;
}

const said: Readonly<Record<SecondOpinion['verdict'], readonly [FindingCode, string]>> = {
  agrees: ['signature.second-opinion.agrees', 'confirms digests and signature value'],
  disagrees: ['signature.second-opinion.disagrees', 'rejects the signature: '],
  none: ['signature.second-opinion.none', 'cannot check this signature: '],
};

/**
 * Applies the verdict of the second implementation to `conclusion`. It can only lower it: a
 * signature that passed here but not there is INDETERMINATE, and no other indication changes.
 *
 * @spec ETSI EN 319 102-1 §5.1.3
 */
export function withSecondOpinion<Conclusion extends SignatureConclusion>(
  conclusion: Conclusion,
  { verdict, why = '' }: SecondOpinion,
): Conclusion {
  const [code, text] = said[verdict];
  const message = `the second implementation ${text}${verdict === 'agrees' ? '' : why}`;
  const findings = [...conclusion.findings, buildFinding(code, message)];
  const isLowered = verdict === 'disagrees' && conclusion.indication === 'TOTAL-PASSED';
  if (!isLowered) return { ...conclusion, findings };
  return { ...conclusion, findings, indication: 'INDETERMINATE', subIndication: 'GENERIC' };
}
