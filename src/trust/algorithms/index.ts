/** Reliability of algorithms and key sizes over time. */
export {
  type AlgorithmQuestion,
  findWeakDigest,
  findWeakness,
  findWeakPath,
  findWeakProof,
  listProofEnds,
  type ProofEnd,
} from './algorithm-policy.ts';
export type { AlgorithmTable, KeyFamily } from './algorithm-suites.table.ts';
export { readAlgorithmTable } from './read-algorithm-table.ts';
