import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { buildServer } from '../../src/server.ts';
import { openInnsigli } from '../../src/toolkit.ts';
import { resolveConfig } from '../../src/wire/config/resolve.ts';
import { type ServeOptions, serveApi } from '../../src/wire/serve/serve.ts';
import { openToolkit } from '../../src/wire/toolkit.ts';
import type { Toolkit } from '../../src/wire/toolkit.types.ts';
import { openFakeCli } from '../cli/support/fake-cli.ts';
import { newTemporaryFolder } from '../support/folders.ts';
import { agreement, basicOf } from './support/open-api.ts';

const io = { now: () => Date.now(), random: (count: number) => randomBytes(count) };
const options: ServeOptions = {
  host: '127.0.0.1',
  port: 0,
  worker: true,
  strict: false,
  version: '1.2.3',
};

let folder: string;
let toolkit: Toolkit;
beforeEach(() => {
  folder = newTemporaryFolder('serve');
  const env = { HOME: folder, INNSIGLI_HOME: join(folder, 'data') };
  const { config } = resolveConfig({ flags: {}, env, cwd: folder });
  toolkit = openToolkit(config, { ...io, warn: () => undefined });
});
afterEach(() => {
  toolkit.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('the served interface', () => {
  test('accepts a document over HTTP, and its worker sends the invitation', async () => {
    const { company } = await toolkit.initialise({ name: 'Acme ehf.' });
    const server = await serveApi(toolkit, io, options);
    const headers = {
      authorization: basicOf(company?.key ?? '', company?.apiKey ?? ''),
      'content-type': 'application/json',
    };
    const flows = await fetch(`${server.url}/api/management/flow`, { headers });
    const [{ flowKey }] = (await flows.json()) as [{ flowKey: string }];
    const made = await fetch(`${server.url}/api/management/signing`, {
      method: 'POST',
      headers,
      body: JSON.stringify({
        flowKey,
        pdfDocument: agreement.toString('base64'),
        pdfFileName: 'agreement.pdf',
        createSignees: [
          {
            name: 'Anna',
            email: 'anna@example.test',
            signatureType: 'ClickToSign',
            communicationDeliveryType: 'Email',
          },
        ],
      }),
    });
    expect(made.status).toBe(200);
    const { key } = (await made.json()) as { key: string };
    const outbox = join(folder, 'data', 'outbox', 'mail');
    const mails = () => {
      try {
        return readdirSync(outbox).map((name) => readFileSync(join(outbox, name), 'utf8'));
      } catch {
        return [];
      }
    };
    await expect.poll(mails, { timeout: 15_000 }).toHaveLength(1);
    expect(mails()[0]?.replaceAll('=\r\n', '').replaceAll('=\n', '')).toContain(key);
    await server.close();
    await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  }, 60_000);

  test('rejects headers that are too large, and requests that are not HTTP', async () => {
    const server = await serveApi(toolkit, io, { ...options, worker: false });
    const { port } = new URL(server.url);
    const say = (text: string) =>
      new Promise<string>((resolve) => {
        const socket = connect(Number(port), '127.0.0.1', () => socket.write(text));
        let answer = '';
        socket.on('data', (chunk) => {
          answer += chunk;
        });
        socket.on('error', () => resolve(answer));
        socket.on('close', () => resolve(answer));
      });
    const long = `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`;
    expect(await say(long)).toMatch(/^HTTP\/1\.1 431/);
    const form = `GET /s/flow?initialData=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const refused = await say(form);
    expect(refused).toMatch(/^HTTP\/1\.1 431/);
    expect(refused).toContain('"errorCode":"limit.exceeded"');
    expect(await say('HELLO\r\n\r\n')).toMatch(/^HTTP\/1\.1 400/);
    await server.close();
  }, 60_000);

  test('states why it cannot start', async () => {
    const first = await serveApi(toolkit, io, { ...options, worker: false });
    const port = Number(new URL(first.url).port);
    await expect(serveApi(toolkit, io, { ...options, port })).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining('EADDRINUSE'),
    });
    await first.close();
    const tls = { keyFile: join(folder, 'no.pem'), certificateFile: join(folder, 'no.pem') };
    await expect(serveApi(toolkit, io, { ...options, tls })).rejects.toMatchObject({
      code: 'config.invalid',
    });
    const { config } = resolveConfig({
      flags: { production: 'true' },
      env: { HOME: folder, INNSIGLI_HOME: join(folder, 'production') },
      cwd: folder,
    });
    const strict = openToolkit(config, { ...io, warn: () => undefined });
    await expect(serveApi(strict, io, { ...options, strict: true })).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining('seal key'),
    });
  }, 60_000);
});

test('buildServer serves an openInnsigli library to injected requests', async () => {
  const library = openInnsigli({ dataDir: join(folder, 'library') });
  const { company } = await library.initialise({ name: 'Acme ehf.' });
  const app = await buildServer(library);
  const authorization = basicOf(company?.key ?? '', company?.apiKey ?? '');
  const flows = await app.inject({ url: '/api/management/flow', headers: { authorization } });
  expect(flows.json()).toMatchObject([{ name: 'Documents' }]);
  await app.close();
  await library.close();
  const other = { ...library };
  await expect(buildServer(other)).rejects.toMatchObject({ code: 'usage.invalid' });
}, 60_000);

describe('innsigli serve', () => {
  const service = async () => toolkit.service();

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 0],
  ] as const)('runs until %s', async (signal, exitCode) => {
    const run = await openFakeCli().run(['serve', '--port', '0', '--api'], {
      signal,
      toolkit: { service },
    });
    expect(run).toMatchObject({
      exitCode,
      stdout: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\n$/),
    });
    expect(run.stderr).not.toContain('warning');
  });

  test('warns of a public address, and writes JSON with --json', async () => {
    const args = ['serve', '--port', '0', '--host', '0.0.0.0', '--api', '--json'];
    const run = await openFakeCli().run(args, { signal: 'SIGTERM', toolkit: { service } });
    expect(JSON.parse(run.stdout)).toMatchObject({ v: 1, command: 'serve' });
    expect(run.stderr).toContain('api.exposed');
  });

  test.each([
    [['--port', 'x'], '--port'],
    [['--port', '99999'], '--port'],
    [['--log', 'odd'], '--log'],
    [['--tls-key', 'key.pem'], '--tls-cert'],
    [['--tls-password-file', 'password'], '--tls-cert'],
    [['--rate-address', 'many'], '--rate-address'],
    [['--rate-company', '-1'], '--rate-company'],
    [['--max-connections', '0'], '--max-connections'],
    [['--trust-proxy', 'proxy.example'], '--trust-proxy'],
    [['--trust-proxy', '10.0.0.0/33'], '--trust-proxy'],
  ])('rejects %j', async (flags, said) => {
    const run = await openFakeCli().run(['serve', ...flags]);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(said);
  });
});
