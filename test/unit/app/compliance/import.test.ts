import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { complianceOperations } from '../../../../src/app/compliance/index.ts';
import { bindOperations } from '../../../../src/app/operation.ts';
import { isInnsigliError } from '../../../../src/base/errors.ts';
import { openTestStore, type TestStore, testCompany, testNowMs } from '../../../support/store.ts';

let opened: TestStore;
let octet = 0;

beforeEach(async () => {
  opened = await openTestStore();
});
afterEach(() => opened.close());

function toolkit() {
  const random = (count: number) => new Uint8Array(count).fill(++octet);
  return bindOperations(
    complianceOperations,
    { store: opened.store, now: () => testNowMs, random },
    testCompany.key,
  );
}

const head = 'kind,name,ssn,pep_found,risk_evaluated';
const person = 'person,Jón Dæmi,0101901239';
const status = (ssn = '0101901239') => toolkit().status('person', { ssn });

/** The errors, row by row. Nothing was recorded. */
async function faults(csv: string): Promise<readonly string[]> {
  const error = await toolkit()
    .import(csv)
    .then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
  if (!isInnsigliError(error)) throw new Error('the import was taken');
  expect(error.code).toBe('validation.error');
  await expect(status()).rejects.toMatchObject({ code: 'compliance.not_found' });
  return error.findings.map(({ name, message }) => `${name}: ${message}`);
}

describe('an import with an invalid value is refused as a whole', () => {
  test.each(['já', 'maybe', 'tru', '2', 'yes no', '?', 'SATT', 'n/a', '-', 'ｔｒｕｅ'])(
    'neither pep_found nor risk_evaluated can be %s',
    async (word) => {
      expect(await faults(`${head}\n${person},${word},yes\n`)).toEqual([
        expect.stringMatching(/^row 2: pep_found: expected yes or no/),
      ]);
      expect(await faults(`${head}\n${person},no,${word}\n`)).toEqual([
        expect.stringMatching(/^row 2: risk_evaluated: expected yes or no/),
      ]);
    },
  );

  test.each([
    ['a misspelt column', 'name,ssn,pepfound,risk_evaluated', 'column pepfound'],
    ['a column name with a blank', 'name,ssn,pep found,risk_evaluated', 'column pep found'],
    ['a column of another language', 'nafn,name,ssn,pep_found', 'column nafn'],
    ['a column without a name', 'name,ssn,,pep_found', 'column'],
  ])('the columns are rejected: %s', async (_, columns, said) => {
    const [first] = await faults(`${columns}\nJón Dæmi,0101901239,yes,yes\n`);
    expect(first).toContain(said);
  });

  test('invalid columns: expected columns are listed once, with a suggestion', async () => {
    const error = await toolkit()
      .import('nafn,kennitala,pepfound\nJón Dæmi,0101901239,yes\n')
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      message:
        'the columns are not valid, and nothing was recorded: expected name and any of kind, ' +
        'ssn, email, phone, pep_found, risk_evaluated, risk_level, risk_date, risk_until, ' +
        'owners, compliance_type, answered_date, next_date, flow_key, found column nafn and 2 more',
      findings: [
        { name: 'column nafn', message: 'unknown' },
        { name: 'column kennitala', message: 'unknown' },
        { name: 'column pepfound', message: 'unknown', hint: 'did you mean pep_found?' },
        { name: 'column name', message: 'required, but missing' },
      ],
    });
  });

  test('every invalid row is reported with its row number in a spreadsheet', async () => {
    const rows = [
      `${person},já,yes`,
      '',
      'person,Anna,010190123,no,yes',
      'robot,X,0101901239,no,yes',
      '"person","Two\nlines",0202902229,no,yes',
      'person,,0202902229,no,yes',
    ];
    expect(await faults(`${head}\n${rows.join('\n')}\n`)).toEqual([
      expect.stringMatching(/^row 2: pep_found/),
      expect.stringMatching(/^row 4: ssn: expected ten digits/),
      expect.stringMatching(/^row 5: kind: expected person or business/),
      expect.stringMatching(/^row 7: name: expected a name/),
    ]);
  });

  test('of many invalid rows the first hundred are reported and all are counted', async () => {
    const rows = Array.from({ length: 250 }, () => `${person},já,yes`).join('\n');
    const error = await toolkit()
      .import(`${head}\n${rows}\n`)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ message: expect.stringContaining('250 rows') });
    expect(isInnsigliError(error) && error.findings.length).toBe(100);
  });

  test.each([
    ['too few cells', `${person},no`, 'expected 5 cells, found 4'],
    [
      'text after its closing quote',
      'person,"Jón"x,0101901239,yes,yes',
      'text after its closing quote',
    ],
    ['text that is not UTF-8', 'person,J\ufffdn,0101901239,yes,yes', 'UTF-8'],
    ['a business that is a person', 'business,Dæmi ehf.,0101901239,yes,yes', 'pep_found'],
  ])('the row is rejected: %s', async (_, row, said) => {
    const error = await toolkit()
      .import(`${head}\n${row}\n`)
      .catch((thrown: unknown) => thrown);
    expect(JSON.stringify([`${error}`, isInnsigliError(error) ? error.findings : []])).toContain(
      said,
    );
    await expect(status()).rejects.toMatchObject({ code: 'compliance.not_found' });
  });

  test('a row with next_date but without compliance_type is rejected', async () => {
    const columns = `${head},compliance_type,next_date`;
    expect(await faults(`${columns}\n${person},no,yes,,2020-01-01\n`)).toEqual([
      expect.stringMatching(
        /^row 2: compliance_type: expected one of PEP, AML, MIFID with next_date/,
      ),
    ]);
  });
});

describe('several rows about one person', () => {
  test.each([
    ['no', 'yes'],
    ['yes', 'no'],
    ['', 'yes'],
    ['yes', ''],
  ])('pep_found «%s» and «%s» give: PEP found', async (first, second) => {
    await toolkit().import(`${head}\n${person},${first},yes\n${person},${second},yes\n`);
    expect(await status()).toMatchObject({ isCompliant: false, messages: ['pep found'] });
  });

  test.each([
    ['yes', 'no', false],
    ['no', 'yes', false],
    ['yes', '', true],
    ['', '', false],
  ])('risk_evaluated «%s» and «%s» give compliant: %s', async (first, second, isCompliant) => {
    await toolkit().import(`${head}\n${person},no,${first}\n${person},no,${second}\n`);
    expect(await status()).toMatchObject({ isCompliant });
  });

  test('contact details shared by two persons identify neither', async () => {
    const columns = 'name,ssn,email,phone,pep_found';
    const at = 'home@example.test,5551234';
    const rows = [`A,0101901239,${at},no`, `B,0202902229,${at},no`, `C,,${at},yes`];
    expect(await faults(`${columns}\n${rows.join('\n')}\n`)).toEqual([
      expect.stringMatching(/^row 4: ssn: expected one, 2 persons/),
    ]);
  });

  test('a row with number and contact details and a row with the contact details only are one person', async () => {
    const columns = 'name,ssn,email,phone,pep_found,risk_evaluated';
    const full = 'Jón Dæmi,0101901239,jon@example.test,5551234,no,yes';
    const bare = 'Jón Dæmi,,JON@example.test,555 1234,yes,yes';
    for (const rows of [
      [full, bare],
      [bare, full],
    ]) {
      expect(await toolkit().import(`${columns}\n${rows.join('\n')}\n`)).toBe(1);
      expect(await status()).toMatchObject({ messages: ['pep found'] });
    }
  });

  test('namesakes with different contact details remain two persons', async () => {
    const columns = 'name,email,pep_found,risk_evaluated';
    const rows = 'Jón Dæmi,a@example.test,no,yes\nJón Dæmi,b@example.test,yes,yes\n';
    expect(await toolkit().import(`${columns}\n${rows}`)).toBe(2);
    const of = (email: string) => toolkit().status('person', { email });
    expect(await of('a@example.test')).toMatchObject({ isCompliant: true });
    expect(await of('b@example.test')).toMatchObject({ messages: ['pep found'] });
  });
});

test('placeholders in records of earlier versions match no query', async () => {
  const contact = { email: '-', phoneNumber: 'n/a', contactKey: '- ', emailKey: '-', phoneKey: '' };
  const record = {
    ...{ id: 'aa', companyKey: testCompany.key, kind: 'person' as const, name: 'Old' },
    ...{ ssn: '0101901239', ...contact, pepFound: false, isRiskEvaluated: true },
    ...{ requirements: [], updatedAtMs: testNowMs },
  };
  await opened.store.write((unit) => unit.compliance.put(record));
  expect(await status()).toMatchObject({ isCompliant: true });
  for (const query of [{ phone: 'unknown' }, { email: '-' }, { email: '-', phone: 'n/a' }]) {
    const asked = toolkit().status('person', query);
    await expect(asked).rejects.toMatchObject({ code: 'compliance.not_found' });
  }
});

test.each([
  ['commas', ','],
  ['semicolons, as Excel writes them in Iceland', ';'],
  ['tabs', '\t'],
])('imports a file with %s, a byte order mark, CRLF and capitals', async (_, sign) => {
  const rows = [head.toUpperCase(), 'Person,"Jón; Dæmi, yngri",010190-1239,TRUE,No', ''];
  const text = rows.map((row) => row.replace(/,(?=(?:[^"]*"[^"]*")*[^"]*$)/g, sign)).join('\r\n');
  expect(await toolkit().import(`\ufeff${text}`)).toBe(1);
  expect(await status()).toMatchObject({ pepFound: true });
  expect(await toolkit().import(`\ufeffsep=${sign}\r\n${text}`)).toBe(1);
});
