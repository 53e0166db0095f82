import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type ActivityPorts,
  activityOperations,
  appendActivity,
  newestRoot,
  parseActivityQuery,
  requireActivity,
} from '../../../src/app/activity/index.ts';
import { bindOperations } from '../../../src/app/operation.ts';
import {
  anchorDigest,
  anchorStart,
  chainHash,
  commitmentTo,
  daySpan,
  loggedStatus,
  merkleRoot,
} from '../../../src/domain/activity/index.ts';
import { asKey } from '../../../src/domain/keys.ts';
import type { ActivityDraft, SigningProcess } from '../../../src/domain/process/index.ts';
import { makeTestPki } from '../../support/pki.ts';
import {
  openTestStore,
  type TestStore,
  testCompany,
  testNowMs,
  testProcess,
  testSignee,
} from '../../support/store.ts';
import { testAuthority } from '../../support/tsa.ts';
import { usualDrafts } from './log-of.ts';

const dayMs = 86_400_000;

let opened: TestStore;
let nowMs: number;
let octet: number;

beforeEach(async () => {
  opened = await openTestStore();
  nowMs = testNowMs;
  octet = 0;
});

afterEach(() => opened.close());

function portsWith(more: Partial<ActivityPorts> = {}): ActivityPorts {
  return {
    store: opened.store,
    now: () => nowMs,
    random: (count) => new Uint8Array(count).fill(octet++),
    frontEnd: 'https://sign.example.is',
    ...more,
  };
}

const toolkit = (more: Partial<ActivityPorts> = {}) =>
  bindOperations(activityOperations, portsWith(more), testCompany.key);

async function write(process: SigningProcess, drafts: readonly ActivityDraft[], isNew = true) {
  await opened.store.write(async (unit) => {
    const status = loggedStatus(drafts) ?? process.status;
    const isOver = ['Completed', 'Canceled', 'Expired'].includes(status);
    const end = isOver ? ({ phase: 'Done', endedAtMs: nowMs } as const) : {};
    const signees = signeesOf(drafts);
    if (isNew) await unit.processes.add({ ...process, status, ...end, signees });
    await appendActivity(unit, portsWith(), process, drafts, nowMs);
  });
}

/** The signees according to a log. */
function signeesOf(drafts: readonly ActivityDraft[]): SigningProcess['signees'] {
  const keyOf = (wanted: string) =>
    drafts.flatMap(({ status, signeeKey: key }) => (status === wanted && key ? [key] : []));
  const signed = keyOf('SigneeSigned');
  return keyOf('SigneeAdded').map((key) =>
    testSignee(1, { key, state: signed.includes(key) ? 'Signed' : 'Invited' }),
  );
}

function sql(statement: string, ...values: readonly unknown[]): void {
  const database = new Database(join(opened.folder, 'innsigli.db'));
  try {
    expect(database.prepare(statement).run(...values).changes).toBeGreaterThan(0);
  } finally {
    database.close();
  }
}

const query = (more: Record<string, string> = {}) =>
  parseActivityQuery({ startDate: '2026-01-01', endDate: '2026-02-01', ...more });

describe('append', () => {
  test('continues the chain; a small clock step back is clamped, a large one rejected', async () => {
    const process = testProcess(1);
    await write(process, usualDrafts.slice(0, 2));
    nowMs -= 5_000;
    await write(process, [{ status: 'Started', createdBy: 'System' }], false);
    const rows = await opened.store.read((unit) => unit.activity.rows(process.key));
    expect(rows.map(({ seq, createdAtMs }) => [seq, createdAtMs - testNowMs])).toEqual([
      [1, 0],
      [2, 0],
      [3, 0],
    ]);
    expect(rows[2]?.description).toBe('the clock is 5000 ms behind this log');
    nowMs = testNowMs - dayMs - 1;
    await expect(
      write(process, [{ status: 'Expired', createdBy: 'System' }], false),
    ).rejects.toMatchObject({ code: 'clock.back' });
    expect((await toolkit().verify()).rows).toBe(3);
  });

  test('writes nothing when there is nothing to add', async () => {
    await write(testProcess(1), []);
    const head = await opened.store.read((unit) => unit.activity.head(testProcess(1).key));
    expect(head).toBeUndefined();
  });
});

describe('list and total', () => {
  test('return the published shapes, newest process first, oldest entry first', async () => {
    const process = testProcess(1);
    const signeeKey = process.signees[0]?.key ?? asKey('signee', '');
    const own = usualDrafts.map((draft) =>
      draft.signeeKey === undefined ? draft : { ...draft, signeeKey },
    );
    await write(process, own);
    await write(testProcess(2), [{ status: 'Created', createdBy: 'b@example.is' }]);
    const [second, first] = await toolkit().list(query());
    expect(second?.processKey).toBe(testProcess(2).key);
    expect(first?.activityLog.map(({ status, createdBy }) => [status, createdBy])).toEqual([
      ['Created', 'eva@example.is'],
      ['SigneeAdded', 'System'],
      ['Started', 'eva@example.is'],
      ['SigneeSigned', 'System'],
      ['Completed', 'System'],
    ]);
    expect(first?.activityLog[3]).toEqual({
      flowKey: process.flowKey,
      processKey: process.key,
      signeeKey,
      status: 'SigneeSigned',
      description: 'click',
      userAgent: 'Mozilla/5.0 Þ',
      createdAt: '2026-01-02T03:04:05.0000000Z',
      createdBy: 'System',
      requiresAuth: false,
      signInOrder: false,
      signatureLocation: 'BottomLastPage',
    });
    expect(first?.activityLog[0]?.fileName).toBe('samningur.pdf');
    expect(first?.signees[0]).toMatchObject({
      processKey: process.key,
      signeeKey,
      name: process.signees[0]?.name,
      email: process.signees[0]?.email,
      createdBy: 'System',
      signatureType: 'ClickToSign',
    });
    expect(first).toMatchObject({ sequenceSignees: [], attachmentReferences: [] });
    expect(await toolkit().total(query())).toEqual({ total: 2 });
  });

  test.each([
    [{ take: '1' }, [3]],
    [{ skip: '1', take: '1' }, [2]],
    [{ take: '0' }, []],
    [{ search: 'agreement 2' }, [2]],
    [{ statusFilter: 'canceled' }, [1]],
    [{ statusFilter: 'ALL' }, [3, 2, 1]],
    [{ flowType: 'dropandsign', user: 'OWNER@example.is' }, [3, 2, 1]],
    [{ flowType: 'FillAndSign' }, []],
    [{ startDate: '2026-01-02T03:04:05.002Z' }, [3, 2]],
    [{ endDate: '2026-01-02T03:04:05.002Z' }, [1]],
    [{ processKey: testProcess(2).key }, [2]],
  ])('select processes by the filter %j', async (more, expected) => {
    const canceled = { status: 'Canceled', createdBy: 'System' };
    await write(testProcess(1), [...usualDrafts.slice(0, 4), canceled]);
    await write(testProcess(2), usualDrafts);
    await write(testProcess(3), usualDrafts);
    const found = await toolkit().list(query(more));
    expect(found.map(({ processKey }) => processKey)).toEqual(
      expected.map((number) => testProcess(number).key),
    );
  });

  test('page through a long list without repeating a process while new ones are added', async () => {
    const numbers = Array.from({ length: 120 }, (_, at) => at + 1);
    // Several are created at the same time, so that their keys decide the order.
    for (const number of numbers) {
      await write(testProcess(number, { createdAtMs: testNowMs + (number >> 3) }), usualDrafts);
    }
    const expected = [...numbers].reverse();
    const keysOf = (list: readonly { readonly processKey: string }[]) =>
      list.map(({ processKey }) => Number.parseInt(processKey.slice(2), 16));
    expect(keysOf(await toolkit().list(query()))).toEqual(expected);
    expect(keysOf(await toolkit().list(query({ skip: '7', take: '101' })))).toEqual(
      expected.slice(7, 108),
    );
    expect(keysOf(await toolkit().list(query({ take: '100' })))).toEqual(expected.slice(0, 100));
    const sizes: number[] = [];
    const found: number[] = [];
    for await (const page of toolkit().pages(query())) {
      sizes.push(page.length);
      found.push(...keysOf(page));
      if (sizes.length < 3) await write(testProcess(1000 + sizes.length), usualDrafts);
    }
    expect(sizes).toEqual([50, 50, 20]);
    expect(found).toEqual(expected);
  });

  test('return nothing to other companies', async () => {
    await write(testProcess(1), usualDrafts);
    const other = bindOperations(activityOperations, portsWith(), asKey('company', 'c0ffee000009'));
    expect(await other.list(query())).toEqual([]);
    expect(await other.total(query())).toEqual({ total: 0 });
    await expect(other.verify({ processKey: testProcess(1).key })).rejects.toMatchObject({
      code: 'process.not_found',
    });
    await expect(other.erase(testProcess(1).key)).rejects.toMatchObject({
      code: 'process.not_found',
    });
  });
});

describe('activity query parameters', () => {
  test.each([
    [{ startDate: '' }, 'StartDate: expected a date such as'],
    [{ endDate: 'tomorrow' }, 'EndDate: expected a date such as'],
    [{ startDate: '2026-02-30' }, 'StartDate: expected a date such as'],
    [{ startDate: '2026-02-01' }, 'StartDate: expected a time before 2026-'],
    [{ take: '-1' }, 'Take: expected a whole number from 0'],
    [{ take: '2147483648' }, 'Take: expected a whole number from 0'],
    [{ skip: '1e3' }, 'Skip: expected a whole number'],
    [{ flowType: 'Other' }, 'FlowType: expected one of RenderFlow'],
    [{ statusFilter: 'Done' }, 'StatusFilter: expected one of All'],
    [{ search: 'x'.repeat(257) }, 'Search: expected at most 256 characters'],
  ])('reject %j', (more, message) => {
    expect(() => query(more)).toThrow(message);
  });

  test.each([
    ['2026-01-02', '2026-01-02T00:00:00.000Z'],
    ['2026-01-02T03:04', '2026-01-02T03:04:00.000Z'],
    ['2026-01-02T03:04:05.1234567Z', '2026-01-02T03:04:05.123Z'],
    ['2026-01-02 03:04:05+01:00', '2026-01-02T02:04:05.000Z'],
    ['2026-01-02t03:04:05-0130', '2026-01-02T04:34:05.000Z'],
  ])('parse %s as %s', (text, time) => {
    expect(new Date(query({ startDate: text }).fromMs).toISOString()).toBe(time);
  });

  test('have the published defaults, and take is limited to 100 000', () => {
    expect(query()).toMatchObject({ take: 10_000, skip: 0 });
    expect(query({ take: '2147483647' }).take).toBe(100_000);
  });
});

describe('verify', () => {
  const found = async (key: SigningProcess['key']) =>
    (await opened.store.read(({ processes }) => processes.find(key))) as SigningProcess;

  beforeEach(async () => {
    await write(testProcess(1), usualDrafts);
    await write(testProcess(2), usualDrafts);
  });

  test('reports an untouched log as intact, and the head of a single process', async () => {
    expect(await toolkit().verify()).toMatchObject({ isIntact: true, processes: 2, rows: 10 });
    const { head } = await toolkit().verify({ processKey: testProcess(1).key });
    const rows = await opened.store.read((unit) => unit.activity.rows(testProcess(1).key));
    expect(head).toBe(rows.at(-1)?.hash);
  });

  test.each([
    [
      'an edited row',
      "update activity set data = replace(data, 'click', 'cli-k') where seq = 4 and process_key = ?",
      4,
      'row.changed',
    ],
    [
      'an edited time',
      'update activity set created_at = created_at + 1 where seq = 2 and process_key = ?',
      2,
      'row.changed',
    ],
    ['a removed row', 'delete from activity where seq = 3 and process_key = ?', 3, 'row.missing'],
    [
      'an edited personal value',
      "update activity_personal set data = replace(data, '192.0.2.7', '192.0.2.8') where process_key = ?",
      4,
      'personal.changed',
    ],
  ])('names %s', async (_, statement, seq, fault) => {
    sql(statement, testProcess(2).key);
    const finding = { processKey: testProcess(2).key, seq, fault };
    expect(await toolkit().verify()).toMatchObject({ isIntact: false, chainFindings: [finding] });
    expect(await toolkit().verify({ processKey: testProcess(1).key })).toMatchObject({
      isIntact: true,
    });
  });

  test('erasure removes personal values and keeps the chain intact', async () => {
    const { key } = testProcess(1);
    const process = await found(key);
    await toolkit().erase(key);
    const entries = await opened.store.read((unit) => requireActivity(unit, process));
    expect(entries.map(({ createdBy }) => createdBy).slice(0, 3)).toEqual([
      'User',
      'System',
      'User',
    ]);
    expect(entries.at(-1)?.status).toBe('PersonalErased');
    expect(JSON.stringify(entries)).not.toMatch(/eva@|samningur|192\.0\.2\.7|Mozilla/);
    expect(await toolkit().verify()).toMatchObject({ isIntact: true, rows: 11 });
  });

  test('evidence is read only from an intact log', async () => {
    const { key } = testProcess(1);
    const process = await found(key);
    const read = () => opened.store.read((unit) => requireActivity(unit, process));
    expect((await read()).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    sql("update activity set data = replace(data, 'click', 'cli-k') where process_key = ?", key);
    await expect(read()).rejects.toMatchObject({
      code: 'activity.chain.broken',
      details: { processKey: key, seq: 4, fault: 'row.changed' },
    });
  });

  test('detects a status that the log does not state', async () => {
    const { key } = testProcess(2);
    sql("update process set status = 'Active' where key = ?", key);
    const finding = { processKey: key, seq: 5, fault: 'status.changed' };
    expect(await toolkit().verify()).toMatchObject({ isIntact: false, chainFindings: [finding] });
    expect(await toolkit().verify({ processKey: key })).toMatchObject({ isIntact: false });
  });

  test('detects deleted personal values', async () => {
    const { key } = testProcess(2);
    sql('delete from activity_personal where seq = 4 and process_key = ?', key);
    expect(await toolkit().verify()).toMatchObject({
      chainFindings: [{ processKey: key, seq: 4, fault: 'personal.missing' }],
    });
  });

  test('detects rows whose process is gone', async () => {
    const { key } = testProcess(2);
    const database = new Database(join(opened.folder, 'innsigli.db'));
    database.pragma('foreign_keys = OFF');
    database.prepare('delete from process where key = ?').run(key);
    database.close();
    expect(await toolkit().verify()).toMatchObject({
      isIntact: false,
      chainFindings: [{ processKey: key, seq: 1, fault: 'log.orphaned' }],
    });
  });

  test('with since checks only later processes', async () => {
    sql("update activity set hash = '00' where seq = 5 and process_key = ?", testProcess(1).key);
    const verdict = await toolkit().verify({ sinceMs: testProcess(2).createdAtMs });
    expect(verdict).toMatchObject({ isIntact: true, processes: 1 });
  });
});

describe('daily roots', () => {
  const pki = makeTestPki({ nowMs: testNowMs + 2 * dayMs });
  const timestamps = {
    anchors: [pki.member('root').certificate],
    authority: testAuthority(pki),
  };

  beforeEach(async () => {
    await write(testProcess(1), usualDrafts);
    nowMs += dayMs;
    await write(testProcess(2, { createdAtMs: nowMs }), usualDrafts);
    nowMs += dayMs;
    await write(testProcess(1), [{ status: 'WebhookSent', createdBy: 'System' }], false);
  });

  test('are made once for each completed day and wait without an authority', async () => {
    const first = await toolkit().anchor();
    expect(first).toEqual({
      anchored: ['2026-01-02', '2026-01-03'],
      stamped: [],
      late: [],
      waiting: ['2026-01-02', '2026-01-03'],
      errorCode: 'tsa.missing',
    });
    expect((await toolkit().anchor()).anchored).toEqual([]);
    expect(await toolkit().verify()).toMatchObject({
      isIntact: true,
      days: 2,
      stampedDays: 0,
      anchoredUntil: '2026-01-03',
    });
  });

  test('reveal a row removed from the end of a chain', async () => {
    await toolkit().anchor();
    sql('delete from activity where seq = 5 and process_key = ?', testProcess(2).key);
    const day = { day: '2026-01-03', fault: 'rows.missing', expectedCount: 5, foundCount: 4 };
    expect(await toolkit().verify()).toMatchObject({
      isIntact: false,
      chainFindings: [{ processKey: testProcess(2).key, seq: 4, fault: 'status.changed' }],
      dayFindings: [day],
    });
  });

  test('reveal a removed process', async () => {
    await toolkit().anchor();
    sql('delete from activity where process_key = ?', testProcess(2).key);
    const { dayFindings } = await toolkit().verify();
    expect(dayFindings).toMatchObject([
      { day: '2026-01-03', fault: 'rows.missing', foundCount: 0 },
    ]);
  });

  test('reveal a chain rewritten from some row on', async () => {
    await toolkit().anchor();
    const { key } = testProcess(2);
    const rows = await opened.store.read((unit) => unit.activity.rows(key));
    let previous = rows[3]?.hash ?? '';
    const last = { ...rows[4], status: 'Canceled' } as never;
    previous = chainHash(previous, last);
    sql(
      "update activity set hash = ?, data = replace(data, 'Completed', 'Canceled') where seq = 5 and process_key = ?",
      previous,
      key,
    );
    sql("update process set status = 'Canceled' where key = ?", key);
    expect(await toolkit().verify()).toMatchObject({
      chainFindings: [],
      dayFindings: [{ day: '2026-01-03', fault: 'rows.changed' }],
    });
  });

  test('are all time-stamped by an authority and linked to the previous root', async () => {
    const report = await toolkit({ timestamps }).anchor();
    expect(report).toMatchObject({ stamped: ['2026-01-02', '2026-01-03'], waiting: [] });
    const verify = () => toolkit({ timestamps }).verify();
    expect(await verify()).toMatchObject({ isIntact: true, stampedDays: 2 });
    sql("delete from daily_root where day = '2026-01-02'");
    expect((await verify()).dayFindings.map(({ day, fault }) => [day, fault])).toEqual([
      ['2026-01-03', 'token.invalid'],
      ['2026-01-02', 'root.missing'],
    ]);
  });

  test('of earlier versions are verified and continued by new ones', async () => {
    const companyKey = testCompany.key;
    const day = '2026-01-02';
    const { fromMs, toMs } = daySpan(day);
    await opened.store.write(async ({ activity }) => {
      const hashes = await activity.hashesBetween(companyKey, fromMs, toMs);
      const root = { companyKey, day, version: 1, root: merkleRoot(hashes) } as const;
      const older = { ...root, count: hashes.length, createdAtMs: nowMs };
      await activity.addDailyRoot(older);
    });
    const first = await opened.store.read((unit) => newestRoot(unit, companyKey, nowMs));
    const [{ root = '', count = 0 } = {}] = await opened.store.read(({ activity }) =>
      activity.dailyRoots(companyKey),
    );
    const older = { companyKey, day, version: 1, root, count } as const;
    expect(first).toEqual({ day, digest: anchorDigest(anchorStart, older) });
    const report = await toolkit({ timestamps }).anchor();
    expect(report).toMatchObject({ anchored: ['2026-01-03'], stamped: [day, '2026-01-03'] });
    const verdict = await toolkit({ timestamps }).verify();
    expect(verdict).toMatchObject({ isIntact: true, isVouched: true, stampedDays: 2 });
    const newest = await opened.store.read((unit) => newestRoot(unit, companyKey, nowMs));
    expect(newest).toEqual({ day: '2026-01-03', digest: verdict.rootDigest });
    sql("update daily_root set version = 2 where day = '2026-01-02'");
    expect((await toolkit({ timestamps }).verify()).dayFindings).toMatchObject([
      { day, fault: 'token.invalid' },
      { day: '2026-01-03', fault: 'token.invalid' },
    ]);
  });

  test.each([
    ['23 hours', 23, []],
    ['49 hours', 49, ['2026-01-02']],
  ])('time-stamped %s after the day are on time or reported as late', async (_, hours, late) => {
    nowMs = daySpan('2026-01-02').toMs + hours * 3_600_000;
    const pki = makeTestPki({ nowMs });
    const own = {
      anchors: [pki.member('root').certificate],
      authority: testAuthority(pki),
    };
    expect((await toolkit({ timestamps: own }).anchor()).late).toEqual(late);
    const { isIntact, dayFindings } = await toolkit({ timestamps: own }).verify();
    expect(isIntact).toBe(true);
    expect(dayFindings).toEqual(
      late.map((day) => ({ day, fault: 'token.late', expectedCount: 5, foundCount: 5 })),
    );
  });

  test('are sent to a failing authority again next time', async () => {
    const failing = { ...timestamps, authority: testAuthority(pki, 'rejection') };
    expect(await toolkit({ timestamps: failing }).anchor()).toMatchObject({
      stamped: [],
      errorCode: 'tsa.refused',
    });
    expect((await toolkit({ timestamps }).anchor()).stamped).toHaveLength(2);
  });
});

describe('export', () => {
  beforeEach(() => {
    nowMs += 1_000;
  });

  async function lines(more: object = {}): Promise<readonly string[]> {
    const request = { filter: query(), format: 'jsonl', isAnonymous: false, by: 'eva@example.is' };
    const all: string[] = [];
    for await (const line of toolkit().export({ ...request, ...more } as never)) all.push(line);
    return all;
  }

  test('contains all that a third party needs to verify chain, commitments and roots', async () => {
    await write(testProcess(1), usualDrafts);
    await write(testProcess(2), usualDrafts);
    nowMs += 2 * dayMs;
    await toolkit().anchor();
    const all = (await lines()).map((line) => JSON.parse(line));
    expect(all.map(({ type }) => type)).toEqual([
      'header',
      ...Array(12).fill('row'),
      'root',
      'end',
    ]);
    expect(all.at(-1)).toEqual({ type: 'end', processes: 2, rows: 12, roots: 1 });
    let previous = '';
    for (const { type, hash, personal = [], ...record } of all.slice(1, 13)) {
      if (record.seq === 1) previous = '0'.repeat(64);
      expect(type).toBe('row');
      expect(chainHash(previous, record)).toBe(hash);
      for (const value of personal) {
        expect(commitmentTo(value)).toBe(record.commitments[value.name]);
      }
      previous = hash;
    }
    expect(all[6]).toMatchObject({ status: 'ActivityExported', createdBy: 'User' });
    expect((await toolkit().verify()).isIntact).toBe(true);
  });

  test('contains no personal data when anonymous, and the log records that', async () => {
    await write(testProcess(1), usualDrafts);
    const text = (await lines({ isAnonymous: true, by: 'System' })).join('');
    expect(text).not.toMatch(/eva@|samningur|192\.0\.2\.7|"personal"/);
    expect(text).toContain('jsonl without personal data');
  });

  test('in CSV is quoted and contains no formulas', async () => {
    const draft = { status: 'Created', createdBy: 'eva@example.is', fileName: '=cmd|"x",y.pdf' };
    await write(testProcess(1), [draft, { ...draft, fileName: 'a\nb.pdf' }]);
    const text = (await lines({ format: 'csv' })).join('');
    expect(text.split('\r\n')[0]).toMatch(/^processKey,seq,createdAt,status/);
    expect(text).toContain(`"'=cmd|""x"",y.pdf"`);
    expect(text).toContain('"a\nb.pdf"');
  });

  test('leaves out processes created while it runs', async () => {
    await write(testProcess(1), usualDrafts);
    await write(testProcess(2, { createdAtMs: nowMs + 60_000 }), usualDrafts);
    expect((await lines()).at(-1)).toContain('"processes":1');
  });
});
