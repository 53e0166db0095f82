import { describe, expect, test } from 'vitest';
import type { ListFormat } from '../../../src/domain/list-formats.ts';
import { type ListFile, readList } from '../../../src/domain/screening/index.ts';
import { countryCode } from '../../../src/domain/screening/lists/countries.ts';
import { parseListedDate } from '../../../src/domain/screening/lists/dates.ts';
import { nestedValues } from '../../../src/domain/screening/lists/open-sanctions.ts';

const file = (content: string | Uint8Array, name = 'list'): ListFile => ({
  name,
  content: typeof content === 'string' ? Buffer.from(content) : content,
});

const un = `<?xml version="1.0"?><CONSOLIDATED_LIST dateGenerated="2026-01-05T10:00:00"><INDIVIDUALS>
<INDIVIDUAL><DATAID>700</DATAID><FIRST_NAME>KAREL</FIRST_NAME><SECOND_NAME>BOHUMIL</SECOND_NAME>
<THIRD_NAME>DVORSKY</THIRD_NAME><UN_LIST_TYPE>Al-Qaida</UN_LIST_TYPE>
<REFERENCE_NUMBER>QDi.900</REFERENCE_NUMBER><NAME_ORIGINAL_SCRIPT>كارل</NAME_ORIGINAL_SCRIPT>
<NATIONALITY><VALUE>Iran (Islamic Republic of)</VALUE></NATIONALITY>
<INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY><ALIAS_NAME>Grey Wolf; Wolf</ALIAS_NAME></INDIVIDUAL_ALIAS>
<INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME/></INDIVIDUAL_ALIAS>
<INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>1960</FROM_YEAR>
<TO_YEAR>1963</TO_YEAR></INDIVIDUAL_DATE_OF_BIRTH>
<INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>APPROXIMATELY</TYPE_OF_DATE><YEAR>1961</YEAR>
</INDIVIDUAL_DATE_OF_BIRTH></INDIVIDUAL></INDIVIDUALS>
<ENTITIES><ENTITY><DATAID>1</DATAID><FIRST_NAME>WOLF CO</FIRST_NAME></ENTITY></ENTITIES>
</CONSOLIDATED_LIST>`;

const eu = `<export xmlns="http://eu.europa.ec/fpi/fsd/export" generationDate="2026-01-05T00:00:00">
<sanctionEntity logicalId="5"><regulation programme="TAQA"/><subjectType classificationCode="P"/>
<nameAlias wholeName="Karel Dvorsky" firstName="Karel" lastName="Dvorsky" gender="M" strong="true"/>
<nameAlias wholeName="Grey Wolf" strong="false"/><citizenship countryIso2Code="CZ"/>
<birthdate circa="true" year="1961"/><birthdate birthdate="1962-03-04"/></sanctionEntity></export>`;

const ofacXml = `<sdnList xmlns="urn:x"><publshInformation><Publish_Date>01/05/2026</Publish_Date>
</publshInformation><sdnEntry><uid>7</uid><firstName>Karel</firstName><lastName>DVORSKY</lastName>
<sdnType>Individual</sdnType><programList><program>SDGT</program></programList><akaList><aka>
<type>a.k.a.</type><category>weak</category><lastName>WOLF</lastName></aka></akaList>
<dateOfBirthList><dateOfBirthItem><dateOfBirth>circa 1961</dateOfBirth></dateOfBirthItem>
</dateOfBirthList></sdnEntry></sdnList>`;

const sdn = `7,"DVORSKY, Karel","individual","SDGT","Agent",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"DOB 04 Mar \
1962; alt. DOB 1961; POB Brno; a.k.a. 'WOLF'; nationality Czech Republic; Gender Male."\r\n\
8,"WOLF CO","-0- ","SDGT",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \r\n\x1a`;
const alt = '7,12,"aka","DVORZHSKY, Karel",-0- \r\n7,13,"fka","NOVOTNY, Karel",-0- \r\n\x1a';

const ukHead =
  'Unique ID,Name 6,Name 1,Name 2,Name type,Alias strength,D.O.B,Designation Type,Gender';
const uk = `Report Date: 05-Jan-2026\n${ukHead}
GB1,DVORSKY,Karel,Bohumil,Primary Name,,dd/mm/1962,Individual,Male
GB1,WOLF,,,Alias,,00/00/1961,Individual,Male
GB2,WOLF CO,,,Primary Name,,,Entity,\n`;

const canada = `<data-set><record><Country>Belarus</Country><LastName>Dvorsky</LastName>
<GivenName>Karel</GivenName><DateOfBirthOrShipBuildDate>1962-03-04</DateOfBirthOrShipBuildDate>
<Schedule>1</Schedule><Item>4</Item></record></data-set>`;

const ftm = [
  { id: 'a', caption: 'Karel Dvorsky', schema: 'Person' },
  { id: 'b', schema: 'Occupancy', properties: { holder: ['a'] } },
]
  .map((each) => ({ properties: {}, ...each }))
  .map((each, at) =>
    at === 0
      ? { ...each, properties: { topics: ['role.pep', 'crime.terror'], weakAlias: ['Wolf'] } }
      : each,
  )
  .map((each) => JSON.stringify(each))
  .join('\n');

const simple = `id,schema,name,aliases,birth_date,countries,addresses,identifiers,sanctions,dataset
a,Person,Karel Dvorsky,"Grey Wolf;""Wolf; the grey""",1962-03-04,cz,"""""",,2026 - list,x\n`;

const popolo = JSON.stringify({
  persons: [{ id: 'p', name: 'Karel Dvorsky', birth_date: '1962', other_names: [{ name: 'К Д' }] }],
});

const rows: readonly (readonly [ListFormat, readonly ListFile[], object])[] = [
  [
    'un-xml',
    [file(un)],
    {
      publishedDate: '2026-01-05',
      first: {
        ...{ key: '700', subject: 'person', categories: ['Sanction', 'TER'], countries: ['IR'] },
        ...{ firstName: 'KAREL', middleName: 'BOHUMIL', lastName: 'DVORSKY' },
        names: [
          { text: 'KAREL BOHUMIL DVORSKY', kind: 'primary' },
          { text: 'كارل', kind: 'original-script' },
          { text: 'Grey Wolf', kind: 'alias', isWeak: true },
          { text: 'Wolf', kind: 'alias', isWeak: true },
        ],
        births: [
          { from: '1960', to: '1963' },
          { from: '1961', isApproximate: true },
        ],
      },
    },
  ],
  [
    'eu-fsf-xml',
    [file(eu)],
    {
      publishedDate: '2026-01-05',
      first: {
        ...{ key: '5', categories: ['Sanction', 'TER'], gender: 'Male', countries: ['CZ'] },
        names: [
          { text: 'Karel Dvorsky', kind: 'primary' },
          { text: 'Grey Wolf', kind: 'alias', isWeak: true },
        ],
        births: [{ from: '1961', isApproximate: true }, { from: '1962-03-04' }],
      },
    },
  ],
  [
    'ofac-sdn-xml',
    [file(ofacXml)],
    {
      publishedDate: '2026-01-05',
      first: {
        ...{ key: '7', categories: ['Sanction', 'TER'] },
        births: [{ from: '1961', isApproximate: true }],
        names: [
          { text: 'Karel DVORSKY', kind: 'primary' },
          { text: 'WOLF', kind: 'alias', isWeak: true },
        ],
      },
    },
  ],
  [
    'ofac-sdn-csv',
    [file(sdn, 'sdn.csv'), file(alt, 'alt.csv')],
    {
      first: {
        ...{ key: '7', gender: 'Male', countries: ['CZ'], placeOfBirth: 'Brno' },
        births: [{ from: '1962-03-04' }, { from: '1961' }],
        names: [
          { text: 'DVORSKY, Karel', kind: 'primary' },
          { text: 'DVORZHSKY, Karel', kind: 'alias' },
          { text: 'NOVOTNY, Karel', kind: 'former' },
          { text: 'WOLF', kind: 'alias', isWeak: true },
        ],
      },
    },
  ],
  [
    'uk-csv',
    [file(uk)],
    {
      publishedDate: '2026-01-05',
      first: {
        ...{ key: 'GB1', gender: 'Male', lastName: 'DVORSKY' },
        births: [{ from: '1962' }, { from: '1961' }],
        names: [
          { text: 'Karel Bohumil DVORSKY', kind: 'primary' },
          { text: 'WOLF', kind: 'alias', isWeak: true },
        ],
      },
    },
  ],
  [
    'canada-xml',
    [file(canada)],
    { first: { key: 'Belarus/1/4', births: [{ from: '1962-03-04' }] } },
  ],
  [
    'ftm-json',
    [file(ftm)],
    {
      first: {
        ...{ key: 'a', categories: ['PEP', 'TER'] },
        names: [
          { text: 'Karel Dvorsky', kind: 'primary' },
          { text: 'Wolf', kind: 'alias', isWeak: true },
        ],
      },
    },
  ],
  [
    'opensanctions-csv',
    [file(simple)],
    {
      first: {
        ...{ key: 'a', categories: ['Sanction'], countries: ['CZ'] },
        names: [
          { text: 'Karel Dvorsky', kind: 'primary' },
          { text: 'Grey Wolf', kind: 'alias' },
          { text: 'Wolf; the grey', kind: 'alias' },
        ],
      },
    },
  ],
  ['popolo-json', [file(popolo)], { first: { key: 'p', categories: ['PEP'] } }],
  ['csv', [file('category,last_name\nPEP,Dvorsky\n')], { first: { lastName: 'Dvorsky' } }],
];

test.each([
  ['alphabetical', ['add.csv', 'alt.csv', 'sdn.csv', 'sdn_comments.csv']],
  ['a comment that mentions a category first', ['sdn_comments.csv', 'sdn.csv', 'alt.csv']],
])('the files of the US Treasury may come in any order: %s', (_, names) => {
  const contents: Readonly<Record<string, string>> = {
    ...{ 'sdn.csv': sdn, 'alt.csv': alt },
    ...{ 'sdn_comments.csv': '36,"of the category x"\n', 'add.csv': '36,25,"Street",-0- ,-0-\n' },
  };
  const inOrder = readList([file(sdn, 'sdn.csv'), file(alt, 'alt.csv')]);
  expect(readList(names.map((name) => file(contents[name] ?? '', name)))).toEqual(inOrder);
});

test.each(rows.filter(([format]) => format !== 'ofac-sdn-csv'))(
  'a second file of %s is rejected, not ignored',
  (_, files) => {
    expect(() => readList([...files, ...files])).toThrow('expected one file, found 2');
  },
);

test.each(rows)('%s is recognised by its content and read', (format, files, expected) => {
  const { first, publishedDate } = expected as { first: object; publishedDate?: string };
  const read = readList(files);
  expect([read.format, read.publishedDate]).toEqual([format, publishedDate]);
  expect(read.entries[0]).toMatchObject(first);
});

describe.each(rows.filter(([format]) => format.endsWith('xml')))('%s', (format, [given]) => {
  const text = Buffer.from(given?.content ?? []).toString();
  test.each([
    ['when truncated', text.slice(0, -20), /xml|expected/i],
    ['with a document type', `<!DOCTYPE x [<!ENTITY a "b">]>${text}`, /type|DOCTYPE|dtd/i],
    ['with a different root element', '<other/>', /expected </],
    ['without an entry', `<${rootOf(text)} generationDate=""/>`, /found none/],
  ])('is rejected %s', (_, content, why) => {
    expect(() => readList([file(content)], format)).toThrow(why);
  });
});

function rootOf(text: string): string {
  return /<([\w-]+)/.exec(text.replace(/^<\?.*?\?>/, ''))?.[1] ?? '';
}

test.each<readonly [string, ListFormat, string | Uint8Array, RegExp]>([
  ['truncated JSON', 'ftm-json', '{"id":"a","schema":"Per', /line 1/],
  ['JSON without a schema', 'ftm-json', '{"id":"a"}', /id and schema/],
  ['JSON without persons', 'popolo-json', '{"a":1}', /persons/],
  ['an open quote', 'uk-csv', `Report Date: x\n${ukHead}\nGB1,"DVOR`, /quote/],
  ['UTF-16', 'csv', Buffer.from('category,last_name\nPEP,A\n', 'utf16le'), /expected/],
  ['Latin-1', 'csv', Buffer.from('category,last_name\nPEP,Dvorský\n', 'latin1'), /UTF-8/],
])('%s is rejected', (_, format, content, why) => {
  expect(() => readList([file(content)], format)).toThrow(why);
});

test('a character already lost by the authority does not cause rejection', () => {
  const { entries } = readList([file(uk.replace('Bohumil', 'Bohumil\ufffds'))], 'uk-csv');
  expect(entries[0]?.names[0]?.text).toBe('Karel Bohumil?s DVORSKY');
  const own = file('category,last_name\nPEP,Dvorsk\ufffd\n');
  expect(() => readList([own], 'csv')).toThrow('row 2: expected UTF-8 text');
});

test('content of an unknown format is rejected', () => {
  expect(() => readList([file('hello')])).toThrow('format is not recognised');
  expect(() => readList([])).toThrow('found none');
});

test.each([
  ['aliases alone', [file(alt, 'aliases.csv')]],
  ['aliases and comments', [file(alt, 'alt.csv'), file('7,"x"\r\n', 'lists/sdn_comments.csv')]],
  ['addresses alone', [file('7,25,-0- ,"Brno",-0- \r\n', 'ADD.CSV')]],
])('files that supplement sdn.csv are rejected without it: %s', (_, files) => {
  expect(() => readList(files)).toThrow('expected sdn.csv, to which this file belongs');
  expect(readList([...files, file(sdn, 'sdn.csv')]).entries).toHaveLength(2);
});

test.each([
  ['1962', { from: '1962' }],
  ['1962-03-04', { from: '1962-03-04' }],
  ['04/03/1962', { from: '1962-03-04' }],
  ['00/03/1962', { from: '1962-03' }],
  ['00/00/1936', { from: '1936' }],
  ['4 Mar 1962', { from: '1962-03-04' }],
  ['Mar 1962', { from: '1962-03' }],
  ['circa 1957', { from: '1957', isApproximate: true }],
  ['1960 to 1963', { from: '1960', to: '1963' }],
  ['circa 1960-1963', { from: '1960', to: '1963', isApproximate: true }],
  ['unknown', undefined],
  ['32/13/1962', { from: '1962' }],
])('the date %s is parsed', (text, expected) => {
  expect(parseListedDate(text)).toEqual(expected);
});

test.each([
  ['Iran (Islamic Republic of)', 'IR'],
  ["Democratic People's Republic of Korea", 'KP'],
  ["Côte d'Ivoire", 'CI'],
  ['Czechia', 'CZ'],
  ['de', 'DE'],
  ['Atlantis', undefined],
])('the country %s has the code %s', (name, code) => {
  expect(countryCode(name)).toBe(code);
});

test.each([
  ['a;b', ['a', 'b']],
  ['"a;b";c', ['a;b', 'c']],
  ['"say ""a""";c', ['say "a"', 'c']],
  ['""', []],
  ['', []],
])('the cell %j is split into its values', (cell, values) => {
  expect(nestedValues(cell)).toEqual(values);
});
