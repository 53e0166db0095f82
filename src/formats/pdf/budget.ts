import { CoreError, isCoreError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';

/**
 * What reading one file may cost in all. A file can be made so that each of its objects is read
 * quickly and all of them together take for ever: objects that overlap, containers that inflate
 * a thousandfold, thousands of sections that must be asked for each absent object.
 */
export interface ReadBudget {
  /** Bytes that may still be parsed. */
  parsedBytes: number;
  /** Values that may still be made. */
  values: number;
  /** Bytes that containers may still decode to. */
  decodedBytes: number;
  /** Ranges of object numbers that may still be looked at. */
  probes: number;
  /**
   * Numbers and `R` passed over because they stand in a dictionary without a key; undefined when
   * such a dictionary is an error.
   */
  strayWords?: number;
  /** True when nothing is forgiven that readers take in different ways, such as a key twice. */
  readonly strict?: boolean;
}

/** A fresh budget for a file of this size. */
export function readBudget(lengthBytes: number): ReadBudget {
  return {
    parsedBytes: 8 * lengthBytes + limits.pdfParsedBytes,
    values: limits.pdfValues,
    decodedBytes: limits.pdfDecodedBytes,
    probes: limits.pdfXrefProbes,
  };
}

/** A fresh budget for a file of which nothing is forgiven. */
export function strictBudget(lengthBytes: number): ReadBudget {
  return { ...readBudget(lengthBytes), strict: true };
}

/** A fresh budget for a file that is known to be damaged: its dictionaries may hold stray words. */
export function tolerantBudget(lengthBytes: number): ReadBudget {
  return { ...readBudget(lengthBytes), strayWords: 0 };
}

/** The error for a budget that is used up. */
export function budgetExceeded(what: string): CoreError {
  return new CoreError('limit.exceeded', `reading the PDF takes too much: ${what}`, {
    details: { what },
  });
}

/** True for the error of {@link budgetExceeded}: whatever is read next fails, too. */
export function isBudgetExceeded(error: unknown): boolean {
  return isCoreError(error) && error.code === 'limit.exceeded' && 'what' in error.details;
}
