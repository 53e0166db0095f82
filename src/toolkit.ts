/**
 * Entry «innsigli/toolkit»: the use cases over a configuration, with the development trust and
 * every outside party wired in: what the command line calls.
 */
export {
  type DevelopmentTrust,
  type DevelopmentTrustOptions,
  openDevelopmentTrust,
} from './adapters/devtrust/index.ts';
export { type ByteSource, joinedSource, memorySource } from './base/bytes.ts';
export type { KeyConfig, ResolvedConfig, SealDigest, TsaConfig } from './wire/config.ts';
export {
  type Diagnosis,
  type InitOutcome,
  openToolkit,
  type SealOptions,
  type SealOutcome,
  type Toolkit,
  type ToolkitIo,
  type TrustServer,
} from './wire/toolkit.ts';
