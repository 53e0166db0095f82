import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkReport } from '../../../app/company-service.ts';
import { isInnsigliError } from '../../../base/errors.ts';
import { isUrl } from '../../../base/network/is-url.ts';
import { type JobKind, jobKinds } from '../../../domain/process/index.ts';
import type { Service } from '../../../wire/service/service.types.ts';
import { command, type Given, oneOf, reading } from '../../command/index.ts';
import {
  type CommandContext,
  type ExitCode,
  refuseUsage,
  withWatchedClock,
} from '../../context.ts';
import { printable } from '../../output/index.ts';
import { type OpenedService, useCompanies } from '../../use-service.ts';

const interval = reading((text, name) => {
  const seconds = Number(text);
  if (seconds >= 0.1 && seconds <= 3600) return seconds;
  return refuseUsage(`${name}: expected 0.1 to 3600 seconds, found "${text}"`);
});

const options = {
  '--once': 'run due jobs now and exit',
  '--only <kind>': {
    text: `${jobKinds.join(', ')}; repeatable`,
    ...oneOf(jobKinds),
    many: true,
  },
  '--every <seconds>': { text: 'interval between checks', ...interval, default: '1' },
} as const;

/** Runs due jobs, once or until a signal ends the program. */
export const worker = command('worker', {
  description: 'Seal finished documents, send messages and webhooks, remind, expire and purge.',
  options,
  help: [
    'Runs the jobs of all companies. Several workers may run at the same time, also on other ' +
      'machines with PostgreSQL: each job is leased to one of them. The jobs of a worker ' +
      'that dies go to the others.',
    'A failed job is retried at growing intervals. A job that was given up is reported: innsigli ' +
      'message retry and innsigli process finalize restart it. innsigli webhook deliveries ' +
      'lists deliveries rejected by a receiver.',
  ],
  examples: {
    'innsigli worker': 'run until interrupted',
    'innsigli worker --once': 'from cron',
    'innsigli worker --once --only webhook': 'deliveries only',
  },
  exits: {
    0: 'done, or ended by SIGTERM after the current job',
    3: 'some jobs failed: each is reported',
    10: 'the key is too weak or, in production, a check of innsigli doctor failed',
    130: 'interrupted',
  },
  run: runWorker,
});

async function runWorker(
  { once, only: kinds = [], every: seconds }: Given<object, typeof options>,
  given: CommandContext,
): Promise<ExitCode> {
  const context = await withWatchedClock(given);
  const { console, io } = context;
  const { requireFitness, withRefusals } = await import('../../../wire/serve/require-fitness.ts');
  // From cron, the command runs every minute: do not contact servers that often.
  const checks = once === true ? { triesMail: false, asksAuthorities: false } : {};
  const work = async (service: Service, { toolkit, config }: OpenedService): Promise<ExitCode> => {
    await requireFitness(toolkit, config.production, checks);
    await service.enter(kinds.length === 0 || kinds.includes('finalize'));
    const { server } = config.service.mail;
    const to =
      server === undefined ? printable(join(config.dataDir, 'outbox', 'mail')) : shownHost(server);
    console.note(`${once === true ? '' : 'running, press Ctrl-C to stop; '}mail goes to ${to}`);
    const stopping = new AbortController();
    const ended = io.waitForStop(true).then((why) => {
      stopping.abort();
      return why === 'SIGINT' ? 130 : 0;
    });
    for (;;) {
      const report = await service
        .work(kinds.length === 0 ? undefined : kinds, stopping.signal, (failed) => {
          void console.warn(failureText(failed), 'job.failed');
        })
        .catch(async (error: unknown): Promise<WorkReport> => {
          // Wait for a restarting database or a full disk, but not with --once.
          const isPassing =
            isInnsigliError(error) && /^store\.(busy|full|readonly|unavailable)$/.test(error.code);
          if (once === true || !isPassing) throw error;
          await console.warn(`${error.message} (${error.code}); retrying`, 'job.failed');
          return { done: 0, failed: [] };
        });
      if (once === true) {
        const end = stopping.signal.aborted ? await ended : 0;
        if (console.mode.json) console.document({ v: 1, command: 'worker', ...report });
        else console.note(`${report.done} done${whatText(report)}, ${report.failed.length} failed`);
        return end === 0 && report.failed.length > 0 ? 3 : end;
      }
      if (report.done > 0) console.note(`${report.done} done${whatText(report)}`);
      const { signal } = stopping;
      await sleep(seconds * 1000, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return await ended;
    }
  };
  return useCompanies(context, work, true, async (error, { toolkit, config }) =>
    config.production ? withRefusals(error, toolkit, checks) : error,
  );
}

const deeds: { readonly [Kind in JobKind]: string } = {
  finalize: 'sealed',
  expire: 'expired',
  remind: 'checked for reminders',
  message: 'messages sent or cancelled',
  webhook: 'webhooks delivered',
  purge: 'purged',
  anchor: 'days of the log closed',
  rescreen: 'rounds of customer monitoring',
};

/** Completed work by kind: ` (sealed: 1, webhooks delivered: 2)`. */
function whatText({ kinds = {} }: WorkReport): string {
  const parts = jobKinds.flatMap((kind) => (kinds[kind] ? [`${deeds[kind]}: ${kinds[kind]}`] : []));
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`;
}

function shownHost(server: string): string {
  if (server === 'none') return 'no server (none is configured)';
  return isUrl(server) ? new URL(server).host : 'the configured server';
}

const anew: { readonly [Kind in JobKind]?: string } = {
  message: 'innsigli message retry',
  webhook: 'innsigli webhook replay',
};

function failureText({ kind, ref, code, why, isFinal }: WorkReport['failed'][number]): string {
  const again = anew[kind] ?? 'innsigli process finalize';
  const sooner = kind === 'message' ? `; run it now with ${again} ${ref}` : '';
  const next = isFinal
    ? `it was given up; restart it with ${again} ${ref}`
    : `it will be retried${sooner}`;
  return `${kind} ${ref}: ${code}${why === undefined ? '' : `, ${why}`}; ${next}`;
}
