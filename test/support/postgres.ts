import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { accessSync, chownSync, constants, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import pg from 'pg';

/** A PostgreSQL server for tests. */
export interface TestServer {
  /** Connection string of its first database. */
  readonly dsn: string;
  /** Creates an empty schema and returns a connection string for it. */
  newDatabase(): Promise<string>;
  /** Controls of a server that was started here. Undefined for a given one. */
  readonly control?: ServerControl;
  stop(): Promise<void>;
}

/** Faults of a server. */
export interface ServerControl {
  /** Folder of its socket. */
  readonly folder: string;
  /** Stops it: `fast` ends sessions in order, `immediate` as a crash does. */
  down(how: 'fast' | 'immediate'): Promise<void>;
  /** Starts it again; resolves when it responds. */
  up(): Promise<void>;
  /** Suspends all its processes, so that connections stay open without a response. */
  freeze(): void;
  thaw(): void;
}

/** Connection string of an existing server; schemas are created in it and left. */
const givenDsn = process.env['INNSIGLI_TEST_PG_DSN'];

const tools = { initdb: findProgram('initdb'), postgres: findProgram('postgres') };

/** The reason why no server is available. Undefined if one is. */
export const postgresMissing: string | undefined =
  givenDsn !== undefined || (tools.initdb !== undefined && tools.postgres !== undefined)
    ? undefined
    : 'no initdb and postgres on the path, and INNSIGLI_TEST_PG_DSN is not set';

/** Starts a server in a temporary folder, reachable only through a socket in that folder. */
export async function startPostgres(
  options: { readonly durable?: boolean; readonly maxConnections?: number } = {},
): Promise<TestServer> {
  if (givenDsn !== undefined) return testServer(givenDsn);
  const folder = mkdtempSync(join(tmpdir(), 'innsigli-pg-'));
  const account = unprivileged();
  if (account.uid !== undefined) chownSync(folder, account.uid, account.gid as number);
  const data = join(folder, 'data');
  const stdio = 'ignore';
  const initdb = ['-D', data, '-U', 'innsigli', '-A', 'trust', '-E', 'UTF8', '--locale=C', '-N'];
  execFileSync(tools.initdb as string, initdb, { ...account, stdio, cwd: folder });
  const most = `max_connections=${options.maxConnections ?? 60}`;
  const settings = ['-c', 'listen_addresses=', '-k', folder, '-c', most];
  if (options.durable !== true) settings.push('-c', 'fsync=off');
  const begin = () =>
    spawn(tools.postgres as string, ['-D', data, ...settings], { ...account, stdio, cwd: folder });
  let server = begin();
  const killed = () => signalAll(server, 'SIGKILL');
  process.on('exit', killed);
  const dsn = `postgres://innsigli@localhost/postgres?host=${encodeURIComponent(folder)}`;
  await answers(dsn);
  return {
    dsn,
    newDatabase: databases(dsn),
    control: {
      folder,
      down: (how) => ended(server, how === 'fast' ? 'SIGINT' : 'SIGQUIT'),
      async up() {
        server = begin();
        await answers(dsn);
      },
      freeze: () => signalAll(server, 'SIGSTOP'),
      thaw: () => signalAll(server, 'SIGCONT'),
    },
    async stop() {
      process.off('exit', killed);
      // Immediately: nothing of it is needed any more.
      if (server.exitCode === null) await ended(server, 'SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A server that is started and stopped elsewhere. */
export function testServer(dsn: string): TestServer {
  return { dsn, newDatabase: databases(dsn), stop: async () => {} };
}

/** Sends a signal to a server and its child processes, each of which has a separate session. */
function signalAll({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  const kill = (each: number) => {
    try {
      process.kill(each, signal);
    } catch {
      // It has already ended.
    }
  };
  kill(pid);
  const children = childrenOf(pid);
  for (const child of children) kill(child);
}

function childrenOf(pid: number): readonly number[] {
  try {
    const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    return text === '' ? [] : text.split(' ').map(Number);
  } catch {
    return [];
  }
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

// Creating a schema takes milliseconds, a database a tenth of a second.
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

function ended(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    server.once('exit', () => resolve());
    server.kill(signal);
  });
}
