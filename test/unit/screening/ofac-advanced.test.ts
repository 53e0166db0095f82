import { expect, test } from 'vitest';
import { readList } from '../../../src/domain/screening/index.ts';

const part = (group: number, text: string, script = 215) =>
  `<DocumentedNamePart><NamePartValue NamePartGroupID="${group}" ScriptID="${script}"
   >${text}</NamePartValue></DocumentedNamePart>`;
const alias = (type: number, isPrimary: boolean, isWeak: boolean, parts: string) =>
  `<Alias AliasTypeID="${type}" Primary="${isPrimary}" LowQuality="${isWeak}"><DocumentedName>
   ${parts}</DocumentedName></Alias>`;
const day = (name: string, [year, month, date]: readonly number[]) =>
  `<${name}><Year>${year}</Year><Month>${month}</Month><Day>${date}</Day></${name}>`;
const birth = (first: readonly number[], last: readonly number[], isApproximate = false) =>
  `<Feature FeatureTypeID="8"><FeatureVersion><DatePeriod>
   <Start Approximate="${isApproximate}">${day('From', first)}${day('To', first)}</Start>
   <End Approximate="${isApproximate}">${day('From', last)}${day('To', last)}</End>
   </DatePeriod></FeatureVersion></Feature>`;
const feature = (type: number, content: string) =>
  `<Feature FeatureTypeID="${type}"><FeatureVersion>${content}</FeatureVersion></Feature>`;
const profile = (id: number, subtype: number, content: string) =>
  `<DistinctParty FixedRef="${id}"><Comment>Agent.</Comment>
   <Profile ID="${id}" PartySubTypeID="${subtype}">${content}</Profile></DistinctParty>`;

const references = `<ReferenceValueSets>
<AliasTypeValues><AliasType ID="1400">A.K.A.</AliasType><AliasType ID="1401">F.K.A.</AliasType>
<AliasType ID="1403">Name</AliasType></AliasTypeValues>
<AreaCodeValues><AreaCode ID="7" CountryID="9" Description="Iran">IR</AreaCode></AreaCodeValues>
<CountryValues><Country ID="11">Czech Republic</Country></CountryValues>
<DetailReferenceValues><DetailReference ID="91526">Male</DetailReference></DetailReferenceValues>
<FeatureTypeValues><FeatureType ID="8">Birthdate</FeatureType>
<FeatureType ID="9">Place of Birth</FeatureType><FeatureType ID="10">Nationality Country</FeatureType>
<FeatureType ID="11">Citizenship Country</FeatureType><FeatureType ID="26">Title</FeatureType>
<FeatureType ID="224">Gender</FeatureType></FeatureTypeValues>
<IDRegDocTypeValues><IDRegDocType ID="1571">Passport</IDRegDocType></IDRegDocTypeValues>
<ListValues><List ID="1550">SDN List</List></ListValues>
<NamePartTypeValues><NamePartType ID="1520">Last Name</NamePartType>
<NamePartType ID="1521">First Name</NamePartType><NamePartType ID="1525">Entity Name</NamePartType>
</NamePartTypeValues>
<PartySubTypeValues><PartySubType ID="1" PartyTypeID="4">Vessel</PartySubType>
<PartySubType ID="3" PartyTypeID="2">Unknown</PartySubType>
<PartySubType ID="4" PartyTypeID="1">Unknown</PartySubType></PartySubTypeValues>
<PartyTypeValues><PartyType ID="1">Individual</PartyType><PartyType ID="2">Entity</PartyType>
<PartyType ID="4">Transport</PartyType></PartyTypeValues>
<SanctionsTypeValues><SanctionsType ID="1">Program</SanctionsType>
<SanctionsType ID="2">Block</SanctionsType></SanctionsTypeValues>
<ScriptValues><Script ID="215">Latin</Script><Script ID="220">Cyrillic</Script></ScriptValues>
</ReferenceValueSets>`;

const groups = `<NamePartGroups><MasterNamePartGroup>
<NamePartGroup ID="1" NamePartTypeID="1520"/></MasterNamePartGroup><MasterNamePartGroup>
<NamePartGroup ID="2" NamePartTypeID="1521"/></MasterNamePartGroup></NamePartGroups>`;

const person = `<Identity ID="50" Primary="true">
${alias(1400, false, true, part(1, 'WOLF'))}
${alias(1401, false, false, part(2, 'Karel') + part(1, 'NOVOTNY'))}
${alias(1403, true, false, part(1, 'DVORSKY') + part(2, 'Karel'))}
${alias(1403, true, false, part(1, '&#1044;&#1074;&#1086;&#1088;', 220))}
${groups}</Identity>
${birth([1962, 3, 4], [1962, 3, 4])}${birth([1961, 1, 1], [1961, 12, 31], true)}
${birth([1960, 1, 1], [1963, 12, 31])}${birth([1962, 2, 1], [1962, 2, 28])}
${feature(9, '<VersionLocation LocationID="31"/>')}
${feature(10, '<VersionLocation LocationID="30"/>')}
${feature(11, '<VersionLocation LocationID="31"/>')}
${feature(26, '<VersionDetail>Colonel</VersionDetail>')}
${feature(224, '<VersionDetail DetailReferenceID="91526"/>')}`;

const file = `<?xml version="1.0"?><Sanctions xmlns="https://lists.example/ADVANCED_XML">
<DateOfIssue><Year>2026</Year><Month>1</Month><Day>5</Day></DateOfIssue>${references}
<Locations><Location ID="30"><LocationAreaCode AreaCodeID="7"/></Location>
<Location ID="31"><LocationCountry CountryID="11"/><LocationPart><LocationPartValue>
<Value>Brno</Value></LocationPartValue></LocationPart></Location></Locations>
<IDRegDocuments><IDRegDocument IDRegDocTypeID="1571" IdentityID="50">
<IDRegistrationNo>A-77</IDRegistrationNo></IDRegDocument></IDRegDocuments>
<DistinctParties>${profile(7, 4, person)}
${profile(8, 3, `<Identity ID="51" Primary="true">${alias(1403, true, false, part(9, 'WOLF CO'))}</Identity>`)}
${profile(9, 1, `<Identity ID="52" Primary="true">${alias(1403, true, false, part(9, 'SEA WOLF'))}</Identity>`)}
</DistinctParties><SanctionsEntries><SanctionsEntry ProfileID="7" ListID="1550">
<SanctionsMeasure SanctionsTypeID="2"/><SanctionsMeasure SanctionsTypeID="1"><Comment>SDGT</Comment>
</SanctionsMeasure><SanctionsMeasure SanctionsTypeID="1"><Comment>IRAN</Comment></SanctionsMeasure>
</SanctionsEntry></SanctionsEntries></Sanctions>`;

const read = (text: string) => readList([{ name: 'sdn_advanced.xml', content: Buffer.from(text) }]);

test('everything a party refers to by ID is resolved', () => {
  const { entries, format, publishedDate } = read(file);
  expect({ format, publishedDate }).toEqual({
    format: 'ofac-advanced-xml',
    publishedDate: '2026-01-05',
  });
  expect(entries.map(({ key, subject }) => [key, subject])).toEqual([
    ['7', 'person'],
    ['8', 'organisation'],
    ['9', 'vessel'],
  ]);
  expect(entries[0]).toEqual({
    ...{ key: '7', subject: 'person', categories: ['Sanction', 'TER'], gender: 'Male' },
    ...{ firstName: 'Karel', lastName: 'DVORSKY', countries: ['IR', 'CZ'], nationality: 'Iran' },
    names: [
      { text: 'Karel DVORSKY', kind: 'primary' },
      { text: 'WOLF', kind: 'alias', isWeak: true },
      { text: 'Karel NOVOTNY', kind: 'former' },
      { text: '\u0414\u0432\u043e\u0440', kind: 'original-script' },
    ],
    births: [
      { from: '1962-03-04' },
      { from: '1961', isApproximate: true },
      { from: '1960', to: '1963' },
      { from: '1962-02' },
    ],
    placeOfBirth: 'Brno, Czech Republic',
    identifiers: ['Passport A-77'],
    furtherInformation: ['Agent.'],
    roles: [{ title: 'Colonel', status: '', country: '' }],
    officialLists: [{ keyword: 'OFAC', description: 'SDGT, IRAN', isCurrent: true }],
  });
});

test.each([
  ['a given name', /NamePartGroupID="2"/g, 'NamePartGroupID="404"'],
  ['a location', /LocationID="3\d"/g, 'LocationID="404"'],
  ['a profile', /ProfileID="7"/g, 'ProfileID="404"'],
  ['a subtype', /PartySubTypeID="\d"/g, ''],
  ['a script', /ScriptID="\d+"/g, ''],
  ['a day', /<Day>\d+<\/Day>/g, '<Day/>'],
  ['a year', /<Year>\d+<\/Year>/g, '<Year>soon</Year>'],
])('%s with a dangling reference loses no entry', (_, found, broken) => {
  const entries = read(file.replace(found, broken)).entries;
  expect(entries.map(({ key }) => key)).toEqual(['7', '8', '9']);
  expect(entries[0]?.subject).toBe('person');
  expect(entries[0]?.names.map(({ text }) => text).join(' ')).toContain('DVORSKY');
});

test.each([
  ['that is truncated', file.slice(0, -40), /xml|expected/i],
  ['with a document type', `<!DOCTYPE x>${file.slice(21)}`, /type|DOCTYPE|dtd/i],
  [
    'without a party',
    file.replace(/<DistinctParties>[\s\S]*<\/DistinctParties>/, ''),
    /found none/,
  ],
])('a file %s is rejected', (_, text, why) => {
  expect(() => read(text)).toThrow(why);
});
