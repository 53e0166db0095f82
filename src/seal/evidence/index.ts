/** The evidence of a signing process: a record for programs and a page for people. */
export type { EvidenceBlock } from './block-texts.ts';
export { drawEvidence } from './draw-evidence.ts';
export { drawPages } from './draw-pages.ts';
export { hideNumbers, maskRecord } from './mask-record.ts';
export type {
  EvidenceDelivery,
  EvidenceDocument,
  EvidenceIdentity,
  EvidenceRecord,
  EvidenceSignature,
  EvidenceSignee,
  EvidenceStep,
} from './record.ts';
