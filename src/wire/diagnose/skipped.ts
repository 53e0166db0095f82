import { defined } from '../../base/defined.ts';
import type { InnsigliError } from '../../base/errors.ts';
import type { Outcome, StorageFindings } from './diagnose.types.ts';

/** Reasons for skipping a check. */
export const reasons = {
  noKey: 'the seal key cannot be used',
  noAnchors: 'the trust anchors cannot be read',
  noPath: 'the certificate has no path to a trust anchor',
  notAsked: 'authorities are not checked',
  noService: 'no signing service in this data directory',
  noDatabase: 'the database cannot be opened',
  newDatabase: 'there is no database',
  offline: 'the database is not checked: offline',
  noVaultKey: 'the key of the vault is missing',
} as const;

/** Result of a skipped check. */
export function skipped(reason: string): Outcome {
  return { status: 'skipped', message: reason };
}

/** Findings about a database that is not opened, with its own result if there is one. */
export function unopened(reason: string, known: Partial<StorageFindings> = {}): StorageFindings {
  const none = skipped(reason);
  return {
    ...{ database: none, vaultKey: none, contents: none, sealTrust: none },
    ...{ lists: none, messages: none },
    ...known,
  };
}

/** Result of a check that ends with this error. `of` can name the component. */
export function outcomeOf(
  { message, code, hint }: InnsigliError,
  status: 'failed' | 'warning' = 'failed',
  of = '',
): Outcome {
  return { status, message: `${of}${message} [${code}]`, ...defined({ hint }) };
}
