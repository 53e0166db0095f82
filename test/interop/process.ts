import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { finalizeProcess } from '../../src/app/finalize/index.ts';
import type { JobFailure } from '../../src/app/ports/index.ts';
import {
  confirmCode,
  pollQualified,
  type SigningPorts,
  signByClick,
  startCode,
  startQualified,
} from '../../src/app/signing/index.ts';
import type { SigningProcess } from '../../src/domain/process/index.ts';
import { by, openSigningWorld, person, type SigningWorld } from '../support/signing.ts';
import { report, unless } from './checks.ts';
import { cutSignatures } from './evidence-cutter.ts';
import { everyJudge, type Level, levels, type SealedFile } from './matrix.ts';

/**
 * Signs documents with one signee of each type, at every level, with the development trust of the
 * program under test; gives the document after each signature, the sealed one, and the evidence.
 * Each is a sealed file for the judges of the matrix: earlier signatures are among what they judge.
 */
export async function signProcesses(
  dataDir: string,
  root: string,
  folder: string,
): Promise<SealedFile[]> {
  // In the past, so that no judge meets a signature of the future.
  const world = await openSigningWorld({ directory: dataDir, startMs: Date.now() - 300_000 });
  try {
    const files: SealedFile[] = [];
    for (const level of levels) files.push(...(await signOne(world, level, root, folder)));
    return files;
  } finally {
    await world.close();
  }
}

async function signOne(
  world: SigningWorld,
  sealLevel: Level,
  root: string,
  folder: string,
): Promise<SealedFile[]> {
  const process = await world.open(signees, { signatureLocation: 'TopFirstPage' }, { sealLevel });
  const step: Level = sealLevel === 'B-B' ? 'B-B' : 'B-T';
  const files: SealedFile[] = [];
  let input = 'fixtures/pdf/agreement.pdf';
  const keep = async (what: string, level: Level) => {
    const path = join(folder, `process_${sealLevel}_${what}.pdf`);
    writeFileSync(path, await world.bytes(process.key));
    files.push(sealedFile(path, `process ${sealLevel} ${what}`, input, level, root));
    input = path;
  };
  for (const [index, sign] of [click, code, eid].entries()) {
    await sign(world, process, index);
    await keep(`after-${index + 1}`, step);
  }
  await finalize(world.ports);
  await keep('sealed', sealLevel);
  const { status, attachments } = await world.read(process.key);
  const page = attachments.find(({ type }) => type === 'EvidencePage');
  const name = `process ${sealLevel}`;
  report(name, unless({ completed: status === 'Completed', evidence: page !== undefined }));
  if (page === undefined) return files;
  const path = join(folder, `process_${sealLevel}_evidence.pdf`);
  const bytes = await world.stored.blobs.get(page.document.sha256);
  writeFileSync(path, bytes);
  // The page as it was before its seal: up to the end mark of its first revision.
  const plain = join(folder, `process_${sealLevel}_evidence-plain.pdf`);
  const end = Buffer.from(bytes).indexOf('%%EOF') + 5;
  writeFileSync(plain, bytes.subarray(0, end));
  files.push(sealedFile(path, `${name} evidence`, plain, sealLevel, root));
  return files;
}

const signees = [
  person(1, { name: 'Þórður Łucja Čeněk Ödön', reason: 'Samþykkt', language: 'Is' }),
  person(2, { signatureType: 'Simple', phoneNumber: '+11111111111', language: 'Pl' }),
  person(3, { signatureType: 'Qualified', ssn: '6000101994', language: 'En' }),
];

type Sign = (world: SigningWorld, process: SigningProcess, index: number) => Promise<unknown>;

const click: Sign = ({ ports }, process, index) => signByClick(ports, by(process, index));

const code: Sign = async ({ ports }, process, index) => {
  const { token } = await startCode(ports, by(process, index));
  return confirmCode(ports, { ...by(process, index), token, code: '000000' });
};

const eid: Sign = async ({ ports, pass }, process, index) => {
  const start = { ...by(process, index), channel: 'App' } as const;
  const { token } = await startQualified(ports, start);
  pass(2_000);
  return pollQualified(ports, { ...by(process, index), token });
};

/** Seals what every signee has signed; gives the failures. */
export async function finalize(ports: SigningPorts): Promise<readonly JobFailure[]> {
  const kinds = ['finalize'] as const;
  const claim = { owner: 'interop', kinds, nowMs: ports.now(), leaseMs: 60_000, limit: 1 };
  const failures: JobFailure[] = [];
  for (const job of await ports.store.claimJobs(claim)) {
    const failure = await finalizeProcess(job, ports);
    if (failure !== undefined) failures.push(failure);
  }
  return failures;
}

/** A document of a process for the judges of the matrix. */
export function sealedFile(
  path: string,
  name: string,
  input: string,
  level: Level,
  root: string,
): SealedFile {
  const before = cutSignatures(readFileSync(input)).length;
  return {
    path,
    name,
    input,
    inputLength: statSync(input).size,
    level,
    field: `Signature${before + 1}`,
    signaturesBefore: before,
    allOurs: true,
    roots: [root],
    covered: everyJudge,
  };
}
