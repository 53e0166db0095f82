import { availableParallelism } from 'node:os';
import { type ApiApp, buildApi, type ServerOptions } from '../../api/index.ts';
import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { listenError } from '../../base/os-errors.ts';
import { readPassword } from '../files/files.ts';
import { readTls, type TlsFiles } from '../files/tls-files.ts';
import { startJobThread } from '../service/job-thread.ts';
import type { Service } from '../service/service.types.ts';
import { type JobFailed, type JobLoop, startJobs, type Worked } from '../service/work.ts';
import { searchLimits, threadStarter } from '../thread-starter.ts';
import { searchThreads } from '../threads/search-threads.ts';
import { openThread, type ThreadHost } from '../threads/threads.ts';
import { workThreads } from '../threads/work-threads.ts';
import type { Toolkit, ToolkitIo } from '../toolkit.types.ts';
import { apiDocuments } from './api-documents.ts';
import { apiPorts } from './api-ports.ts';
import { withinTime } from './readiness.ts';
import { requireFitness } from './require-fitness.ts';

export {
  failureLine,
  ProcessNotReady,
  partForker,
  reportFailure,
  reportReady,
  startProcesses,
} from './parts.ts';
export { type ListeningPlace, withRefusals } from './require-fitness.ts';
export { serveThread } from './thread.ts';

/** Options of the service. */
export interface ServeOptions extends Omit<ServerOptions, 'tls' | 'operatorToken'> {
  readonly host: string;
  /** 0 selects a free port. */
  readonly port: number;
  /** Also run jobs: seal, send, remind, expire. */
  readonly worker: boolean;
  /**
   * For real use. The service does not start with plain HTTP on an address that others can reach
   * without a named proxy, or if a check of the database, mail, keys or authorities fails, as in
   * `innsigli doctor`. Without an operator token, `/metrics` is not accessible.
   */
  readonly strict: boolean;
  /** PEM files. If given, the server uses TLS. */
  readonly tls?: TlsFiles;
  /** File with the token that grants access to `/metrics`. */
  readonly operatorTokenFile?: string;
  readonly version: string;
  /**
   * Run jobs and the work on large documents in threads, which open toolkits of this configuration.
   * If omitted, everything runs on one thread, one after another.
   */
  readonly threads?: Omit<ThreadHost, 'start'>;
  /** Number of processes that share the address and the cores; 1 if omitted. */
  readonly processes?: number;
  /** Called with the reason when a name search thread ended. Others, or this one, do its work. */
  searchThreadLost?(why: string): void;
  /** Called with the reason when a company's lists could not be opened or searched at startup. */
  warmUpFailed?(companyKey: string, why: string): void;
  /** Called with each failed job, for the user. */
  readonly jobFailed?: JobFailed;
}

/** A running service. */
export interface RunningService {
  /** Base URL, such as `http://127.0.0.1:8080`. */
  readonly url: string;
  /** Rejects new requests, lets running requests and jobs finish, and closes the database. */
  close(): Promise<void>;
}

/** Time limit for running requests and jobs to finish. */
const CLOSE_MS = 30_000;
const IDLE_LOOK_MS = 100;

/**
 * Serves the HTTP interface, and also runs jobs unless another program does.
 *
 * @throws config.invalid if the address is in use, a file is missing or, with `strict`, a check
 *   fails
 * @throws key.weak
 */
export async function serveApi(
  toolkit: Toolkit,
  io: Pick<ToolkitIo, 'now' | 'random' | 'clock' | 'readStdinLine'>,
  options: ServeOptions,
): Promise<RunningService> {
  await requireFitness(toolkit, options.strict, {}, options);
  const tls = await readTls(options.tls, io);
  const token = await readToken(options.operatorTokenFile);
  const threads = await openThreads(options);
  const service = await toolkit.service(
    defined({ threads: threads?.work, searchThreads: threads?.searches }),
  );
  const { host, port, version, tls: _files, threads: _threads, ...rest } = options;
  let app: ApiApp | undefined;
  try {
    await service.enter();
    const documents = apiDocuments(toolkit, threads?.work);
    const worked = { ...service.worked };
    const ports = apiPorts(toolkit, { ...service, worked }, io, version, documents);
    app = await buildApi(ports, { ...rest, ...defined({ tls }), ...token });
    const address = await app
      .listen({ host, port, backlog: limits.waiting })
      .catch((cause: unknown) => {
        throw listenError(host, port, cause);
      });
    const count = (report: Worked) => void Object.assign(worked, report);
    const jobs = options.worker ? startWork(service, options, threads, count) : undefined;
    const running = app;
    const warming = startWarmUp(service, options);
    return {
      url: address,
      close: async () => {
        const idle = withinTime(Promise.all([jobs?.stop(), warming.stop()]), CLOSE_MS);
        await closeApp(running);
        await idle;
        await jobs?.end();
        await threads?.work.close();
        await threads?.searches?.close();
        await service.close();
      },
    };
  } catch (error) {
    await app?.close();
    await service.close();
    throw error;
  }
}

/**
 * Runs jobs without serving requests.
 *
 * @throws key.weak
 * @throws config.invalid if a check fails, with `strict`
 */
export async function serveJobs(
  toolkit: Toolkit,
  { strict, jobFailed }: Pick<ServeOptions, 'strict' | 'jobFailed'>,
): Promise<RunningService> {
  await requireFitness(toolkit, strict);
  const service = await toolkit.service();
  await service.enter().catch(async (error: unknown) => {
    await service.close();
    throw error;
  });
  const jobs = startJobs(service, jobFailed);
  return {
    url: '',
    close: async () => {
      await withinTime(jobs.stop(), CLOSE_MS);
      await service.close();
    },
  };
}

const workLimits = {
  queueMax: 16,
  queueBytesMax: 128 * 2 ** 20,
  runningBytesMax: 64 * 2 ** 20,
  deadlineMs: 120_000,
  restMs: 60_000,
} as const;

type ThreadOptions = Pick<ServeOptions, 'threads' | 'processes' | 'searchThreadLost'>;

/** Threads are started on demand. */
async function openThreads(options: ThreadOptions) {
  const { threads } = options;
  if (threads === undefined) return undefined;
  const host = { ...threads, start: await threadStarter() };
  // At least two, because one company cannot use all of them.
  const threadsMax = Math.max(2, availableParallelism() - 1);
  const work = workThreads(host, { ...workLimits, threadsMax });
  const searchHost = { ...host, start: await threadStarter(searchLimits) };
  return { host, work, ...defined({ searches: openSearches(searchHost, options) }) };
}

function openSearches(
  host: ThreadHost,
  { processes = 1, searchThreadLost: threadLost }: ThreadOptions,
) {
  const { threads } = host.config.service.screening;
  const threadsMax = threads ?? usualSearchThreads(availableParallelism(), processes);
  if (threadsMax === 0) return undefined;
  const start = (ended: (why: unknown) => void) => openThread(host, ended);
  const lost = (why: unknown) => threadLost?.(why instanceof Error ? why.message : String(why));
  return searchThreads({ threadsMax, start, lost, now: () => performance.now() });
}

/** One for each core not used to serve requests. A single process has one in any case. */
export function usualSearchThreads(cores: number, processes: number): number {
  const spare = Math.max(0, Math.floor((cores - processes) / processes));
  return processes === 1 ? Math.max(1, spare) : spare;
}

function startWork(
  service: Service,
  { jobFailed }: Pick<ServeOptions, 'jobFailed'>,
  threads: { readonly host: ThreadHost } | undefined,
  worked: (report: Worked) => void,
): JobLoop {
  if (threads !== undefined) return startJobThread(threads.host, worked, jobFailed);
  return startJobs(service, jobFailed, worked);
}

/** Requests are served meanwhile. A failure here recurs on the request that needs the list. */
function startWarmUp(service: Pick<Service, 'warmUp'>, { warmUpFailed }: ServeOptions) {
  const stopping = new AbortController();
  const failed = (companyKey: string, error: unknown) =>
    warmUpFailed?.(companyKey, error instanceof Error ? error.message : String(error));
  const ended = service.warmUp({ failed, stop: stopping.signal }).catch(() => undefined);
  return {
    async stop(): Promise<void> {
      stopping.abort();
      await ended;
    },
  };
}

async function closeApp(app: ApiApp): Promise<void> {
  const force = setTimeout(() => app.server.closeAllConnections(), CLOSE_MS);
  // Clients keep connections open after the awaited response, so idle ones are closed repeatedly.
  const idle = setInterval(() => app.server.closeIdleConnections(), IDLE_LOOK_MS);
  try {
    await app.close();
  } finally {
    clearTimeout(force);
    clearInterval(idle);
  }
}

async function readToken(file: string | undefined): Promise<Pick<ServerOptions, 'operatorToken'>> {
  if (file === undefined) return {};
  const operatorToken = (await readPassword(file, {}, 'file of the operator token')).trim();
  if (/^[\x21-\x7e]{16,1000}$/.test(operatorToken)) return { operatorToken };
  const message = `${file}: expected a token of 16 visible characters or more`;
  throw new InnsigliError('config.invalid', message);
}
