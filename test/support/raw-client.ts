import { once } from 'node:events';
import { connect, type Server, type Socket } from 'node:net';

/** A raw connection, and the data received so far. */
export interface RawClient {
  readonly socket: Socket;
  text: string;
  isOver: boolean;
}

/** Behaviour of a client. */
export interface RawManner {
  /** It does not read. */
  readonly isUnread?: boolean;
  /** It never closes its half. */
  readonly isHalfOpen?: boolean;
}

/** Connects to the server, on a local port or a socket file, and sends the text. */
export async function speakTo(
  server: Server,
  words: string,
  { isUnread = false, isHalfOpen = false }: RawManner = {},
): Promise<RawClient> {
  const address = server.address();
  const place =
    typeof address === 'string'
      ? { path: address }
      : { port: address?.port ?? 0, host: '127.0.0.1' };
  const socket = connect({ ...place, allowHalfOpen: isHalfOpen });
  const said: RawClient = { text: '', isOver: false, socket };
  socket.on('error', () => undefined);
  socket.once('close', () => {
    said.isOver = true;
  });
  if (isUnread) socket.pause();
  else {
    socket.on('data', (chunk) => {
      said.text += chunk.toString('latin1');
    });
  }
  await once(socket, 'connect');
  socket.write(words);
  return said;
}
