import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildApi } from '../../src/api/index.ts';
import { buildTimestampRequest, parseTimestampResponse } from '../../src/formats/tsp/index.ts';
import { resolveConfig } from '../../src/wire/config/resolve.ts';
import { apiPorts } from '../../src/wire/serve/api-ports.ts';
import { openToolkit } from '../../src/wire/toolkit.ts';
import { newTemporaryFolder } from '../support/folders.ts';
import { openTestApi, type TestApi } from './support/open-api.ts';

const query = 'application/timestamp-query';
const imprint = randomBytes(32);

let api: TestApi;
beforeAll(async () => {
  api = await openTestApi();
}, 60_000);
afterAll(() => api.close());

const post = (url: string, payload: Uint8Array | string, type: string) =>
  api.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': type },
    payload: Buffer.from(payload),
  });

describe('POST /tsa', () => {
  test('answers a request with a time-stamp token', async () => {
    const request = buildTimestampRequest({ digest: 'sha256', imprint });
    const { statusCode, headers, rawPayload } = await post('/tsa', request, query);
    expect(statusCode).toBe(200);
    expect(headers['content-type']).toBe('application/timestamp-reply');
    expect(parseTimestampResponse(rawPayload)).toMatchObject({ status: 'granted' });
  });

  test.each([
    ['an empty body', Buffer.alloc(0), 'badDataFormat'],
    ['text that is not DER', Buffer.from('hello'), 'badDataFormat'],
    [
      'a digest of the wrong length',
      buildTimestampRequest({ digest: 'sha256', imprint: randomBytes(20) }),
      'badDataFormat',
    ],
    [
      'SHA-1',
      buildTimestampRequest({ digest: 'sha1' as 'sha256', imprint: randomBytes(20) }),
      'badAlg',
    ],
  ])(
    'rejects a request with %s, with the failure in the response',
    async (_what, request, failure) => {
      const { statusCode, rawPayload } = await post('/tsa', request, query);
      expect(statusCode).toBe(200);
      expect(parseTimestampResponse(rawPayload)).toMatchObject({ status: 'rejection', failure });
    },
  );

  test.each([
    ['application/pdf', 415],
    ['application/json', 415],
    ['text/plain', 415],
  ])('does not accept %s', async (type, status) => {
    const answer = await post('/tsa', '{}', type);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toMatchObject({ errorCode: 'request.media.unsupported' });
  });

  test('rejects an oversized request and methods other than POST', async () => {
    expect((await post('/tsa', Buffer.alloc(65 * 1024), query)).statusCode).toBe(413);
    const got = await api.app.inject({ url: '/tsa' });
    expect([got.statusCode, got.headers['allow']]).toEqual([405, 'POST']);
  });
});

describe('revocation data of the development trust', () => {
  test('serves CRLs and certificates of the issuers', async () => {
    for (const [url, type] of [
      ['/crl/root.crl', 'application/pkix-crl'],
      ['/crl/ca.crl', 'application/pkix-crl'],
      ['/issuer/root.cer', 'application/pkix-cert'],
      ['/issuer/ca', 'application/pkix-cert'],
    ]) {
      const { statusCode, headers, rawPayload } = await api.app.inject({ url: url as string });
      expect([statusCode, headers['content-type'], rawPayload[0]]).toEqual([200, type, 0x30]);
    }
  });

  test.each(['/crl/none', '/issuer/..%2f..%2ftrust%2fca.key', '/issuer/seal-rsa.key'])(
    'answers 404 for %s',
    async (url) => {
      const answer = await api.app.inject({ url });
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ errorCode: 'route.not_found' });
    },
  );

  test('answers a malformed OCSP request with an OCSP error', async () => {
    const answer = await post('/ocsp', 'hello', 'application/ocsp-request');
    expect(answer.statusCode).toBe(200);
    expect(answer.rawPayload.toString('hex')).toBe('30030a0101');
  });
});

test('a production service has none of these routes', async () => {
  const folder = newTemporaryFolder('production');
  const env = { HOME: folder, INNSIGLI_HOME: join(folder, 'data') };
  const { config } = resolveConfig({ flags: { production: 'true' }, env, cwd: folder });
  const io = { now: () => Date.now(), random: (count: number) => randomBytes(count) };
  const toolkit = openToolkit(config, { ...io, warn: () => undefined });
  const service = await toolkit.service();
  const app = await buildApi(apiPorts(toolkit, service, io, '1'));
  for (const url of ['/tsa', '/ocsp', '/crl/ca.crl', '/issuer/ca.cer']) {
    expect((await app.inject({ method: 'POST', url })).statusCode).toBe(404);
    expect((await app.inject({ url })).statusCode).toBe(404);
  }
  await app.close();
  await service.close();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
if (!hasOpenssl) console.warn('skipped: openssl is not there');

describe.skipIf(!hasOpenssl)('OpenSSL', () => {
  let folder: string;
  beforeAll(async () => {
    folder = newTemporaryFolder('openssl');
    for (const name of ['root', 'ca']) {
      const { rawPayload } = await api.app.inject({ url: `/issuer/${name}.cer` });
      writeFileSync(join(folder, `${name}.der`), rawPayload);
      openssl('x509', '-inform', 'DER', '-in', `${name}.der`, '-out', `${name}.pem`);
    }
  });
  const openssl = (...args: readonly string[]) =>
    execFileSync('openssl', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });

  test('accepts the time-stamp for its own query', async () => {
    writeFileSync(join(folder, 'data'), 'some data');
    openssl('ts', '-query', '-data', 'data', '-sha256', '-cert', '-out', 'query.tsq');
    const { rawPayload } = await post('/tsa', readFileSync(join(folder, 'query.tsq')), query);
    writeFileSync(join(folder, 'reply.tsr'), rawPayload);
    const trusted = ['-CAfile', 'root.pem', '-untrusted', 'ca.pem'];
    const said = openssl(
      'ts',
      '-verify',
      '-in',
      'reply.tsr',
      '-queryfile',
      'query.tsq',
      ...trusted,
    );
    expect(said).toContain('Verification: OK');
    writeFileSync(join(folder, 'data'), 'other data');
    expect(() =>
      openssl('ts', '-verify', '-in', 'reply.tsr', '-data', 'data', ...trusted),
    ).toThrow();
  });

  test.each(['POST', 'GET'] as const)('accepts the OCSP response to %s', async (method) => {
    const trust = join(api.dataDir, 'trust');
    writeFileSync(join(folder, 'seal.pem'), readFileSync(join(trust, 'seal-rsa.pem')));
    const asked = ['-issuer', 'ca.pem', '-cert', 'seal.pem'];
    openssl('ocsp', ...asked, '-no_nonce', '-reqout', 'request.der');
    const request = readFileSync(join(folder, 'request.der'));
    const inPath = encodeURIComponent(request.toString('base64'));
    const { statusCode, rawPayload } =
      method === 'POST'
        ? await post('/ocsp', request, 'application/ocsp-request')
        : await api.app.inject({ url: `/ocsp/${inPath}` });
    expect(statusCode).toBe(200);
    writeFileSync(join(folder, 'answer.der'), rawPayload);
    const trusted = ['-CAfile', 'root.pem', '-verify_other', 'ca.pem'];
    const said = openssl('ocsp', ...asked, '-respin', 'answer.der', '-no_nonce', ...trusted);
    expect(said).toMatch(/seal\.pem: good/);
  });
});
