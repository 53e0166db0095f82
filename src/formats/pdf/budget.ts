import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';

/**
 * Total cost limit for reading one file. A crafted file can make each object quick to read and all
 * of them together take forever: overlapping objects, containers that inflate a thousandfold,
 * thousands of sections to search for every missing object.
 */
export interface ReadBudget {
  /** Remaining number of bytes to parse. */
  parsedBytes: number;
  /** Remaining number of values to create. */
  values: number;
  /** Remaining bytes that streams may decode to, including intermediate results of filters. */
  decodedBytes: number;
  /** Initial value of `decodedBytes`. */
  readonly decodedBytesMax: number;
  /** Remaining number of object number ranges to search. */
  probes: number;
  /**
   * Count of numbers and `R` keywords skipped because they appear in a dictionary without a key;
   * undefined if such a dictionary is an error.
   */
  strayWords?: number;
  /** True to reject whatever readers interpret differently, such as a duplicate key. */
  readonly strict?: boolean;
}

/** A new budget for a file of this size. */
export function readBudget(lengthBytes: number): ReadBudget {
  const decodedBytesMax = Math.min(
    limits.pdfDecodedFloorBytes + limits.pdfInflation * lengthBytes,
    limits.pdfDecodedBytes,
  );
  return {
    parsedBytes: 8 * lengthBytes + Math.min(limits.pdfParsedBytes, decodedBytesMax),
    values: Math.min(
      limits.pdfValuesFloor + limits.pdfValuesPerByte * lengthBytes,
      limits.pdfValues,
    ),
    decodedBytes: decodedBytesMax,
    decodedBytesMax,
    probes: limits.pdfXrefProbes,
  };
}

/** A budget for reading without noticeable delay. */
function lightBudget(lengthBytes: number): ReadBudget {
  const decodedBytesMax = 512 * 1024;
  return {
    parsedBytes: 2 * lengthBytes + decodedBytesMax,
    values: 100_000,
    decodedBytes: decodedBytesMax,
    decodedBytesMax,
    probes: 200_000,
  };
}

/** A new budget for a file opened with these options. */
export function budgetOf(
  { strict, light }: { readonly strict?: boolean; readonly light?: boolean },
  lengthBytes: number,
): ReadBudget {
  if (light === true) return lightBudget(lengthBytes);
  return strict === true ? strictBudget(lengthBytes) : readBudget(lengthBytes);
}

/** A new budget for a file whose streams are all decoded again by a slow reader. */
export function rewriteBudget(lengthBytes: number): ReadBudget {
  const { pdfDecodedFloorBytes, pdfRewrittenInflation, pdfRewrittenBytes } = limits;
  const most = pdfDecodedFloorBytes + pdfRewrittenInflation * lengthBytes;
  const decodedBytesMax = Math.min(most, pdfRewrittenBytes);
  return { ...tolerantBudget(lengthBytes), decodedBytes: decodedBytesMax, decodedBytesMax };
}

/** A new budget for strict reading. */
export function strictBudget(lengthBytes: number): ReadBudget {
  return { ...readBudget(lengthBytes), strict: true };
}

/** A new budget for a file known to be damaged: its dictionaries may contain stray words. */
export function tolerantBudget(lengthBytes: number): ReadBudget {
  return { ...readBudget(lengthBytes), strayWords: 0 };
}

/** The error for an exhausted budget. */
export function budgetExceeded(what: string): InnsigliError {
  return new InnsigliError('limit.exceeded', `reading the PDF exceeds a limit: ${what}`, {
    details: { what },
  });
}

/** The error for streams that decode to more than is allowed for a file of this size. */
export function inflatesTooFar({ decodedBytesMax }: ReadBudget): InnsigliError {
  const what = 'bytes of streams';
  const message = `its streams decode to more than ${decodedBytesMax} bytes`;
  return new InnsigliError('limit.exceeded', `reading the PDF exceeds a limit: ${message}`, {
    details: { what, expected: decodedBytesMax },
    hint: `the limit for a file of this size is ${decodedBytesMax} bytes: save it again`,
  });
}

/** The result of `read`; undefined if it fails. @throws limit.exceeded */
export function attemptRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!isInnsigliError(error) || error.code === 'limit.exceeded') throw error;
    return undefined;
  }
}

/**
 * The result of reading something; undefined if damage in the file prevents it.
 *
 * @throws the error of {@link budgetExceeded}: any further read would fail as well
 */
export function readUndamaged<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!isInnsigliError(error)) throw error;
    if (error.code === 'limit.exceeded' && 'what' in error.details) throw error;
    return undefined;
  }
}
