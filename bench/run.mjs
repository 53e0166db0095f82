// Measures and writes bench/results.json and the table in bench/README.md.
//
//     npm run bench               all groups, about three minutes
//     npm run bench -- --quick    short rounds, nothing is written
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { sealArchive, sealBasic, verifyAll } from './in-process.mjs';
import { openMaterial } from './material.mjs';
import { startUp } from './start-up.mjs';

const quick = process.argv.includes('--quick');
const timing = quick ? { rounds: 3, roundMs: 100 } : { rounds: 11, roundMs: 400 };
const targets = [
  ['B-B, RSA-2048', 'innsigli', 'at least half of the raw limit', (row) => row.ratio >= 0.5],
  ['B-B, P-256', 'innsigli', 'at least 4,000 a second', (row) => row.cpuPerSecond >= 4000],
  [
    'B-LTA with the embedded authority',
    'RSA-2048, authority over HTTP',
    'at least 150 a second',
    (row) => row.wallPerSecond >= 150,
  ],
  ['whole processes', 'innsigli --help', 'at most 1.3 × node', (row) => row.wallRatio <= 1.3],
  [
    'whole processes',
    'innsigli seal, B-B, P-256',
    'at most 1.7 × node',
    (row) => row.wallRatio <= 1.7,
  ],
  [
    'whole processes',
    'innsigli seal, B-B, RSA-2048',
    'at most 1.7 × node',
    (row) => row.wallRatio <= 1.7,
  ],
];

const material = await openMaterial();
const groups = [];
try {
  groups.push(...(await sealBasic(material, timing)));
  groups.push(...(await sealArchive(material, timing)));
  groups.push(...(await verifyAll(material, timing)));
  groups.push(...startUp(material, quick ? 5 : 25));
} finally {
  material.close();
}

const judged = targets.map(([group, name, wanted, holds]) => {
  const row = groups.find(({ title }) => title === group)?.rows.find((each) => each.name === name);
  return { group, name, wanted, met: row !== undefined && holds(row) };
});
const results = {
  measuredAt: new Date().toISOString().slice(0, 10),
  machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
  node: process.version,
  openssl: process.versions.openssl,
  groups,
  targets: judged,
};
const text = markdown(results);
console.log(text);
if (!quick) {
  writeFileSync(new URL('results.json', import.meta.url), `${JSON.stringify(results, null, 2)}\n`);
  const readme = new URL('README.md', import.meta.url);
  const [before, after] = readFileSync(readme, 'utf8').split(
    /<!-- table -->[\s\S]*<!-- \/table -->/,
  );
  writeFileSync(readme, `${before}<!-- table -->\n\n${text}\n<!-- /table -->${after}`);
}

function markdown({ measuredAt, machine, node, openssl }) {
  const lines = [`${measuredAt}, ${machine}, Node ${node}, OpenSSL ${openssl}.`, ''];
  for (const { title, rows, processes } of groups) {
    const head = processes
      ? ['', 'CPU ms', '× node', 'wall ms', '× node']
      : ['', 'CPU µs', 'a CPU second', 'a second', 'of the first'];
    const cells = rows.map(processes ? processCells : rateCells);
    lines.push(`### ${title}`, '', ...table([head, ...cells], 1), '');
  }
  const met = judged.map((each) => [
    `${each.group}: ${each.name}`,
    each.wanted,
    each.met ? 'yes' : 'no',
  ]);
  lines.push('### Targets', '', ...table([['what', 'wanted', 'met'], ...met], 3));
  return `${lines.join('\n')}\n`;
}

// Padded as the formatter pads: columns from `firstNumber` on hold numbers and stand right.
function table(rows, firstNumber) {
  const widths = rows[0].map((_, column) => Math.max(3, ...rows.map((row) => row[column].length)));
  const line = (row) =>
    `| ${row
      .map((cell, column) =>
        column < firstNumber ? cell.padEnd(widths[column]) : cell.padStart(widths[column]),
      )
      .join(' | ')} |`;
  const rule = widths.map((width, column) =>
    column < firstNumber ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  );
  const [head, ...body] = rows;
  return [line(head), line(rule), ...body.map(line)];
}

function processCells({ name, cpuMs, ratio, wallMs, wallRatio }) {
  return [name, cpuMs.toFixed(0), ratio.toFixed(2), wallMs.toFixed(0), wallRatio.toFixed(2)];
}

function rateCells({ name, cpuMs, cpuPerSecond, wallPerSecond, ratio }) {
  const whole = (value) => Math.round(value).toLocaleString('en-US');
  const share = `${(ratio * 100).toFixed(1)} %`;
  return [name, whole(cpuMs * 1000), whole(cpuPerSecond), whole(wallPerSecond), share];
}
