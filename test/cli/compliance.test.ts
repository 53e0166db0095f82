import { readFileSync } from 'node:fs';
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
import { type CliSetup, openFakeCli } from './support/fake-cli.ts';
import { withService } from './support/fake-service.ts';

let opened: TestStore;
let octet = 0;
let nowMs = testNowMs;

beforeEach(async () => {
  opened = await openTestStore();
  await opened.store.write((unit) => unit.flows.save({ ...testFlow, type: 'PEP' }));
});
afterEach(() => opened.close());

function setup(mayUseFictionalList = true): CliSetup {
  const random = (count: number) => new Uint8Array(count).fill(++octet);
  const lists = {
    blobs: opened.blobs,
    mayUseFictionalList,
    listsMaxAgeDays: 7,
    screeningsPerMinute: 60,
    listSources: [],
    fetchList: async () => new Uint8Array(),
  };
  const ports = { store: opened.store, now: () => nowMs, random, ...lists };
  const service = {
    compliance: bindOperations(complianceOperations, ports, testCompany.key),
    screening: bindOperations(screeningOperations, ports, testCompany.key),
  };
  return { toolkit: withService(service) };
}

describe('compliance', () => {
  test('status exits with 0 when compliant, 7 when not and 5 when nothing was recorded', async () => {
    const cli = openFakeCli({});
    const who = ['--name', 'Jón Dæmi', '--ssn', '010190-1239'];
    const ask = ['compliance', 'status', '--ssn', '0101901239'];
    expect((await cli.run(ask, setup())).exitCode).toBe(5);
    await cli.run(['compliance', 'record', ...who, '--requirement', 'pep::'], setup());
    const not = await cli.run(ask, setup());
    expect([not.exitCode, not.stdout]).toEqual([
      7,
      'not compliant\n  has not been risk evaluated\n  does not meet all requirements\n',
    ]);
    const dated = ['--risk-evaluated', '--requirement', 'PEP:2025-12-31:2026-12-31'];
    expect((await cli.run(['compliance', 'record', ...who, ...dated], setup())).exitCode).toBe(0);
    const yes = await cli.run([...ask, '--json'], setup());
    expect(yes.exitCode).toBe(0);
    expect(JSON.parse(yes.stdout)).toMatchObject({ isCompliant: true, messages: [] });
  });

  test('record warns about a person given by name alone, who cannot be looked up later', async () => {
    const cli = openFakeCli({});
    const record = ['compliance', 'record', '--name', 'Jón'];
    const { exitCode, stderr } = await cli.run(record, setup());
    expect([exitCode, stderr]).toEqual([
      0,
      expect.stringContaining('a name alone does not identify a person'),
    ]);
    for (const line of [
      [...record, '--email', 'jon@example.test'],
      [...record, '--phone', '5551234'],
      [...record, '--business'],
    ]) {
      const { exitCode, stderr } = await cli.run(line, setup());
      expect([exitCode, stderr]).toEqual([
        0,
        expect.not.stringContaining('does not identify a person'),
      ]);
    }
  });

  test('record stores the flow of the requirements', async () => {
    const cli = openFakeCli({});
    const record = ['compliance', 'record', '--name', 'Jón', '--ssn', '0101901239'];
    const flow = ['--flow-key', 'f10e'];
    expect((await cli.run([...record, ...flow], setup())).exitCode).toBe(2);
    await cli.run([...record, '--requirement', 'PEP::', ...flow], setup());
    const shown = await cli.run(['compliance', 'status', '--ssn', '0101901239'], setup());
    expect(shown.stderr).toContain('PEP: never answered');
    const ask = ['compliance', 'status', '--ssn', '0101901239', '--json'];
    expect(JSON.parse((await cli.run(ask, setup())).stdout).requirements).toEqual([
      { type: 'PEP', flowKey: 'f10e' },
    ]);
  });

  test('import reads a file and rejects unknown kinds', async () => {
    const cli = openFakeCli({
      'a.csv': 'kind,name,risk_evaluated\nbusiness,Dæmi ehf.,yes\n',
      'b.csv': 'kind,name\nrobot,X\n',
    });
    expect((await cli.run(['compliance', 'import', 'a.csv'], setup())).exitCode).toBe(0);
    const ask = ['compliance', 'status', '--business', '--name', 'dæmi EHF.'];
    expect((await cli.run(ask, setup())).stdout).toBe('compliant\n');
    expect((await cli.run(['compliance', 'import', 'b.csv'], setup())).exitCode).toBe(2);
    expect((await cli.run(['compliance', 'import', 'none.csv'], setup())).exitCode).toBe(5);
  });

  test('help and reference list the columns that import accepts', async () => {
    const cli = openFakeCli();
    cli.write('a.csv', 'name,other\nAnna,1\n');
    const { stderr } = await cli.run(['compliance', 'import', 'a.csv'], setup());
    const [, others = ''] = /expected name and any of (.*?), found/s.exec(stderr) ?? [];
    const columns = others.split(/,\s+/);
    expect(columns.length).toBeGreaterThan(10);
    const { stdout } = await cli.run(['compliance', 'import', '--help'], setup());
    const source = readFileSync('src/app/compliance/compliance-service.ts', 'utf8');
    const [, listed = ''] = /Columns: (.*?)\./s.exec(source) ?? [];
    for (const column of columns) {
      expect(stdout).toMatch(new RegExp(`\\b${column}\\b`));
      expect(listed).toMatch(new RegExp(`\\b${column}\\b`));
    }
  });
});

describe('compliance individual and business', () => {
  const jon = ['--ssn', '0101901239'];
  const individual = (...words: string[]) => ['compliance', 'individual', ...words];

  test('an individual with a PEP match becomes compliant when the match is accepted', async () => {
    const cli = openFakeCli({});
    const run = async (...words: string[]) => cli.run(individual(...words), setup());
    const code = async (...words: string[]) => (await run(...words)).exitCode;
    expect(await code('record', '--name', 'Jón', ...jon, '--risk-level', 'low')).toBe(0);
    const yes = await run('status', ...jon);
    expect([yes.exitCode, yes.stdout]).toEqual([0, 'compliant\n']);
    expect(yes.stderr).toContain('until 2029-01-02 (periods of low risk)');
    expect(await code('accept', ...jon, '--reason', 'known')).toBe(6);
    expect(await code('record', '--name', 'Jón', ...jon, '--pep-found')).toBe(0);
    expect(await code('status', ...jon)).toBe(7);
    expect(await code('accept', ...jon, '--reason', 'known', '--until', '2020-01-01')).toBe(2);
    expect(await code('accept', ...jon, '--reason', 'known')).toBe(0);
    expect(await code('status', ...jon)).toBe(0);
    const shown = await run('show', ...jon, '--json');
    expect(JSON.parse(shown.stdout)).toMatchObject({
      record: { name: 'Jón', pepFound: true, pepAcceptance: { until: '2027-01-02' } },
      changes: [{ source: 'record' }, { source: 'record' }, { source: 'accept' }],
    });
    expect(await code('record', '--name', 'Jón', ...jon, '--pep-cleared')).toBe(0);
    expect((await run('show', ...jon)).stdout).not.toContain('pep found');
    expect(await code('record', '--name', 'x', '--pep-found', '--pep-cleared')).toBe(2);
    expect(await code('evaluate', ...jon, '--level', 'none')).toBe(2);
  });

  test('business import assumes businesses, and an incomplete record is due immediately', async () => {
    const cli = openFakeCli({ 'a.csv': 'name,owners\nDæmi ehf.,0101901239;0202901239\n' });
    const run = (...words: string[]) => cli.run(['compliance', 'business', ...words], setup());
    expect((await run('import', 'a.csv')).exitCode).toBe(0);
    expect((await run('evaluate', '--name', 'dæmi ehf.', '--level', 'low')).exitCode).toBe(0);
    const due = await run('due', '--fail-on-due');
    expect([due.exitCode, due.stdout]).toEqual([
      7,
      '2026-01-02  Dæmi ehf.  does not meet all requirements\n',
    ]);
    expect((await cli.run(individual('due'), setup())).stderr).toContain('nothing is due');
    expect((await run('due', '--within', 'soon')).exitCode).toBe(2);
  });
});

describe('screen commands', () => {
  const where = ['--flow', testFlow.key, '--country', 'RU'];

  test('batch writes a result for every row in each format', async () => {
    const csv = 'reference,name,country\na,Viktor Drakmenov,RU\n=b,,RU\nc,Nobody At All,\n';
    const json =
      '{"first_name":"Viktor","last_name":"Drakmenov","reference":1}\n\n{"name":"Nobody"}\n';
    const cli = openFakeCli({ 'a.csv': csv, 'a.jsonl': json, 'b.csv': 'nom\nx\n' });
    const run = (...words: string[]) =>
      cli.run(['screen', 'batch', ...words, '--flow', testFlow.key], setup());
    const lines = await run('a.csv', '--country', 'IS');
    expect([lines.exitCode, lines.stdout]).toEqual([
      3,
      'a  100  Sanction  Viktor Drakmenov  fictional\n=b  not screened\nc  no match\n',
    ]);
    expect(lines.stderr).toContain('row 3: name: expected a full name');
    expect(lines.stderr).toContain('3 rows, 1 with a match, 1 not screened');
    const table = (await run('a.csv', '--format', 'csv')).stdout.split(/\r?\n/);
    expect(table[0]).toBe('row,reference,screening,rate,category,list,key,name,fault');
    expect(table[1]).toMatch(/^2,a,[0-9a-f]{32},100,Sanction,fictional,/);
    expect(table[2]).toMatch(/^3,'=b,,,,,,,"?name: /);
    const jsonl = await run('a.jsonl', '--country', 'RU', '--format', 'jsonl', '--fail-on-match');
    expect(jsonl.exitCode).toBe(7);
    expect(
      jsonl.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toMatchObject([
      { row: 1, reference: '1', matches: [{ rate: 100, place: 1 }] },
      { row: 3, matches: [] },
    ]);
    expect((await run('b.csv')).exitCode).toBe(2);
    expect((await run('none.csv')).exitCode).toBe(5);
  });

  test('person needs neither country nor flow when only one flow is for screening', async () => {
    const cli = openFakeCli({});
    const found = await cli.run(['screen', 'person', 'Viktor Drakmenov'], setup());
    expect([found.exitCode, found.stdout]).toEqual([0, expect.stringMatching(/^100 {2}Sanction/)]);
    const wrong = ['screen', 'person', 'Viktor Drakmenov', '--country', 'Russia'];
    expect(await cli.run(wrong, setup())).toMatchObject({ exitCode: 2 });
  });

  test('an import reports the entries of a file that are not persons', async () => {
    const head = 'id,schema,name,aliases,birth_date,countries';
    const rows = 'a,Person,Anna Dæmi,,,is\nb,Company,Dæmi ehf.,,,is\nc,Vessel,SEA STAR,,,is';
    const cli = openFakeCli({ 'a.csv': `${head}\n${rows}\n` });
    const lists = await cli.run(['screen', 'lists', 'import', 'a.csv', '--list', 'a'], setup());
    expect(lists).toMatchObject({ exitCode: 0 });
    expect(lists.stderr).toContain('not persons, skipped: 2');
    const old = await cli.run(['screen', 'import', 'a.csv', '--list', 'a'], setup());
    expect(old.stderr).toContain('imported: 1\nnot persons, skipped: 2');
  });

  test.each([
    [
      ['screen', 'batch', 'batch.csv'],
      ['row 2: name: ', 'row 3: country: ', 'row 4: date_of_birth: ', 'row 5: first_name: '],
    ],
    [
      ['screen', 'customer', 'import', 'customers.csv'],
      ['row 2: country: ', 'row 3: date_of_birth: ', 'row 4: risk_level: ', 'row 5: name: '],
    ],
    [
      ['compliance', 'import', 'records.csv'],
      [
        'row 2: risk_level: ',
        'row 3: answered_date: ',
        'row 4: compliance_type: ',
        'row 5: phone: ',
      ],
    ],
    [['screen', 'person'], ['the name: expected a full name, or first and last name']],
    [
      ['screen', 'person', '--first', 'Anna'],
      ['--last: expected a name, because no full name is given'],
    ],
    [['screen', 'person', 'Anna Dæmi', '--rate', '101'], ['--rate: expected 1 to 100, found 101']],
    [
      ['screen', 'person', 'Anna Dæmi', '--country', 'Russia'],
      ['--country: expected two letters, found "Russia"'],
    ],
    [
      'compliance individual evaluate --ssn 0101901239 --level low --until 2026-02-30'.split(' '),
      ['or later, found "2026-02-30"'],
    ],
    [['screen', 'person', 'Anna Dæmi', '--flow', 'none'], ['--flow: expected a flow of type PEP']],
    [['screen', 'batch', 'batch.csv', '--flow', 'none'], ['--flow: expected a flow of type PEP']],
    [['screen', 'batch', 'batch.csv', '--rate', '101'], ['row 6: --rate: expected 1 to 100']],
  ])('errors name the column of the file or the option: %j', async (words, expected) => {
    const cli = openFakeCli({
      'batch.csv': `name,last_name,country,date_of_birth\n,,RU,\nA,,Russia,\nA,,RU,1.1.70\n,D,,\nA,,,\n`,
      'customers.csv':
        'reference,name,country,date_of_birth,risk_level\n' +
        '1,A,Russia,,\n2,A,,1.1.70,\n3,A,,,huge\n4,,,,\n5,A,,,\n',
      'records.csv':
        'name,risk_level,compliance_type,answered_date,phone\n' +
        'A,huge,,,\nB,,PEP,1.1.70,\nC,,pep?,,\nD,,,,none\nE,low,,,\n',
    });
    const { stderr } = await cli.run(words, setup());
    for (const each of expected) expect(stderr.split(each)).toHaveLength(2);
    if (!words.includes('101')) expect(stderr).not.toContain('row 6');
  });

  test('person prints matches; --fail-on-match sets the exit code', async () => {
    const cli = openFakeCli({});
    const ask = ['screen', 'person', 'Viktor Drakmenov', ...where];
    const found = await cli.run(ask, setup());
    expect([found.exitCode, found.stdout]).toEqual([
      0,
      '100  Sanction  Viktor Drakmenov  1961-04-12  fictional\n' +
        '       viktor the same, drakmenov the same\n' +
        '       name, country\n',
    ]);
    expect(found.stderr).toContain('fictitious persons');
    const typed = await cli.run(['screen', 'person', 'Wiktor Drakmenof', ...where], setup());
    expect(typed.stdout).toContain('by the name: Wiktor Drakmenoff');
    const parts = ['--first', 'Viktor', '--last', 'Drakmenov', '--born', '1961-04-12'];
    const whole = await cli.run(['screen', 'person', ...parts, ...where], setup());
    expect(whole.stdout).toContain('name, dateOfBirth, country');
    expect((await cli.run([...ask, '--fail-on-match'], setup())).exitCode).toBe(7);
    const nobody = ['screen', 'person', 'Jón Jónsson', ...where, '--fail-on-match'];
    expect((await cli.run(nobody, setup())).exitCode).toBe(0);
    expect((await cli.run([...ask, '--rate', '101'], setup())).exitCode).toBe(2);
    expect((await cli.run([...ask, '--rate', 'x'], setup())).exitCode).toBe(2);
  });

  test('import adds a list, and audit replay repeats a screening', async () => {
    const cli = openFakeCli({ 'a.csv': 'category,first_name,last_name\nPOI,Anna,Prófdal\n' });
    const done = await cli.run(['screen', 'import', 'a.csv', '--list', 'own'], setup());
    expect(done.exitCode).toBe(0);
    const shown = await cli.run(['screen', 'lists', 'show'], setup());
    expect(shown.stdout).toContain('1 person  1 name  ');
    const tested = await cli.run(['screen', 'selftest'], setup());
    expect(tested.stderr).toBe('1 name searched, 0 not found\n');
    const ask = ['screen', 'person', 'Anna Profdal', ...where, '--json'];
    const { stdout } = await cli.run(ask, setup());
    expect(JSON.parse(stdout).matches[0]).toMatchObject({ lastName: 'Prófdal', category: 'POI' });
    const again = await cli.run(['screen', 'audit', 'replay', '1'], setup());
    expect(again.stdout).toBe('the same: 1 match, recorded 1\n');
  });

  test('lists can be imported, shown, compared, self-tested and removed', async () => {
    const row = (name: string) => `POI,${name},Prófdal\n`;
    const csv = (names: readonly string[]) =>
      `category,first_name,last_name\n${names.map(row).join('')}`;
    const cli = openFakeCli({
      'a.csv': csv(['Anna', 'Bera']),
      'b.csv': csv(['Anna', 'Birna', 'Dísa']),
      'c.csv': csv(['Anna']),
      'd.csv': 'category,first_name,last_name\nXYZ,Anna,Prófdal\n',
    });
    const own = ['--list', 'own'];
    const lists = (...rest: string[]) => cli.run(['screen', 'lists', ...rest], setup());
    expect((await lists('show')).stderr).toContain('fictitious');
    expect((await lists('import', 'a.csv', ...own)).stderr).toContain('2 persons');
    nowMs += 1000;
    expect((await lists('import', 'b.csv', ...own)).exitCode).toBe(0);
    const diff = await lists('diff', 'own');
    expect(diff.stdout).toBe('+ Birna Prófdal\n+ Dísa Prófdal\n- Bera Prófdal\n');
    nowMs += 1000;
    expect((await lists('import', 'c.csv', ...own)).exitCode).toBe(6);
    expect((await lists('import', 'd.csv', ...own)).exitCode).toBe(2);
    const versions = JSON.parse((await lists('show', 'own', '--json')).stdout);
    expect(versions.lists.map(({ persons }: { persons: number }) => persons)).toEqual([3, 2]);
    const tested = await cli.run(['screen', 'selftest'], setup());
    expect([tested.exitCode, tested.stderr]).toEqual([0, '3 names searched, 0 not found\n']);
    expect((await lists('remove', 'own')).exitCode).toBe(0);
    expect((await lists('remove', 'own')).exitCode).toBe(5);
  });

  test('production without a list rejects screening and says how to import one', async () => {
    const cli = openFakeCli({ 'a.csv': 'category,last_name\nPOI,Prófdal\n' });
    const ask = ['screen', 'person', 'Viktor Drakmenov', ...where];
    const refused = await cli.run(ask, setup(false));
    expect([refused.exitCode, refused.stdout]).toEqual([10, '']);
    expect(refused.stderr).toContain('innsigli screen lists import');
    await cli.run(['screen', 'lists', 'import', 'a.csv', '--list', 'own'], setup(false));
    const looked = await cli.run(ask, setup(false));
    expect([looked.exitCode, looked.stdout]).toEqual([0, '']);
  });

  test('a file of an unknown format is rejected with a hint that solves it', async () => {
    const cli = openFakeCli({ 'a.csv': 'Name,Street\nAnna Prófdal,x\n' });
    const own = ['screen', 'lists', 'import', 'a.csv', '--list', 'own'];
    const refused = await cli.run(own, setup());
    expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('--column')]);
    const named = [...own, '--column', 'name=Name', '--category', 'SIP'];
    expect((await cli.run(named, setup())).exitCode).toBe(0);
  });

  test('warns about an outdated list', async () => {
    const cli = openFakeCli({ 'a.csv': 'category,last_name\nPOI,Prófdal\n' });
    await cli.run(['screen', 'lists', 'import', 'a.csv', '--list', 'own'], setup());
    nowMs += 8 * 86_400_000;
    const { stderr } = await cli.run(['screen', 'person', 'Jón Jónsson', ...where], setup());
    expect(stderr).toContain('the list own is outdated: import a newer version');
  });
});
