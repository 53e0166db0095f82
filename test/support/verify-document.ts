import {
  type VerificationReport,
  type VerifyOptions,
  verifyDocument as verify,
} from '../../src/index.ts';
import type { RevocationRules } from '../../src/verify/existence/long-term.ts';

/**
 * The report of `verifyDocument` for tests that do not concern revocation: an unknown status is a
 * finding. Everything else is as users get it.
 */
export function verifyDocument(
  document: Uint8Array,
  options: VerifyOptions = {},
): Promise<VerificationReport> {
  return verify(document, { revocationMode: 'ignore', ...options });
}

/** The same for what tests pass to the parts of `verify`. */
export const anyStatus: RevocationRules = { mode: 'ignore' };
