import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { StopSignal } from '../../../src/cli/io.ts';
import { resolveConfig } from '../../../src/wire/config/resolve.ts';
import { openToolkit } from '../../../src/wire/toolkit.ts';
import { prepared } from '../../support/prepared.ts';
import { type CliSetup, openFakeCli } from './fake-cli.ts';

const acme = prepared('acme', async (folder) => {
  const env = { HOME: folder, INNSIGLI_HOME: folder };
  const { config } = resolveConfig({ flags: {}, env, cwd: folder });
  const random = (count: number) => randomBytes(count);
  const kit = openToolkit(config, { now: () => Date.now(), random, warn: () => undefined });
  await kit.initialise({ name: 'Acme ehf.' });
  kit.close();
});

/** What happens while a command is waiting. */
export interface EidSetup extends CliSetup {
  /** Sends a signal after this many milliseconds of waiting. */
  readonly stopAfterMs?: number;
  /** Called after each wait of the command; `waitedMs` is the total. */
  readonly whileWaiting?: (waitedMs: number) => Promise<void> | void;
}

/**
 * The command line over a real service of a company in its own folder. Waiting takes no real time:
 * the clock advances instead.
 */
export async function openEidCli() {
  const cli = openFakeCli();
  cli.write('a.pdf', readFileSync('fixtures/pdf/agreement.pdf'));
  const dataDir = join(cli.folder, '.data');
  await acme(dataDir);
  const clock = { aheadMs: 0 };
  const now = () => Date.now() + clock.aheadMs;
  const run = (args: readonly string[], setup: EidSetup = {}) => {
    const { stopAfterMs, whileWaiting, ...rest } = setup;
    let waitedMs = 0;
    let isStopped = false;
    let stop: (signal: StopSignal) => void = () => undefined;
    const stopped = new Promise<StopSignal>((resolve) => {
      stop = (signal) => {
        isStopped = true;
        resolve(signal);
      };
    });
    return cli.run(args, {
      ...rest,
      env: { INNSIGLI_HOME: dataDir, ...setup.env },
      io: {
        now,
        random: (count) => randomBytes(count),
        openToolkit: async (config, io) => openToolkit(config, io),
        waitForStop: () => stopped,
        wait: async (ms) => {
          waitedMs += ms;
          clock.aheadMs += ms;
          if (stopAfterMs !== undefined && waitedMs >= stopAfterMs) stop('SIGINT');
          await whileWaiting?.(waitedMs);
          // A cancellation takes real time; only waiting for the person does not.
          await new Promise((resolve) => setTimeout(resolve, isStopped ? 300 : 0));
        },
        ...setup.io,
      },
    });
  };
  const json = async (...args: readonly string[]) => {
    const { stdout } = await run([...args, '--json']);
    return JSON.parse(stdout);
  };
  return { ...cli, run, json, clock, dataDir };
}

/** A terminal of 100 columns and 50 rows. */
export const atTerminal = {
  terminals: ['stdin', 'stdout', 'stderr'],
  size: { columns: 100, rows: 50 },
} as const;
