import type { WatchCategory } from '../category.ts';
import type { ListedName, ListedPerson } from '../listed-person.ts';
import { countryCode } from './countries.ts';
import { parseListedDate } from './dates.ts';
import { type Draft, nameOf } from './draft.ts';

/** Topics of the FollowTheMoney model and their categories. */
const topicCategories: Readonly<Record<string, WatchCategory>> = {
  sanction: 'Sanction',
  'sanction.counter': 'Sanction',
  'asset.frozen': 'Sanction',
  'crime.terror': 'TER',
  'role.pep': 'PEP',
  'role.rca': 'RCA',
  crime: 'SIP',
  'reg.action': 'SIP',
  'reg.warn': 'SIP',
  debarment: 'SIP',
  'corp.disqual': 'SIP',
  poi: 'POI',
  wanted: 'POI',
  'sanction.linked': 'POI',
  'role.pol': 'POI',
  'gov.soe': 'SOE',
};

/** The categories of topics. A sanctioned or criminal company also gets SIE. */
function categoriesOf(topics: readonly string[], isPerson: boolean): readonly WatchCategory[] {
  const found = new Set(
    topics.flatMap((topic) => {
      const names = [topic, topic.split('.')[0] ?? ''];
      const known = names.find((name) => Object.hasOwn(topicCategories, name));
      return known === undefined ? [] : (topicCategories[known] ?? []);
    }),
  );
  if (!isPerson && (found.has('Sanction') || found.has('SIP'))) found.add('SIE');
  return found.size === 0 ? ['POI'] : [...found];
}

/** An entity of `entities.ftm.json`. */
export interface FtmEntity {
  readonly id: string;
  readonly caption?: string;
  readonly schema: string;
  readonly properties: Readonly<Record<string, readonly string[]>>;
  readonly datasets?: readonly string[];
}

const schemas: Readonly<Record<string, Draft['subject']>> = {
  ...{ Person: 'person', Company: 'organisation', Organization: 'organisation' },
  ...{ LegalEntity: 'organisation', PublicBody: 'organisation', Vessel: 'vessel' },
  ...{ Airplane: 'aircraft', CryptoWallet: 'other', Security: 'other' },
};

function subjectOf(schema: string): ListedPerson['subject'] | undefined {
  return Object.hasOwn(schemas, schema) ? schemas[schema] : undefined;
}

/** Extracts the draft of an entity; undefined for links, positions and similar. */
export function ftmDraft({
  id,
  caption,
  schema,
  properties,
  datasets = [],
}: FtmEntity): Draft | undefined {
  const subject = subjectOf(schema);
  if (subject === undefined) return undefined;
  const get = (name: string): readonly string[] => properties[name] ?? [];
  const countries = [...get('nationality'), ...get('citizenship'), ...get('country')];
  const gender = get('gender')[0];
  const named = (name: string, kind: ListedName['kind'], isWeak = false) =>
    get(name).map((text) => nameOf(text, kind, isWeak));
  return {
    ...{ key: id, subject, categories: categoriesOf(get('topics'), subject === 'person') },
    ...{ firstName: get('firstName')[0], middleName: get('middleName')[0] },
    lastName: get('lastName')[0],
    names: [
      nameOf(caption, 'primary'),
      ...named('name', 'alias'),
      ...named('alias', 'alias'),
      ...named('previousName', 'former'),
      ...named('weakAlias', 'alias', true),
    ],
    births: get('birthDate').map(parseListedDate),
    gender: gender === 'male' ? 'Male' : gender === 'female' ? 'Female' : undefined,
    countries: countries.map(countryCode),
    nationality: get('nationality')[0],
    isDeceased: get('deathDate').length > 0 ? true : undefined,
    placeOfBirth: get('birthPlace')[0],
    identifiers: [...get('passportNumber'), ...get('idNumber')],
    furtherInformation: get('notes'),
    roles: get('position'),
    list: datasets[0] ?? 'OpenSanctions',
  };
}

/** Extracts the draft from a row of `targets.simple.csv`, keyed by column name. */
export function simpleDraft(row: ReadonlyMap<string, string>): Draft {
  const get = (name: string) => row.get(name) ?? '';
  const subject = subjectOf(get('schema')) ?? 'other';
  const sanctions = get('sanctions');
  return {
    ...{ key: get('id'), subject, list: get('dataset').split(';')[0] ?? '' },
    categories: categoriesOf(sanctions === '' ? ['role.pep'] : ['sanction'], subject === 'person'),
    names: [
      nameOf(get('name'), 'primary'),
      ...nestedValues(get('aliases')).map((text) => nameOf(text, 'alias')),
    ],
    births: nestedValues(get('birth_date')).map(parseListedDate),
    countries: nestedValues(get('countries')).map(countryCode),
    identifiers: nestedValues(get('identifiers')),
    furtherInformation: nestedValues(sanctions),
    primaryLocation: nestedValues(get('addresses'))[0],
  };
}

/** Several values in one cell: a nested row separated by semicolons, with quotes doubled again. */
export function nestedValues(cell: string): readonly string[] {
  const values = cell.match(/"(?:[^"]|"")*"|[^;]+/g) ?? [];
  return values.flatMap((value) => {
    const text = value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value;
    return text.trim() === '' ? [] : [text.trim()];
  });
}
