import type { Cluster } from 'node:cluster';
import type { ServerOptions } from '../../api/index.ts';
import { isOutage } from '../../app/patient-store.ts';
import { InnsigliError } from '../../base/errors.ts';
import { listenError } from '../../base/os-errors.ts';
import type { WatchedClock } from '../../base/time/watched-clock.ts';
import { formatLine } from '../service/clock-watch.ts';

/** Role of a process of the service: serve requests, or run jobs. */
export type ProcessRole = 'api' | 'worker';

/** A child process as seen by the primary, structurally compatible with node:child_process. */
export interface RoleProcess {
  readonly pid?: number | undefined;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'exit', listener: (code: number | null, signal: string | null) => void): unknown;
  kill(signal: 'SIGTERM' | 'SIGKILL'): unknown;
  /** Absent without an IPC channel. `done` receives the error, if any. */
  send?(message: object, done: (error: Error | null) => void): unknown;
}

/** Description of a process. */
export interface RoleFacts {
  readonly role: ProcessRole;
  readonly pid: number;
  /** Cause of termination: exit code or signal. */
  readonly end?: string;
}

/** Dependencies of the processes of a service. */
export interface RolesOptions {
  /** One process each. The first process opens what all of them need. */
  readonly roles: readonly ProcessRole[];
  fork(role: ProcessRole): RoleProcess;
  /** Called when a process is ready, or has ended unexpectedly. */
  told(event: 'began' | 'ended', facts: RoleFacts): void;
  /** Monotonic time in milliseconds. */
  now(): number;
  /**
   * Number of processes that may end within a minute before the service gives up. Processes that
   * fail because of the database are not counted: they are restarted with increasing delay until it
   * is back.
   */
  readonly endsMax: number;
  /** Time limit for a process to shut down. */
  readonly closeMs: number;
}

/** Running processes. */
export interface RunningRoles {
  /** Base URL. Empty if no process serves requests. */
  readonly url: string;
  /** Resolves when the processes cannot be kept running and have been stopped. */
  readonly lost: Promise<InnsigliError>;
  /** Stops all processes after their current work. */
  close(): Promise<void>;
}

const WINDOW_MS = 60_000;
/** Delay before the next process is started during an outage: 1 s, 2 s, … 15 s. */
const OUTAGE_FIRST_MS = 1000;
const OUTAGE_LAST_MS = 15_000;

/** V8 semi-space in MiB. 16, the default, adds up (ADR 0024: two workers, 607 to 510 MiB). */
const SEMI_SPACE_MIB = 4;
/** glibc arenas. The default, eight per core, returns little memory (ADR 0024: 617 to 559 MiB). */
const MALLOC_ARENAS = '2';

interface Part {
  readonly process: RoleProcess;
  readonly ready: Promise<string>;
  readonly ended: Promise<void>;
}

/** A process ended before it was ready. It reports the reason; the parent exits with its code. */
export class RoleNotReady extends Error {
  override readonly name = 'RoleNotReady';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`a process of the service exited with ${exitCode} before it was ready`);
    this.exitCode = exitCode;
  }
}

/**
 * Starts a process for each role, and replaces each one that dies.
 *
 * @throws RoleNotReady if one ends before it was ready
 */
export async function startRoles(options: RolesOptions): Promise<RunningRoles> {
  const { roles, fork, now, told, endsMax, closeMs } = options;
  const parts = new Set<Part>();
  const ends: number[] = [];
  const waiting = new Set<NodeJS.Timeout>();
  let outageMs = OUTAGE_FIRST_MS;
  let isClosing = false;
  let lose: (error: InnsigliError) => void = () => undefined;
  const lost = new Promise<InnsigliError>((resolve) => {
    lose = resolve;
  });
  const close = async () => {
    isClosing = true;
    for (const timer of waiting) clearTimeout(timer);
    await Promise.all([...parts].map((part) => endPart(part, closeMs)));
  };
  const tellOthers = (failed: unknown, teller: RoleProcess) => {
    for (const { process } of parts) if (process !== teller) post(process, { failed });
  };
  const beginLater = (role: ProcessRole) => {
    const timer = setTimeout(() => {
      waiting.delete(timer);
      begin(role, false);
    }, outageMs);
    waiting.add(timer);
    outageMs = Math.min(2 * outageMs, OUTAGE_LAST_MS);
  };
  const begin = (role: ProcessRole, isFirst: boolean): Part => {
    const part = follow(fork(role), tellOthers, ({ end, why, wasReady }) => {
      const facts = { role, pid: part.process.pid ?? 0, end };
      parts.delete(part);
      if (isClosing || (isFirst && !wasReady)) return;
      told('ended', facts);
      if (isOutage(why)) return beginLater(role);
      ends.push(now());
      while (now() - (ends[0] ?? 0) > WINDOW_MS) ends.shift();
      if (ends.length <= endsMax) return void begin(role, false);
      const message = `${ends.length} processes of the service exited within a minute`;
      void close().then(() => lose(new InnsigliError('service.process.lost', message)));
    });
    parts.add(part);
    part.ready.then(
      () => {
        outageMs = OUTAGE_FIRST_MS;
        told('began', { role, pid: part.process.pid ?? 0 });
      },
      () => undefined,
    );
    return part;
  };
  try {
    const [first, ...others] = roles;
    const urls = first === undefined ? [] : [await begin(first, true).ready];
    const all = others.map((role) => begin(role, true).ready);
    urls.push(...(await Promise.all(all)));
    return { url: urls.find((url) => url !== '') ?? '', lost, close };
  } catch (error) {
    await close();
    throw error;
  }
}

interface PartEnd {
  readonly end: string;
  /** Code of the error that ended it, if it reported one. */
  readonly why: string;
  readonly wasReady: boolean;
}

function follow(
  process: RoleProcess,
  tellOthers: (failed: unknown, teller: RoleProcess) => void,
  ended: (how: PartEnd) => void,
): Part {
  let wasReady = false;
  let why = '';
  let isOver: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    isOver = resolve;
  });
  const ready = new Promise<string>((resolve, reject) => {
    process.on('message', (message) => {
      const told = (message ?? {}) as {
        readonly url?: unknown;
        readonly why?: unknown;
        readonly failed?: unknown;
      };
      const { url, failed } = told;
      if (failed !== undefined) tellOthers(failed, process);
      if (typeof told.why === 'string') why = told.why;
      if (typeof url !== 'string') return;
      wasReady = true;
      resolve(url);
    });
    process.on('exit', (code, signal) => {
      reject(new RoleNotReady(code ?? 1));
      ended({ end: signal ?? `exit code ${code}`, why, wasReady });
      isOver();
    });
  });
  ready.catch(() => undefined);
  return { process, ready, ended: over };
}

async function endPart({ process, ended }: Part, closeMs: number): Promise<void> {
  process.kill('SIGTERM');
  const timer = setTimeout(() => process.kill('SIGKILL'), closeMs);
  await ended;
  clearTimeout(timer);
}

/** Returns a function that forks this program with its command line. Children share the socket. */
export async function roleForker(
  host: string,
  port: number,
  clock?: WatchedClock,
): Promise<(role: ProcessRole) => RoleProcess> {
  // A process that is started later must use the same port.
  const shared = port === 0 ? await freePort(host) : port;
  // The type declarations describe it as an ES module.
  const cluster = process.getBuiltinModule('node:cluster') as unknown as Cluster;
  return (role) => {
    cluster.setupPrimary({
      execArgv: [...process.execArgv, `--max-semi-space-size=${SEMI_SPACE_MIB}`],
      args: [
        ...[...process.argv.slice(2), '--part', role, '--port', `${shared}`],
        ...(clock === undefined ? [] : ['--clock', formatLine(clock.line())]),
      ],
      // The first process reports the address.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    return cluster.fork({ MALLOC_ARENA_MAX: process.env['MALLOC_ARENA_MAX'] ?? MALLOC_ARENAS })
      .process;
  };
}

async function freePort(host: string): Promise<number> {
  const { createServer } = await import('node:net');
  const server = createServer();
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(listenError(host, 0, cause)));
    server.listen(0, host, () => {
      const address = server.address();
      const port = typeof address === 'object' ? address?.port : undefined;
      server.close(() => resolve(port ?? 0));
    });
  });
}

/** The channel over which a process of the service shares failures with the rest. */
export function failureLine(): Pick<ServerOptions, 'failures'> {
  const failures: ServerOptions['failures'] = {
    tell: (failed) => post(process, { failed }),
    hear: (count) => {
      process.on('message', (message) => {
        const { failed } = (message ?? {}) as { readonly failed?: unknown };
        if (Array.isArray(failed)) count(failed.map(String));
      });
    },
  };
  return { failures };
}

// A process that ends meanwhile no longer needs the message.
function post(to: Pick<RoleProcess, 'send'>, message: object): void {
  to.send?.(message, () => undefined);
}

/** Reports to the parent process that this one is ready. */
export function reportReady(url: string): void {
  process.send?.({ url });
}

/** Reports to the parent process why this one ends. */
export async function reportFailure(code: string): Promise<void> {
  // Resolves only when the message has been sent.
  await new Promise<void>((resolve) => {
    if (process.send === undefined) return resolve();
    process.send({ why: code }, undefined, undefined, () => resolve());
  });
}
