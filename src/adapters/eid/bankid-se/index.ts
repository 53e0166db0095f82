/** The Swedish BankID: driver of its Relying Party API v6, and verification of its responses. */
export { bankidDriver } from './driver.ts';
export {
  type BankidExpected,
  type BankidProof,
  type BankidTrust,
  verifyBankidEvidence,
} from './evidence.ts';
export type { BankidOptions } from './options.ts';
export type { BankidContent } from './signed-content.ts';
