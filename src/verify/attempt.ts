import { isCoreError } from '../base/errors.ts';
import { isBudgetExceeded } from '../formats/pdf/index.ts';

/** The result of reading something, or undefined when a damaged part of the file prevents it. */
export function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!isCoreError(error) || isBudgetExceeded(error)) throw error;
    return undefined;
  }
}
