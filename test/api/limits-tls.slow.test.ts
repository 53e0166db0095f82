import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { resolveConfig } from '../../src/wire/config/resolve.ts';
import { type ServeOptions, serveApi } from '../../src/wire/serve/serve.ts';
import { openToolkit } from '../../src/wire/toolkit.ts';
import type { Toolkit } from '../../src/wire/toolkit.types.ts';
import { newTemporaryFolder } from '../support/folders.ts';

const io = { now: () => Date.now(), random: (count: number) => randomBytes(count) };
const token = 'correct-horse-battery-staple';
const usual: ServeOptions = {
  ...{ host: '127.0.0.1', port: 0, worker: false, strict: false, version: '1.2.3' },
};

let folder: string;
let toolkit: Toolkit;
beforeAll(() => {
  folder = newTemporaryFolder('tls');
  const env = { HOME: folder, INNSIGLI_HOME: join(folder, 'data') };
  toolkit = openToolkit(resolveConfig({ flags: {}, env, cwd: folder }).config, {
    ...io,
    warn: () => undefined,
  });
});
afterAll(() => {
  toolkit.close();
  rmSync(folder, { recursive: true, force: true });
});

const file = (name: string, content: string) => {
  const path = join(folder, name);
  writeFileSync(path, content, { mode: 0o600 });
  return path;
};

test('an operator token that is too short is rejected', async () => {
  const operatorTokenFile = file('short', 'short\n');
  await expect(serveApi(toolkit, io, { ...usual, operatorTokenFile })).rejects.toMatchObject({
    code: 'config.invalid',
    message: expect.not.stringContaining('short\n'),
  });
});

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
if (!hasOpenssl) console.warn('skipped: openssl is not there');

describe.skipIf(!hasOpenssl)('TLS with an encrypted key', () => {
  const tls = { keyFile: '', certificateFile: '' };
  beforeAll(() => {
    const [keyFile, certificateFile] = [join(folder, 'tls.key'), join(folder, 'tls.pem')];
    const made = ['-newkey', 'rsa:2048', '-days', '2', '-subj', '/CN=localhost'];
    const out = ['-keyout', keyFile, '-out', certificateFile, '-passout', 'pass:secret'];
    execFileSync('openssl', ['req', '-x509', ...made, ...out], { stdio: 'ignore' });
    Object.assign(tls, { keyFile, certificateFile });
  });

  test('uses the password file, and serves metrics to the holder of the operator token', async () => {
    const server = await serveApi(toolkit, io, {
      ...usual,
      tls: { ...tls, passwordFile: file('password', 'secret\n') },
      operatorTokenFile: file('token', `${token}\n`),
    });
    const statusOf = (path: string, authorization?: string) =>
      new Promise((resolve, reject) => {
        const headers = authorization === undefined ? {} : { authorization };
        const asked = request(`${server.url}${path}`, { headers, rejectUnauthorized: false });
        asked.on('error', reject);
        asked.on('response', (response) => {
          response.resume();
          resolve([response.statusCode, response.headers['strict-transport-security']]);
        });
        asked.end();
      });
    expect(await statusOf('/healthz')).toEqual([200, 'max-age=31536000']);
    expect(await statusOf('/metrics')).toEqual([401, 'max-age=31536000']);
    expect(await statusOf('/metrics', `Bearer ${token}`)).toEqual([200, 'max-age=31536000']);
    await server.close();
  }, 60_000);

  test.each([
    ['no password', undefined],
    ['a wrong password', 'other\n'],
  ])('does not start with %s, and does not prompt for one', async (_what, password) => {
    const given = password === undefined ? {} : { passwordFile: file('other', password) };
    const begun = serveApi(toolkit, io, { ...usual, tls: { ...tls, ...given } });
    await expect(begun).rejects.toMatchObject({ code: 'config.invalid' });
  });
});
