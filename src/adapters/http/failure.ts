/** Kind of a failed request. */
export type FailureKind =
  /** The guard does not permit the URL or address. */
  | 'blocked'
  /** The time limit expired. */
  | 'late'
  /** The response is too long. */
  | 'long'
  /** The proxy rejected the request. */
  | 'proxy'
  /** An error of the system, TLS or the protocol: see the code. */
  | 'connection';

/** Details of a failure besides its kind. */
export interface FailureFacts {
  /** Error code of the system, of TLS or of the HTTP parser. */
  readonly code?: string;
  /** HTTP status of the response of the proxy. */
  readonly status?: number;
  /** Whether the connection was never established or secured, so that nothing was sent. */
  readonly isUnsent?: boolean;
  /** Whether the connection predates the request, so that the server may just have closed it. */
  readonly isReused?: boolean;
  readonly cause?: unknown;
}

/** Failure of a request without a response. Its message contains no path and no credentials. */
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

/** The failure for a proxy that responded with `status`. */
export function proxyFailure(status: number): HttpFailure {
  const what = status === 407 ? 'credentials' : 'connection';
  const facts = { status, isUnsent: true };
  return new HttpFailure('proxy', `the proxy refused the ${what} (${status})`, facts);
}
