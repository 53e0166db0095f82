/** ASiC containers: the judgement on their signatures and time-stamps, and what these cover. */
export { findContent, type SignedContent } from './judge-cades-file.ts';
export { brokenStamps, coveringStamps, type JudgedStamp } from './judge-stamps.ts';
export { containerFinder } from './judge-xades-file.ts';
export type { ContainerScene, JudgedSignature } from './scene.ts';
export {
  type ContainerContext,
  type ExaminedContainer,
  examineContainer,
  reportOnContainer,
  verifyContainer,
} from './verify-container.ts';
