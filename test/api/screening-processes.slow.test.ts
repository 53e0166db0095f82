import type { ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { CompanyService } from '../../src/app/company-service.ts';
import { resolveConfig } from '../../src/wire/config/resolve.ts';
import type { Service } from '../../src/wire/service/service.types.ts';
import { openToolkit } from '../../src/wire/toolkit.ts';
import { newTemporaryFolder } from '../support/folders.ts';
import { startBuiltService } from './support/built-service.ts';
import { basicOf } from './support/open-api.ts';

const folder = newTemporaryFolder('screening');
// Threads and processes are counted in /proc.
const isBuilt = existsSync('dist/cli/service.cjs') && existsSync('/proc/self/task');
if (!isBuilt) console.warn('SKIPPED screening-processes.test.ts: run npm run build, on Linux');

const env = {
  PATH: process.env['PATH'] ?? '',
  HOME: folder,
  INNSIGLI_HOME: join(folder, 'data'),
  INNSIGLI_SCREENING_PER_MINUTE: '100000',
};
const rows = [
  'category,first_name,last_name,date_of_birth',
  'PEP,Karel,Dvorsky,1961-02-03',
  'Sanction,Khaled,Almansouri,1971-12-24',
  'PEP,Karel,Dvorsky,1933',
];
const asked = [
  'Karel Dvorsky',
  'Khalid el Mansoury',
  'خالد المنصوري',
  'Nobody Listed',
  'Karl Dvorski',
];

let service: Service;
let company: CompanyService;
let authorization = '';
let flowKey = '';

beforeAll(async () => {
  const { config } = resolveConfig({ flags: { level: 'B-B' }, env, cwd: folder });
  const io = { now: Date.now, random: randomBytes, warn: () => undefined };
  const toolkit = openToolkit(config, io);
  const made = await toolkit.initialise({ name: 'Skimun ehf.', user: 'owner@example.is' });
  const { key = '', apiKey = '' } = made.company ?? {};
  authorization = basicOf(key, apiKey);
  service = await toolkit.service();
  company = await service.open(key);
  flowKey = (await company.flows.create({ name: 'Screening', type: 'PEP' })).key;
  const files = [{ name: 'own.csv', content: Buffer.from(rows.join('\n')) }];
  await company.screening.importList({ list: 'own', files });
}, 60_000);
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A service with these settings, to be stopped by the test. */
async function startService(words: readonly string[], settings: Readonly<Record<string, string>>) {
  const { child, url: base, stop } = await startBuiltService(words, { ...env, ...settings });
  const screen = async (originalName: string, MatchRate = 60) => {
    const body = JSON.stringify({ countryCode: 'IS', flowKey, originalName, MatchRate });
    const headers = { authorization, 'content-type': 'application/json' };
    const url = `${base}/api/watchlist/person`;
    const response = await fetch(url, { method: 'POST', headers, body });
    expect(response.status).toBe(200);
    return (await response.json()) as { id: [{ id: string }]; match: object[] };
  };
  return { child, screen, stop };
}

/** The audit rows with these identifiers, without their unique members. */
async function recorded(ids: readonly string[]): Promise<readonly string[]> {
  const found = await company.screening.list({ afterSeq: 0, take: 1000 });
  const own = { id: '', seq: 0, atMs: 0, salt: '' };
  const byId = new Map(found.map((each) => [each.id, JSON.stringify({ ...each, ...own })]));
  return ids.map((id) => byId.get(id) ?? 'not recorded');
}

describe.skipIf(!isBuilt)('screening in the service (skipped without dist/ or /proc)', () => {
  test('has the same responses and audit rows with and without threads', async () => {
    const answers: (readonly object[])[][] = [];
    const threads: number[] = [];
    const ids: string[][] = [];
    for (const INNSIGLI_SCREENING_THREADS of ['0', '1']) {
      const { child, screen, stop } = await startService([], { INNSIGLI_SCREENING_THREADS });
      const all = await Promise.all(asked.map((name) => screen(name)));
      answers.push(all.map(({ match }) => match));
      ids.push(all.map(({ id }) => id[0].id));
      threads.push(readdirSync(`/proc/${child.pid}/task`).length);
      expect(await stop()).toBe(0);
    }
    const [least = 0, more] = threads;
    expect(more).toBeGreaterThan(least);
    expect(answers[1]).toEqual(answers[0]);
    expect(answers[0]?.map((match) => match.length)).toEqual([2, 1, 1, 0, 2]);
    const [without, within] = await Promise.all(ids.map(recorded));
    expect(within).toEqual(without);
    expect(within).not.toContain('not recorded');
  }, 120_000);

  test('starts its thread before the first screening', async () => {
    const threadsWith = async (INNSIGLI_SCREENING_THREADS: string, atLeast: number) => {
      const { child, stop } = await startService([], { INNSIGLI_SCREENING_THREADS });
      const count = () => readdirSync(`/proc/${child.pid}/task`).length;
      await vi.waitFor(() => expect(count()).toBeGreaterThanOrEqual(atLeast), { timeout: 20_000 });
      const found = count();
      expect(await stop()).toBe(0);
      return found;
    };
    const without = await threadsWith('0', 1);
    expect(await threadsWith('1', without + 1)).toBeGreaterThan(without);
    expect(await company.screening.verify()).toMatchObject({ intact: true });
  }, 120_000);

  test('by three processes with threads yields one audit chain without gaps and duplicates', async () => {
    const before = await company.screening.verify();
    expect(before.intact).toBe(true);
    const count = 120;
    const settings = { INNSIGLI_SCREENING_THREADS: '1' };
    const { child, screen, stop } = await startService(['--workers', '3'], settings);
    const names = Array.from({ length: count }, (_, at) => asked[at % asked.length] as string);
    const all = await Promise.all(names.map((name) => screen(name)));
    expect(parts(child).length).toBeGreaterThanOrEqual(3);
    expect(await stop()).toBe(0);
    const ids = new Set(all.map(({ id }) => id[0].id));
    expect(ids.size).toBe(count);
    const list = await company.screening.list({ afterSeq: 0, take: 1000 });
    expect(list.map(({ seq }) => seq)).toEqual(list.map((_, at) => at + 1));
    expect(list.filter(({ id }) => ids.has(id))).toHaveLength(count);
    expect(await company.screening.verify()).toMatchObject({ intact: true });
  }, 120_000);

  test('records every answered screening if the service is killed', async () => {
    const { child, screen } = await startService([], { INNSIGLI_SCREENING_THREADS: '1' });
    const answered: string[] = [];
    const client = async (number: number) => {
      for (let at = number; ; at++) {
        const { id } = await screen(asked[at % asked.length] as string);
        answered.push(id[0].id);
        if (answered.length === 60) child.kill('SIGKILL');
      }
    };
    const ends = await Promise.allSettled(Array.from({ length: 8 }, (_, number) => client(number)));
    // Only connections that were reset, and no rejected response.
    expect(ends.every((end) => end.status === 'rejected' && end.reason instanceof TypeError)).toBe(
      true,
    );
    expect(answered.length).toBeGreaterThanOrEqual(60);
    expect(await recorded(answered)).not.toContain('not recorded');
    expect(await company.screening.verify()).toMatchObject({ intact: true });
  }, 120_000);
});

/** Child processes of a process. */
function parts({ pid }: ChildProcess): readonly string[] {
  return readdirSync('/proc').filter((name) => {
    const path = `/proc/${name}/stat`;
    if (!/^\d+$/.test(name) || !existsSync(path)) return false;
    return readFileSync(path, 'utf8').split(') ')[1]?.split(' ')[1] === String(pid);
  });
}
