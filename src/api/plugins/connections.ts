import { BlockList, isIPv6, type Socket } from 'node:net';
import { clientNetworks } from '../../base/ip-address.ts';
import type { ApiApp } from '../route.ts';
import { holderScale, isLoopback } from './clients.ts';

/** How many connections there may be. */
export interface ConnectionsOptions {
  /** Open at once. */
  readonly most: number;
  /** Of one address; those of this machine and of named proxies are not counted. */
  readonly share: number;
  /** Addresses and networks of named proxies: each speaks for many. */
  readonly proxies: readonly string[];
}

type Connection = Pick<
  Socket,
  'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort' | 'destroy'
> & { once(event: 'close', listener: () => void): unknown };

interface Open {
  readonly socket: Connection;
  /** Requests that are not answered yet. */
  requests: number;
}

/**
 * Bounds the connections of `app`: beyond the share of an address a new one is closed at once;
 * where there is no place at all, the one goes that has asked nothing for longest. So connections
 * that are held and not used keep nobody away.
 */
export function addConnections(app: ApiApp, options: ConnectionsOptions): void {
  const places = openPlaces(options);
  app.server.on('connection', (socket: Socket) => places.enter(socket));
  app.server.on('request', ({ socket }, response) => {
    places.ask(socket);
    response.once('close', () => places.answered(socket));
  });
}

/** What is known of all connections; a TLS socket is known by the ends of its connection. */
export function openPlaces({ most, share, proxies }: ConnectionsOptions): {
  enter(socket: Connection): void;
  ask(socket: Connection): void;
  answered(socket: Connection): void;
} {
  const open = new Map<string, Open>();
  // Which has asked nothing for longest stands first.
  const idle = new Map<string, Open>();
  const counts = new Map<string, number>();
  const isProxy = proxyCheck(proxies);
  const count = (key: string, by: number) => {
    const next = (counts.get(key) ?? 0) + by;
    if (next > 0) counts.set(key, next);
    else counts.delete(key);
  };
  return {
    enter(socket) {
      const { remoteAddress = '' } = socket;
      const sharers = isProxy(remoteAddress) ? [] : clientNetworks(remoteAddress, holderScale);
      if (sharers.some(({ key, shares }) => (counts.get(key) ?? 0) >= shares * share)) {
        socket.destroy();
        return;
      }
      if (open.size >= most) {
        const [longest] = idle;
        if (longest === undefined) {
          socket.destroy();
          return;
        }
        leave(longest[0], longest[1]);
        longest[1].socket.destroy();
      }
      const name = nameOf(socket);
      const entry = { socket, requests: 0 };
      open.set(name, entry);
      idle.set(name, entry);
      for (const { key } of sharers) count(key, 1);
      socket.once('close', () => {
        for (const { key } of sharers) count(key, -1);
        leave(name, entry);
      });
    },
    ask(socket) {
      const entry = open.get(nameOf(socket));
      if (entry === undefined) return;
      entry.requests += 1;
      idle.delete(nameOf(socket));
    },
    answered(socket) {
      const name = nameOf(socket);
      const entry = open.get(name);
      if (entry === undefined) return;
      entry.requests -= 1;
      if (entry.requests === 0) idle.set(name, entry);
    },
  };

  function leave(name: string, entry: Open): void {
    if (open.get(name) === entry) open.delete(name);
    if (idle.get(name) === entry) idle.delete(name);
  }
}

function nameOf({ remoteAddress, remotePort, localAddress, localPort }: Connection): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}

const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Whether an address is one of `proxies`, as `--trust-proxy` names them. */
function proxyCheck(proxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const proxy of proxies.flatMap((each) => named[each] ?? [each])) {
    const [address = '', bits] = proxy.split('/', 2);
    const type = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (bits === undefined) list.addAddress(address, type);
    else list.addSubnet(address, Number(bits), type);
  }
  return (address) =>
    !isLoopback(address) && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}
