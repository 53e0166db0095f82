import type { LookupAddress } from 'node:dns';
import type { LookupFunction, Socket } from 'node:net';
import type { buildConnector } from 'undici';
import { defined } from '../../base/defined.ts';
import { HttpFailure } from './failure.ts';
import type { Guard } from './guard.ts';
import { type TlsIdentity, type TlsOptions, tlsOptionsOf } from './tls-options.ts';
import { openTunnel } from './tunnel.ts';

/** Every address of a name, as node:dns gives them. */
export type ResolveName = (name: string) => Promise<readonly LookupAddress[]>;

/** Options for connections. */
export interface ConnectOptions extends TlsIdentity {
  readonly guard: Guard;
  /** `http:` or `https:`, credentials in its user part; names are looked up there. */
  readonly proxy?: URL | undefined;
  readonly timeoutMs: number;
  /** Finds the addresses of a name; that of the operating system when left out. */
  readonly resolve?: ResolveName | undefined;
}

/**
 * Connections straight to addresses that the guard has chosen, or through the proxy.
 *
 * @throws config.invalid when the client certificate cannot be used
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

/** Connections to the proxy itself, which the operator has chosen. */
export async function openProxyConnector(
  options: Pick<ConnectOptions, 'timeoutMs'>,
): Promise<buildConnector.connector> {
  const { default: build } = await import('undici/lib/core/connect.js');
  return build({ timeout: options.timeoutMs });
}

/**
 * A look-up for sockets that gives only addresses which the guard has chosen. The socket connects
 * to what was checked here: there is no second look-up that could answer otherwise.
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
