// Measures and writes bench/results.json and the tables in bench/README.md.
//
//     npm run bench                        everything, about half an hour
//     npm run bench -- --quick             short rounds, no 1 GB file, nothing is written
//     npm run bench -- --only rates,batch  some parts: rates, start-up, files, batch, xml,
//                                          xml-files, store, service, webhooks, http; their
//                                          tables are written, the others stay with their day
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { batches } from './batch.mjs';
import { bigFiles } from './big-files.mjs';
import { httpRates } from './http.mjs';
import { rates } from './in-process.mjs';
import { openMaterial } from './material.mjs';
import { serviceRates, webhookRates } from './service.mjs';
import { startUp } from './start-up.mjs';
import { storeRates } from './store.mjs';
import { markdown } from './table.mjs';
import { judge } from './targets.mjs';
import { xmlFiles, xmlRates } from './xml.mjs';

const options = { quick: { type: 'boolean', default: false }, only: { type: 'string' } };
const { quick, only } = parseArgs({ options }).values;
const timing = quick
  ? { rounds: 3, roundMs: 100, warmUpMs: 1000 }
  : { rounds: 11, roundMs: 400, warmUpMs: 8000 };
const batchSize = quick ? { rounds: 1, count: 200 } : { rounds: 5, count: 2000 };
const parts = {
  rates: (material) => rates(material, timing),
  'start-up': (material) => startUp(material, quick ? 5 : 25),
  files: (material) => bigFiles(material, { rounds: quick ? 1 : 5, largeToo: !quick }),
  batch: (material) => batches(material, batchSize),
  xml: (material) => xmlRates(material, timing),
  'xml-files': (material) => xmlFiles(material, { rounds: quick ? 1 : 7 }),
  store: (material) => storeRates(material, timing),
  service: (material) => serviceRates(material, timing, quick ? 100_000 : undefined),
  http: (material) => httpRates(material, timing),
  webhooks: () => webhookRates(quick ? { rounds: 1, count: 2000 } : { rounds: 7, count: 20_000 }),
};
const wanted = only?.split(',') ?? Object.keys(parts);

const material = await openMaterial();
// Inputs of a gigabyte shall not stay behind, however this ends.
process.on('exit', () => material.close());
process.once('SIGINT', () => process.exit(130));
const measuredAt = new Date().toISOString().slice(0, 10);
const measured = [];
for (const part of wanted) {
  for (const group of await parts[part](material)) measured.push({ ...group, measuredAt });
}
const resultsFile = new URL('results.json', import.meta.url);
const kept =
  only === undefined || quick ? [] : JSON.parse(readFileSync(resultsFile, 'utf8')).groups;
const groups = [
  ...kept.map((old) => measured.find(({ title }) => title === old.title) ?? old),
  ...measured.filter(({ title }) => !kept.some((old) => old.title === title)),
];
const results = {
  measuredAt,
  machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
  node: process.version,
  openssl: process.versions.openssl,
  groups,
  targets: judge(groups),
};
const text = markdown(results);
console.log(text);
if (!quick) {
  writeFileSync(resultsFile, `${JSON.stringify(results, null, 2)}\n`);
  const readme = new URL('README.md', import.meta.url);
  const [before, after] = readFileSync(readme, 'utf8').split(
    /<!-- table -->[\s\S]*<!-- \/table -->/,
  );
  writeFileSync(readme, `${before}<!-- table -->\n\n${text}\n<!-- /table -->${after}`);
}
