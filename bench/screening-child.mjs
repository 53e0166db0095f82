// The program of `screening-http.mjs`, alone in its process: `node screening-child.mjs MODE FOLDER
// NAMES`. `fill` imports lists of made-up names, `serve` answers; each prints one line of JSON.
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { resolveConfig } from '../build/wire/config/resolve.js';
import { serveApi } from '../build/wire/serve/serve.js';
import { openToolkit } from '../build/wire/toolkit.js';

const [mode, home, names] = process.argv.slice(2);
const LISTS = 4;
const SEARCHERS = 20_000;
const onsets = 'b d f g h j k l m n p r s t v z sh ch kr st'.split(' ');
const syllables = onsets.flatMap((onset) =>
  'a e i o u an er in ol'.split(' ').map((rest) => onset + rest),
);
const env = {
  HOME: home,
  INNSIGLI_HOME: join(home, 'data'),
  INNSIGLI_SCREENING_PER_MINUTE: '1000000',
};
const { config } = resolveConfig({ flags: { level: 'B-B' }, env, cwd: home });
const io = { now: Date.now, random: (count) => randomBytes(count), warn: () => undefined };
const kit = openToolkit(config, io);

let seed = 1;
function random() {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
}
function word(skew) {
  const count = 2 + Math.floor(random() * 2.2);
  return Array.from(
    { length: count },
    () => syllables[Math.floor(syllables.length * random() ** skew)],
  ).join('');
}

console.log(JSON.stringify(mode === 'fill' ? await fill() : await serve()));

async function fill() {
  const { company } = await kit.initialise({ name: 'Bench ehf.', user: 'owner@example.is' });
  const service = await kit.service();
  const { flows, screening } = await service.open(company.key);
  const { key: flowKey } = await flows.create({ name: 'Screening', type: 'PEP' });
  let imported = 0;
  let cpuMs = 0;
  for (let list = 0; list < LISTS; list++) {
    const content = csv(Number(names) / LISTS);
    const before = process.cpuUsage();
    const files = [{ name: 'list.csv', content }];
    const version = await screening.importList({ list: `list${list}`, files });
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

/** Rows with so many names, an alias for two persons in five. */
function csv(count) {
  const rows = ['category,first_name,last_name,aliases,date_of_birth'];
  for (let made = 0; made < count; ) {
    const [first, last] = [word(2), word(1)];
    const alias = random() < 0.4 ? `${last} ${first}` : '';
    made += alias === '' ? 1 : 2;
    rows.push(`PEP,${first},${last},${alias},${1940 + Math.floor(random() * 60)}`);
  }
  return Buffer.from(rows.join('\n'));
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
  const searchers = Array.from({ length: SEARCHERS }, () => `${word(2)} ${word(1)}`);
  process.stdin
    .on('data', () => {})
    .on('end', () => void server.close().then(() => process.exit()));
  return { url: server.url, startMs: performance.now() - startedAt, searchers };
}
