import type { Cluster } from 'node:cluster';
import type { ServerOptions } from '../../api/index.ts';
import { isOutage } from '../../app/patient-store.ts';
import { InnsigliError } from '../../base/errors.ts';
import { listenError } from '../../base/os-errors.ts';
import type { WatchedClock } from '../../base/time/watched-clock.ts';
import { formatLine } from '../service/clock-watch.ts';

/** Role of a process of the service: answer requests, or do jobs. */
export type ProcessRole = 'api' | 'worker';

/** A process of the service as the first one sees it: node:child_process has it like this. */
export interface PartProcess {
  readonly pid?: number | undefined;
  on(event: 'message', listener: (message: unknown) => void): unknown;
  on(event: 'exit', listener: (code: number | null, signal: string | null) => void): unknown;
  kill(signal: 'SIGTERM' | 'SIGKILL'): unknown;
  /** Absent where there is no line to it; `done` gets what went wrong. */
  send?(message: object, done: (error: Error | null) => void): unknown;
}

/** A process in words. */
export interface PartFacts {
  readonly role: ProcessRole;
  readonly pid: number;
  /** Cause of its end: exit code or signal. */
  readonly end?: string;
}

/** Dependencies of the processes of a service. */
export interface PartsOptions {
  /** One process each; the first one opens what all need. */
  readonly roles: readonly ProcessRole[];
  fork(role: ProcessRole): PartProcess;
  /** A process is ready, or has ended although nobody asked for it. */
  told(event: 'began' | 'ended', facts: PartFacts): void;
  /** Milliseconds of a clock that only goes on. */
  now(): number;
  /**
   * Processes that may end within a minute before the service gives up. Those that fail because of
   * the database are not counted: they are started again, later and later, until it is back.
   */
  readonly endsMax: number;
  /** Time that a process gets to end. */
  readonly closeMs: number;
}

/** Processes that run. */
export interface RunningParts {
  /** Base address; empty when none of them answers requests. */
  readonly url: string;
  /** Resolves when the processes cannot be kept running; they are ended then. */
  readonly lost: Promise<InnsigliError>;
  /** Lets all of them end what they do. */
  close(): Promise<void>;
}

const WINDOW_MS = 60_000;
/** Wait before the next process is started in an outage: 1 s, 2 s, … 15 s. */
const OUTAGE_FIRST_MS = 1000;
const OUTAGE_LAST_MS = 15_000;

/**
 * Semi-space of V8 in MiB; the default is 16, and processes add up (ADR 0024: two workers, 607 to
 * 510 MiB).
 */
const SEMI_SPACE_MIB = 4;
/** Arenas of glibc, which uses eight per core and gives little back (ADR 0024: 617 to 559 MiB). */
const MALLOC_ARENAS = '2';

interface Part {
  readonly process: PartProcess;
  readonly ready: Promise<string>;
  readonly ended: Promise<void>;
}

/** A process ended before it was ready: the first one tells why, and its code is ours. */
export class PartNotReady extends Error {
  override readonly name = 'PartNotReady';
  readonly exitCode: number;

  constructor(exitCode: number) {
    super(`a process of the service exited with ${exitCode} before it was ready`);
    this.exitCode = exitCode;
  }
}

/**
 * Starts a process for each role, and another one for each that dies.
 *
 * @throws PartNotReady when one ends before it was ready
 */
export async function startParts(options: PartsOptions): Promise<RunningParts> {
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
  const tellOthers = (failed: unknown, teller: PartProcess) => {
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
  /** Code of the error that ended it, when it told one. */
  readonly why: string;
  readonly wasReady: boolean;
}

function follow(
  process: PartProcess,
  tellOthers: (failed: unknown, teller: PartProcess) => void,
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
      reject(new PartNotReady(code ?? 1));
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

/** Starts processes with the command line of this one, that share what they listen on. */
export async function partForker(
  host: string,
  port: number,
  clock?: WatchedClock,
): Promise<(role: ProcessRole) => PartProcess> {
  // One that is started later shall find the same port.
  const shared = port === 0 ? await freePort(host) : port;
  // The types know it as an ES module.
  const cluster = process.getBuiltinModule('node:cluster') as unknown as Cluster;
  return (role) => {
    cluster.setupPrimary({
      execArgv: [...process.execArgv, `--max-semi-space-size=${SEMI_SPACE_MIB}`],
      args: [
        ...[...process.argv.slice(2), '--part', role, '--port', `${shared}`],
        ...(clock === undefined ? [] : ['--clock', formatLine(clock.line())]),
      ],
      // The first process tells the address.
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

/** The line of a process of the service to the others. */
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

// One that ends meanwhile hears of nothing any more.
function post(to: Pick<PartProcess, 'send'>, message: object): void {
  to.send?.(message, () => undefined);
}

/** Tells the process that started this one that it is ready. */
export function tellReady(url: string): void {
  process.send?.({ url });
}

/** Tells the process that started this one why it ends. */
export async function tellWhy(code: string): Promise<void> {
  // It is over only when the word is out.
  await new Promise<void>((resolve) => {
    if (process.send === undefined) return resolve();
    process.send({ why: code }, undefined, undefined, () => resolve());
  });
}
