/** A request as received by a server. */
export interface ServerRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: ServerHeaders;
  readonly body: string;
}

/** Headers that servers use. */
export interface ServerHeaders {
  readonly 'content-type'?: string | undefined;
  readonly authorization?: string | undefined;
}

/** The response of a server. */
export interface ServerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** An answer with a JSON body. */
export function answer(status: number, body: unknown): ServerAnswer {
  const headers = { 'content-type': 'application/json' };
  return { status, headers, body: Buffer.from(JSON.stringify(body)) };
}

/** An error of the protocol. */
export function refuse(status: number, error: string, description = 'refused'): ServerAnswer {
  return answer(status, { error, error_description: description });
}
