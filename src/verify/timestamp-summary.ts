import { asBuffer } from '../base/bytes.ts';
import { defined } from '../base/defined.ts';
import { isoTime } from '../base/time/iso-time.ts';
import type { TimestampVerdict } from '../trust/timestamp.ts';
import type { Outcome } from './check-signer.ts';
import type { ProofOfExistence, StatusContext } from './existence/index.ts';
import { buildFinding, type FindingCode } from './findings/index.ts';
import { describeTimestampQualification } from './qualification/index.ts';
import type { Finding, TimestampSummary } from './report/index.ts';
import { describeSigner } from './signer-summary.ts';

/**
 * Summarises a time-stamp of a signature.
 *
 * @param proof whether its time counts; omitted if nothing depends on it
 */
export function summarizeTimestamp(
  verdict: TimestampVerdict,
  covers: TimestampSummary['covers'],
  context: StatusContext,
  proof?: ProofOfExistence,
): TimestampSummary {
  const { certificate, info, valid, trusted, problem } = verdict;
  const isIdle = valid && trusted && proof !== undefined && proof.timeMs === undefined;
  const message = verdict.message === '' && isIdle ? proof.message : verdict.message;
  return {
    ...defined({ covers }),
    time: info === undefined ? '' : isoTime(info.genTimeMs),
    authority: certificate === undefined ? '' : describeSigner(certificate).subject,
    serialNumber: info === undefined ? '' : asBuffer(info.serialNumber).toString('hex'),
    valid,
    trusted,
    ...anchorOf(verdict),
    ...describeTimestampQualification(context, verdict),
    ...(valid ? {} : defined({ problem })),
    ...(isIdle ? { timeProblem: proof.subIndication ?? 'GENERIC' } : {}),
    ...(message === '' ? {} : { message }),
  };
}

/** The anchor that makes a time-stamp trusted, ready to be spread into a report. */
export function anchorOf({ trusted, path }: TimestampVerdict): { readonly anchor?: string } {
  const anchor = path[path.length - 1];
  return trusted && anchor !== undefined ? { anchor: describeSigner(anchor).subject } : {};
}

/** Outcome of a stand-alone time-stamp. Pushes reasons against TOTAL-PASSED onto `findings`. */
export function checkToken(
  verdict: TimestampVerdict,
  proof: ProofOfExistence,
  findings: Finding[],
): Outcome {
  const outcome = outcomeOf(verdict, proof);
  if (outcome.indication !== 'TOTAL-PASSED') {
    const message = verdict.message === '' ? proof.message : verdict.message;
    const severity = isIntact(verdict) ? 'warning' : 'error';
    findings.push(buildFinding(codeOf(verdict) ?? 'timestamp.time.unproved', message, severity));
  }
  return outcome;
}

/** A valid time-stamp whose time is after the time of verification has a separate finding. */
function codeOf({ valid, problem }: TimestampVerdict): FindingCode | undefined {
  return valid && problem === 'tsa.time.skewed' ? 'timestamp.time.later' : problem;
}

/** Validity of a time-stamp, as members of a report. */
export function describeStampIntegrity(verdict: TimestampVerdict): { readonly intact?: boolean } {
  if (verdict.problem === 'tsa.algorithm.unsupported') return {};
  return { intact: isIntact(verdict) };
}

function isIntact({ valid, doubt }: TimestampVerdict): boolean {
  return valid || doubt?.isIntact === true;
}

function outcomeOf(verdict: TimestampVerdict, proof: ProofOfExistence): Outcome {
  if (proof.timeMs !== undefined) return { indication: 'TOTAL-PASSED' };
  const { subIndication: unproved = 'NO_POE' } = proof;
  if (verdict.valid) return { indication: 'INDETERMINATE', subIndication: unproved };
  if (verdict.problem === 'tsa.algorithm.unsupported') {
    return { indication: 'INDETERMINATE', subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE' };
  }
  if (verdict.doubt !== undefined) {
    return { indication: 'INDETERMINATE', subIndication: verdict.doubt.subIndication };
  }
  const hash = verdict.problem === 'tsa.imprint.mismatch';
  const format = verdict.problem === undefined || verdict.problem === 'tsa.response.invalid';
  const subIndication = hash ? 'HASH_FAILURE' : format ? 'FORMAT_FAILURE' : 'SIG_CRYPTO_FAILURE';
  return { indication: 'TOTAL-FAILED', subIndication };
}

/**
 * Adds a warning for each time-stamp of a signature that proves nothing. `what` names its kind.
 *
 * @param proofs whether the times of the time-stamps count; empty for those that prove none
 */
export function noteUnprovenTimestamps(
  what: string,
  verdicts: readonly TimestampVerdict[],
  proofs: readonly ProofOfExistence[],
  findings: Finding[],
): void {
  for (const [index, verdict] of verdicts.entries()) {
    const { valid, trusted, problem, message } = verdict;
    if (valid && trusted && problem === undefined) {
      const proof = proofs[index];
      if (proof === undefined || proof.timeMs !== undefined) continue;
      const why = `${what}: ${proof.message}`;
      findings.push(buildFinding('timestamp.time.unproved', why));
      continue;
    }
    const code = codeOf(verdict) ?? 'tsa.response.invalid';
    findings.push(buildFinding(code, `${what}: ${message}`, 'warning'));
  }
}
