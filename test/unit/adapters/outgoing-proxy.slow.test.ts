import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { webhookTransport } from '../../../src/adapters/delivery/index.ts';
import { openTunnel } from '../../../src/adapters/http/tunnel.ts';
import { httpRevocationSource } from '../../../src/adapters/revocation/index.ts';
import { gatewaySms } from '../../../src/adapters/sms/index.ts';
import { memorySource } from '../../../src/base/bytes.ts';
import { resolveConfig } from '../../../src/wire/config/resolve.ts';
import { smtpOptions } from '../../../src/wire/service/message-parties.ts';
import { openToolkit } from '../../../src/wire/toolkit.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { pem } from '../../support/openssl.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture } from '../../support/sealing.ts';
import {
  bodyOf,
  type LoopbackServer,
  serveHttp,
  serveHttps,
  serveProxy,
} from '../../support/tsa-http.ts';

const pki = makeTestPki();
const ca = pki.member('ca');
const signer = pki.member('signer');
const folder = newTemporaryFolder('proxy');

let outside: LoopbackServer;
let secure: LoopbackServer;
let proxy: Awaited<ReturnType<typeof serveProxy>>;
/** Excludes requests on connections that the proxy did not make. */
const posted: string[] = [];

beforeAll(async () => {
  const answers: Record<string, () => Uint8Array | string> = {
    '/crl': () => pki.crl(),
    '/ocsp': () => pki.ocsp(signer.certificate),
  };
  outside = await serveHttp(async (request, response) => {
    posted.push(`${request.method} ${request.url} ${(await bodyOf(request)).length > 0}`);
    const body = answers[request.url ?? ''];
    response.writeHead(body === undefined ? 202 : 200).end(body?.() ?? '{"id":"m-1"}');
  });
  secure = await serveHttps(pki, (_request, response) => void response.writeHead(200).end());
  proxy = await serveProxy();
});
afterAll(async () => {
  await Promise.all([outside.close(), secure.close(), proxy.close()]);
  rmSync(folder, { recursive: true, force: true });
});

const leafWith = (addresses: { ocsp?: string; crl?: string }) => ({
  ...pki.issue({
    name: 'leaf',
    extensions: {
      ocspUrls: addresses.ocsp === undefined ? [] : [addresses.ocsp],
      crlUrls: addresses.crl === undefined ? [] : [addresses.crl],
      caIssuerUrls: [],
    },
  }).certificate,
  serialNumber: signer.certificate.serialNumber,
});

const asked = () => proxy.asked.splice(0);
const options = () => ({ allowPrivateAddresses: true, timeoutMs: 5000, proxy: proxy.url });

describe('requests go through the proxy only', () => {
  test('for OCSP responses and CRLs', async () => {
    const source = httpRevocationSource(options());
    const byOcsp = await source.find(leafWith({ ocsp: `${outside.url}/ocsp` }), ca.certificate);
    expect(byOcsp.ocsp).toHaveLength(1);
    expect(asked()).toEqual([`POST ${outside.url}/ocsp`]);
    const byCrl = await source.find(leafWith({ crl: `${outside.url}/crl` }), ca.certificate);
    expect(byCrl.crls).toHaveLength(1);
    expect(asked()).toEqual([`GET ${outside.url}/crl`]);
  });

  test('with CONNECT for https', async () => {
    const source = httpRevocationSource(options());
    const find = source.find(leafWith({ crl: `${secure.url}/crl` }), ca.certificate);
    // The certificate of the test server is not publicly trusted.
    await expect(find).rejects.toMatchObject({ code: 'network.failed' });
    expect(asked()).toEqual([`CONNECT 127.0.0.1:${secure.port}`]);
  });

  test('for names, which only the proxy resolves', async () => {
    const source = httpRevocationSource({ ...options(), allowPrivateAddresses: false });
    const find = source.find(leafWith({ crl: 'https://crl.name.invalid/' }), ca.certificate);
    await expect(find).rejects.toMatchObject({ code: 'network.failed' });
    expect(asked()).toEqual(['CONNECT crl.name.invalid:443']);
  });

  test('a proxy that is unreachable or requires credentials is reported', async () => {
    const picky = await serveProxy('me:secret');
    const find = (place: string) =>
      httpRevocationSource({ ...options(), proxy: place }).find(
        leafWith({ crl: `${outside.url}/crl` }),
        ca.certificate,
      );
    await expect(find(picky.url)).rejects.toThrow('the proxy refused the credentials (407)');
    const named = picky.url.replace('//', '//me:secret@');
    expect((await find(named)).crls).toHaveLength(1);
    const sender = gatewaySms({ url: `${outside.url}/send`, proxy: picky.url });
    const message = { id: 'm', to: '5550101', text: 'Halló', sentAtMs: 0 };
    await expect(sender.send(message)).rejects.toMatchObject({ code: 'sms.configuration' });
    await picky.close();
    await expect(find(picky.url)).rejects.toThrow('ECONNREFUSED');
    await expect(sender.send(message)).rejects.toMatchObject({ code: 'sms.unavailable' });
  });

  test('a proxy that switches protocols fails the request', async () => {
    const odd = await serveHttp((_request, response) => {
      const answer =
        'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n';
      response.socket?.write(answer);
    });
    const source = httpRevocationSource({ ...options(), proxy: odd.url });
    const find = source.find(leafWith({ crl: `${outside.url}/crl` }), ca.certificate);
    await expect(find).rejects.toMatchObject({ code: 'network.failed' });
    const sender = gatewaySms({ url: `${outside.url}/send`, proxy: odd.url });
    const message = { id: 'm', to: '5550101', text: 'Halló', sentAtMs: 0 };
    await expect(sender.send(message)).rejects.toMatchObject({ code: 'sms.failed' });
    await odd.close();
  });

  test('for text messages', async () => {
    const sender = gatewaySms({ url: `${outside.url}/send`, proxy: proxy.url });
    const message = { id: 'm', to: '5550101', text: 'Halló', sentAtMs: 0 };
    expect(await sender.send(message)).toEqual({ reference: 'm-1' });
    expect(asked()).toEqual([`POST ${outside.url}/send`]);
  });

  test('for webhooks', async () => {
    const rules = { allowNetworks: [], allowLoopback: true, offline: false };
    const transport = webhookTransport({ ...rules, proxy: proxy.url });
    const body = Buffer.from('{}');
    const headers = { 'content-type': 'application/json' };
    const post = (url: string) => transport.post({ url, headers, body, timeoutMs: 5000 });
    expect((await post(`${outside.url}/hook`)).status).toBe(202);
    expect((await post(`${outside.url}/hook`)).status).toBe(202);
    await expect(post(`${secure.url}/hook`)).rejects.toMatchObject({ code: 'network.failed' });
    expect([...new Set(asked())]).toEqual([
      `CONNECT 127.0.0.1:${outside.port}`,
      `CONNECT 127.0.0.1:${secure.port}`,
    ]);
    await expect(post('https://hook.name.invalid/')).rejects.toMatchObject({
      message: expect.stringContaining('the proxy refused the connection (502)'),
    });
    expect(asked()).toEqual(['CONNECT hook.name.invalid:443']);
    await transport.close();
  });
});

test('a tunnel reset before its caller listens does not crash the program', async () => {
  const url = new URL(outside.url);
  const tunnel = await openTunnel({ proxy: new URL(proxy.url), url, timeoutMs: 5000 });
  const closed = new Promise((done) => tunnel.once('close', done));
  tunnel.destroy(new Error('reset'));
  await closed;
  expect(asked()).toEqual([`CONNECT ${url.host}`]);
});

describe('the proxy is never asked', () => {
  test.each([
    ['this machine', 'http://127.0.0.1:8080/crl'],
    ['the name localhost', 'http://localhost:8080/crl'],
    ['a name below localhost', 'http://a.localhost/crl'],
    ['a private address', 'http://10.0.0.1/crl'],
    ['a single-label name', 'http://intranet/crl'],
    ['a name of an internal network', 'http://ca.internal/crl'],
    ['a metadata service', 'http://169.254.169.254/crl'],
    ['a metadata service by name', 'http://metadata.google.internal/crl'],
  ])('for blocked addresses: %s', async (_what, crl) => {
    const source = httpRevocationSource({ ...options(), allowPrivateAddresses: false });
    const find = source.find(leafWith({ crl }), ca.certificate);
    await expect(find).rejects.toMatchObject({ code: 'network.blocked' });
    const rules = { allowNetworks: [], allowLoopback: false, offline: false };
    const transport = webhookTransport({ ...rules, proxy: proxy.url });
    const url = crl.replace('http:', 'https:');
    const post = transport.post({ url, headers: {}, body: Buffer.from('{}'), timeoutMs: 5000 });
    await expect(post).rejects.toMatchObject({ code: 'network.blocked' });
    expect(asked()).toEqual([]);
    await transport.close();
  });
});

describe('proxy settings', () => {
  const resolve = (env: Record<string, string>) =>
    resolveConfig({ flags: {}, env: { HOME: folder, INNSIGLI_HOME: folder, ...env }, cwd: folder })
      .config;

  test('seal --level B-LT sends revocation requests through the configured proxy', async () => {
    const inside = pki.issue({
      name: 'inside',
      extensions: { ocspUrls: [`${outside.url}/none`], crlUrls: [`${outside.url}/crl`] },
    });
    const write = (name: string, text: string) => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const key = inside.privateKey.export({ type: 'pkcs8', format: 'pem' });
    const config = resolve({
      INNSIGLI_PROXY: proxy.url,
      INNSIGLI_ALLOW_PRIVATE_ADDRESSES: 'true',
      INNSIGLI_KEY: write('key.pem', `${key}${pem('CERTIFICATE', inside.der)}`),
      INNSIGLI_CHAIN: write('chain.pem', pem('CERTIFICATE', ...inside.chain)),
      INNSIGLI_TRUST: write('root.pem', pem('CERTIFICATE', pki.member('root').der)),
    });
    const io = { now: () => pki.nowMs, random: randomBytes, warn: () => undefined };
    const toolkit = openToolkit(config, io);
    posted.length = 0;
    await toolkit.seal(memorySource(fixture('agreement.pdf')), { level: 'B-LT' }).catch(() => 0);
    expect(asked()).toEqual(expect.arrayContaining([`GET ${outside.url}/crl`]));
    expect(posted.length).toBeGreaterThan(0);
    toolkit.close();
  });

  test.each([
    ['smtp://mail.example:587', false],
    ['smtps://mail.example', false],
    ['smtp://mail.example:587?proxy=none', true],
    ['smtps://mail.example?proxy=none', true],
    ['smtp://127.0.0.1:25?tls=none', true],
    ['smtp://127.0.0.1:25?tls=none&proxy=none', true],
  ])('mail through %s with a proxy is accepted: %s', (server, isTaken) => {
    const config = resolve({ INNSIGLI_PROXY: proxy.url, INNSIGLI_MAIL_SERVER: server });
    if (isTaken) expect(smtpOptions(config)).toMatchObject({ port: expect.any(Number) });
    else expect(() => smtpOptions(config)).toThrow(/proxy/);
    const without = resolve({ INNSIGLI_MAIL_SERVER: server });
    expect(smtpOptions(without)).toMatchObject({ port: expect.any(Number) });
  });
});
