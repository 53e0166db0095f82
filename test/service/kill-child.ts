/**
 * A program that works on a data directory until it is killed. Each line of stdin is a task; it
 * prints `begun` and then the result. Argument: settings.
 */
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import { resolveConfig } from '../../src/wire/config/resolve.ts';
import { openToolkit } from '../../src/wire/toolkit.ts';
import { type KillOutcome, type KillTask, perform, pollEid } from './kill-acts.ts';
import { openKillPoints } from './kill-points.ts';

const env = JSON.parse(process.argv[2] ?? '') as Record<string, string>;
const points = await openKillPoints(env['INNSIGLI_HOME'] ?? '');
const { config } = resolveConfig({ flags: {}, env, cwd: '/' });
let offsetMs = 0;
const clock = {
  pass: (ms: number) => {
    offsetMs += ms;
  },
};
const now = () => Date.now() + offsetMs;
const kit = openToolkit(config, {
  now,
  leaseNow: now,
  random: (count) => randomBytes(count),
  warn: () => undefined,
});
const service = await kit.service();
const toolkit = await service.open();
say('ready');
for await (const line of createInterface({ input: process.stdin })) {
  const task = JSON.parse(line) as KillTask;
  offsetMs = task.offsetMs;
  say('begun');
  points.arm(task.killAt);
  const { poll } = task;
  const work = poll === undefined ? perform(toolkit, clock, task) : pollEid(service.identity, poll);
  const error = await work.then(
    () => undefined,
    (thrown: { readonly code?: string; readonly message: string }) => thrown.code ?? thrown.message,
  );
  const outcome: KillOutcome = {
    points: points.passed(),
    ...(error === undefined ? {} : { error }),
  };
  say(JSON.stringify(outcome));
}
await service.close();
kit.close();

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
