import { availableParallelism } from 'node:os';
import { CoreError } from '../../base/errors.ts';
import type { ResolvedConfig } from '../../wire/config.ts';
import { type CommandContext, toolkitIo } from '../context.ts';
import type { BatchOptions, BatchTask, BatchWishes } from './batch.types.ts';
import type { Journal } from './journal.ts';
import { openPacer } from './runner.ts';
import type { Stop } from './stop.ts';
import { type ItemWorker, openLocalWorker, openThreadWorker, type WorkerHost } from './worker.ts';

/** What workers are made for. */
export interface Crew {
  readonly options: BatchOptions;
  readonly config: ResolvedConfig;
  readonly tasks: readonly BatchTask[];
  readonly context: CommandContext;
  /** Absent for verify. */
  readonly journal?: Journal;
}

/** What all workers share: what is said once, asked once, paced together. */
export function openHost({ options, config, context, journal }: Crew, stop: Stop): WorkerHost {
  const { io, talk } = context;
  const { askPassword } = toolkitIo(context);
  const said = new Set<string>();
  const answers = new Map<string, Promise<string | undefined>>();
  // The embedded authority is no server that many requests could hurt.
  const rate = config.tsa.length === 0 ? undefined : options.tsaRate;
  const pace = openPacer(rate, io.now, stop.wait);
  return {
    warn(message) {
      if (!said.has(message)) void talk.warn(message);
      said.add(message);
    },
    askPassword(what) {
      const answer = answers.get(what) ?? Promise.resolve(askPassword?.(what));
      answers.set(what, answer);
      return answer;
    },
    async pace() {
      await pace();
      if (rate !== undefined && stop.signal() !== undefined) {
        throw new CoreError('interrupted', 'the batch was interrupted');
      }
    },
    announce: async (record) => journal?.add('intent', record),
  };
}

/** One worker for each job: a single one in this thread, several in threads of their own. */
export async function openWorkers(
  { options, config, tasks, context }: Crew,
  host: WorkerHost,
): Promise<readonly ItemWorker[]> {
  const { io } = context;
  const { command, seal, sealXml, inPlace, force } = options;
  const acceptExisting = options.resume || options.watch || options.skipExisting;
  const wishes: BatchWishes = { command, config, seal, sealXml, inPlace, force, acceptExisting };
  const wanted = options.jobs ?? Math.max(1, availableParallelism() - 1);
  const jobs = options.watch ? wanted : Math.min(wanted, tasks.length);
  if (jobs === 1) return [await openLocalWorker(wishes, host, io)];
  await prepareDevelopmentTrust(wishes, context);
  return Array.from({ length: jobs }, () => openThreadWorker(wishes, host, io.startWorker));
}

// Made once, and not by each worker at the same time. Workers tell when they use it.
async function prepareDevelopmentTrust(
  { command, config, seal }: BatchWishes,
  { io }: CommandContext,
): Promise<void> {
  const level = command === 'archive' ? 'B-LTA' : (seal.level ?? config.level);
  const ownKey = command.startsWith('seal') && config.key.kind === 'development';
  const ownAuthority = command !== 'verify' && level !== 'B-B' && config.tsa.length === 0;
  if (config.production || !(ownKey || ownAuthority)) return;
  const warn = () => undefined;
  const toolkit = await io.openToolkit(config, { now: io.now, random: io.random, warn });
  await toolkit.initialise();
  toolkit.close();
}
