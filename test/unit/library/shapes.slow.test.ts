import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { newTemporaryFolder } from '../../support/folders.ts';

const child = fileURLToPath(new URL('shapes-child.mjs', import.meta.url));
const ROUNDS = 60;

/**
 * Positions where V8 created a hidden class in nearly every round, with the member it is for:
 * `map,Transition,time,from,to,pc,line,column,reason,member`. A class shared by objects is created
 * once, and perhaps again after a full collection.
 */
function classesOfEachRound(name: string): readonly string[] {
  const folder = newTemporaryFolder('shapes');
  const flags = ['--log-maps', '--logfile-per-isolate', '--logfile=maps.log'];
  execFileSync(process.execPath, [...flags, child, name, String(ROUNDS), folder], { cwd: folder });
  const counts = new Map<string, number>();
  let isLogged = false;
  for (const file of readdirSync(folder).filter((each) => each.endsWith('maps.log'))) {
    const [, rounds] = readFileSync(join(folder, file), 'utf8').split(',startIsOver\n');
    // Threads have separate logs.
    if (rounds === undefined) continue;
    isLogged = true;
    for (const line of rounds.split('\n')) {
      const [kind, event, , , , , row, column, , member] = line.split(',');
      if (kind !== 'map' || event !== 'Transition' || row === '0') continue;
      const place = `${row}:${column} ${member}`;
      counts.set(place, (counts.get(place) ?? 0) + 1);
    }
  }
  expect(isLogged, 'V8 wrote a log of hidden classes').toBe(true);
  return [...counts].filter(([, count]) => count >= ROUNDS / 2).map(([place]) => place);
}

test.each([
  'seal a PDF',
  'seal an XML document',
  'verify a PDF',
  'verify an XML document',
  'verify a container',
  'augment a PDF',
])(
  'repeating the call creates no new hidden class: %s',
  (name) => {
    expect(classesOfEachRound(name)).toEqual([]);
  },
  60_000,
);
