import { type ByteSource, joinedSource, memorySource, wholeBytes } from '../../base/bytes.ts';
import {
  codeOf,
  type ErrorCode,
  errorKinds,
  harmlessMessage,
  InnsigliError,
  isInnsigliError,
} from '../../base/errors.ts';
import { reachesLevel, type SealLevel } from '../../base/level.ts';
import { asKey } from '../../domain/keys.ts';
import { areAllSigned, type CommandOf, type SigningProcess } from '../../domain/process/index.ts';
import { openPdf } from '../../formats/pdf/index.ts';
import { findPath } from '../../trust/path.ts';
import { listCertificatesToCheck } from '../../verify/pdf/index.ts';
import type { PdfVerificationReport, SignatureReport } from '../../verify/report/index.ts';
import { requireActivity, requireClock } from '../activity/index.ts';
import { checkResult } from '../documents/check-result.ts';
import { requireUsableSigner } from '../documents/check-signer.ts';
import { addLongTermData, addTimestamp, timestampContext } from '../documents/long-term-steps.ts';
import { checkContext, type SealPorts } from '../documents/seal-ports.ts';
import { isHostFault, writeResult } from '../patient-store.ts';
import type { Job, JobFailure } from '../ports/index.ts';
import { applyCommand } from '../service/index.ts';
import type { SealingPorts } from '../signing/index.ts';
import { makeEvidence } from './make-evidence.ts';

/** Failed attempts after which further ones must be requested by a person. */
const ATTEMPTS_MAX = 8;
/** Delay after the first failure; it doubles with each one, up to {@link RETRY_LAST_MS}. */
const RETRY_FIRST_MS = 60_000;
const RETRY_LAST_MS = 3_600_000;
/** Renewed while a worker is alive, so that slow authorities do not cost it the lease. */
const LEASE_MS = 60_000;
/** Lease terms of these jobs. */
export const finalizeTerms = { leaseMs: LEASE_MS, horizonMs: RETRY_LAST_MS };
/** Limit for claims without an outcome: a process must not crash its worker endlessly. */
const CLAIMS_MAX = 5;

/**
 * Completes a process after its last signature: seals the signed document with the key of the
 * company at the level of the flow, creates the evidence, and completes the process. Each attempt
 * starts from the signed document and changes nothing before its one final transaction, so that a
 * worker that takes over from a crashed one creates one seal, not two.
 *
 * @returns why this attempt failed; undefined if nothing remains to be done
 * @throws store.*, trust.mismatch and other faults of the host, clock.back
 * @throws process.conflict if another worker has taken over
 */
export async function finalizeProcess(
  job: Job,
  ports: SealingPorts,
): Promise<JobFailure | undefined> {
  const key = asKey('process', job.ref);
  const process = await ports.store.read(async (unit) => {
    const found = await unit.processes.find(key);
    // Fail early: with an incorrect clock, the result could not be logged.
    if (found?.phase === 'Finalizing') await requireClock(unit, key, ports.now());
    return found;
  });
  if (process?.phase !== 'Finalizing') {
    await ports.store.write((unit) => unit.jobs.finish(job.kind, job.ref, job.owner));
    return undefined;
  }
  let command: CommandOf<'complete'> | CommandOf<'finalizeFailed'>;
  try {
    if (job.attempts > CLAIMS_MAX) {
      throw new InnsigliError(
        'process.finalize.failed',
        'workers crashed on this process repeatedly',
      );
    }
    command = await finish(process, ports);
  } catch (error) {
    if (isHostFault(codeOf(error))) throw error;
    command = failureOf(process, error, ports.now());
  }
  await commit(job, process, command, ports);
  if (command.type === 'complete') return undefined;
  const { errorCode, errorMessage: why, isFinal } = command;
  return { code: errorCode as ErrorCode, why, isFinal };
}

async function finish(
  process: SigningProcess,
  ports: SealingPorts,
): Promise<CommandOf<'complete'>> {
  const { key, document, documentRev, policy, signees } = process;
  if (document === undefined) {
    throw new InnsigliError('process.finalize.failed', `process ${key} has no document`);
  }
  requireSignatures(process);
  // The seal would vouch for the document, so the log must confirm it first.
  await ports.store.read((unit) => requireActivity(unit, process));
  const level = policy.sealLevel;
  const sealing = await ports.openSealing(level);
  const content = await ports.blobs.get(document.sha256);
  const { bytes, report } = await sealResult(content, level, documentRev, sealing);
  const sealed = { sha256: await ports.blobs.put(bytes), lengthBytes: bytes.length };
  const needsEvidence =
    policy.evidencePage || signees.some(({ signatureType }) => signatureType !== 'Qualified');
  const facts = {
    process,
    signed: document,
    sealed: { ...sealed, level },
    report,
    isSimulated: ports.simulated,
    nowMs: ports.now(),
  };
  const evidence = needsEvidence ? await makeEvidence(facts, level, sealing, ports) : [];
  return { type: 'complete', document: sealed, level, evidence };
}

/** Requires one signature of every signee on the document. */
function requireSignatures(process: SigningProcess): void {
  const { key, signees, documentRev } = process;
  const signed = signees.filter(({ state }) => state === 'Signed').length;
  if (areAllSigned(process) && signed === documentRev) return;
  const found = `${documentRev} signatures by ${signed} of ${signees.length} signees`;
  throw new InnsigliError(
    'process.finalize.failed',
    `expected one signature each on ${key}: ${found}`,
  );
}

function failureOf(
  process: SigningProcess,
  error: unknown,
  nowMs: number,
): CommandOf<'finalizeFailed'> {
  const attempt = process.finalization.attempts + 1;
  const code = isInnsigliError(error) ? error.code : 'process.finalize.failed';
  return {
    type: 'finalizeFailed',
    errorCode: code,
    errorMessage: harmlessMessage(error) ?? errorKinds[code].summary,
    isFinal: attempt >= ATTEMPTS_MAX,
    retryAtMs: nowMs + Math.min(RETRY_FIRST_MS * 2 ** (attempt - 1), RETRY_LAST_MS),
  };
}

async function commit(
  job: Job,
  { key }: SigningProcess,
  command: CommandOf<'complete'> | CommandOf<'finalizeFailed'>,
  ports: SealingPorts,
): Promise<void> {
  await writeResult(ports.store, async (unit) => {
    // Finish this job first, so that it is not confused with that of the next attempt.
    if (!(await unit.jobs.finish(job.kind, job.ref, job.owner))) {
      throw new InnsigliError('process.conflict', `another worker is finalizing ${key}`);
    }
    await applyCommand(unit, ports, key, command);
  });
}

/** A document with the seal of the company. */
interface FinalDocument {
  readonly bytes: Uint8Array;
  readonly level: SealLevel;
  /** Verification report of every signature in it. */
  readonly report: PdfVerificationReport;
}

/**
 * Seals a signed document with the key of the company and augments it to `level`: from B-LT on, it
 * adds the validation data of every signature with a path to a trust anchor, of signees and company
 * alike, and for B-LTA a document time-stamp over everything. The result is verified.
 *
 * @param ownCount number of signatures of this process in the document
 * @throws pdf.*, key.*, tsa.*, revocation.*, certificate.*, network.*, seal.selfcheck.failed
 * @throws pdf.signature.broken if a signature of a signee is not valid
 */
async function sealResult(
  content: Uint8Array,
  level: SealLevel,
  ownCount: number,
  ports: SealPorts,
): Promise<FinalDocument> {
  const { sealPdf } = await import('../documents/pdf/seal-pdf.ts');
  const first = reachesLevel(level, 'B-LT') ? 'B-T' : level;
  const source = memorySource(content);
  const sealed = await sealPdf({ source, level: first, visible: false }, ports);
  const { report, field } = sealed;
  const whole = joinedSource(source, sealed.tail);
  const result =
    first === level ? { source: whole, report } : await lift(whole, report, field, level, ports);
  requireOwn(result.report, ownCount + 1);
  return { bytes: wholeBytes(result.source), level, report: result.report };
}

async function lift(
  sealed: ByteSource,
  before: PdfVerificationReport,
  field: string,
  level: SealLevel,
  ports: SealPorts,
): Promise<{ source: ByteSource; report: PdfVerificationReport }> {
  const { anchors } = ports;
  const { pool: own } = requireUsableSigner(ports, ports.now());
  const list = checkContext(ports, own);
  const { certificates, pool } = listCertificatesToCheck(openPdf(sealed), list);
  // Earlier signatures without a path must not prevent ours from reaching the level.
  const trusted = certificates.filter(
    ({ certificate, atMs }) => findPath({ certificate, pool, anchors, atMs }).valid,
  );
  const data = await addLongTermData(openPdf(sealed), trusted, ports, pool, true);
  let source = data === undefined ? sealed : joinedSource(sealed, data);
  if (level === 'B-LTA') {
    const timestamps = timestampContext(ports, pool, level);
    source = joinedSource(source, await addTimestamp(openPdf(source), timestamps));
  }
  const earlier = before.signatures.filter(({ intact }) => intact);
  const now = checkContext(ports, pool);
  const report = checkResult(openPdf(source), now, earlier, { field, level })();
  return { source, report };
}

/** Requires that the newest signatures are this process's and its seal's, and all are valid. */
function requireOwn({ signatures }: PdfVerificationReport, count: number): void {
  const own = signatures.filter(({ kind }) => kind === 'signature').slice(-count);
  const bad = own.find((signature) => !isInOrder(signature));
  if (bad === undefined && own.length === count) return;
  const found = bad === undefined ? `${own.length} signatures` : `"${bad.field}" invalid`;
  throw new InnsigliError('pdf.signature.broken', `expected ${count} signatures, found ${found}`, {
    hint: 'nothing was written: find the fault with innsigli verify',
  });
}

function isInOrder({ intact, coverage, indication }: SignatureReport): boolean {
  return intact === true && coverage !== 'partial' && indication !== 'TOTAL-FAILED';
}
