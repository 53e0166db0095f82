import type { RequestListener, Server } from 'node:http';
import { BlockList, isIPv6, type Socket } from 'node:net';
import { type ClientNetwork, clientNetworks } from '../../../base/network/ip-address.ts';
import { holderScale, isLoopback } from '../access/client-address.ts';
import { waitedForMs } from './pace.ts';
import { requestEvents } from './pipelining.ts';

/** Options that limit the number of connections. */
export interface ConnectionsOptions {
  /** Maximum number of open connections. */
  readonly most: number;
  /** Limit for one address. Those of this machine and of configured proxies are not counted. */
  readonly share: number;
  /** Addresses and networks of configured proxies: each carries many clients. */
  readonly proxies: readonly string[];
}

interface PlacesOptions extends ConnectionsOptions {
  /** A clock in milliseconds, replaceable in tests. */
  readonly now?: () => number;
}

type Connection = Pick<
  Socket,
  'remoteAddress' | 'remotePort' | 'localAddress' | 'localPort' | 'destroy'
> & { once(event: 'close', listener: () => void): unknown };

interface Open {
  readonly name: string;
  readonly socket: Connection;
  readonly sharers: readonly ClientNetwork[];
  /** Pending requests in order; each returns the milliseconds waited so far for its client. */
  readonly asked: (() => number)[];
  /** Time when the last of them was answered, or the connection was opened. */
  idleAt: number;
}

/** A request whose next byte has been awaited for this long counts as none. */
const IDLE_MS = 1000;
/** Minimum interval in milliseconds between searches for connections to close. */
const SCAN_MS = 20;
const SCAN_FREELY = 1000;

/**
 * Limits the connections of all servers passed to the result, together. A new connection beyond the
 * share of an address is closed immediately. If none is free, an idle one of the client with the
 * most connections is closed: connections held open and unused lock no one out.
 */
export function limitConnections(options: ConnectionsOptions): (server: Server) => void {
  const places = openConnectionRegister(options);
  const ask: RequestListener = (request, response) => {
    const { socket } = request;
    places.ask(socket, () => waitedForMs(request));
    response.once('close', () => places.answered(socket));
  };
  return (server) => {
    server.on('connection', (socket: Socket) => places.enter(socket));
    for (const event of requestEvents) server.on(event, ask);
  };
}

/** Registers all connections. A TLS socket is identified by the endpoints of its connection. */
export function openConnectionRegister({
  most,
  share,
  proxies,
  now = () => performance.now(),
}: PlacesOptions): {
  enter(socket: Connection): void;
  ask(socket: Connection, waitedMs?: () => number): void;
  answered(socket: Connection): void;
} {
  const open = new Map<string, Open>();
  const bySocket = new WeakMap<object, Open>();
  const counts = new Map<string, number>();
  const isProxy = proxyCheck(proxies);
  const count = (key: string, by: number) => {
    const next = (counts.get(key) ?? 0) + by;
    if (next > 0) counts.set(key, next);
    else counts.delete(key);
  };
  const leave = (entry: Open) => {
    if (open.get(entry.name) !== entry) return;
    open.delete(entry.name);
    for (const { key } of entry.sharers) count(key, -1);
  };
  const sizeOf = (sharers: readonly ClientNetwork[]) =>
    // Connections through a proxy with many clients do not count as many of one client.
    Math.max(1, ...sharers.map(({ key, shares }) => (counts.get(key) ?? 0) / shares));
  // Querying the endpoints of a connection takes longer than everything else here.
  const entryOf = (socket: Connection) => bySocket.get(socket) ?? open.get(connectionId(socket));
  const findVictim = victims(open, most, sizeOf, now);
  return {
    enter(socket) {
      const { remoteAddress = '' } = socket;
      const sharers = isProxy(remoteAddress) ? [] : clientNetworks(remoteAddress, holderScale);
      if (sharers.some(({ key, shares }) => (counts.get(key) ?? 0) >= shares * share)) {
        socket.destroy();
        return;
      }
      if (open.size >= most) {
        const victim = findVictim(sharers);
        if (victim === undefined) {
          socket.destroy();
          return;
        }
        leave(victim);
        victim.socket.destroy();
      }
      const name = connectionId(socket);
      const entry: Open = { name, socket, sharers, asked: [], idleAt: now() };
      open.set(name, entry);
      bySocket.set(socket, entry);
      for (const { key } of sharers) count(key, 1);
      socket.once('close', () => leave(entry));
    },
    ask(socket, waitedMs = () => 0) {
      entryOf(socket)?.asked.push(waitedMs);
    },
    answered(socket) {
      const entry = entryOf(socket);
      if (entry === undefined) return;
      // Requests are answered in order: it was the first.
      entry.asked.shift();
      entry.idleAt = now();
    },
  };
}

/**
 * Finds the connection that gives way to a new one of `sharers`: an idle one, or else one that
 * keeps the service waiting and whose client has more connections; in each case of the client with
 * the most connections, and the one waited for longest. A search collects several candidates, which
 * are checked again when they are used.
 */
function victims(
  open: ReadonlyMap<string, Open>,
  most: number,
  sizeOf: (sharers: readonly ClientNetwork[]) => number,
  now: () => number,
): (sharers: readonly ClientNetwork[]) => Open | undefined {
  const batch = Math.max(16, Math.floor(most / 16));
  let found: Open[] = [];
  let scannedAt = Number.NEGATIVE_INFINITY;
  const look = (entry: Open) => {
    const [first] = entry.asked;
    const waitedMs = first?.() ?? now() - entry.idleAt;
    const isIdle = first === undefined || waitedMs >= IDLE_MS;
    return { entry, waitedMs, isIdle, size: sizeOf(entry.sharers) };
  };
  type Looked = ReturnType<typeof look>;
  const givesWay = ({ isIdle, waitedMs, size }: Looked, size2: number) =>
    isIdle || (waitedMs > 0 && size > size2 + 1);
  const scan = (size: number) => {
    const all = [...open.values()].map(look).filter((each) => givesWay(each, size));
    all.sort(
      (a, b) => Number(b.isIdle) - Number(a.isIdle) || b.size - a.size || b.waitedMs - a.waitedMs,
    );
    found = all
      .slice(0, batch)
      .map(({ entry }) => entry)
      .reverse();
  };
  const next = (size: number) => {
    for (let entry = found.pop(); entry !== undefined; entry = found.pop()) {
      if (open.get(entry.name) === entry && givesWay(look(entry), size)) return entry;
    }
    return undefined;
  };
  return (sharers) => {
    const size = sizeOf(sharers);
    const known = next(size);
    if (known !== undefined) return known;
    const nowMs = now();
    if (most > SCAN_FREELY && nowMs - scannedAt < SCAN_MS) return undefined;
    scannedAt = nowMs;
    scan(size);
    return next(size);
  };
}

function connectionId({ remoteAddress, remotePort, localAddress, localPort }: Connection): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}

const named: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.1/8', '::1/128'],
  linklocal: ['169.254.0.0/16', 'fe80::/10'],
  uniquelocal: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Returns a predicate for addresses among `proxies`, as listed by `--trust-proxy`. */
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
