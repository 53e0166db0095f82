import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { newTemporaryFolder } from '../support/folders.ts';
import { foreignSqlite } from '../support/foreign-sqlite.ts';

const program = resolve('bin/innsigli.cjs');
const foreign = foreignSqlite();
const missing =
  (existsSync('dist/cli/service.cjs') ? '' : 'dist/ is missing, run npm run build. ') +
  (existsSync('/proc/locks') ? '' : 'this system has no /proc/locks. ') +
  (foreign === undefined ? 'neither sqlite3 nor python3 is here.' : '');
if (missing !== '') console.warn(`SKIPPED test/cli/serve-database.test.ts: ${missing}`);

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

describe.skipIf(missing !== '')('the database of a running innsigli serve', () => {
  let folder: string;
  let child: ChildProcess;
  let base: string;
  let headers: Record<string, string>;
  const elsewhere = (sql: string) => foreign?.(join(folder, 'd', 'innsigli.db'), sql) ?? '';
  const env = () => ({
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    INNSIGLI_HOME: join(folder, 'd'),
  });
  const run = (...words: string[]) => {
    const ran = spawnSync(process.execPath, [program, ...words, '--json'], { env: env() });
    return JSON.parse(String(ran.stdout));
  };
  const post = async (path: string, body: object) => {
    const answer = await fetch(`${base}/api${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    });
    return { status: answer.status, body: await answer.json() };
  };
  const create = async (flowKey: string) => {
    const { status, body } = await post('/management/signing', {
      flowKey,
      pdfDocument: readFileSync('fixtures/pdf/agreement.pdf').toString('base64'),
      pdfFileName: 'a.pdf',
      createSignees: [{ name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' }],
    });
    expect(status).toBe(200);
    return body as { key: string; signees: readonly { key: string }[] };
  };
  /** Locks on the database file by process. */
  const holders = () => {
    const { ino } = statSync(join(folder, 'd', 'innsigli.db'));
    const lines = readFileSync('/proc/locks', 'utf8').split('\n');
    return lines.flatMap((line) => {
      const [, pid, inode] = / (\d+) [0-9a-f]+:[0-9a-f]+:(\d+) /.exec(line) ?? [];
      return Number(inode) === ino ? [Number(pid)] : [];
    });
  };

  beforeEach(() => {
    folder = newTemporaryFolder('locks');
  });
  afterEach(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    rmSync(folder, { recursive: true, force: true });
  });

  test('keeps its lock and every acknowledged change while other programs open the file', async () => {
    const { company } = run('init');
    const pair = Buffer.from(`${company.key}:${company.apiKey}`).toString('base64');
    headers = { authorization: `Basic ${pair}`, 'content-type': 'application/json' };
    const port = await freePort();
    base = `http://127.0.0.1:${port}`;
    const words = ['serve', '--port', `${port}`];
    child = spawn(process.execPath, [program, ...words], { env: env(), stdio: 'pipe' });
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    const flows = await fetch(`${base}/api/management/flow`, { headers });
    const [{ flowKey } = { flowKey: '' }] = (await flows.json()) as { flowKey: string }[];

    const first = await create(flowKey);
    const [signee] = first.signees;
    expect((await post(`/signing/sign/${first.key}/signee/${signee?.key}/click`, {})).status).toBe(
      200,
    );
    // A separate thread with its own connection creates the final document.
    const byUntil = Date.now() + 20_000;
    while (run('process', 'list').processes[0].status !== 'Completed' && Date.now() < byUntil) {
      await sleep(200);
    }
    const health = await fetch(`${base}/readyz`);
    expect(health.status).toBe(200);
    expect(holders()).toContain(child.pid);

    expect(elsewhere('SELECT count(*) FROM process')).toBe('1');
    await create(flowKey);
    elsewhere(`VACUUM INTO '${join(folder, 'copy.db')}'`);
    await create(flowKey);
    elsewhere('UPDATE company SET data = data');
    await create(flowKey);
    expect(existsSync(join(folder, 'd', 'innsigli.db-wal'))).toBe(true);
    expect(holders()).toContain(child.pid);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(run('process', 'list').processes).toHaveLength(4);
    expect(elsewhere('PRAGMA integrity_check')).toBe('ok');
  }, 60_000);
});
