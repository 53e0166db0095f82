import { createServer, type IncomingMessage, type RequestListener, request } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, createServer as createTcpServer, type Server } from 'node:net';
import type { Duplex } from 'node:stream';
import { der } from '../../src/formats/asn1/index.ts';
import { pem } from './openssl.ts';
import type { TestPki } from './pki.ts';

/** A server on a free port of the loopback interface. */
export interface LoopbackServer {
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

async function listen(server: Server, scheme: string): Promise<LoopbackServer> {
  const sockets = new Set<Duplex>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Listens with a handler. */
export function serveHttp(handler: RequestListener): Promise<LoopbackServer> {
  return listen(createServer(handler), 'http');
}

/** Accepts connections and never responds. */
export function serveSilence(): Promise<LoopbackServer> {
  return listen(createTcpServer(), 'http');
}

/** Listens with TLS under a certificate of the test PKI for 127.0.0.1. */
export function serveHttps(pki: TestPki, handler: RequestListener): Promise<LoopbackServer> {
  const address = der.element(0x87, [Uint8Array.of(127, 0, 0, 1)]);
  const member = pki.issue({
    name: 'web server',
    extensions: {
      keyUsage: 1,
      extendedKeyUsage: ['1.3.6.1.5.5.7.3.1'],
      others: [{ name: '2.5.29.17', critical: false, value: der.sequence(address) }],
    },
  });
  const cert = pem('CERTIFICATE', member.der, ...member.chain);
  const key = member.privateKey.export({ format: 'pem', type: 'pkcs8' });
  return listen(createSecureServer({ cert, key }, handler), 'https');
}

/** The body of a request. */
export async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of message) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** A proxy for plain requests and CONNECT that requires `credentials`, and records its requests. */
export async function serveProxy(
  credentials?: string,
): Promise<LoopbackServer & { readonly asked: string[] }> {
  const asked: string[] = [];
  const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
  const server = createServer((incoming, outgoing) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    if (incoming.headers['proxy-authorization'] !== expected) {
      outgoing.writeHead(407).end();
      return;
    }
    const { 'proxy-authorization': _, ...headers } = incoming.headers;
    const onward = request(incoming.url ?? '', { method: incoming.method ?? 'GET', headers });
    onward.on('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.writeHead(502).end());
    incoming.pipe(onward);
  });
  server.on('connect', (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    asked.push(`CONNECT ${incoming.url}`);
    if (incoming.headers['proxy-authorization'] !== expected) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const [host, port] = (incoming.url ?? '').split(':');
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    socket.on('error', () => onward.destroy());
  });
  return { ...(await listen(server, 'http')), asked };
}
