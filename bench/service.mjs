import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { measureApart } from './apart.mjs';
import { median } from './measure.mjs';
import { fillLog } from './store-fill.mjs';

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
/** Number of log rows; a process has ten. */
const logRows = 1_000_000;

/** Signing processes from creation to the sealed result, and pages of the activity log. */
export async function serviceRates({ directory }, timing, rows = logRows) {
  const row = (name, task, target = directory) => ({
    name,
    command: [process.execPath, path('service-child.mjs'), task, target],
  });
  const processes = [
    row('raw limit', 'raw'),
    row('created', 'created'),
    row('and signed', 'signed'),
    row('and sealed, B-B', 'B-B'),
    row('and sealed, B-LTA', 'B-LTA'),
  ];
  // A process takes longer than the operations of other groups, and V8 optimises by the number of
  // calls.
  const { rounds, roundMs, warmUpMs } = timing;
  const longer = { rounds, roundMs: 2 * roundMs, warmUpMs: 4 * warmUpMs };
  const home = join(directory, 'bench-service');
  mkdirSync(home);
  try {
    await fillLog(join(home, 'innsigli.db'), rows);
    adopt(home);
    const pages = ['newest-page', 'page-50', 'search'].map((task) =>
      row(task.replaceAll('-', ' '), task, home),
    );
    const count = (rows / 10).toLocaleString('en-US');
    return [
      { title: 'processes, one signee', rows: await measureApart(processes, longer) },
      {
        title: `activity query, 100 of ${count} processes`,
        rows: await measureApart(pages, timing),
      },
    ];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The blobs of the copied processes do not exist, so the service would reject the database. */
function adopt(home) {
  const words = [path('../bin/innsigli.cjs'), 'store', 'adopt', '--yes'];
  const env = { ...process.env, HOME: home, INNSIGLI_HOME: home };
  const { status, stderr } = spawnSync(process.execPath, words, {
    encoding: 'utf8',
    cwd: home,
    env,
  });
  if (status !== 0) throw new Error(`store adopt: ended with ${status}\n${stderr}`);
}

/** Webhooks to a receiver on this machine; the worker is a new process in each round. */
export function webhookRates({ rounds, count }) {
  const samples = Array.from({ length: rounds }, () => {
    const words = [path('../scripts/run-ts.mjs'), path('webhooks.mjs'), String(count)];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`webhooks: ended with ${status}\n${stderr}`);
    return JSON.parse(stdout);
  });
  const perSecond = median(samples.map((sample) => sample.perSecond));
  const cpuMicroseconds = median(samples.map((sample) => sample.cpuMicroseconds));
  const row = {
    name: 'delivered',
    rounds,
    operations: rounds * count,
    cpuMs: cpuMicroseconds / 1000,
    wallMs: 1000 / perSecond,
    cpuPerSecond: 1e6 / cpuMicroseconds,
    wallPerSecond: perSecond,
    ratio: 1,
    peakMiB: Math.max(...samples.map(({ peakMiB }) => peakMiB)),
  };
  return [{ title: 'webhooks to a local receiver', rows: [row] }];
}
