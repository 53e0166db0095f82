/** Kind of a failed request. */
export type FailureKind =
  /** The guard refuses the place. */
  | 'blocked'
  /** It took too long. */
  | 'late'
  /** The answer is longer than it may be. */
  | 'long'
  /** The proxy said no. */
  | 'proxy'
  /** The system, TLS or the protocol says so: see the code. */
  | 'connection';

/** Details of a failure besides its kind. */
export interface FailureFacts {
  /** Error code of the system, of TLS or of the HTTP parser. */
  readonly code?: string;
  /** HTTP status of the response of the proxy. */
  readonly status?: number;
  /** True when no connection was made or secured: nothing was sent. */
  readonly isUnsent?: boolean;
  /** True when the connection is older than the request: the other side may just have closed it. */
  readonly isReused?: boolean;
  readonly cause?: unknown;
}

/** A request that has no answer. Its message names no path and no credentials. */
export class HttpFailure extends Error {
  override readonly name = 'HttpFailure';
  readonly kind: FailureKind;
  readonly code: string | undefined;
  readonly status: number | undefined;
  readonly isUnsent: boolean;
  readonly isReused: boolean;

  constructor(kind: FailureKind, message: string, facts: FailureFacts = {}) {
    super(message, { cause: facts.cause });
    this.kind = kind;
    this.code = facts.code;
    this.status = facts.status;
    this.isUnsent = facts.isUnsent ?? false;
    this.isReused = facts.isReused ?? false;
  }
}

/** The refusal of a proxy that answered with `status`. */
export function proxyFailure(status: number): HttpFailure {
  const what = status === 407 ? 'credentials' : 'connection';
  const facts = { status, isUnsent: true };
  return new HttpFailure('proxy', `the proxy refused the ${what} (${status})`, facts);
}
