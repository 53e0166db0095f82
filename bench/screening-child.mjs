// The program of `screening-http.mjs`, alone in its process: `node screening-child.mjs MODE FOLDER
// NAMES`. `fill` imports lists of made-up names, `serve` answers; each prints one line of JSON.
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolveConfig } from '../build/wire/config/resolve.js';
import { serveApi } from '../build/wire/serve/serve.js';
import { openToolkit } from '../build/wire/toolkit.js';
import { corpora, filler, listOf, nameOf, table } from './screening-names.mjs';

const [mode, home, names] = process.argv.slice(2);
const env = {
  HOME: home,
  INNSIGLI_HOME: join(home, 'data'),
  INNSIGLI_SCREENING_PER_MINUTE: '1000000',
};
const { config } = resolveConfig({ flags: { level: 'B-B' }, env, cwd: home });
const io = { now: Date.now, random: (count) => randomBytes(count), warn: () => undefined };
const kit = openToolkit(config, io);

console.log(JSON.stringify(mode === 'fill' ? await fill() : await serve()));

async function fill() {
  const { company } = await kit.initialise({ name: 'Bench ehf.', user: 'owner@example.is' });
  const service = await kit.service();
  const { flows, screening } = await service.open(company.key);
  const { key: flowKey } = await flows.create({ name: 'Screening', type: 'PEP' });
  let imported = 0;
  let cpuMs = 0;
  for (const [list, files] of lists()) {
    const before = process.cpuUsage();
    const version = await screening.importList({ list, files });
    const { user, system } = process.cpuUsage(before);
    imported += version.names;
    cpuMs += (user + system) / 1000;
  }
  await service.close();
  const basic = Buffer.from(`${company.key}:${company.apiKey}`).toString('base64');
  const peakMiB = process.resourceUsage().maxRSS / 1024;
  const namesOfSecond = (imported / cpuMs) * 1000;
  return { authorization: `Basic ${basic}`, flowKey, names: imported, namesOfSecond, peakMiB };
}

/** The lists of UN and OFAC, and made-up persons up to the number of names. */
function lists() {
  const file = (name) => ({ name, content: readFileSync(join(corpora, 'lists', name)) });
  const real = {
    un: ['un/UN_consolidated.2025-04-19.xml'],
    ofac: ['ofac/sdn.csv', 'ofac/alt.csv', 'ofac/sdn_comments.csv'],
  };
  const known = Object.values(real)
    .flatMap((files) => listOf(...files))
    .reduce((sum, person) => sum + person.names.length, 0);
  const persons = filler(Number(names) - known);
  const half = Math.ceil(persons.length / 2);
  return [
    ...Object.entries(real).map(([list, files]) => [list, files.map(file)]),
    ...[persons.slice(0, half), persons.slice(half)].map((part, at) => [
      `made${at}`,
      [{ name: 'made.csv', content: csv(part) }],
    ]),
  ];
}

function csv(persons) {
  const rows = persons.map(({ names: [{ text }, alias], births: [{ from }] }) => {
    const at = text.lastIndexOf(' ');
    const other = alias === undefined ? '' : `"${alias.text}"`;
    return `PEP,${text.slice(0, at)},${text.slice(at + 1)},${other},${from}`;
  });
  return Buffer.from(`category,first_name,last_name,aliases,date_of_birth\n${rows.join('\n')}`);
}

/** Persons who are looked for: ordinary ones, and some who are listed. */
function searchers() {
  return [
    ...table('negatives_global.csv'),
    ...table('negatives_us.csv'),
    ...table('positives_un_treated.csv'),
  ]
    .map(nameOf)
    .sort((a, b) => orderOf(a) - orderOf(b));
}

/** Any order that is the same in each run. */
function orderOf(text) {
  return createHash('sha256').update(text).digest().readUInt32BE();
}

async function serve() {
  const startedAt = performance.now();
  const server = await serveApi(kit, io, {
    host: '127.0.0.1',
    port: 0,
    worker: false,
    strict: false,
    requestsPerCompany: 0,
    version: 'bench',
    threads: { config, warn: io.warn },
  });
  process.stdin
    .on('data', () => {})
    .on('end', () => void server.close().then(() => process.exit()));
  return { url: server.url, startMs: performance.now() - startedAt, searchers: searchers() };
}
