import { defined } from './defined.ts';
import { type ErrorCode, type ErrorKind, errorKinds } from './error-codes.table.ts';

export { type ErrorCode, type ErrorKind, errorKinds } from './error-codes.table.ts';

/** One of several problems that are reported together. */
export interface ErrorFinding {
  /** Name of the examined item, in a word or two. */
  readonly name: string;
  readonly message: string;
  readonly hint?: string;
}

/** Members of an {@link InnsigliError} other than its code and message. */
export interface ErrorContext {
  /** Machine-readable: expected and found values, sizes, names. Never secrets or personal data. */
  readonly details?: Readonly<Record<string, string | number | boolean>>;
  /** Action that solves the problem, in one sentence. */
  readonly hint?: string;
  /** All problems found, for errors that can have more than one. */
  readonly findings?: readonly ErrorFinding[];
  /** The underlying error. */
  readonly cause?: unknown;
}

/** First segment of error codes: `pdf` of `pdf.xref.invalid`. */
export type ErrorFamily = ErrorCode extends infer Code
  ? Code extends `${infer Family}.${string}`
    ? Family
    : never
  : never;

/** The codes of a family. */
export type ErrorCodeOf<Family extends ErrorFamily> = Extract<ErrorCode, `${Family}.${string}`>;

/** Details that programs can rely on, by the family of the code. Each may be absent. */
export interface ErrorDetailsByFamily {
  /** Path of the invalid member: `signees[0].email`. */
  readonly validation: { readonly field?: string };
  /** Seconds to wait before retrying. */
  readonly request: { readonly retryAfterSeconds?: number };
  readonly authentication: { readonly retryAfterSeconds?: number };
  readonly quota: { readonly retryAfterSeconds?: number };
  /** Position in the file: byte offset, object number, or both. */
  readonly pdf: { readonly offsetBytes?: number; readonly objectNumber?: number };
  /** File names as given by the caller. */
  readonly io: { readonly path?: string; readonly output?: string; readonly reason?: string };
}

/** Details of an error with this code. */
export type ErrorDetails<Code extends ErrorCode = ErrorCode> = Readonly<
  Record<string, string | number | boolean>
> &
  (Code extends `${infer Family}.${string}`
    ? Family extends keyof ErrorDetailsByFamily
      ? ErrorDetailsByFamily[Family]
      : unknown
    : unknown);

/**
 * The only error class of innsigli, with a stable code of the registry, a message that states what
 * was expected and what was found, and a hint. Negative results (an invalid signature) are values,
 * not errors.
 */
export class InnsigliError<Code extends ErrorCode = ErrorCode> extends Error {
  override readonly name = 'InnsigliError';
  readonly code: Code;
  readonly details: ErrorDetails<Code>;
  readonly hint: string | undefined;
  readonly findings: readonly ErrorFinding[];

  constructor(code: Code, message: string, context: ErrorContext = {}) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.code = code;
    this.details = (context.details ?? {}) as ErrorDetails<Code>;
    this.hint = context.hint;
    this.findings = context.findings ?? [];
  }

  /** HTTP status, exit code and audience of this code. */
  get kind(): ErrorKind {
    return errorKinds[this.code];
  }
}

/** Copies an error, with the message, hint, details or findings in `change` in place of its own. */
export function restated<Code extends ErrorCode>(
  error: InnsigliError<Code>,
  { message = error.message, ...change }: ErrorContext & { readonly message?: string },
): InnsigliError<Code> {
  const { code, details, findings, cause, hint } = error;
  const kept = { details, findings, cause, ...defined({ hint }) };
  return new InnsigliError(code, message, { ...kept, ...change });
}

/**
 * True if `value` is an {@link InnsigliError}, even of another copy of the package. With `family`,
 * true only if its code is of this family.
 *
 * @example
 * if (isInnsigliError(error, 'validation')) console.error(error.details.field);
 */
export function isInnsigliError(value: unknown): value is InnsigliError;
export function isInnsigliError<Family extends ErrorFamily>(
  value: unknown,
  family: Family,
): value is InnsigliError<ErrorCodeOf<Family>>;
export function isInnsigliError(value: unknown, family?: string): boolean {
  if (!(value instanceof Error) || value.name !== 'InnsigliError' || !('code' in value))
    return false;
  return family === undefined || String(value.code).startsWith(`${family}.`);
}

/** The code of an error; `internal.unexpected` for any other thrown value. */
export function codeOf(error: unknown): ErrorCode {
  return isInnsigliError(error) ? error.code : 'internal.unexpected';
}

/** Result of `work`; for an {@link InnsigliError} that of `instead`, or undefined without it. */
export function attempt<Result>(work: () => Result): Result | undefined;
export function attempt<Result, Instead>(
  work: () => Result,
  instead: (error: InnsigliError) => Instead,
): Result | Instead;
export function attempt<Result>(
  work: () => Result,
  instead?: (error: InnsigliError) => unknown,
): unknown {
  try {
    return work();
  } catch (error) {
    if (isInnsigliError(error)) return instead?.(error);
    throw error;
  }
}

/**
 * Returns the result of `work`, or what `instead` returns for anything thrown. Without `instead` it
 * returns undefined, for cases in which the error adds no information.
 */
export function attemptAny<Result, Instead = undefined>(
  work: () => Result,
  instead?: (error: unknown) => Instead,
): Result | Instead | undefined {
  try {
    return work();
  } catch (error) {
    return instead?.(error);
  }
}

/**
 * Returns a rejection handler that converts errors with a matching code to the result of `instead`,
 * and rethrows all others.
 *
 * @example
 * const flow = await findFlow(key).catch(onCode('flow.not_found'));
 */
export function onCode(code: ErrorCode | RegExp): (error: unknown) => undefined;
export function onCode<Instead>(
  code: ErrorCode | RegExp,
  instead: (error: InnsigliError) => Instead,
): (error: unknown) => Instead;
export function onCode(code: ErrorCode | RegExp, instead?: (error: InnsigliError) => unknown) {
  return (error: unknown): unknown => {
    const isMeant =
      isInnsigliError(error) &&
      (typeof code === 'string' ? error.code === code : code.test(error.code));
    if (isMeant) return instead?.(error);
    throw error;
  };
}

/** Messages of these families contain hosts, files and codes. Others may contain personal names. */
const harmless = /^(tsa|network|blob|key|config|font|mail|sms)\./;

/** The message of an error that never contains personal names. Undefined for other errors. */
export function harmlessMessage(error: unknown): string | undefined {
  return isInnsigliError(error) && harmless.test(error.code) ? error.message : undefined;
}

/** Throws `internal.unexpected` if an assumption of the program does not hold. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InnsigliError('internal.unexpected', `assumption failed: ${message}`);
}
