import type { LookupAddress } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { defined } from '../../base/defined.ts';
import { HttpFailure } from './failure.ts';
import type { Guard } from './guard.ts';
import { type TlsIdentity, type TlsOptions, tlsOptionsOf } from './tls-options.ts';
import { openTunnel } from './tunnel.ts';

/** Resolves a name to all of its addresses, in the format of node:dns. */
export type ResolveName = (name: string) => Promise<readonly LookupAddress[]>;

/** Options for connections. */
export interface ConnectOptions extends TlsIdentity {
  readonly guard: Guard;
  /** `http:` or `https:` URL, with credentials as user info; the proxy resolves names. */
  readonly proxy?: URL | undefined;
  readonly timeoutMs: number;
  /** Resolves a name. Default: the resolver of the operating system. */
  readonly resolve?: ResolveName | undefined;
}

/**
 * Creates a connector that connects to addresses permitted by the guard, or through the proxy.
 *
 * @throws config.invalid if the client certificate is unusable
 */
export async function openConnector(options: ConnectOptions): Promise<buildConnector.connector> {
  const { proxy, timeoutMs } = options;
  const secured = await tlsOptionsOf(options);
  if (proxy !== undefined) return connectorThrough({ ...options, proxy, secured });
  const { default: build } = await import('undici/lib/core/connect.js');
  const connectorOf = (protocol: string) =>
    build({
      lookup: guardedLookup(options, protocol),
      timeout: timeoutMs,
      ...secured,
    });
  const connectors = { 'http:': connectorOf('http:'), 'https:': connectorOf('https:') };
  return (place, connected) =>
    connectors[place.protocol as keyof typeof connectors](place, connected);
}

/** Creates a connector to the proxy itself, which was configured by the operator. */
export async function openProxyConnector(
  options: Pick<ConnectOptions, 'timeoutMs'>,
): Promise<buildConnector.connector> {
  const { default: build } = await import('undici/lib/core/connect.js');
  return build({ timeout: options.timeoutMs });
}

/**
 * A lookup function that returns only addresses permitted by the guard. The socket connects to an
 * address checked here, so a second lookup cannot return a different one.
 */
function guardedLookup(options: ConnectOptions, protocol: string): LookupFunction {
  const { guard, resolve = resolveByHost } = options;
  return (name, { all, family }, done) => {
    const check = (found: readonly LookupAddress[]) => {
      const chosen = guard.choose(found, protocol);
      if (typeof chosen === 'string') throw new HttpFailure('blocked', chosen);
      const fitting = chosen.filter(
        (each) => (family !== 4 && family !== 6) || each.family === family,
      );
      const [first] = fitting;
      if (first === undefined)
        throw new HttpFailure('blocked', 'no address has the requested family');
      if (all === true) done(null, fitting);
      else done(null, first.address, first.family);
    };
    resolve(name)
      .then(check)
      .catch((error: unknown) => done(error as NodeJS.ErrnoException, ''));
  };
}

async function resolveByHost(name: string): Promise<readonly LookupAddress[]> {
  const { lookup } = await import('node:dns/promises');
  return lookup(name, { all: true });
}

function connectorThrough({
  proxy,
  ca,
  secured,
  timeoutMs,
}: ConnectOptions & {
  readonly proxy: URL;
  readonly secured: TlsOptions;
}): buildConnector.connector {
  return ({ protocol, host }, connected) => {
    const url = new URL(`${protocol}//${host}`);
    openTunnel({ proxy, url, timeoutMs, inner: secured, ...defined({ ca }) }).then(
      (socket) => connected(null, socket as Socket),
      (error: Error) => connected(error, null),
    );
  };
}
