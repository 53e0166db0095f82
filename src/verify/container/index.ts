/** Verification of the signatures and time-stamps of ASiC containers, and what these cover. */
export { findContent, type SignedContent } from './check-cades-file.ts';
export { brokenStamps, type CheckedStamp, coveringStamps } from './check-timestamps.ts';
export { containerFinder } from './check-xades-file.ts';
export type { CheckedSignature, OpenedContainer } from './open-container.ts';
export {
  type ContainerContext,
  type ExaminedContainer,
  examineContainer,
  reportOnContainer,
  verifyContainer,
} from './verify-container.ts';
