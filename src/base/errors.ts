import { type ErrorCode, type ErrorKind, errorKinds } from './error-codes.table.ts';

export { type ErrorCode, type ErrorKind, errorKinds } from './error-codes.table.ts';

/** One of several things that are wrong at once. */
export interface ErrorFinding {
  /** What was looked at, in a word or two. */
  readonly name: string;
  readonly message: string;
  readonly hint?: string;
}

/** What a {@link InnsigliError} carries besides its code and message. */
export interface ErrorContext {
  /** Facts for programs: expected and found, sizes, names. Never a secret or personal data. */
  readonly details?: Readonly<Record<string, string | number | boolean>>;
  /** What the user can do about it, in one sentence. */
  readonly hint?: string;
  /** Everything that is wrong, when that may be more than one thing. */
  readonly findings?: readonly ErrorFinding[];
  /** The error underneath. */
  readonly cause?: unknown;
}

/**
 * The one error of innsigli: a stable code of the registry, a sentence with expected and found,
 * and a hint. Negative answers (an invalid signature) are values, not errors.
 */
export class InnsigliError extends Error {
  override readonly name = 'InnsigliError';
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, string | number | boolean>>;
  readonly hint: string | undefined;
  readonly findings: readonly ErrorFinding[];

  constructor(code: ErrorCode, message: string, context: ErrorContext = {}) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.code = code;
    this.details = context.details ?? {};
    this.hint = context.hint;
    this.findings = context.findings ?? [];
  }

  /** How each face answers this code. */
  get kind(): ErrorKind {
    return errorKinds[this.code];
  }
}

/** True when `value` is a {@link InnsigliError}, also one of another copy of the package. */
export function isInnsigliError(value: unknown): value is InnsigliError {
  return value instanceof Error && value.name === 'InnsigliError' && 'code' in value;
}

/** The code of an error; `internal.unexpected` of one that nobody expected. */
export function codeOf(error: unknown): ErrorCode {
  return isInnsigliError(error) ? error.code : 'internal.unexpected';
}

/** Messages of these families name hosts, files and codes; others may name persons. */
const harmless = /^(tsa|network|blob|key|config|font|mail|sms)\./;

/** What an error says, when it is sure to name no person; undefined of others. */
export function harmlessMessage(error: unknown): string | undefined {
  return isInnsigliError(error) && harmless.test(error.code) ? error.message : undefined;
}

/** Throws `internal.unexpected` when a programmer's assumption does not hold. */
export function assert(condition: boolean, message: string): asserts condition {
  if (!condition) throw new InnsigliError('internal.unexpected', `assumption failed: ${message}`);
}
