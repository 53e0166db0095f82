import { isInnsigliError } from '../../base/errors.ts';

/**
 * What `open` gives; undefined when it is a secret that cannot be opened. For lists: one row that
 * was damaged is shown without what is unreadable, and hides no other.
 */
export function readable<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch (error) {
    if (isInnsigliError(error) && error.code === 'vault.invalid') return undefined;
    throw error;
  }
}
