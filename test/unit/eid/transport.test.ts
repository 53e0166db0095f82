import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type EidHttpOptions, eidHttp } from '../../../src/adapters/eid/transport.ts';
import { EidError, type EidHttpRequest } from '../../../src/app/ports/index.ts';
import { makeTestPki } from '../../support/pki.ts';
import { chainPemOf, issueClient, keyPemOf, pemOf, serveTls } from '../../support/tls.ts';

const MIB = 1024 * 1024;

function transport(options: EidHttpOptions = {}) {
  const http = eidHttp(options);
  onTestFinished(() => http.close());
  return http;
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function failureOf(request: Partial<EidHttpRequest> & { url: string }, options = {}) {
  const http = transport(options);
  const error = await http({ method: 'GET', timeoutMs: 2000, ...request }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EidError);
  return error as EidError;
}

describe('requests to a provider', () => {
  test('arrive unchanged, with the client certificate', async () => {
    const pki = makeTestPki({ nowMs: Date.now() });
    const member = issueClient(pki);
    const bodies: string[] = [];
    const { url, seen } = await serveTls(pki, async (request, response) => {
      let body = '';
      for await (const part of request) body += String(part);
      bodies.push(body);
      response.writeHead(200, { 'Content-Type': 'application/json', 'X-Two': ['a', 'b'] });
      response.end('{}');
    });
    const http = transport({
      ca: pemOf(pki.member('root').der),
      clientCertificate: { certificate: chainPemOf(member), key: keyPemOf(member) },
    });
    const headers = { 'content-type': 'application/json' };
    const body = '{"a":"é"}';
    const asked = { method: 'POST', url: `${url}/rp?x=1`, headers, body, timeoutMs: 2000 } as const;
    const answer = await http(asked);
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json');
    expect(Buffer.from(answer.body).toString()).toBe('{}');
    expect(bodies).toEqual([body]);
    expect(seen).toMatchObject([{ method: 'POST', path: '/rp?x=1', client: 'tls client' }]);
    const sent = Object.keys(seen[0]?.headers ?? {}).sort();
    expect(sent).toEqual(['connection', 'content-length', 'content-type', 'host', 'user-agent']);
    expect(seen[0]?.headers['content-type']).toBe('application/json');
  });

  test.each(['GET', 'POST', 'DELETE'] as const)(
    '%s: any HTTP status is returned as a response',
    async (method) => {
      const url = await serve((request, response) => {
        response.writeHead(request.method === 'GET' ? 302 : 503, { location: '/elsewhere' });
        response.end(request.method);
      });
      const answer = await transport()({ method, url, timeoutMs: 2000 });
      expect([answer.status, Buffer.from(answer.body).toString()]).toEqual([
        method === 'GET' ? 302 : 503,
        method,
      ]);
    },
  );

  test('are not queued behind requests to a slow provider', async () => {
    const waiting: (() => void)[] = [];
    const url = await serve((_, response) => {
      waiting.push(() => response.end('late'));
      // No request is answered before all have arrived.
      if (waiting.length === 200) for (const end of waiting) end();
    });
    const http = transport();
    const asked = { method: 'GET', url, timeoutMs: 5000 } as const;
    const answers = await Promise.all(Array.from({ length: 200 }, () => http(asked)));
    expect(answers.map(({ status }) => status)).toEqual(new Array(200).fill(200));
  });
});

describe('failures of the transport', () => {
  test('a response of 1 MiB is accepted, a longer one rejected', async () => {
    const url = await serve((request, response) => {
      response.end(Buffer.alloc(Number(request.url?.slice(1))));
    });
    const http = transport();
    const answer = await http({ method: 'GET', url: `${url}/${MIB}`, timeoutMs: 5000 });
    expect(answer.body).toHaveLength(MIB);
    expect(await failureOf({ url: `${url}/${MIB + 1}` })).toMatchObject({
      code: 'invalidResponse',
    });
  });

  test('a timeout, a closed port and an untrusted server mean providerUnavailable', async () => {
    const silent = await serve(() => undefined);
    const pki = makeTestPki({ nowMs: Date.now() });
    const strange = await serveTls(pki, (_, response) => void response.end('in'), { asks: false });
    for (const request of [
      { url: silent, timeoutMs: 100 },
      { url: 'http://127.0.0.1:9' },
      { url: strange.url },
    ]) {
      expect(await failureOf(request)).toMatchObject({ code: 'providerUnavailable' });
    }
  });

  test('http: is accepted only for signed responses, and never to internal addresses', async () => {
    const url = 'http://169.254.169.254/ocsp';
    expect((await failureOf({ url })).message).toContain('expected an https: URL');
    expect((await failureOf({ url, isSigned: true })).message).toContain('not allowed');
  });

  test.each([
    ['http: to other hosts', { url: 'http://provider.example/secret-path' }, {}],
    ['no URL', { url: 'secret-path' }, {}],
    ['an internal address', { url: 'https://169.254.169.254/secret-path' }, {}],
    [
      'a malformed certificate',
      { url: 'https://127.0.0.1:9/secret-path' },
      { clientCertificate: { certificate: 'x', key: 'y' } },
    ],
  ])(
    '%s: nothing is sent, and internalError does not repeat the URL',
    async (_, request, options) => {
      const error = await failureOf(request, options);
      expect(error.code).toBe('internalError');
      expect(error.message).not.toContain('secret-path');
    },
  );
});
