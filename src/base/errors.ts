import { defined } from './defined.ts';
import { type ErrorCode, type ErrorKind, errorKinds } from './error-codes.table.ts';

export { type ErrorCode, type ErrorKind, errorKinds } from './error-codes.table.ts';

/** One of several things that are wrong at once. */
export interface ErrorFinding {
  /** The item that was examined, in a word or two. */
  readonly name: string;
  readonly message: string;
  readonly hint?: string;
}

/** Members of an {@link InnsigliError} besides its code and message. */
export interface ErrorContext {
  /** Facts for programs: expected and found, sizes, names. Never a secret or personal data. */
  readonly details?: Readonly<Record<string, string | number | boolean>>;
  /** Action that solves the problem, in one sentence. */
  readonly hint?: string;
  /** Every fault found, for errors that can have more than one. */
  readonly findings?: readonly ErrorFinding[];
  /** The error underneath. */
  readonly cause?: unknown;
}

/** The first part of codes: `pdf` of `pdf.xref.invalid`. */
export type ErrorFamily = ErrorCode extends infer Code
  ? Code extends `${infer Family}.${string}`
    ? Family
    : never
  : never;

/** The codes of a family. */
export type ErrorCodeOf<Family extends ErrorFamily> = Extract<ErrorCode, `${Family}.${string}`>;

/** Details that programs can rely on, by the family of the code; each may be absent. */
export interface ErrorDetailsByFamily {
  /** Path of the member that is wrong: `signees[0].email`. */
  readonly validation: { readonly field?: string };
  /** Seconds to wait before retrying. */
  readonly request: { readonly retryAfterSeconds?: number };
  readonly authentication: { readonly retryAfterSeconds?: number };
  readonly quota: { readonly retryAfterSeconds?: number };
  /** Position in the file: byte offset, object number, or both. */
  readonly pdf: { readonly offsetBytes?: number; readonly objectNumber?: number };
  /** Names of files as the caller gave them. */
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
 * The only error class of innsigli: a stable code of the registry, a message that says what was
 * expected and what was found, and a hint. Negative answers (an invalid signature) are values, not
 * errors.
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

/**
 * The same error in other words, or with another hint, details or findings: what `change` does not
 * name stays.
 */
export function restated<Code extends ErrorCode>(
  error: InnsigliError<Code>,
  { message = error.message, ...change }: ErrorContext & { readonly message?: string },
): InnsigliError<Code> {
  const { code, details, findings, cause, hint } = error;
  const kept = { details, findings, cause, ...defined({ hint }) };
  return new InnsigliError(code, message, { ...kept, ...change });
}

/**
 * True when `value` is a {@link InnsigliError}, also one of another copy of the package; with
 * `family` only when its code is of that family.
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

/** The code of an error; `internal.unexpected` of one that nobody expected. */
export function codeOf(error: unknown): ErrorCode {
  return isInnsigliError(error) ? error.code : 'internal.unexpected';
}

/** What `work` gives, or what `instead` makes of an {@link InnsigliError}; undefined without it. */
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
 * What `work` gives, or what `instead` makes of anything that it throws. Without `instead` it is
 * undefined: where the error says no more than that.
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
 * The handler of a rejection that stands for an answer: what `instead` makes of errors with this
 * code, or codes like it; others go on.
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

/** Messages of these families name hosts, files and codes; others may name persons. */
const harmless = /^(tsa|network|blob|key|config|font|mail|sms)\./;

/** The message of an error that is known to name no person; undefined for other errors. */
export function harmlessMessage(error: unknown): string | undefined {
  return isInnsigliError(error) && harmless.test(error.code) ? error.message : undefined;
}

/** Throws `internal.unexpected` when a programmer's assumption does not hold. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InnsigliError('internal.unexpected', `assumption failed: ${message}`);
}
