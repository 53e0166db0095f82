import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';

/**
 * Total cost limit for reading one file. A file can be made so that each of its objects is read
 * quickly and all of them together take for ever: objects that overlap, containers that inflate a
 * thousandfold, thousands of sections that must be searched for each absent object.
 */
export interface ReadBudget {
  /** Bytes that may still be parsed. */
  parsedBytes: number;
  /** Values that may still be made. */
  values: number;
  /** Bytes that streams may still decode to, what stands between two filters included. */
  decodedBytes: number;
  /** The same at the beginning. */
  readonly decodedBytesMax: number;
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

/** A budget of what can be read so quickly that nobody notices. */
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

/** A fresh budget for a file that is opened in one of these ways. */
export function budgetOf(
  { strict, light }: { readonly strict?: boolean; readonly light?: boolean },
  lengthBytes: number,
): ReadBudget {
  if (light === true) return lightBudget(lengthBytes);
  return strict === true ? strictBudget(lengthBytes) : readBudget(lengthBytes);
}

/** A fresh budget for a file whose streams are decoded again by a slow reader, all of them. */
export function rewriteBudget(lengthBytes: number): ReadBudget {
  const { pdfDecodedFloorBytes, pdfRewrittenInflation, pdfRewrittenBytes } = limits;
  const most = pdfDecodedFloorBytes + pdfRewrittenInflation * lengthBytes;
  const decodedBytesMax = Math.min(most, pdfRewrittenBytes);
  return { ...tolerantBudget(lengthBytes), decodedBytes: decodedBytesMax, decodedBytesMax };
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
export function budgetExceeded(what: string): InnsigliError {
  return new InnsigliError('limit.exceeded', `reading the PDF exceeds a limit: ${what}`, {
    details: { what },
  });
}

/** The error for streams that decode to more than a file of this size may ask for. */
export function inflatesTooFar({ decodedBytesMax }: ReadBudget): InnsigliError {
  const what = 'bytes of streams';
  const message = `its streams decode to more than ${decodedBytesMax} bytes`;
  return new InnsigliError('limit.exceeded', `reading the PDF exceeds a limit: ${message}`, {
    details: { what, expected: decodedBytesMax },
    hint: `the limit for a file of this size is ${decodedBytesMax} bytes: save it again`,
  });
}

/** The result of `read`, undefined if it fails. @throws limit.exceeded */
export function attemptRead<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!isInnsigliError(error) || error.code === 'limit.exceeded') throw error;
    return undefined;
  }
}

/**
 * The result of reading something, or undefined when a damaged part of the file prevents it.
 *
 * @throws the error of {@link budgetExceeded}: whatever is read next fails, too
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
