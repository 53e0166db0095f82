import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { type ServerControl, startPostgres } from '../../test/support/postgres.ts';
import { startSmtpServer, type TestSmtpServer } from '../../test/support/smtp-server.ts';

/** A program of the service with its own clock. */
export interface Host {
  /** Sets its clock, as the operator of a machine would. */
  setClock(aheadMs: number): void;
  /**
   * Sends a signal: `SIGKILL` ends it without notice, `SIGSTOP` and `SIGCONT` suspend and resume
   * it.
   */
  signal(name: 'SIGKILL' | 'SIGSTOP' | 'SIGCONT'): void;
  /** Restarts it. */
  again(): void;
}

/** A service of several processes on its own PostgreSQL server, and everything it sends. */
export interface Site {
  readonly url: string;
  readonly authorization: string;
  readonly flowKey: string;
  readonly control: ServerControl;
  readonly smtp: TestSmtpServer;
  /** In the order of the roles. */
  readonly hosts: readonly Host[];
  /** Number of receptions of each event, by `webhook-id`. */
  readonly events: ReadonlyMap<string, number>;
  /** Processes of the service that ended without being stopped. */
  readonly deaths: readonly string[];
  /** Queries the database directly. */
  query(text: string): Promise<readonly Record<string, unknown>[]>;
  close(): Promise<void>;
}

const program = resolve('bin/innsigli.cjs');

/** Loaded before the program, in every thread: offsets the clock by the value of a file. */
const shim = (file: string) => `import { readFileSync } from 'node:fs';
const sound = Date.now;
Date.now = () => sound() + Number(readFileSync(${JSON.stringify(file)}, 'utf8'));
`;

/** Composition of the service, and latency of its recipients. */
export interface SiteTerms {
  readonly roles?: readonly ('api' | 'worker')[];
  /** Maximum duration of sending a mail or webhook, in milliseconds; durations vary. */
  readonly slowMs?: number;
}

/** Opens a {@link Site}: `serve --api` and `serve --worker` as separate programs. */
export async function openSite(
  maxConnections: number,
  more: Readonly<Record<string, string>> = {},
  { roles = ['api', 'worker'], slowMs = 0 }: SiteTerms = {},
): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'innsigli-outages-'));
  const server = await startPostgres({ durable: true, maxConnections });
  if (server.control === undefined) throw new Error('expected a server that can be stopped');
  // Connections are reserved for administrators: this program uses them for its queries.
  const repair = await server.newDatabase();
  const dsn = await ownedByService(repair);
  const smtp = await startSmtpServer({
    onMailFrom: (_address, _session, done) => void setTimeout(done, Math.random() * slowMs),
  });
  const events = new Map<string, number>();
  const receiver = createServer((request, response) => {
    const id = String(request.headers['webhook-id']);
    events.set(id, (events.get(id) ?? 0) + 1);
    const answer = () => setTimeout(() => response.end('{}'), Math.random() * slowMs);
    request.resume().on('end', answer);
  });
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  const hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    INNSIGLI_HOME: join(folder, 'data'),
    INNSIGLI_DATABASE: dsn,
    INNSIGLI_LEVEL: 'B-B',
    INNSIGLI_MAIL_SERVER: `smtp://127.0.0.1:${smtp.port}?tls=none`,
    ...more,
  };
  const cli = (...words: readonly string[]) =>
    execFileSync(process.execPath, [program, ...words], { env, cwd: folder, encoding: 'utf8' });
  const json = (text: string) => JSON.parse(text.trim().split('\n').at(-1) ?? '{}');
  const { company } = json(cli('init', '--json'));
  cli('webhook', 'create', hook, '--type', 'AllSigned');
  const [flow] = json(cli('flow', 'list', '--json')).flows;

  const deaths: string[] = [];
  let isClosing = false;
  const children: ChildProcess[] = [];
  const begin = (role: 'api' | 'worker', number: number) => {
    const words = ['serve', `--${role}`, '--port', '0', '--rate-company', '0', '--log', 'error'];
    const preload = pathToFileURL(join(folder, `shim${number}.mjs`)).href;
    const whole = ['--import', preload, program, ...words];
    const child = spawn(process.execPath, whole, { env, cwd: folder });
    children[number] = child;
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said = (said + String(chunk)).slice(-500);
    });
    child.on('exit', (code, signal) => {
      if (!isClosing && signal !== 'SIGKILL') deaths.push(`${role}: ${code ?? signal} ${said}`);
    });
    return child;
  };
  const hosts = roles.map((role, number): Host => {
    const setClock = (aheadMs: number) =>
      writeFileSync(join(folder, `ahead${number}`), `${aheadMs}`);
    setClock(0);
    writeFileSync(join(folder, `shim${number}.mjs`), shim(join(folder, `ahead${number}`)));
    return {
      setClock,
      signal: (name) => void children[number]?.kill(name),
      again: () => void begin(role, number),
    };
  });
  const url = await firstLine(begin('api', 0));
  for (const [number, role] of roles.entries()) if (number > 0) begin(role, number);
  const user = Buffer.from(`${company.key}:${company.apiKey}`).toString('base64');
  return {
    url,
    authorization: `Basic ${user}`,
    flowKey: flow.flowKey,
    control: server.control,
    smtp,
    hosts,
    events,
    deaths,
    query: (text) => ask(repair, text),
    async close() {
      isClosing = true;
      await Promise.all(children.map(ended));
      receiver.closeAllConnections();
      await smtp.close();
      await server.stop();
      await new Promise((done) => receiver.close(done));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The document to sign. */
export const agreement = readFileSync('fixtures/pdf/agreement.pdf').toString('base64');

async function ownedByService(dsn: string): Promise<string> {
  const schema = /search_path%3D(\w+)/.exec(dsn)?.[1] ?? 'public';
  await ask(dsn, 'CREATE ROLE service LOGIN');
  await ask(dsn, `ALTER SCHEMA ${schema} OWNER TO service`);
  return dsn.replace('//innsigli@', '//service@');
}

async function ask(dsn: string, text: string) {
  for (let attempt = 1; ; attempt++) {
    const client = new pg.Client({ connectionString: dsn });
    try {
      await client.connect();
      return (await client.query(text)).rows as readonly Record<string, unknown>[];
    } catch (error) {
      if (attempt === 50) throw error;
      await new Promise((done) => setTimeout(done, 200));
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** Ends a program, and resolves once it has exited. */
export function ended(child: ChildProcess): Promise<unknown> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
  const end = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  return end;
}

/** Resolves with the first line that a program prints to stdout. */
export function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((done, failed) => {
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      said += String(chunk);
      if (said.includes('\n')) done(said.trim());
    });
    child.on('exit', () => failed(new Error('the service ended before it had started')));
  });
}
