import type { LookupAddress } from 'node:dns';
import type { IncomingMessage, RequestOptions } from 'node:http';
import { failWhenClosed, requestThrough } from '../proxy-tunnel.ts';

/** What is sent; without it the request is a GET. */
export interface PostBody {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** Asks `url` at the address that was checked, and nowhere else. */
export async function exchangeDirectly(
  url: URL,
  place: LookupAddress,
  signal: AbortSignal,
  post: PostBody | undefined,
): Promise<IncomingMessage> {
  const { request: open } =
    url.protocol === 'https:' ? await import('node:https') : await import('node:http');
  const settings: RequestOptions = {
    method: post === undefined ? 'GET' : 'POST',
    agent: false,
    signal,
    lookup: (_host, { all }, done) =>
      all === true ? done(null, [place]) : done(null, place.address, place.family),
    headers:
      post === undefined ? {} : { ...typeOf(post), 'content-length': String(post.bytes.length) },
  };
  return new Promise((resolve, reject) => {
    failWhenClosed(open(url, settings, resolve), reject).end(post?.bytes);
  });
}

/** Asks `url` through a proxy, over a connection of its own. */
export function exchangeThrough(
  url: URL,
  { proxy, timeoutMs }: { readonly proxy: string; readonly timeoutMs: number },
  signal: AbortSignal,
  post: PostBody | undefined,
): Promise<IncomingMessage> {
  return requestThrough({
    ...{ url, timeoutMs, signal, proxy: new URL(proxy) },
    method: post === undefined ? 'GET' : 'POST',
    headers: post === undefined ? {} : typeOf(post),
    ...(post === undefined ? {} : { body: post.bytes }),
  });
}

function typeOf({ contentType }: PostBody): Record<string, string> {
  return { 'content-type': contentType };
}
