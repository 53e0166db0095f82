import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  answerTimestampRequest,
  httpTimestampAuthority,
  type RunningTrustServer,
  startTrustServer,
} from '../../../src/adapters/tsa/index.ts';
import { InnsigliError } from '../../../src/base/errors.ts';
import { buildTimestampRequest, requireToken } from '../../../src/formats/tsp/index.ts';
import { makeTestPki } from '../../support/pki.ts';
import { issuerOf } from '../../support/tsa.ts';

const pki = makeTestPki();
const issuer = issuerOf(pki, pki.member('tsa'));
let server: RunningTrustServer;
const asked: string[] = [];

beforeAll(async () => {
  server = await startTrustServer({
    host: '127.0.0.1',
    port: 0,
    timestamp: (request) => answerTimestampRequest(request, issuer),
    ocsp: async (request) => {
      asked.push(Buffer.from(request).toString('hex'));
      if (request.length === 1) throw new Error('secret inside');
      return Uint8Array.of(0x30, 0x03, 0x0a, 0x01, 0x00);
    },
    crl: (name) => (name === 'ca é.crl' ? Uint8Array.of(1, 2, 3) : undefined),
    certificate: async (name) => (name === 'ca.cer' ? Uint8Array.of(4, 5) : undefined),
  });
});
afterAll(() => server.close());

const post = (type: string | undefined, body: Uint8Array) =>
  ({ method: 'POST', body, headers: type === undefined ? {} : { 'content-type': type } }) as const;
const query = 'application/timestamp-query';
const ocsp = 'application/ocsp-request';

describe('a trust server', () => {
  test('limits connections and frees slots when they close', async () => {
    const open = () =>
      new Promise<ReturnType<typeof connect>>((resolve) => {
        const socket = connect(server.port, '127.0.0.1');
        socket.on('error', () => undefined).once('connect', () => resolve(socket));
      });
    const ask = () => fetch(`${server.url}/certs/ca.cer`, { headers: { connection: 'close' } });
    const held = await Promise.all(Array.from({ length: 512 }, open));
    await expect(ask()).rejects.toThrow();
    const gone = held.map((socket) => new Promise((resolve) => socket.once('close', resolve)));
    for (const socket of held) socket.destroy();
    await Promise.all(gone);
    await vi.waitFor(async () => expect((await ask()).status).toBe(200));
  });

  test('issues time-stamps to our own client', async () => {
    const authority = httpTimestampAuthority({ url: `${server.url}/tsa` });
    const request = buildTimestampRequest({ digest: 'sha256', imprint: new Uint8Array(32) });
    for (let i = 0; i < 3; i++) requireToken(await authority.timestamp(request), authority.name);
    authority.close();
  });

  test.each<[string, string, RequestInit, number, string | undefined, string | undefined]>([
    [
      'OCSP by POST',
      '/ocsp',
      post(ocsp, Buffer.of(9, 9)),
      200,
      'application/ocsp-response',
      '30030a0100',
    ],
    ['OCSP by GET', '/ocsp/CQk%3D', {}, 200, 'application/ocsp-response', '30030a0100'],
    ['OCSP by GET, bare', '/ocsp/CQ+/', {}, 200, 'application/ocsp-response', '30030a0100'],
    ['a CRL', '/crl/ca%20%C3%A9.crl', {}, 200, 'application/pkix-crl', '010203'],
    ['a certificate', '/certs/ca.cer?x=1', {}, 200, 'application/pkix-cert', '0405'],
    [
      'a certificate, head only',
      '/certs/ca.cer',
      { method: 'HEAD' },
      200,
      'application/pkix-cert',
      '',
    ],
    ['another CRL', '/crl/other.crl', {}, 404, undefined, undefined],
    ['a path traversal', '/crl/..%2F..%2Fetc%2Fpasswd', {}, 404, undefined, undefined],
    ['a malformed path', '/crl/%E0%A4%A', {}, 400, undefined, undefined],
    ['another path', '/', {}, 404, undefined, undefined],
    ['a time-stamp by GET', '/tsa', {}, 405, undefined, undefined],
    ['a CRL by POST', '/crl/x', post(query, Buffer.of(1)), 405, undefined, undefined],
    ['another media type', '/tsa', post('text/plain', Buffer.of(1)), 415, undefined, undefined],
    [
      'a binary media type',
      '/ocsp',
      post('application/octet-stream', Buffer.of(9, 9)),
      200,
      undefined,
      undefined,
    ],
    ['a large body', '/tsa', post(query, Buffer.alloc(70_000)), 413, undefined, undefined],
    ['an internal failure', '/ocsp', post(ocsp, Buffer.of(9)), 500, undefined, undefined],
  ])('responds correctly to %s', async (_, path, init, status, type, body) => {
    const response = await fetch(`${server.url}${path}`, init);
    expect(response.status).toBe(status);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (type !== undefined) expect(response.headers.get('content-type')).toBe(type);
    if (body !== undefined) expect(bytes.toString('hex')).toBe(body);
    if (status === 405) expect(response.headers.get('allow')).toMatch(/POST|GET/);
    expect(bytes.toString()).not.toContain('secret');
  });

  test('passes path or body to the OCSP callback', () => {
    expect(asked).toContain('0909');
    expect(asked.filter((one) => one === '0909').length).toBeGreaterThanOrEqual(2);
  });

  test('aborts an endless chunked body', async () => {
    const [host, port] = ['127.0.0.1', server.port];
    const reply = await new Promise<string>((resolve, reject) => {
      const socket = connect(port, host, () => {
        socket.write(
          `POST /tsa HTTP/1.1\r\nHost: x\r\nContent-Type: ${query}\r\nTransfer-Encoding: chunked\r\n\r\n`,
        );
        const chunk = `4000\r\n${'x'.repeat(0x4000)}\r\n`;
        for (let i = 0; i < 8; i++) socket.write(chunk);
      });
      let text = '';
      socket.on('data', (part) => {
        text += part.toString('latin1');
      });
      socket.on('error', (error: NodeJS.ErrnoException) => {
        if (text === '') reject(error);
      });
      socket.on('close', () => resolve(text));
    });
    expect(reply).toMatch(/^HTTP\/1\.1 413 /);
    expect(reply.toLowerCase()).toContain('connection: close');
  });

  test('has no paths for callbacks that are absent', async () => {
    const bare = await startTrustServer({ host: '127.0.0.1', port: 0 });
    try {
      for (const path of ['/tsa', '/ocsp', '/ocsp/AA', '/crl/x', '/certs/x']) {
        expect((await fetch(`${bare.url}${path}`)).status).toBe(404);
      }
    } finally {
      await bare.close();
    }
  });

  test('reports that the port is in use', async () => {
    const again = startTrustServer({ host: '127.0.0.1', port: server.port });
    await expect(again).rejects.toBeInstanceOf(InnsigliError);
  });
});
