import { existsSync, rmSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { newTemporaryFolder } from '../support/folders.ts';
import { startBuiltService } from './support/built-service.ts';
import { basicOf } from './support/open-api.ts';

const folder = newTemporaryFolder('logins');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const isBuilt = existsSync('dist/cli/service.cjs');
if (!isBuilt) console.warn('SKIPPED workers-logins.test.ts: run npm run build');

/** A separate connection each: the processes accept them in turn. */
const statusOf = (url: string, authorization: string, client: string) =>
  new Promise<number>((done, reject) => {
    const headers = { authorization, 'x-forwarded-for': client };
    get(url, { agent: false, headers }, (answer) => {
      answer.resume().on('end', () => done(answer.statusCode ?? 0));
    }).on('error', reject);
  });

describe.skipIf(!isBuilt)('several processes on one port (skipped when dist/ is missing)', () => {
  test('count failed logins together, per company and per address', async () => {
    const env = {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      INNSIGLI_HOME: join(folder, 'p'),
    };
    const words = ['--workers', '3', '--trust-proxy', '127.0.0.1'];
    const { url: base, stop } = await startBuiltService(words, env);
    const url = `${base}/api/management/flow`;
    const guess = async (count: number, client: string, user: (at: number) => string) => {
      let wrong = 0;
      for (let at = 0; at < count; at++) {
        if ((await statusOf(url, basicOf(user(at), `key${at}`), client)) === 401) wrong += 1;
      }
      return wrong;
    };
    // A failure reported by one process may reach another only after the next guess.
    const ofCompany = await guess(160, '203.0.113.1', () => 'sk1');
    expect(ofCompany).toBeGreaterThanOrEqual(100);
    expect(ofCompany).toBeLessThanOrEqual(105);
    const ofAddress = await guess(400, '203.0.113.2', (at) => `sk${at}`);
    expect(ofAddress).toBeGreaterThanOrEqual(300);
    expect(ofAddress).toBeLessThanOrEqual(305);
    expect(await guess(1, '203.0.113.3', () => 'sk1')).toBe(1);
    expect(await stop()).toBe(0);
  }, 120_000);
});
