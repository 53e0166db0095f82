import { isInnsigliError } from '../base/errors.ts';

/** The result of `read`; undefined for unreadable bytes. */
export function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isInnsigliError(error)) return undefined;
    throw error;
  }
}
