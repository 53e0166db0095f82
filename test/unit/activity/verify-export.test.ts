import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type ActivityPorts,
  type ActivityService,
  activityOperations,
  appendActivity,
  type ExportVerification,
  verifyExport,
} from '../../../src/app/activity/index.ts';
import { bindOperations } from '../../../src/app/operation.ts';
import { type Activity, chainHash, chainStart } from '../../../src/domain/activity/index.ts';
import { makeTestPki } from '../../support/pki.ts';
import {
  openTestStore,
  type TestStore,
  testCompany,
  testNowMs,
  testProcess,
} from '../../support/store.ts';
import { testAuthority } from '../../support/tsa.ts';
import { usualDrafts } from './log-of.ts';

const dayMs = 86_400_000;
const pki = makeTestPki({ nowMs: testNowMs + 2 * dayMs });
const anchors = [pki.member('root').certificate];
let opened: TestStore;
let nowMs = testNowMs;
let toolkit: ActivityService;
let lines: readonly string[];
let anonymous: readonly string[];

beforeAll(async () => {
  opened = await openTestStore();
  let octet = 0;
  const ports: ActivityPorts = {
    store: opened.store,
    now: () => nowMs,
    random: (count) => new Uint8Array(count).fill(octet++),
    frontEnd: 'https://sign.example.is',
    timestamps: { anchors, authority: testAuthority(pki) },
  };
  toolkit = bindOperations(activityOperations, ports, testCompany.key);
  // Two processes on the first day, one of which continues on the second.
  for (const [number, drafts] of [
    [1, usualDrafts],
    [2, usualDrafts.slice(0, 3)],
    [2, usualDrafts.slice(3)],
  ] as const) {
    const process = testProcess(number, { status: 'Completed' });
    await opened.store.write(async (unit) => {
      if (drafts[0] === usualDrafts[0]) await unit.processes.add(process);
      await appendActivity(unit, ports, process, drafts, nowMs);
    });
    if (number === 2) nowMs += dayMs;
  }
  await toolkit.anchor();
  nowMs += dayMs;
  const filter = { fromMs: 0, toMs: nowMs + 1 };
  const exported = async (isAnonymous: boolean) => {
    const all: string[] = [];
    const request = { filter, format: 'jsonl', isAnonymous, by: 'System' } as const;
    for await (const line of toolkit.export(request)) all.push(line);
    return all;
  };
  lines = await exported(false);
  anonymous = await exported(true);
});
afterAll(() => opened?.close());

async function* pieces(text: string, length = 1000) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

const check = (all: readonly string[], trusted = anchors): Promise<ExportVerification> =>
  verifyExport(pieces(all.join('')), { anchors: trusted, nowMs });
const faults = ({ chainFindings, dayFindings }: ExportVerification) =>
  [...chainFindings, ...dayFindings].map(({ fault }) => fault);
/** The export with one line changed. */
const changed = (type: string, change: (value: Record<string, never>) => object, nth = 0) => {
  const at = lines.flatMap((line, index) => (line.startsWith(`{"type":"${type}"`) ? [index] : []));
  const place = at[nth] ?? 0;
  const line = `${JSON.stringify(change(JSON.parse(lines[place] ?? '')))}\n`;
  return lines.with(place, line);
};

const recounted = (all: readonly string[]) => {
  const of = (type: string) => all.filter((line) => line.startsWith(`{"type":"${type}"`));
  const rows = of('row').map((line) => JSON.parse(line).processKey);
  const counts = { processes: new Set(rows).size, rows: rows.length, roots: of('root').length };
  return all.with(-1, `${JSON.stringify({ type: 'end', ...counts })}\n`);
};
type Row = Record<string, never>;
/** The export with different rows and recomputed chains. */
const forged = (isKept: (row: Row) => boolean, change: (row: Row) => object = (row) => row) => {
  const heads = new Map<string, string>();
  return recounted(
    lines.flatMap((line) => {
      const value = JSON.parse(line);
      if (value.type !== 'row') return [line];
      if (!isKept(value)) return [];
      const row = change(value) as Activity;
      const { processKey } = row;
      const { type: _type, personal: _personal, ...record } = row as Activity & Row;
      const hash = chainHash(heads.get(processKey) ?? chainStart, record);
      heads.set(processKey, hash);
      return [`${JSON.stringify({ ...row, hash })}\n`];
    }),
  );
};

describe('verification of an export without the database', () => {
  test('covers chains, personal values, roots and their time-stamps', async () => {
    expect(await check(lines)).toEqual({
      companyKey: testCompany.key,
      isIntact: true,
      isWhole: true,
      isFiltered: false,
      isVouched: true,
      vouchedRows: 10,
      processes: 2,
      rows: 12,
      days: 2,
      stampedDays: 2,
      wholeDays: 2,
      anchoredUntil: '2026-01-03',
      chainFindings: [],
      dayFindings: [],
    });
  });

  test('works for an export without personal values', async () => {
    expect(anonymous.join('')).not.toContain('eva@');
    expect(await check(anonymous)).toMatchObject({ isIntact: true, wholeDays: 2, rows: 14 });
  });

  test('does not depend on how the input is split', async () => {
    for (const length of [1, 7, 100_000]) {
      const verdict = await verifyExport(pieces(lines.join(''), length), { anchors, nowMs });
      expect(verdict.isIntact).toBe(true);
    }
  });

  test('rejects time-stamps of an unknown authority', async () => {
    const other = makeTestPki({ nowMs }).member('root').certificate;
    expect(faults(await check(lines, [other]))).toEqual(['token.invalid', 'token.invalid']);
    expect(faults(await check(lines, []))).toEqual(['token.invalid', 'token.invalid']);
  });

  test.each<[string, () => readonly string[], readonly string[]]>([
    [
      'an edited row',
      () => changed('row', (row) => ({ ...row, status: 'Canceled' }), 2),
      ['row.changed'],
    ],
    [
      'an edited personal value',
      () =>
        changed('row', (row) => ({
          ...row,
          personal: [{ ...(row['personal']?.[0] as object | undefined), value: 'x' }],
        })),
      ['personal.changed'],
    ],
    [
      'a missing personal value',
      () => changed('row', ({ personal: _gone, ...row }) => row),
      ['personal.missing'],
    ],
    [
      'a different number of rows under a root',
      () => changed('root', (root) => ({ ...root, count: 7 })),
      ['rows.added', 'root.unlinked'],
    ],
    [
      'a different root',
      () => changed('root', (root) => ({ ...root, root: '0'.repeat(64) })),
      ['rows.changed', 'root.unlinked'],
    ],
    [
      'a time-stamp of a different day',
      () => changed('root', (root) => ({ ...root, token: JSON.parse(lines.at(-2) ?? '').token })),
      ['token.invalid'],
    ],
    [
      'a root not linked to the previous one',
      () => changed('root', (root) => ({ ...root, previous: '1'.repeat(64) }), 1),
      ['root.unlinked'],
    ],
  ])('detects %s', async (_what, change, expected) => {
    const verdict = await check(change());
    expect(verdict.isIntact).toBe(false);
    expect(faults(verdict)).toEqual(expected);
  });

  test('detects a process that was left out: the roots count it', async () => {
    const key = testProcess(1).key;
    const rest = lines.filter((line) => !line.includes(`"processKey":"${key}"`));
    expect(await check(rest)).toMatchObject({
      isIntact: false,
      isWhole: false,
      wholeDays: 1,
      chainFindings: [],
      dayFindings: [{ fault: 'rows.missing' }],
    });
  });

  test('detects what a forger left out; an export that claims a filter is not vouched for', async () => {
    const key = testProcess(1).key;
    const rest = forged((row) => row['processKey'] !== key);
    const verdict = await check(rest);
    expect(verdict).toMatchObject({ isWhole: true, isIntact: false, isVouched: false });
    expect(faults(verdict)).toEqual(['rows.missing']);
    // A claim that rows were left out is accepted, but then nothing is vouched for.
    const filtered = rest.with(0, (rest[0] ?? '').replace('"filter":[]', '"filter":["user"]'));
    expect(await check(filtered)).toMatchObject({
      isIntact: true,
      isFiltered: true,
      isVouched: false,
    });
  });

  test('detects a row that a forger moved to a different day', async () => {
    const moved = forged(
      () => true,
      (row) =>
        row['seq'] === 6 ? row : { ...row, createdAtMs: Number(row['createdAtMs']) + dayMs },
    );
    expect(faults(await check(moved))).toContain('rows.missing');
  });

  test('detects a removed time-stamp; without any time-stamp nothing is vouched for', async () => {
    const bare = (nth: number) => changed('root', ({ token: _gone, ...root }) => root, nth);
    expect(faults(await check(bare(0)))).toEqual(['token.missing']);
    // The newest root may still be without a time-stamp.
    expect(await check(bare(1))).toMatchObject({ isIntact: true, isVouched: true, vouchedRows: 8 });
    const none = lines.map((line) => line.replace(/,"token":"[^"]*"/, ''));
    expect(await check(none)).toMatchObject({ isIntact: true, isVouched: false, vouchedRows: 0 });
  });

  test('detects a removed root; without any root nothing is vouched for', async () => {
    const without = (nth: readonly number[]) => {
      const at = lines.flatMap((line, index) => (line.startsWith('{"type":"root"') ? [index] : []));
      const gone = nth.map((each) => at[each]);
      return recounted(lines.filter((_, index) => !gone.includes(index)));
    };
    expect(faults(await check(without([0])))).toEqual(['root.unlinked', 'root.missing']);
    expect(await check(without([0, 1]))).toMatchObject({ isIntact: true, isVouched: false });
  });

  test('requires a time-stamped root for days that are long past', async () => {
    const late = (line: string) => {
      const row = JSON.parse(line);
      if (row.type !== 'row' || row.seq !== 6) return line;
      return `${JSON.stringify({ ...row, createdAtMs: row.createdAtMs + 9 * dayMs })}\n`;
    };
    const bare = changed('root', ({ token: _gone, ...root }) => root, 1).map(late);
    expect(faults(await check(bare))).toContain('token.missing');
  });

  test('reports a filtered export as filtered', async () => {
    const all: string[] = [];
    const filter = { fromMs: 0, toMs: nowMs + 1, processKey: testProcess(1).key };
    const request = { filter, format: 'jsonl', isAnonymous: false, by: 'System' } as const;
    for await (const line of toolkit.export(request)) all.push(line);
    expect(JSON.parse(all[0] ?? '').filter).toEqual(['processKey']);
    expect(await check(all)).toMatchObject({ isIntact: true, isFiltered: true, isVouched: false });
  });

  test('reports a truncated export as incomplete', async () => {
    for (const end of [-1, -2, 3]) {
      expect(await check(lines.slice(0, end))).toMatchObject({ isIntact: false, isWhole: false });
    }
  });

  test.each<[string, () => readonly string[], string]>([
    ['an empty file', () => [], 'activity.export.invalid'],
    ['no header', () => lines.slice(1), 'activity.export.invalid'],
    ['a second header', () => [...lines.slice(0, 2), ...lines], 'activity.export.invalid'],
    [
      'a root with an impossible date',
      () => changed('root', (root) => ({ ...root, day: '2026-02-30' })),
      'activity.export.invalid',
    ],
    ['lines after the end', () => [...lines, lines[1] ?? ''], 'activity.export.invalid'],
    ['a line that is not JSON', () => lines.with(2, 'nonsense\n'), 'activity.export.invalid'],
    [
      'a row without a hash',
      () => changed('row', ({ hash: _gone, ...row }) => row),
      'activity.export.invalid',
    ],
    [
      'an invalid number',
      () => changed('row', (row) => ({ ...row, seq: 1.5 })),
      'activity.export.invalid',
    ],
    [
      'an unknown version',
      () => changed('header', (it) => ({ ...it, v: 2 })),
      'activity.export.invalid',
    ],
    [
      'an invalid day',
      () => changed('root', (it) => ({ ...it, day: '2026-13-01' })),
      'activity.export.invalid',
    ],
    ['an endless line', () => [lines[0] ?? '', 'x'.repeat(2_000_000)], 'limit.exceeded'],
  ])('rejects %s', async (_what, change, code) => {
    await expect(check(change())).rejects.toMatchObject({ code });
  });
});
