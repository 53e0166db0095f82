import { equalBytes } from '../base/bytes.ts';
import { type Certificate, describeName, maskName } from '../formats/x509/index.ts';
import { findWeakProof, type Proof } from './algorithm-policy.ts';
import { type AlgorithmTable, algorithmTable } from './algorithm-suites.table.ts';

/** When something that proves now ends, unless a later time-stamp covers it by then. */
export interface ProofEnd {
  /** The first moment at which it proves nothing any more, epoch milliseconds. */
  readonly endMs: number;
  readonly cause: 'certificate' | 'algorithm';
  /** What ends, and on which day, for people. */
  readonly message: string;
}

/**
 * The ends of a proof that is good at a time: the first end of a certificate of its path, and the
 * first day after that time on which the table gives one of its digests or keys up. The earliest
 * one comes first; empty when neither is known. An anchor is trusted at any time and ends nothing.
 */
export function listProofEnds(
  proof: Proof,
  atMs: number,
  table: AlgorithmTable = algorithmTable,
): readonly ProofEnd[] {
  const found = [findCertificateEnd(proof.path), findAlgorithmEnd(proof, atMs, table)];
  const ends = found.filter((end) => end !== undefined);
  return ends.sort((one, other) => one.endMs - other.endMs);
}

function findCertificateEnd(path: readonly Certificate[]): ProofEnd | undefined {
  const top = path.at(-1);
  const isRoot = top !== undefined && equalBytes(top.subjectDer, top.issuerDer);
  const members = isRoot && path.length > 1 ? path.slice(0, -1) : path;
  const [first, ...others] = members;
  if (first === undefined) return undefined;
  const ending = others.reduce((a, b) => (b.notAfterMs < a.notAfterMs ? b : a), first);
  const day = new Date(ending.notAfterMs).toISOString().slice(0, 10);
  const subject = maskName(describeName(ending.subjectDer));
  const message = `the certificate of «${subject}» expires on ${day}`;
  return { endMs: ending.notAfterMs + 1000, cause: 'certificate', message };
}

function findAlgorithmEnd(proof: Proof, atMs: number, table: AlgorithmTable): ProofEnd | undefined {
  for (const endMs of endsAfter(atMs, table)) {
    const message = findWeakProof(proof, { atMs: endMs, table, isForecast: true });
    if (message !== undefined) return { endMs, cause: 'algorithm', message };
  }
  return undefined;
}

/** The days of a table after a time, earliest first. */
function endsAfter(atMs: number, { digests, keys }: AlgorithmTable): readonly number[] {
  const days = [...Object.values(digests), ...Object.values(keys).flatMap(rowEnds)];
  const times = days.flatMap((day) => (day === null ? [] : Date.parse(day)));
  return [...new Set(times)].filter((time) => time > atMs).sort((a, b) => a - b);
}

function rowEnds(rows: AlgorithmTable['keys'][keyof AlgorithmTable['keys']]) {
  return rows.map(([, end]) => end);
}
