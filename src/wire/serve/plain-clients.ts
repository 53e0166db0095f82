import { connect, type Socket } from 'node:net';

/** A request of JSON. */
export interface PlainRequest {
  readonly path: string;
  readonly authorization: string;
  readonly body: string;
}

/** A response, whole. */
export interface PlainResponse {
  readonly status: number;
  readonly body: string;
}

/** Clients of a server on this machine, as many as there are requests at once. */
export interface PlainClients {
  /** @throws an error of the system, also when the connection ends before the response */
  post(request: PlainRequest): Promise<PlainResponse>;
  /** Ends all connections. */
  close(): void;
}

/**
 * Opens clients that speak just as much HTTP as our own server does. Those of Node share their code
 * with its server, which would be compiled for both.
 */
export function openPlainClients(port: number): PlainClients {
  const all = new Set<Socket>();
  const idle: Socket[] = [];
  const free = () => {
    const known = idle.pop();
    if (known !== undefined) return known;
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    all.add(socket);
    return socket;
  };
  return {
    async post(request) {
      const socket = free();
      const response = await exchange(socket, request);
      idle.push(socket);
      return response;
    },
    close() {
      for (const socket of all) socket.destroy();
    },
  };
}

function exchange(
  socket: Socket,
  { path, authorization, body }: PlainRequest,
): Promise<PlainResponse> {
  return new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const take = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      const response = wholeResponse(received);
      if (response !== undefined) end(() => resolve(response));
    };
    const fail = (error?: Error) => end(() => reject(error ?? new Error('the connection ended')));
    const closed = () => fail();
    const end = (settle: () => void) => {
      socket.off('data', take).off('error', fail).off('close', closed);
      settle();
    };
    socket.on('data', take).on('error', fail).on('close', closed);
    const lines = [
      `POST ${path} HTTP/1.1`,
      'host: 127.0.0.1',
      `authorization: ${authorization}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n${body}`);
  });
}

/** The response that the bytes are, as soon as all of it has come. */
function wholeResponse(received: Buffer): PlainResponse | undefined {
  const end = received.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = received.toString('latin1', 0, end);
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  const body = received.subarray(end + 4);
  if (body.length < length) return undefined;
  return { status: Number(head.slice(9, 12)), body: body.toString('utf8', 0, length) };
}
