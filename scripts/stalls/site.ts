import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startPostgres, type TestServer } from '../../test/support/postgres.ts';
import { ended, firstLine } from '../postgres-outages/site.ts';

/** Options of serving. */
export interface SiteOptions {
  /** `bare`: a bare Node server instead, for comparison; it has no companies. */
  readonly engine: 'sqlite' | 'postgres' | 'bare';
  /** Number of processes that handle requests. */
  readonly workers: number;
}

/** A company, with the data its clients need. */
export interface Tenant {
  readonly company: string;
  /** Value of the `Authorization` header. */
  readonly authorization: string;
  /** A DropAndSign flow. */
  readonly flowKey: string;
}

/** A running service with two companies: the attacker and its neighbour. */
export interface Site {
  readonly url: string;
  /** Process ID of the started program; its children belong to the service too. */
  readonly pid: number;
  readonly attacker: Tenant;
  readonly neighbour: Tenant;
  /** Runs the command line on the same data; returns stdout. */
  cli(...words: readonly string[]): string;
  /** Program and environment for working on the same data. */
  readonly command: { readonly program: string; readonly env: NodeJS.ProcessEnv };
  /** Folder for files of an attack, and working directory of the program. */
  readonly folder: string;
  close(): Promise<void>;
}

/** Opens sites, and a database server if they need one. */
export interface Sites {
  /** @param words further options of `serve` */
  open(words?: readonly string[]): Promise<Site>;
  close(): Promise<void>;
}

const program = resolve('bin/innsigli.cjs');

/** Opens sites one after another; each starts with empty data. */
export async function openSites(options: SiteOptions): Promise<Sites> {
  const server = options.engine === 'postgres' ? await startPostgres({ durable: true }) : undefined;
  return {
    open: (words = []) =>
      options.engine === 'bare' ? openBareSite() : openSite(options, server, words),
    close: async () => server?.stop(),
  };
}

async function openSite(
  { workers }: SiteOptions,
  server: TestServer | undefined,
  words: readonly string[],
): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'innsigli-stalls-'));
  const database = server === undefined ? {} : { INNSIGLI_DATABASE: await server.newDatabase() };
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    INNSIGLI_HOME: join(folder, 'data'),
    INNSIGLI_LEVEL: 'B-B',
    ...database,
    ...turns(),
  };
  const cli = (...asked: readonly string[]) =>
    execFileSync(process.execPath, [program, ...asked], { env, cwd: folder, encoding: 'utf8' });
  const tenant = (name: string): Tenant => {
    const { company, apiKey } = JSON.parse(cli('company', 'create', '--name', name, '--json'));
    const [flow] = JSON.parse(cli('flow', 'list', '--company', company.key, '--json')).flows;
    const user = Buffer.from(`${company.key}:${apiKey}`).toString('base64');
    return { company: company.key, authorization: `Basic ${user}`, flowKey: flow.flowKey };
  };
  const attacker = tenant('Attacker');
  const neighbour = tenant('Neighbour');
  const child = serve(['--workers', String(workers), ...words], env, folder);
  return {
    url: await firstLine(child),
    pid: child.pid ?? 0,
    attacker,
    neighbour,
    cli,
    command: { program, env },
    folder,
    async close() {
      await ended(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openBareSite(): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'innsigli-stalls-'));
  const bare = resolve('scripts/stalls/bare-server.mjs');
  const child = spawn(process.execPath, [bare], { stdio: ['ignore', 'pipe', 'inherit'] });
  const nobody: Tenant = { company: '', authorization: 'Basic Og==', flowKey: '' };
  return {
    url: await firstLine(child),
    pid: child.pid ?? 0,
    attacker: nobody,
    neighbour: nobody,
    cli: () => {
      throw new Error('a bare server has no command line');
    },
    command: { program: bare, env: {} },
    folder,
    async close() {
      await ended(child);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Variables that make the service record the lengths of its event-loop turns. */
function turns(): Readonly<Record<string, string>> {
  const file = process.env['STALLS_TURNS'];
  if (file === undefined) return {};
  const hook = resolve('scripts/stalls/turns.cjs');
  return { STALLS_TURNS: resolve(file), NODE_OPTIONS: `--require ${hook}` };
}

function serve(words: readonly string[], env: NodeJS.ProcessEnv, cwd: string): ChildProcess {
  const all = [program, 'serve', '--port', '0', ...words];
  return spawn(process.execPath, all, { env, cwd, stdio: ['ignore', 'pipe', 'ignore'] });
}
