import { availableParallelism } from 'node:os';
import { defined } from '../../../base/defined.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { namesAnchors, type ResolvedConfig } from '../../../wire/config/config.ts';
import { developmentRootFile } from '../../../wire/config/paths.ts';
import type { FolderMark } from '../../../wire/documents.ts';
import { type CommandContext, openToolkitWith, toolkitIo } from '../../context.ts';
import type { BatchOptions, BatchRequest, BatchTask } from '../batch.types.ts';
import type { Journal } from '../journal/journal.ts';
import type { Stop } from '../stop.ts';
import { openPacer } from './runner.ts';
import { type ItemWorker, openLocalWorker, openThreadWorker, type WorkerHost } from './worker.ts';

/** Options for starting workers. */
export interface WorkerOptions {
  readonly options: BatchOptions;
  readonly config: ResolvedConfig;
  readonly tasks: readonly BatchTask[];
  readonly context: CommandContext;
  /** Undefined for verify. */
  readonly journal?: Journal;
  /** The output folder. Undefined for verify and in place. */
  readonly outRoot?: FolderMark;
}

/** State shared by all workers: one-time warnings and questions, and the common request rate. */
export function openHost(
  { options, config, context, journal }: WorkerOptions,
  stop: Stop,
): WorkerHost {
  const { io, console } = context;
  const { askPassword, readStdinLine } = toolkitIo(context);
  const said = new Set<string>();
  const answers = new Map<string, Promise<string | undefined>>();
  // The embedded authority needs no protection from many requests.
  const rate = config.tsa.length === 0 ? undefined : options.tsaRate;
  const pace = openPacer(rate, io.now, stop.wait);
  return {
    warn(message, code) {
      if (!said.has(message)) void console.warn(message, code);
      said.add(message);
    },
    askPassword(what) {
      const answer = answers.get(what) ?? Promise.resolve(askPassword?.(what));
      answers.set(what, answer);
      return answer;
    },
    readStdinLine: async () => (await readStdinLine?.()) ?? '',
    async pace() {
      await pace();
      if (rate !== undefined && stop.signal() !== undefined) {
        throw new InnsigliError('interrupted', 'the batch was interrupted');
      }
    },
    announce: async (record) => journal?.add('intent', record),
  };
}

/** Opens one worker per job: a single worker in this thread, several in separate threads. */
export async function openWorkers(
  { options, config, tasks, context, outRoot }: WorkerOptions,
  host: WorkerHost,
): Promise<readonly ItemWorker[]> {
  const { io } = context;
  const { command, seal, sealXml, isXml, container, form, inPlace, force } = options;
  const { timestampOnly } = options;
  const { whole, secondOpinion, atMs } = options;
  const acceptExisting = options.resume || options.watch || options.skipExisting;
  const given = {
    ...{ command, config, seal, sealXml, isXml, inPlace, force, acceptExisting },
    ...{ whole, secondOpinion, timestampOnly },
    ...defined({ atMs, container, form, outRoot }),
  };
  const isTest = usesDevelopmentTrust(given);
  const request: BatchRequest = isTest ? { ...given, config: withTestRoot(config) } : given;
  const wanted = options.jobs ?? Math.max(1, availableParallelism() - 1);
  const jobs = options.watch ? wanted : Math.min(wanted, tasks.length);
  const needsTrust = isTest && (jobs > 1 || namesAnchors(config));
  if (needsTrust) await prepareDevelopmentTrust(config, context);
  const workers =
    jobs === 1
      ? [await openLocalWorker(request, host, io)]
      : Array.from({ length: jobs }, () => openThreadWorker(request, host, io.startWorker));
  return afterFirst(workers, io.optimiseLater);
}

/** Wraps workers so that `then` is called once each has processed one, and so loaded its code. */
function afterFirst(workers: readonly ItemWorker[], then: () => void): readonly ItemWorker[] {
  const waiting = new Set(workers);
  return workers.map((worker) => ({
    ...worker,
    async run(task) {
      const result = await worker.run(task);
      if (waiting.delete(worker) && waiting.size === 0) then();
      return result;
    },
  }));
}

function usesDevelopmentTrust({ command, config, seal }: BatchRequest): boolean {
  const level = command === 'archive' ? 'B-LTA' : (seal.level ?? config.level);
  const ownKey = command.startsWith('seal') && config.key.kind === 'development';
  const ownAuthority = command !== 'verify' && level !== 'B-B' && config.tsa.length === 0;
  return !config.production && (ownKey || ownAuthority);
}

/** Named anchors replace the development root, which verifying existing results still requires. */
function withTestRoot(config: ResolvedConfig): ResolvedConfig {
  if (!namesAnchors(config)) return config;
  return { ...config, trust: [...config.trust, developmentRootFile(config.dataDir)] };
}

// Creates the development trust once, not in each worker. Workers report when they use it.
async function prepareDevelopmentTrust(
  config: ResolvedConfig,
  { io }: CommandContext,
): Promise<void> {
  const warn = () => undefined;
  const toolkit = await openToolkitWith(io, config, { now: io.now, random: io.random, warn });
  await toolkit.initialise();
  toolkit.close();
}
