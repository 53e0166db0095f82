// Measures and writes bench/results.json and the tables in bench/README.md.
//
//     npm run bench                        everything, about half an hour
//     npm run bench -- --quick             short rounds, no 1 GB file, nothing is written
//     npm run bench -- --only rates,batch  some parts: rates, start-up, files, batch, xml,
//                                          xml-files, verify, store, service, webhooks, http, eid;
//                                          their tables are written, the rest are kept with their
//                                          date
//
// Each part is written as soon as it is measured; a failed one is named at the end, exit code 1.
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { batches } from './batch.mjs';
import { bigFiles } from './big-files.mjs';
import { eidRates } from './eid.mjs';
import { httpRates } from './http.mjs';
import { rates } from './in-process.mjs';
import { openMaterial } from './material.mjs';
import { openResults } from './results.mjs';
import { serviceRates, webhookRates } from './service.mjs';
import { startUp } from './start-up.mjs';
import { storeRates } from './store.mjs';
import { markdown } from './table.mjs';
import { judge } from './targets.mjs';
import { verifyAgainstJudges } from './verify-peers.mjs';
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
  verify: (material) => verifyAgainstJudges(material, timing, 4000),
  store: (material) => storeRates(material, timing),
  service: (material) => serviceRates(material, timing, quick ? 100_000 : undefined),
  http: (material) => httpRates(material, timing),
  eid: (material) => eidRates(material, timing),
  webhooks: () => webhookRates(quick ? { rounds: 1, count: 2000 } : { rounds: 7, count: 20_000 }),
};
const wanted = only?.split(',') ?? Object.keys(parts);

const material = await openMaterial();
// Inputs of a gigabyte must be removed, however the process ends.
process.on('exit', () => material.close());
process.once('SIGINT', () => process.exit(130));
const measuredAt = new Date().toISOString().slice(0, 10);
const about = {
  measuredAt,
  machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}`,
  node: process.version,
  openssl: process.versions.openssl,
};
const results = openResults(import.meta.dirname, about);
const measured = [];
const failed = [];
for (const part of wanted) {
  try {
    const groups = await parts[part](material);
    measured.push(...groups.map((group) => ({ ...group, measuredAt })));
    if (!quick) results.add(measured);
  } catch (error) {
    // The other parts are valid nevertheless.
    console.error(`${part}: not measured:`, error);
    failed.push(part);
  }
}
if (!quick && only === undefined && failed.length === 0) results.replace(measured);
const targets = judge(measured);
console.log(markdown({ ...about, groups: measured, targets }));
// A target without a matching row could never fail.
const unmatched = targets.filter(({ met }) => met === undefined);
if (!quick && only === undefined && failed.length === 0 && unmatched.length > 0) {
  for (const { group, name } of unmatched) console.error(`target without a row: ${group}: ${name}`);
  process.exitCode = 1;
}
if (failed.length > 0) {
  console.error(`not measured: ${failed.join(', ')}`);
  process.exitCode = 1;
}
