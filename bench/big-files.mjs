import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { writeLargePdf, writeManyObjects } from './inputs.mjs';
import { makeP12, peersOnFiles } from './peers.mjs';
import { measureProcesses, node, sealCommand } from './processes.mjs';

const rawFile = fileURLToPath(new URL('raw-file.mjs', import.meta.url));

/** The program that does the minimum required of plain Node. */
export function rawCommand(material, kind, output, input) {
  makeP12(material, kind);
  return node(rawFile, join(material.directory, `bench-${kind}.key`), output, input);
}

/** Seals large files at B-B with RSA-3072; creates and removes the inputs. */
export function bigFiles(material, { rounds, largeToo }) {
  const { directory: home } = material;
  const input = join(home, 'bench-big.pdf');
  const output = join(home, 'bench-big.out.pdf');
  const innsigli = { name: 'innsigli seal', command: sealCommand('rsa', input, '-o', output) };
  const against = (first) => [
    { ...first, output },
    { ...innsigli, output },
    ...peersOnFiles(material, 'rsa', input, output),
  ];
  const raw = {
    name: 'raw limit, plain Node',
    command: rawCommand(material, 'rsa', output, input),
  };
  const nothing = { name: 'node -e 0', command: node('-e', '0') };
  const kind = 'processes';
  try {
    writeManyObjects(input, 20_004);
    const many = measureProcesses(against(nothing), { rounds, home });
    writeLargePdf(input, 83_000_000);
    const medium = measureProcesses(against(raw), { rounds, home });
    const groups = [
      { title: '20,004 objects, 8 MB', kind, rows: many },
      { title: '83 MB', kind, rows: medium },
    ];
    if (!largeToo) return groups;
    writeLargePdf(input, 1_000_000_000);
    const large = measureProcesses(against(raw), { rounds: Math.min(rounds, 3), home });
    return [...groups, { title: '1 GB', kind, rows: large }];
  } finally {
    rmSync(input, { force: true });
    rmSync(output, { force: true });
  }
}
