// One contender of the service in a separate process: `node service-child.mjs TASK FOLDER`.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { closeSync, fsyncSync, mkdtempSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { resolveConfig } from '../build/wire/config/resolve.js';
import { openToolkit } from '../build/wire/toolkit.js';
import { serveRounds } from './apart.mjs';

const [task, target] = process.argv.slice(2);
const agreement = readFileSync(join(import.meta.dirname, '../fixtures/pdf/agreement.pdf'));
/** Names differ, as those of people do, so that nothing derived from a name can be cached. */
const signee = (number) => ({
  name: `Jón ${String.fromCodePoint(65 + (number % 26), 97 + (number % 25), 98 + (number % 23))}son`,
  email: `jon${number}@example.is`,
  signatureType: 'ClickToSign',
  delivery: 'Email',
});

const tasks = {
  raw: () => rawProcess(mkdtempSync(join(target, 'service-'))),
  created: async () => (await openBench('B-B')).create,
  signed: async () => (await openBench('B-B')).createAndSign,
  'B-B': async () => (await openBench('B-B')).complete,
  'B-LTA': async () => (await openBench('B-LTA')).complete,
  'newest-page': () => queryLog(() => ({ skip: 0 })),
  'page-50': () => queryLog(() => ({ skip: 4_900 })),
  search: () => queryLog((turn) => ({ skip: 0, search: `signee ${5000 + (turn % 900)}` })),
};

function openKit(folder, dataDir) {
  const env = { HOME: folder, INNSIGLI_HOME: dataDir };
  const { config } = resolveConfig({ flags: {}, env, cwd: folder });
  const io = { now: Date.now, random: (count) => randomBytes(count), warn: () => undefined };
  return openToolkit(config, io);
}

/** `target` is a data directory with a filled log. */
async function queryLog(pageOf) {
  const service = await openKit(target, target).service();
  const { activity } = await service.open();
  const range = { fromMs: 0, toMs: Date.now() + 1e12, take: 100 };
  let turn = 0;
  return async () => {
    const found = await activity.list({ ...range, ...pageOf(turn++) });
    if (found.length === 0) throw new Error('nothing found');
  };
}

async function openBench(sealLevel) {
  const folder = mkdtempSync(join(target, 'service-'));
  const kit = openKit(folder, join(folder, 'data'));
  await kit.initialise({ name: 'Bench ehf.', user: 'owner@example.is' });
  const { processes, signing, flows, runDueJobs } = await (await kit.service()).open();
  const [{ flowKey }] = await flows.list();
  await flows.update(flowKey, { settings: { sealLevel } });
  const order = { flowKey, pdf: agreement, fileName: 'agreement.pdf' };
  let number = 0;
  const create = () => processes.create({ ...order, signees: [signee(++number)] });
  const createAndSign = async () => {
    const { key: processKey, signees } = await create();
    return signing.signByClick({ processKey, signeeKey: signees[0].key });
  };
  const complete = async () => {
    await createAndSign();
    const { done, failed } = await runDueJobs(['finalize']);
    if (done !== 1 || failed.length > 0) throw new Error(`not completed: ${failed[0]?.code}`);
  };
  return { create, createAndSign, complete };
}

/**
 * The minimum of a process at B-B with evidence: three signatures, five blobs flushed to disk,
 * three transactions that wait for the disk.
 */
function rawProcess(folder) {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 3072 });
  const db = new Database(join(folder, 'bench.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)');
  const insert = db.prepare('INSERT INTO t (text) VALUES (?)');
  const text = 'x'.repeat(1000);
  let number = 0;
  const store = (content) => {
    const file = openSync(join(folder, `${++number}`), 'wx');
    writeSync(file, content);
    fsyncSync(file);
    closeSync(file);
    return createHash('sha256').update(content).digest();
  };
  return () => {
    for (const content of [agreement, text]) store(content);
    for (let step = 0; step < 3; step++) {
      sign('sha256', store(agreement), privateKey);
      insert.run(text);
    }
  };
}

await serveRounds(await tasks[task]());
process.exit();
