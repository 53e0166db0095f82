import { createServer, type Server, type Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';

/** A server that implements a small part of the PostgreSQL protocol. */
export interface FakePostgres {
  /** Connection string of the server. */
  readonly dsn: string;
  /** Open connections. */
  open(): number;
  /** Connections so far. */
  connections(): number;
}

/** Sends the response to message number `turn` of a connection, counted from 0. */
export type FakeAnswer = (turn: number, socket: Socket) => Uint8Array | undefined;

/** One message: a letter, the length and the rest. */
export function message(letter: string, ...bytes: number[]): Buffer {
  const head = Buffer.alloc(5);
  head.write(letter, 'latin1');
  head.writeInt32BE(bytes.length + 4, 1);
  return Buffer.concat([head, Buffer.from(bytes)]);
}

/** AuthenticationOk and ReadyForQuery. */
export const welcome = Buffer.concat([message('R', 0, 0, 0, 0), message('Z', 0x49)]);

/**
 * Starts a server for one test.
 *
 * @param parameters of the connection string, such as `sslmode=require`
 */
export async function startFakePostgres(
  answer: FakeAnswer,
  parameters = 'sslmode=disable',
): Promise<FakePostgres> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => undefined);
    let turn = 0;
    socket.on('data', () => {
      const said = answer(turn, socket);
      turn += 1;
      if (said !== undefined) socket.write(said);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return {
    dsn: `postgres://service@127.0.0.1:${port}/db?${parameters}`,
    open: () => sockets.size,
    connections: () => connections,
  };
}

/** Continues in TLS: the response to an SSLRequest. */
export function beginTls(
  socket: Socket,
  identity: { readonly key: string; readonly cert: string },
) {
  socket.removeAllListeners('data');
  socket.write('S');
  new TLSSocket(socket, { isServer: true, ...identity }).on('error', () => undefined);
}
