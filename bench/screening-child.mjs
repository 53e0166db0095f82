// The program of `screening-http.mjs` in a separate process:
// `node screening-child.mjs MODE FOLDER NAMES`. `make` writes lists of synthetic names, `fill`
// imports them and the real ones, `serve` serves requests; each prints one line of JSON.
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { resolveConfig } from '../build/wire/config/resolve.js';
import { serveApi } from '../build/wire/serve/serve.js';
import { openToolkit } from '../build/wire/toolkit.js';
import { corpora, filler, listOf, nameOf, table } from './screening-names.mjs';

const real = {
  un: ['un/UN_consolidated.2025-04-19.xml'],
  ofac: ['ofac/sdn.csv', 'ofac/alt.csv', 'ofac/sdn_comments.csv'],
};
const madeLists = ['made0', 'made1'];

const [mode, home, names, threads] = process.argv.slice(2);
const env = {
  HOME: home,
  INNSIGLI_HOME: join(home, 'data'),
  INNSIGLI_SCREENING_PER_MINUTE: '1000000',
  ...(threads === undefined ? {} : { INNSIGLI_SCREENING_THREADS: threads }),
};
const { config } = resolveConfig({ flags: { level: 'B-B' }, env, cwd: home });
const io = { now: Date.now, random: (count) => randomBytes(count), warn: () => undefined };
const kit = openToolkit(config, io);

console.log(JSON.stringify(await { make, fill, serve }[mode]()));

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

/**
 * Writes lists of synthetic persons to the folder, up to the number of names including the real
 * ones.
 */
function make() {
  const known = Object.values(real)
    .flatMap((files) => listOf(...files))
    .reduce((sum, person) => sum + person.names.length, 0);
  const persons = filler(Number(names) - known);
  const half = Math.ceil(persons.length / 2);
  [persons.slice(0, half), persons.slice(half)].forEach((part, at) => {
    writeFileSync(join(home, `${madeLists[at]}.csv`), csv(part));
  });
  return { persons: persons.length };
}

/** The lists of UN and OFAC, and the synthetic ones, each read when it is imported. */
function* lists() {
  const file = (folder, name) => ({ name, content: readFileSync(join(folder, name)) });
  for (const [list, files] of Object.entries(real)) {
    yield [list, files.map((name) => file(join(corpora, 'lists'), name))];
  }
  for (const list of madeLists) yield [list, [file(home, `${list}.csv`)]];
}

function csv(persons) {
  const rows = persons.map(({ names: [{ text }, alias], births: [{ from }] }) => {
    const at = text.lastIndexOf(' ');
    const other = alias === undefined ? '' : `"${alias.text}"`;
    return `PEP,${text.slice(0, at)},${text.slice(at + 1)},${other},${from}`;
  });
  return Buffer.from(`category,first_name,last_name,aliases,date_of_birth\n${rows.join('\n')}`);
}

/** Persons to search for: ordinary ones, and some who are listed. */
function searchers() {
  return [
    ...table('negatives_global.csv'),
    ...table('negatives_us.csv'),
    ...table('positives_un_treated.csv'),
  ]
    .map(nameOf)
    .sort((a, b) => orderOf(a) - orderOf(b));
}

/** A sort key that is the same in each run. */
function orderOf(text) {
  return createHash('sha256').update(text).digest().readUInt32BE();
}

async function serve() {
  const startedAt = performance.now();
  const server = await serveApi(kit, io, {
    host: '127.0.0.1',
    port: 0,
    worker: true,
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
