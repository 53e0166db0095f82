import type { Database } from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSqliteStore } from '../../../../src/adapters/store/index.ts';
import { claimDueJobs, hasDueJobs } from '../../../../src/adapters/store/rows/outbox/jobs.ts';
import { connect, loadSqlite } from '../../../../src/adapters/store/sqlite/sqlite-connection.ts';
import type { Session } from '../../../../src/adapters/store/tables.ts';
import { openUnit } from '../../../../src/adapters/store/unit.ts';
import type { StoreUnit } from '../../../../src/app/ports/index.ts';
import { asKey } from '../../../../src/domain/keys.ts';
import {
  addTestFlow,
  testCompany,
  testFlow,
  testNowMs,
  testProcess,
  testVault,
} from '../../../support/store.ts';
import { newSqlitePlace, type TestPlace } from './store-place.ts';

let place: TestPlace;
let raw: Database;
let session: Session;
const asked: { readonly sql: string; readonly parameters: readonly unknown[] }[] = [];

beforeAll(async () => {
  place = await newSqlitePlace();
  const store = await openSqliteStore({ path: place.target, vault: testVault, now: () => 1 });
  await store.write(async (unit) => {
    await addTestFlow(unit);
    for (let number = 1; number <= 300; number++) await unit.processes.add(testProcess(number));
  });
  await store.close();
  const modules = await loadSqlite();
  raw = new modules.Database(place.target);
  const { db, execute } = connect(recording(raw), modules).scope();
  const { sql } = modules.kysely;
  const leaseTime = () => sql<number>`1`;
  session = { db, sql, vault: testVault, engine: 'sqlite', leaseTime, execute };
});
afterAll(async () => {
  raw?.close();
  await place?.remove();
});

/** Records every statement with its parameters. */
function recording(database: Database): Database {
  return new Proxy(database, {
    get(target, name) {
      if (name !== 'prepare') return Reflect.get(target, name) as unknown;
      return (sql: string) => {
        const statement = target.prepare(sql);
        const noted =
          (method: 'all' | 'run') =>
          (...parameters: unknown[]) => {
            asked.push({ sql, parameters: parameters.flat() });
            return statement[method](...parameters);
          };
        return { reader: statement.reader, all: noted('all'), run: noted('run') };
      };
    },
  });
}

const companyKey = testCompany.key;
const { key } = testProcess(1);
const page = { companyKey, skip: 0, take: 100 };
const from = { createdFromMs: 1, createdToMs: testNowMs * 2 };
const pair = { subject: 's', list: 'l', key: 'k', identity: 'i' };
const claim = {
  owner: 'o',
  kinds: ['message', 'webhook'] as const,
  nowMs: 1,
  leaseMs: 1,
  limit: 5,
};
const row = {
  companyKey,
  processKey: key,
  flowKey: testFlow.key,
  seq: 1,
  createdAtMs: 1,
  status: 'x',
  createdBy: 'y',
  commitments: {},
  hash: 'h',
};

type Asked = readonly (readonly [name: string, ask: (unit: StoreUnit) => Promise<unknown>])[];

/** Pages of lists, which end after a few rows. */
const ordered: Asked = [
  ['a page of the list', ({ processes }) => processes.list(page)],
  ['a page of a status', ({ processes }) => processes.list({ ...page, status: 'Active' })],
  [
    'a list of messages',
    ({ messages }) => messages.list({ companyKey, states: ['waiting', 'sent'], take: 9 }),
  ],
  ['a page of sequences', ({ sequences }) => sequences.list(companyKey, { skip: 0, take: 9 })],
  ['a page of decisions', ({ matchDecisions }) => matchDecisions.list(companyKey, 9)],
  ['a page of customers', ({ customers }) => customers.list(companyKey, 'x', 9)],
  ['a page of due customers', ({ customers }) => customers.due(companyKey, 1, 9)],
  ['a page of records', ({ compliance }) => compliance.list(companyKey, 'x', 9)],
  ['a page of screenings', ({ screenings }) => screenings.chain(companyKey, 0, 9)],
  ['a page of deliveries', ({ webhooks }) => webhooks.deliveries({ companyKey, take: 9 })],
];

const queries: Asked = [
  ['the list of processes', ({ processes }) => processes.list(page)],
  ['the list of a period', ({ processes }) => processes.list({ ...page, ...from })],
  [
    'the list after a process',
    ({ processes }) => processes.list({ ...page, behind: { createdAtMs: 1, key } }),
  ],
  ['the list by status', ({ processes }) => processes.list({ ...page, ...from, status: 'Active' })],
  ['the list by user', ({ processes }) => processes.list({ ...page, ...from, user: 'a@b.is' })],
  ['the list by flow', ({ processes }) => processes.list({ ...page, flowKey: testFlow.key })],
  ['the list by flow type', ({ processes }) => processes.list({ ...page, flowType: 'PEP' })],
  ['the list by key', ({ processes }) => processes.list({ ...page, processKey: key })],
  ['search', ({ processes }) => processes.list({ ...page, search: 'jarson 17' })],
  ['the search for a number', ({ processes }) => processes.list({ ...page, search: '1201743399' })],
  ['the search for two letters', ({ processes }) => processes.list({ ...page, search: 'ab' })],
  ['count', ({ processes }) => processes.count({ companyKey, ...from })],
  ['count of a search', ({ processes }) => processes.count({ companyKey, search: 'jarson 17' })],
  ['process', ({ processes }) => processes.find(key)],
  ['save', ({ processes }) => processes.save(testProcess(1, { rev: 2, fileName: 'new.pdf' }))],
  ['contents', ({ processes }) => processes.referenced(['a', 'b'])],
  [
    'append',
    ({ activity }) => activity.append([{ row, personal: [{ name: 'ip', salt: '', value: '' }] }]),
  ],
  ['head', ({ activity }) => activity.head(key)],
  ['heads of many', ({ activity }) => activity.heads([key, testProcess(2).key])],
  ['owners of many', ({ processes }) => processes.lockOwners([key, testProcess(2).key])],
  ['deliveries of many', ({ webhooks }) => webhooks.findDeliveries(['x', 'y'])],
  ['events of many', ({ webhooks }) => webhooks.findEvents(['x', 'y'])],
  ['heads of many events', ({ webhooks }) => webhooks.eventHeads(['x', 'y'])],
  ['end of many jobs', ({ jobs }) => jobs.finishAll('webhook', ['x', 'y'], 'o')],
  [
    'release of many jobs',
    ({ jobs }) => jobs.releaseAll('webhook', [{ ref: 'x', owner: 'o', runAtMs: 1 }]),
  ],
  ['claim of certain jobs', () => claimDueJobs(session, { ...claim, refs: ['a', 'b'] })],
  ['claim beyond the horizon', () => claimDueJobs(session, { ...claim, horizonMs: 9 })],
  ['rows', ({ activity }) => activity.rows(key)],
  ['rows of many', ({ activity }) => activity.rowsOf([key, testProcess(2).key])],
  ['personal values', ({ activity }) => activity.personalOf([key, testProcess(2).key])],
  ['erasure', ({ activity }) => activity.erasePersonal(key)],
  ['hashes of a day', ({ activity }) => activity.hashesBetween(companyKey, 1, 2)],
  ['rows without a process', ({ activity }) => activity.orphans(companyKey, 9)],
  ['roots', ({ activity }) => activity.dailyRoots(companyKey)],
  ['key', ({ companies }) => companies.findApiKey('x')],
  ['keys', ({ companies }) => companies.apiKeys(companyKey)],
  ['flows', ({ flows }) => flows.list(companyKey)],
  ['webhooks', ({ webhooks }) => webhooks.forFlow(testFlow.key)],
  ['the removal of a webhook', ({ webhooks }) => webhooks.remove(1)],
  ['event count', ({ webhooks }) => webhooks.eventCount(key)],
  ['deliveries', ({ webhooks }) => webhooks.deliveries({ companyKey, take: 9 })],
  [
    'the list of deliveries since a time',
    ({ webhooks }) => webhooks.deliveries({ companyKey, sinceMs: 1, take: 9 }),
  ],
  [
    'the list of dead deliveries',
    ({ webhooks }) => webhooks.deliveries({ companyKey, state: 'dead', take: 9 }),
  ],
  [
    'the list of deliveries of a webhook',
    ({ webhooks }) => webhooks.deliveries({ companyKey, webhookId: 1, take: 9 }),
  ],
  [
    'the list of pending deliveries of a webhook and a process',
    ({ webhooks }) =>
      webhooks.deliveries({ companyKey, webhookId: 1, processKey: key, state: 'waiting', take: 9 }),
  ],
  ['attempts', ({ webhooks }) => webhooks.attempts('x')],
  ['messages', ({ messages }) => messages.ofProcess(key)],
  [
    'the list of pending or failed messages',
    ({ messages }) => messages.list({ companyKey, states: ['waiting', 'failed'], take: 9 }),
  ],
  ['templates', ({ templates }) => templates.forFlow(testFlow.key)],
  ['job', ({ jobs }) => jobs.put({ kind: 'message', ref: 'x', runAtMs: 1 })],
  ['the end of a job', ({ jobs }) => jobs.finish('message', 'x', 'o')],
  ['the release of a job', ({ jobs }) => jobs.release('message', 'x', 'o', 1)],
  ['due jobs', ({ jobs }) => jobs.due(1)],
  ['the claim of jobs', () => claimDueJobs(session, claim)],
  ['the check for due jobs', () => hasDueJobs(session, claim)],
  ['expired challenges', ({ challenges }) => challenges.removeExpired(1)],
  ['sequence', ({ sequences }) => sequences.find(asKey('sequence', 'x'))],
  ['flows of a type', ({ flows }) => flows.list(companyKey, 'PEP')],
  ['schemas', ({ flows }) => flows.schemas(testFlow.key)],
  ['users', ({ companies }) => companies.users(companyKey)],
  ['origins', ({ origins }) => origins.list(companyKey)],
  ['held messages', ({ messages }) => messages.held()],
  ['screenings', ({ screenings }) => screenings.chain(companyKey, 0, 9)],
  ['the match decisions', ({ matchDecisions }) => matchDecisions.findAll(companyKey, [pair])],
  ['the due customers', ({ customers }) => customers.due(companyKey, 1, 9)],
  ['the customers by number', ({ customers }) => customers.findBySsn(companyKey, '1')],
  ['the next customer', ({ customers }) => customers.nextAtMs(companyKey)],
  [
    'the compliance records by number',
    ({ compliance }) => compliance.find(companyKey, 'person', { ssn: '1' }),
  ],
  [
    'the compliance records by e-mail address',
    ({ compliance }) => compliance.find(companyKey, 'person', { email: 'a' }),
  ],
  ['lists', ({ watchlists }) => watchlists.current(companyKey)],
  ['versions of a list', ({ watchlists }) => watchlists.versions(companyKey, 'x')],
  ['events without a process', ({ webhooks }) => webhooks.removeUnbound(1)],
  ['old drafts', ({ formDrafts }) => formDrafts.removeForgotten(1)],
  ['old tallies', ({ tallies }) => tallies.removeForgotten(1)],
  ['audit', ({ processes }) => processes.auditAfter(companyKey, undefined, 9)],
  ...ordered,
];

// A first step that scans a whole table; small results of other steps and the trigram index may be
// scanned.
const wholeTable =
  /^SCAN (?!CONSTANT ROW|chosen|due$|own$|f$|json_each VIRTUAL|process_fts VIRTUAL|\(subquery)/;

test.each(queries)('%s uses an index', async (_, ask) => {
  asked.length = 0;
  await ask(openUnit(session));
  expect(asked.length).toBeGreaterThan(0);
  for (const { sql, parameters } of [...asked]) {
    const plan = raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as {
      detail: string;
    }[];
    const details = plan.map(({ detail }) => detail);
    expect([sql, details.filter((detail) => wholeTable.test(detail))]).toEqual([sql, []]);
  }
});

test.each<Asked[number]>([
  ...ordered,
  ['the check for due jobs', () => hasDueJobs(session, claim)],
])('%s is sorted by an index', async (_, ask) => {
  asked.length = 0;
  await ask(openUnit(session));
  for (const { sql, parameters } of [...asked]) {
    const plan = raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as {
      detail: string;
    }[];
    const details = plan.map(({ detail }) => detail).join('\n');
    expect(details).not.toContain('TEMP B-TREE');
  }
});

test('a claim reads the first jobs of each kind in index order', async () => {
  asked.length = 0;
  await claimDueJobs(session, claim);
  const [{ sql, parameters } = { sql: '', parameters: [] }] = asked;
  const plan = raw.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...parameters) as { detail: string }[];
  const details = plan.map(({ detail }) => detail);
  const reads = details.filter((detail) => detail.includes('job_due (kind=? AND run_at<?)'));
  expect(reads).toHaveLength(claim.kinds.length);
  // Only the few rows read are sorted.
  expect(details.filter((detail) => detail.includes('TEMP B-TREE'))).toHaveLength(1);
  expect(details.at(-1)).toContain('TEMP B-TREE');
});
