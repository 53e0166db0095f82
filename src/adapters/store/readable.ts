import { isInnsigliError } from '../../base/errors.ts';

/**
 * The result of `open`; undefined for a secret that cannot be decrypted. For lists: a damaged row
 * is shown without its unreadable part, and hides no other row.
 */
export function readable<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch (error) {
    if (isInnsigliError(error) && error.code === 'vault.invalid') return undefined;
    throw error;
  }
}
