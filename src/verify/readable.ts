import { isInnsigliError } from '../base/errors.ts';

/** What `read` gives; undefined when it meets bytes that cannot be read. */
export function readable<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (isInnsigliError(error)) return undefined;
    throw error;
  }
}
