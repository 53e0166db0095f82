import { blocksOfFinding } from '../findings/index.ts';
import type {
  BuildingBlock,
  BuildingBlockName,
  Finding,
  SignatureConclusion,
  VerificationReport,
} from './report.ts';

/** The block in which each sub-indication arises. @spec ETSI EN 319 102-1 §5.2 */
const blockOf: Readonly<Record<string, BuildingBlockName>> = {
  FORMAT_FAILURE: 'format-checking',
  NO_SIGNING_CERTIFICATE_FOUND: 'signing-certificate',
  SIGNATURE_POLICY_NOT_AVAILABLE: 'validation-context',
  POLICY_PROCESSING_ERROR: 'validation-context',
  HASH_FAILURE: 'cryptographic-verification',
  SIG_CRYPTO_FAILURE: 'cryptographic-verification',
  SIGNED_DATA_NOT_FOUND: 'cryptographic-verification',
  SIG_CONSTRAINTS_FAILURE: 'signature-acceptance',
  CRYPTO_CONSTRAINTS_FAILURE: 'signature-acceptance',
  CRYPTO_CONSTRAINTS_FAILURE_NO_POE: 'signature-acceptance',
  TIMESTAMP_ORDER_FAILURE: 'past-validation',
  NO_POE: 'past-validation',
};

/** Constraint that decided a block with the result PASSED. */
const passed: Readonly<Record<BuildingBlockName, readonly [string, string]>> = {
  'format-checking': ['signature.format', 'the signature conforms to its standard'],
  'signing-certificate': ['certificate.identified', 'the signing certificate was found'],
  'validation-context': ['policy.built-in', 'the built-in policy and the supplied anchors apply'],
  'x509-validation': ['certificate.path', 'a path leads to a trust anchor'],
  'cryptographic-verification': ['signature.value', 'digests and signature value match'],
  'signature-acceptance': ['signature.constraints', 'algorithms and attributes are acceptable'],
  'past-validation': ['signature.past', ''],
  'proof-of-existence': ['signature.existence', ''],
};

/** Adds the building blocks of each signature to the report. */
export function withBuildingBlocks(report: VerificationReport): VerificationReport {
  return mapSignatures(report, (one) => {
    return { ...one, buildingBlocks: buildingBlocksOf(one, report.verifiedAt) };
  });
}

/** Applies `change`, which preserves the members of its format, to each signature of the report. */
export function mapSignatures(
  report: VerificationReport,
  change: <One extends SignatureConclusion>(signature: One) => One,
): VerificationReport {
  // The signature type depends on the format, which TypeScript cannot track here.
  const signatures = report.signatures.map((one: SignatureConclusion) => change(one)) as never;
  return { ...report, signatures };
}

/** Conclusion from which the building blocks are derived. */
export type Concluded = Omit<SignatureConclusion, 'buildingBlocks'>;

/**
 * The building blocks of a conclusion, each with the constraint that decided it, derived from the
 * conclusion and its findings. A finding with an unknown code is classified by its severity.
 *
 * @spec ETSI EN 319 102-1 §5.2.2–§5.2.8, §5.6.2
 */
export function buildingBlocksOf(
  conclusion: Concluded,
  verifiedAt: string,
): readonly BuildingBlock[] {
  const stop = stopOf(conclusion);
  const at = (name: BuildingBlockName, isReached: boolean): BuildingBlock => {
    if (stop?.name === name) return stop;
    return isReached ? pass(name, conclusion) : notRun(name, stop);
  };
  const { trusted, signer, indication } = conclusion;
  const intact = conclusion.intact === true;
  const isFormed = intact || stop?.subIndication !== 'FORMAT_FAILURE';
  const isDone = indication === 'TOTAL-PASSED' || (intact && trusted);
  return [
    changed(conclusion, stop) ?? at('format-checking', isFormed),
    at('signing-certificate', signer !== undefined),
    at('validation-context', isFormed),
    at('x509-validation', intact && (trusted || conclusion.anchor !== undefined)),
    at('cryptographic-verification', intact),
    at('signature-acceptance', isDone && stop?.name !== 'x509-validation'),
    pastValidation(conclusion, verifiedAt, stop),
    proofOfExistence(conclusion),
  ];
}

/** The block that prevented TOTAL-PASSED. */
function stopOf(conclusion: Concluded): BuildingBlock | undefined {
  const { indication, subIndication, findings } = conclusion;
  if (indication === 'TOTAL-PASSED') return undefined;
  const name = stoppedIn(conclusion);
  const found = decisive(findings, name);
  return {
    name,
    indication: indication === 'TOTAL-FAILED' ? 'FAILED' : 'INDETERMINATE',
    ...(subIndication === undefined ? {} : { subIndication }),
    constraint: found?.code ?? 'signature.undecided',
    message: found?.message ?? 'no finding gives details',
  };
}

function stoppedIn({ subIndication, intact, findings }: Concluded): BuildingBlockName {
  if (subIndication === undefined && changeOf(findings) !== undefined) return 'format-checking';
  if (subIndication === undefined || subIndication === 'GENERIC') {
    return blocksOfFinding(worst(findings)?.code ?? '')[0] ?? 'signature-acceptance';
  }
  const isCrypto = subIndication.startsWith('CRYPTO_CONSTRAINTS');
  if (isCrypto && !intact) return 'cryptographic-verification';
  // All others concern certificates and their status.
  return blockOf[subIndication] ?? 'x509-validation';
}

/** A later change is an additional reason: the displayed content is not the signed content. */
function changed(
  { findings }: Concluded,
  stop: BuildingBlock | undefined,
): BuildingBlock | undefined {
  const change = changeOf(findings);
  if (change === undefined || stop?.name === 'format-checking') return undefined;
  const { code: constraint, message } = change;
  return { name: 'format-checking', indication: 'INDETERMINATE', constraint, message };
}

function changeOf(findings: readonly Finding[]): Finding | undefined {
  return findings.find(({ code }) => code === 'document.changed');
}

/** The most severe finding of the block, or else of all. */
function decisive(findings: readonly Finding[], name: BuildingBlockName): Finding | undefined {
  const ours = findings.filter(({ code }) => blocksOfFinding(code).includes(name));
  return worst(ours) ?? worst(findings);
}

function worst(findings: readonly Finding[]): Finding | undefined {
  const of = (wanted: Finding['severity']) => findings.find((one) => one.severity === wanted);
  return of('error') ?? of('warning');
}

function pass(name: BuildingBlockName, { anchor, bestTime }: Concluded): BuildingBlock {
  const [constraint, text] = passed[name];
  const isPath = name === 'x509-validation' && anchor !== undefined;
  const message = isPath ? `a path leads to ${anchor} at ${bestTime}` : text;
  return { name, indication: 'PASSED', constraint, message };
}

function notRun(name: BuildingBlockName, stop: BuildingBlock | undefined): BuildingBlock {
  const [constraint] = passed[name];
  const message = stop === undefined ? 'not needed' : `not reached: ${stop.name} decided`;
  return { name, indication: 'NOT-RUN', constraint, message };
}

/** Past validation: a constraint no longer met today was met at a proven time. */
function pastValidation(
  { timeProved, signer, bestTime, indication }: Concluded,
  verifiedAt: string,
  stop: BuildingBlock | undefined,
): BuildingBlock {
  const name = 'past-validation';
  if (stop?.name === name) return stop;
  const [constraint] = passed[name];
  const { subIndication } = stop ?? {};
  if (subIndication?.endsWith('_NO_POE') === true) {
    const message = `no proof that the signature existed before: ${stop?.message}`;
    return { name, indication: 'INDETERMINATE', subIndication, constraint, message };
  }
  const isProved = indication === 'TOTAL-PASSED' && timeProved && signer !== undefined;
  if (isProved && Date.parse(signer.notAfter) < Date.parse(verifiedAt)) {
    const message = `the certificate expired at ${signer.notAfter}, after ${bestTime}`;
    return { name, indication: 'PASSED', constraint, message };
  }
  return notRun(name, stop);
}

function proofOfExistence(conclusion: Concluded): BuildingBlock {
  const name = 'proof-of-existence';
  const { timeProved, bestTime, timestamps, findings } = conclusion;
  const [constraint] = passed[name];
  if (timeProved) {
    const message = `a time-stamp proves that it existed at ${bestTime}`;
    return { name, indication: 'PASSED', constraint, message };
  }
  if (timestamps.length === 0) {
    const message = 'no time-stamp: the time of verification is used';
    return { name, indication: 'NOT-RUN', constraint, message };
  }
  const found = decisive(findings, name);
  const why = timestamps.find(({ message }) => message !== undefined);
  return {
    name,
    indication: 'INDETERMINATE',
    constraint: why?.problem ?? found?.code ?? constraint,
    message: why?.message ?? found?.message ?? 'no time-stamp is accepted as proof',
  };
}
