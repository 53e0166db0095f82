import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { accessSync, chownSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';

/** A PostgreSQL server for tests. */
export interface TestServer {
  /** Makes an empty schema and gives a connection string that leads to it. */
  newDatabase(): Promise<string>;
  stop(): Promise<void>;
}

/** Connection string of a server that is there already; schemas are made in it and left. */
const givenDsn = process.env['INNSIGLI_TEST_PG_DSN'];

const tools = { initdb: findProgram('initdb'), postgres: findProgram('postgres') };

/** Why no server can be had; undefined when one can. */
export const postgresMissing: string | undefined =
  givenDsn !== undefined || (tools.initdb !== undefined && tools.postgres !== undefined)
    ? undefined
    : 'no initdb and postgres on the path, and INNSIGLI_TEST_PG_DSN is not set';

/** Starts a server in a temporary folder, which only a socket in that folder leads to. */
export async function startPostgres(
  options: { readonly durable?: boolean } = {},
): Promise<TestServer> {
  if (givenDsn !== undefined) return { newDatabase: databases(givenDsn), stop: async () => {} };
  const folder = mkdtempSync(join(tmpdir(), 'innsigli-pg-'));
  const account = unprivileged();
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid as number);
  const data = join(folder, 'data');
  const stdio = 'ignore';
  const initdb = ['-D', data, '-U', 'innsigli', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'];
  execFileSync(tools.initdb as string, initdb, { ...account, stdio, cwd: folder });
  const settings = ['-c', 'listen_addresses=', '-k', folder, '-c', 'max_connections=60'];
  if (options.durable !== true) settings.push('-c', 'fsync=off');
  const command = tools.postgres as string;
  const server = spawn(command, ['-D', data, ...settings], { ...account, stdio, cwd: folder });
  const killed = () => server.kill('SIGQUIT');
  process.on('exit', killed);
  const dsn = `postgres://innsigli@localhost/postgres?host=${encodeURIComponent(folder)}`;
  await answers(dsn);
  return {
    newDatabase: databases(dsn),
    async stop() {
      process.off('exit', killed);
      await ended(server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function findProgram(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

// The server refuses to run as root.
function unprivileged(): { readonly uid?: number; readonly gid?: number } {
  if (process.getuid?.() !== 0) return {};
  const idOf = (option: string): number => {
    try {
      return Number(
        execFileSync('id', [option, 'postgres'], { stdio: ['ignore', 'pipe', 'ignore'] }),
      );
    } catch {
      return 65_534;
    }
  };
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function answers(dsn: string): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({ connectionString: dsn });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (attempt === 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

// A schema of its own takes milliseconds, a database a tenth of a second.
function databases(dsn: string): () => Promise<string> {
  const run = `${process.pid}_${Date.now().toString(36)}`;
  let count = 0;
  return async () => {
    const name = `innsigli_${run}_${++count}`;
    const client = new pg.Client({ connectionString: dsn });
    await client.connect();
    await client.query('CREATE EXTENSION IF NOT EXISTS pg_trgm SCHEMA public').catch(() => {});
    await client.query(`CREATE SCHEMA ${name}`);
    await client.end();
    const url = new URL(dsn);
    url.searchParams.set('options', `-c search_path=${name},public`);
    return url.href.replaceAll('+', '%20');
  };
}

function ended(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    server.once('exit', () => resolve());
    // At once: nothing of it is needed any more.
    server.kill('SIGQUIT');
  });
}
