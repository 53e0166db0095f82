/**
 * One of several programs that act on a process at the same moment. Each line of stdin is a task;
 * after printing `armed` it waits for a line `go`, and prints the outcome. Argument: settings.
 */
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { CompanyService } from '../../src/app/company-service.ts';
import { resolveConfig } from '../../src/wire/config/resolve.ts';
import { openToolkit } from '../../src/wire/toolkit.ts';

/** A task of a racer. */
export interface RacerTask {
  readonly act: 'click' | 'cancel' | 'block' | 'expire' | 'work';
  readonly processKey: string;
  readonly signeeKey: string;
  /** Offset of the clock from real time. */
  readonly offsetMs: number;
  /** Delay of the start, so that fast commands do not always come first. */
  readonly delayMs: number;
}

const env = JSON.parse(process.argv[2] ?? '') as Record<string, string>;
const { config } = resolveConfig({ flags: {}, env, cwd: '/' });
let offsetMs = 0;
const now = () => Date.now() + offsetMs;
const kit = openToolkit(config, {
  now,
  leaseNow: now,
  random: (count) => randomBytes(count),
  warn: () => undefined,
});
const service = await kit.service();
const toolkit = await service.open();
const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
say('ready');
for (;;) {
  const { value, done } = await lines.next();
  if (done === true) break;
  const task = JSON.parse(value) as RacerTask;
  offsetMs = task.offsetMs;
  say('armed');
  await lines.next();
  await new Promise((resolve) => setTimeout(resolve, task.delayMs));
  const outcome = await act(toolkit, task).then(
    (state) => ({ ok: true, state }),
    (error: { readonly code?: string; readonly message: string }) => ({
      ok: false,
      code: error.code ?? error.message,
    }),
  );
  say(JSON.stringify(outcome));
}
await service.close();
kit.close();

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function act(
  { processes, signing, runDueJobs: work }: CompanyService,
  { act, processKey, signeeKey }: RacerTask,
): Promise<string> {
  if (act === 'click') return (await signing.signByClick({ processKey, signeeKey })).status;
  if (act === 'cancel') return (await processes.cancel({ key: processKey, by: 'System' })).status;
  if (act === 'block') return (await processes.block({ key: processKey, by: 'System' })).status;
  const report = await work(act === 'expire' ? ['expire'] : undefined);
  if (report.failed.length > 0) throw new Error(report.failed.map(({ code }) => code).join());
  return (await processes.show({ key: processKey })).status;
}
