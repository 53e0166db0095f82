import { type EidEnvironment, EidError } from '../../app/ports/index.ts';
import { isInnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { isUrl } from '../../base/network/is-url.ts';
import { isLoopbackHost } from '../../base/network/loopback.ts';
import {
  type ClientCertificate,
  HttpFailure,
  openHttpClient,
  operatorGuard,
} from '../http/index.ts';

/** How a provider is reached. */
export interface EidHttpOptions {
  /** PEM of the only authorities whose servers are trusted; default: the built-in ones. */
  readonly ca?: string | undefined;
  /** Shown to the provider. Default: none. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** `http:` or `https:`, credentials in its user part. Default: straight to the provider. */
  readonly proxy?: URL | undefined;
  /** For one connection, with look-up and TLS, in milliseconds. Default: 10 000. */
  readonly connectMs?: number | undefined;
}

/** `http` of the environment of a driver, with connections that stay open for some seconds. */
export interface EidHttp {
  (...parameters: Parameters<EidEnvironment['http']>): ReturnType<EidEnvironment['http']>;
  /** Ends when the requests under way have ended. */
  close(): Promise<void>;
}

/** Bytes of an answer: 1 MiB. */
const ANSWER_BYTES_MAX = 1024 * 1024;
const CONNECT_MS = 10_000;

/**
 * Requests to one provider whose address the operator has chosen. Headers are sent as given and no
 * others than the protocol needs; redirects are answers; http: is for this computer only, and for
 * answers that are signed by themselves.
 *
 * Failures are errors of the port: `providerUnavailable` when no answer came, `invalidResponse` for
 * an answer of more than 1 MiB, `internalError` when address, proxy or client certificate cannot
 * be used. Their messages hold no path, credentials or part of an answer.
 */
export function eidHttp(options: EidHttpOptions = {}): EidHttp {
  const { connectMs = CONNECT_MS, ...identity } = options;
  // A poll may be held for seconds; in line behind it the others would be late.
  const connections = limits.providerConnections;
  const client = openHttpClient({ guard: operatorGuard, connectMs, connections, ...identity });
  const http: EidEnvironment['http'] = async (request) => {
    const { method, headers = {}, body, timeoutMs } = request;
    const url = requireUrl(request.url, request.isSigned === true);
    const order = { url, method, headers, timeoutMs, keptBytes: ANSWER_BYTES_MAX };
    try {
      return await client.send(body === undefined ? order : { ...order, body });
    } catch (error) {
      throw errorOf(error);
    }
  };
  return Object.assign(http, { close: () => client.close() });
}

function requireUrl(text: string, mayBeOpen: boolean): URL {
  const url = isUrl(text) ? new URL(text) : undefined;
  const isOpen = url?.protocol === 'http:' && (mayBeOpen || isLoopbackHost(url.hostname));
  if (url !== undefined && (url.protocol === 'https:' || isOpen)) return url;
  throw new EidError('internalError', 'the address of the provider: expected an https: URL');
}

function errorOf(error: unknown): unknown {
  if (error instanceof HttpFailure) {
    if (error.kind === 'long') {
      return new EidError('invalidResponse', 'the response of the provider is longer than 1 MiB');
    }
    if (error.kind === 'blocked') {
      return new EidError('internalError', 'the address of the provider is not allowed');
    }
    // Messages of the client name addresses and codes of the system alone.
    return new EidError('providerUnavailable', `no response from the provider: ${error.message}`);
  }
  if (isInnsigliError(error)) return new EidError('internalError', error.message);
  return error;
}
