import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { complianceOperations } from '../../src/app/compliance/index.ts';
import { bindOperations } from '../../src/app/operation.ts';
import { screeningOperations } from '../../src/app/screening/index.ts';
import {
  openTestStore,
  type TestStore,
  testCompany,
  testFlow,
  testNowMs,
} from '../support/store.ts';
import { openFakeCli } from './support/fake-cli.ts';
import { withService } from './support/fake-service.ts';

const DAY_MS = 86_400_000;
let opened: TestStore;
let drawn = 0;
let nowMs = testNowMs;

beforeEach(async () => {
  nowMs = testNowMs;
  opened = await openTestStore();
  await opened.store.write((unit) => unit.flows.save({ ...testFlow, type: 'PEP' }));
});
afterEach(() => opened.close());

function open(files: Readonly<Record<string, string>>) {
  const ports = {
    ...{ store: opened.store, blobs: opened.blobs, now: () => nowMs },
    random: (count: number) => Buffer.alloc(count, String(++drawn).padStart(8, '0')),
    ...{ mayUseFictionalList: true, listsMaxAgeDays: 7, screeningsPerMinute: 60 },
    ...{ listSources: [], fetchList: async () => new Uint8Array() },
  };
  const toolkit = withService({
    compliance: bindOperations(complianceOperations, ports, testCompany.key),
    screening: bindOperations(screeningOperations, ports, testCompany.key),
  });
  const cli = openFakeCli(files);
  return async (line: string) => {
    const { exitCode, stdout, stderr } = await cli.run(line.split(' '), { toolkit });
    return { exitCode, stdout, stderr };
  };
}

const list = (...rows: readonly string[]) =>
  ['category,first_name,last_name,aliases', ...rows].join('\n');
const longName = Array.from({ length: 17 }, (_, at) => `Anna${at}`).join(' ');

describe('a result names the lists it was made with', () => {
  test.each(['screen batch a.csv', 'screen customer screen'])('`%s` prints them', async (line) => {
    const run = open({
      'a.csv': 'name\nPetur Profunarson\n',
      'c.csv': 'reference,name\n1,Petur Profunarson\n',
      'own.csv': list('Sanction,Pétur,Prófunarson,'),
    });
    await run('screen customer import c.csv');
    const made = 'searched: the embedded list of fictitious persons (no list was imported)';
    expect((await run(line)).stderr).toContain(made);
    await run('screen lists import own.csv --list own');
    nowMs += 8 * DAY_MS;
    const { stderr } = await run(line);
    expect(stderr).toContain('searched: own  1 person');
    expect(stderr).toContain('the list own is outdated: import a newer version');
    expect(stderr).not.toContain(made);
    expect(JSON.parse((await run(`${line} --json`)).stdout)).toMatchObject({
      ...{ lists: [{ list: 'own', persons: 1 }], staleLists: ['own'] },
    });
  });
});

test('warns when there are more matches than are shown', async () => {
  const persons = (count: number) =>
    list(...Array.from({ length: count }, (_, at) => `POI,Anna,Prófdal,${'x'.repeat(at + 3)}`));
  const run = open({ more: persons(101), all: persons(100), 'a.csv': 'name\nAnna Profdal\n' });
  const told = 'more matches exist';
  await run('screen lists import all --list own');
  expect((await run('screen person --first Anna --last Profdal')).stderr).not.toContain(told);
  await run('screen lists import more --list own');
  expect((await run('screen person --first Anna --last Profdal')).stderr).toContain(told);
  expect((await run('screen batch a.csv')).stdout).toContain(told);
  const body = JSON.parse((await run('screen batch a.csv --json')).stdout);
  expect([body.rows[0].isCut, body.rows[0].matches.length]).toEqual([true, 100]);
});

describe('screened customers', () => {
  test('are listed with the name on the list and the day of the first match', async () => {
    const run = open({ 'own.csv': list('Sanction,Pétur,Prófunarson,') });
    await run('screen lists import own.csv --list own');
    await run('screen customer add 1 --first Petur --last Profunarson');
    await run('screen customer add 2 --first Eva --last Olafsdottir');
    await run('screen customer screen');
    nowMs += 400 * DAY_MS;
    await run('screen customer screen');
    const { stdout } = await run('screen customer list --open');
    const [who, match, ...more] = stdout.trimEnd().split('\n');
    const screened = new Date(nowMs).toISOString();
    expect(who).toMatch(new RegExp(`^1  Petur Profunarson  high  ${screened}  screening \\w{32}$`));
    const since = new Date(testNowMs).toISOString().slice(0, 10);
    expect(match).toBe(`    1  100  Sanction  Pétur Prófunarson  own  since ${since}  open`);
    expect(more).toEqual([]);
    const body = JSON.parse((await run('screen customer list --json')).stdout);
    expect(body.customers[0].matches).toMatchObject([
      { key: expect.any(String), name: 'Pétur Prófunarson', sinceMs: testNowMs },
    ]);
    const [, , , , , id] = who?.split(/ +/) ?? [];
    const decided = await run(
      `screen decide ${stdout.match(/\w{32}/)?.[0]} 1 confirmed --reason x`,
    );
    expect([id, decided.exitCode]).toEqual(['screening', 0]);
  });

  test('whose name is not searched completely are reported when added, screened and listed', async () => {
    const run = open({ 'c.csv': `reference,name\n1,${longName}\n2,Eva Olafsdottir\n` });
    const told = '1: a part of the name is not searched';
    const taken = await run('screen customer import c.csv');
    expect(taken.stderr).toContain(told);
    expect(taken.stderr).not.toContain('2: a part');
    expect((await run('screen customer screen')).stderr).toContain(told);
    expect((await run('screen customer list')).stdout).toContain(
      'only the first 16 words and 300 characters of a name were searched',
    );
    const body = JSON.parse((await run('screen customer list --json')).stdout);
    expect(body.customers.map(({ unread }: { unread: unknown }) => unread)).toEqual([
      ['words'],
      [],
    ]);
  });
});

describe('an import that would lose entries of a list is rejected', () => {
  const persons = Array.from({ length: 30 }, (_, at) => `POI,Anna,Prófdal${at},Bera Prófdal${at}`);
  const bare = persons.map((row) => row.replace(/Bera.*/, ''));
  const un = (date: string) =>
    `<CONSOLIDATED_LIST dateGenerated="${date}T00:00:00"><INDIVIDUALS><INDIVIDUAL><DATAID>1</DATAID>` +
    '<FIRST_NAME>ANNA</FIRST_NAME><SECOND_NAME>DAL</SECOND_NAME><UN_LIST_TYPE>DPRK</UN_LIST_TYPE>' +
    '<REFERENCE_NUMBER>X1</REFERENCE_NUMBER></INDIVIDUAL></INDIVIDUALS></CONSOLIDATED_LIST>';

  test.each([
    [
      'with half of the names is rejected',
      list(...persons),
      list(...bare),
      'four fifths of 60 names, found 30',
    ],
    [
      'with an earlier date is rejected',
      un('2026-01-01'),
      un('2025-12-31'),
      'from 2026-01-01 or later',
    ],
  ])('a version %s', async (_, before, after, why) => {
    const run = open({ a: before, b: after });
    expect(await run('screen lists import a --list own')).toMatchObject({ exitCode: 0 });
    expect(await run('screen lists import a --list own')).toMatchObject({ exitCode: 0 });
    const refused = await run('screen lists import b --list own');
    expect([refused.exitCode, refused.stderr]).toEqual([6, expect.stringContaining(why)]);
    expect(await run('screen lists import b --list own --accept-shrink')).toMatchObject({
      exitCode: 0,
    });
  });

  test('a version older than one whose date lay in the future at import is accepted', async () => {
    const run = open({ a: un('2099-01-01'), b: un('2026-01-01'), c: un('2025-12-31') });
    expect(await run('screen lists import a --list own')).toMatchObject({ exitCode: 0 });
    expect(await run('screen lists import b --list own')).toMatchObject({ exitCode: 0 });
    expect(await run('screen lists import c --list own')).toMatchObject({ exitCode: 6 });
  });

  test('a truncated file exits with 2, as a file that is no list', async () => {
    const run = open({ a: un('2026-01-01').slice(0, 200) });
    const refused = await run('screen lists import a --list un');
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringContaining('error[screening.list.invalid]: a: line 1'),
    ]);
  });
});

test.each([
  ['0101901239', 2],
  ['--first 0101901239 --last 5551234', 2],
  ['50Cent', 0],
  ['金', 0],
])(
  'a number instead of a name is rejected rather than reported as "no match": %s',
  async (name, exitCode) => {
    const run = open({});
    const looked = await run(`screen person ${name}`);
    expect([looked.exitCode, looked.stderr]).toEqual([
      exitCode,
      expect.stringContaining(
        exitCode === 0 ? 'no match' : 'expected letters of a name, found none',
      ),
    ]);
  },
);

describe('invalid rows of an import', () => {
  test.each([
    ['one row is reported once', ['Jón,ja'], ['row 2']],
    ['several rows are reported once each', ['Jón,ja', 'Anna,nei'], ['row 2', 'row 3']],
  ])('%s', async (_, rows, told) => {
    const run = open({ 'c.csv': ['name,pep_found', ...rows].join('\n') });
    const { exitCode, stderr } = await run('compliance import c.csv');
    expect([exitCode, stderr.match(/row \d/g)]).toEqual([2, told]);
  });
});

test('screen batch suggests the column that a misspelt name means', async () => {
  const run = open({ 'b.csv': 'first_nam,last_name\nAnna,Profdal' });
  const { exitCode, stderr } = await run('screen batch b.csv');
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('found "first_nam"')]);
  expect(stderr).toContain('hint: did you mean first_name?');
});

describe('a date of birth', () => {
  test.each([
    ['1961-13-41', 'expected a calendar date, found "1961-13-41"'],
    ['13.4.1961', 'expected YYYY-MM-DD, YYYY-MM or YYYY, found "13.4.1961"'],
    ['1961-13', 'expected YYYY-MM-DD, YYYY-MM or YYYY, found "1961-13"'],
  ])('is rejected with the reason: %s', async (born, expected) => {
    const run = open({});
    for (const line of ['screen person', 'screen customer add 1']) {
      const refused = await run(`${line} --first Anna --last Profdal --born ${born}`);
      expect([line, refused.exitCode, refused.stderr]).toEqual([
        line,
        2,
        expect.stringContaining(expected),
      ]);
    }
  });
});

describe('compliance record', () => {
  test.each([
    ['FOO:2026-01-01', '--requirement: expected one of PEP, AML, MIFID, found "FOO"'],
    ['PEP:1.1.2026', '--requirement, date of the answer: expected YYYY-MM-DD, found "1.1.2026"'],
    ['PEP:2026-02-30', 'date of the answer: expected a calendar date, found "2026-02-30"'],
    ['PEP::x', '--requirement, date of the next one: expected YYYY-MM-DD, found "x"'],
    ['PEP:2099-01-01', '--requirement, date of the answer: expected 2026-01-02 or earlier, found'],
  ])('names the option and the value it found: %s', async (requirement, expected) => {
    const run = open({});
    const record = 'compliance record --name Anna --ssn 0101901239 --requirement';
    const refused = await run(`${record} AML:: --requirement ${requirement}`);
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining(expected)]);
    expect(await run(`${record} AML:: --requirement PEP:2026-01-01:`)).toMatchObject({
      exitCode: 0,
    });
  });
});
