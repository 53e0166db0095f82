import { join } from 'node:path';
import { agreementPath, peersOnFiles } from './peers.mjs';
import { measureProcesses, node, program, sealCommand } from './processes.mjs';

/** Whole processes on the small document, compared with a Node process that does nothing. */
export function startUp(material, rounds) {
  const { directory: home } = material;
  const output = join(home, 'bench-out.pdf');
  const sealed = join(home, 'bench-sealed.pdf');
  const seal = (kind, to) => sealCommand(kind, agreementPath, '-o', to, '--force');
  const contenders = [
    { name: 'node -e 0', command: node('-e', '0') },
    { name: 'innsigli --help', command: node(program, '--help') },
    { name: 'innsigli seal, B-B, RSA-3072', command: seal('rsa', sealed) },
    { name: 'innsigli seal, B-B, P-256', command: seal('ec', output), output },
    { name: 'innsigli verify', command: node(program, 'verify', sealed, '--quiet') },
    ...peersOnFiles(material, 'rsa', agreementPath, output),
  ];
  const rows = measureProcesses(contenders, { rounds, home });
  return [{ title: 'whole processes, 13 KB', kind: 'processes', rows }];
}
