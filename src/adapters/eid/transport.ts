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

/** Options for connections to a provider. */
export interface EidHttpOptions {
  /** PEM of the only authorities trusted for TLS servers. Default: the built-in ones. */
  readonly ca?: string | undefined;
  /** Client certificate presented to the provider. Default: none. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** `http:` or `https:` URL, with credentials as user info. Default: direct connections. */
  readonly proxy?: URL | undefined;
  /** Timeout for connecting, with name resolution and TLS, in milliseconds. Default: 10 000. */
  readonly connectMs?: number | undefined;
}

/** The `http` of a driver's environment, with connections that stay open for some seconds. */
export interface EidHttp {
  (...parameters: Parameters<EidEnvironment['http']>): ReturnType<EidEnvironment['http']>;
  /** Resolves once pending requests have finished. */
  close(): Promise<void>;
}

/** Maximum size of a response: 1 MiB. */
const ANSWER_BYTES_MAX = 1024 * 1024;
const CONNECT_MS = 10_000;

/**
 * Sends requests to one provider whose URL was configured by the operator. Headers are sent as
 * given, plus `User-Agent` and those that the protocol requires. Redirects are returned as
 * responses. http: is allowed only for this machine and for responses that are themselves signed.
 *
 * Failures are errors of the port: `providerUnavailable` without a response, `invalidResponse` for
 * a response of more than 1 MiB, `internalError` if URL, proxy or client certificate are unusable.
 * Their messages contain no path, credentials or part of a response.
 */
export function eidHttp(options: EidHttpOptions = {}): EidHttp {
  const { connectMs = CONNECT_MS, ...identity } = options;
  // A long poll may occupy a connection for seconds, and must not delay other requests.
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
    // Messages of the client contain only addresses and system error codes.
    return new EidError('providerUnavailable', `no response from the provider: ${error.message}`);
  }
  if (isInnsigliError(error)) return new EidError('internalError', error.message);
  return error;
}
