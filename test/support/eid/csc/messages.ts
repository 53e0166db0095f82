/** A request as a server gets it. */
export interface ServerRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: ServerHeaders;
  readonly body: string;
}

/** Headers that servers look at. */
export interface ServerHeaders {
  readonly 'content-type'?: string | undefined;
  readonly authorization?: string | undefined;
}

/** What a server answers. */
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
