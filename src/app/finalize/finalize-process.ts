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

/** Failed attempts after which a person has to ask for more. */
const ATTEMPTS_MAX = 8;
/** Wait after the first failure; it doubles with each one, up to the last. */
const RETRY_FIRST_MS = 60_000;
const RETRY_LAST_MS = 3_600_000;
/** Renewed while a worker lives: authorities that are slow do not lose it its work. */
const LEASE_MS = 60_000;
/** Lease terms of this work. */
export const finalizeTerms = { leaseMs: LEASE_MS, horizonMs: RETRY_LAST_MS };
/** Claims without any outcome: a worker that dies on this process must not die for ever. */
const CLAIMS_MAX = 5;

/**
 * Does the work after the last signature: the seal of the company over the signed document, to the
 * level of the flow, the evidence, and the completion of the process. It starts from the signed
 * document each time and changes nothing before the one transaction at its end, so that a worker
 * that takes over from a dead one makes one seal, not two.
 *
 * @returns why it failed this time; undefined when there is nothing left to do
 * @throws store.*, trust.mismatch and other faults of the host, clock.back
 * @throws process.conflict when another worker has taken over
 */
export async function finalizeProcess(
  job: Job,
  ports: SealingPorts,
): Promise<JobFailure | undefined> {
  const key = asKey('process', job.ref);
  const process = await ports.store.read(async (unit) => {
    const found = await unit.processes.find(key);
    // Not all the work for a result that could not be written down.
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
        'workers crashed on this process ' + 'repeatedly',
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
  // Nothing is sealed of which the log tells otherwise: the seal would vouch for it.
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

/** Every signee has put one signature on the document. */
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
    // First the job, so that the one for the next attempt is not taken for it.
    if (!(await unit.jobs.finish(job.kind, job.ref, job.owner))) {
      throw new InnsigliError('process.conflict', `another worker is finalising ${key}`);
    }
    await applyCommand(unit, ports, key, command);
  });
}

/** A document with the seal of the company. */
interface FinalDocument {
  readonly bytes: Uint8Array;
  readonly level: SealLevel;
  /** The conclusion on every signature in it. */
  readonly report: PdfVerificationReport;
}

/**
 * Seals a signed document with the key of the company and lifts it to `level`: from B-LT on, the
 * validation data of every signature that leads to an anchor is added, of signees as of the
 * company, and for B-LTA a document time-stamp over all of it. The result is verified.
 *
 * @param ownCount signatures of this process in the document
 * @throws pdf.*, key.*, tsa.*, revocation.*, certificate.*, network.*, seal.selfcheck.failed
 * @throws pdf.signature.broken when a signature of a signee is not in order
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
  // Earlier signatures of the document without a path must not keep ours from their level.
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

/** The signatures of this process and its seal are the newest ones: all of them in order. */
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
