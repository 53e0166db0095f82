import { readFileSync } from 'node:fs';
import { type ApiApp, buildApi, type ServerOptions } from '../api/index.ts';
import { CoreError, isCoreError } from '../base/errors.ts';
import { apiPorts } from './api-ports.ts';
import type { Service } from './service.types.ts';
import type { Toolkit, ToolkitIo } from './toolkit.types.ts';

/** Where and how the service is served. */
export interface ServeOptions extends Omit<ServerOptions, 'tls'> {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Do jobs too: seal, send, remind, expire. */
  readonly worker: boolean;
  /** Refuse to start when a check of the keys and authorities fails. */
  readonly strict: boolean;
  /** PEM files: then the server speaks TLS. */
  readonly tls?: { readonly keyFile: string; readonly certificateFile: string };
  readonly version: string;
  /** A job that failed, for the user. */
  jobFailed?(kind: string, ref: string, code: string): void;
}

/** A running service. */
export interface RunningService {
  /** Base address, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Takes no new requests, lets running ones and jobs end, and closes the database. */
  close(): Promise<void>;
}

/** Time that requests and jobs get to end. */
const CLOSE_MS = 30_000;
const WORK_EVERY_MS = 1000;

/**
 * Serves the interface, and does jobs besides unless another program does.
 *
 * @throws config.invalid when the address is taken, a file is missing or, with `strict`, a check
 *   fails
 */
export async function serveApi(
  toolkit: Toolkit,
  io: Pick<ToolkitIo, 'now' | 'random'>,
  options: ServeOptions,
): Promise<RunningService> {
  if (options.strict) await requireChecks(toolkit);
  const tls = readTls(options.tls);
  const service = await toolkit.service();
  const { host, port, version, tls: _files, ...rest } = options;
  let app: ApiApp | undefined;
  try {
    const ports = apiPorts(toolkit, service, io, version);
    app = await buildApi(ports, { ...rest, ...(tls === undefined ? {} : { tls }) });
    const address = await app.listen({ host, port });
    const worker = options.worker ? startWorker(service, options) : undefined;
    const running = app;
    return {
      url: address,
      close: async () => {
        const idle = worker?.stop();
        await closeApp(running);
        await idle;
        await service.close();
      },
    };
  } catch (cause) {
    await app?.close();
    await service.close();
    if (isCoreError(cause)) throw cause;
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new CoreError('config.invalid', `cannot listen on ${host}:${port}: ${code}`, {
      cause,
      hint: 'take another port with --port, or another address with --host',
    });
  }
}

async function closeApp(app: ApiApp): Promise<void> {
  const force = setTimeout(() => app.server.closeAllConnections(), CLOSE_MS);
  try {
    await app.close();
  } finally {
    clearTimeout(force);
  }
}

/** Does what is due, again and again; `stop` resolves when the job at hand is done. */
function startWorker(
  service: Pick<Service, 'work'>,
  { jobFailed }: Pick<ServeOptions, 'jobFailed'>,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    while (!signal.aborted) {
      try {
        const { failed } = await service.work();
        for (const { kind, ref, code } of failed) jobFailed?.(kind, ref, code);
      } catch (error) {
        // A busy or lost database comes back; what was due stays due.
        jobFailed?.('worker', '', isCoreError(error) ? error.code : 'internal.unexpected');
      }
      await pause(WORK_EVERY_MS, signal);
    }
  };
  const ended = run();
  return {
    stop: () => {
      stopping.abort();
      return ended;
    },
  };
}

function pause(timeMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, timeMs);
    signal.addEventListener('abort', end);
  });
}

async function requireChecks(toolkit: Toolkit): Promise<void> {
  const failed = (await toolkit.diagnose()).filter(({ status }) => status === 'failed');
  if (failed.length === 0) return;
  const said = failed.map(({ name, message }) => `${name}: ${message}`).join('; ');
  throw new CoreError('config.invalid', `production cannot begin: ${said}`, {
    hint: 'innsigli doctor tells more',
  });
}

function readTls(files: ServeOptions['tls']): ServerOptions['tls'] {
  if (files === undefined) return undefined;
  try {
    return {
      key: readFileSync(files.keyFile, 'utf8'),
      cert: readFileSync(files.certificateFile, 'utf8'),
    };
  } catch (cause) {
    const { code = 'unknown' } = cause as NodeJS.ErrnoException;
    throw new CoreError('config.invalid', `the key or certificate of TLS cannot be read: ${code}`, {
      cause,
    });
  }
}
