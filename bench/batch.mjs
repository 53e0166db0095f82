import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rawCommand } from './big-files.mjs';
import { agreement } from './material.mjs';
import { peersOnFiles } from './peers.mjs';
import { measureProcesses, sealCommand } from './processes.mjs';

/** Many small documents in one process: one job, two jobs, the raw limit and peers. */
export function batches(material, { rounds, count }) {
  const { directory: home } = material;
  const input = join(home, 'bench-in');
  const output = join(home, 'bench-out');
  mkdirSync(input);
  for (let index = 0; index < count; index++) writeFileSync(join(input, `${index}.pdf`), agreement);
  const seal = (kind, jobs) =>
    sealCommand(kind, input, '--out-dir', output, '--jobs', String(jobs));
  const title = (kind) => `batch of ${count.toLocaleString('en-US')} × 13 KB, ${kind}`;
  const contenders = (kind) => [
    { name: 'innsigli, 1 job', command: seal(kind, 1), output },
    { name: 'innsigli, 2 jobs', command: seal(kind, 2), output },
    { name: 'raw limit, plain Node', command: rawCommand(material, kind, output, input), output },
  ];
  // Two rounds are enough to show by how far they are behind.
  const peers = peersOnFiles(material, 'ec', input, output).map((peer) => ({ ...peer, rounds: 2 }));
  const kind = 'processes';
  try {
    const rsa = measureProcesses(contenders('rsa'), { rounds, home });
    const ec = measureProcesses([...contenders('ec'), ...peers], { rounds, home });
    return [
      { title: title('RSA-3072'), kind, rows: rsa },
      { title: title('P-256'), kind, rows: ec },
    ];
  } finally {
    rmSync(input, { recursive: true, force: true });
    rmSync(output, { recursive: true, force: true });
  }
}
