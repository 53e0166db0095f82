import { buildFinding } from './findings/index.ts';
import type { Finding, SignatureConclusion } from './report/index.ts';

/** Verdict of another implementation on the digests and value of a signature. */
export interface SecondOpinion {
  /** `none`: it cannot say, for an algorithm that it does not know or a file that it cannot see. */
  readonly verdict: 'agrees' | 'disagrees' | 'none';
  /** Reason for a disagreement or a missing verdict, in words. */
  readonly why?: string;
}

const findingOf: Readonly<Record<SecondOpinion['verdict'], (why: string) => Finding>> = {
  agrees: () =>
    buildFinding(
      'signature.second-opinion.agrees',
      'the second implementation finds digests and signature value right, too',
    ),
  disagrees: (why) =>
    buildFinding(
      'signature.second-opinion.disagrees',
      `the second implementation does not find the signature right: ${why}`,
    ),
  none: (why) =>
    buildFinding(
      'signature.second-opinion.none',
      `the second implementation cannot check this signature: ${why}`,
    ),
};

/**
 * `conclusion` with what the other implementation says. It can only lower: a signature that passed
 * here and not there is INDETERMINATE, and no other indication changes.
 *
 * @spec ETSI EN 319 102-1 §5.1.3
 */
export function withSecondOpinion<Conclusion extends SignatureConclusion>(
  conclusion: Conclusion,
  { verdict, why = '' }: SecondOpinion,
): Conclusion {
  const findings = [...conclusion.findings, findingOf[verdict](why)];
  const isLowered = verdict === 'disagrees' && conclusion.indication === 'TOTAL-PASSED';
  if (!isLowered) return { ...conclusion, findings };
  return { ...conclusion, findings, indication: 'INDETERMINATE', subIndication: 'GENERIC' };
}
