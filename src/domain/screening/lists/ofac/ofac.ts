import type { ListedPerson } from '../../listed-person.ts';
import { countryCode } from '../countries.ts';
import { parseListedDate } from '../dates.ts';
import { clean, type Draft, nameOf } from '../draft.ts';
import { grouped } from '../grouped.ts';

/** The subject of an entry, from its SDN type. */
export function ofacSubject(type: string | undefined): ListedPerson['subject'] {
  const word = type?.trim().toLowerCase();
  if (word === 'individual') return 'person';
  if (word === 'vessel' || word === 'aircraft') return word;
  return 'organisation';
}

/** Whether a programme targets terrorism: SDGT, SDT, FTO and similar. */
export function terrorProgram(program: string | undefined): boolean {
  return /\b(?:SDGT|SDT|FTO|NS-PLC|HIFPAA|TERRORISM)\b/i.test(program ?? '');
}

/** The CSV files of the SDN list as rows of cells. All but the first are optional. */
export interface OfacTables {
  readonly sdn: readonly (readonly string[])[];
  readonly alt?: readonly (readonly string[])[];
  readonly comments?: readonly (readonly string[])[];
}

/** Extracts drafts from the SDN list in CSV. */
export function ofacCsvDrafts({ sdn, alt = [], comments = [] }: OfacTables): readonly Draft[] {
  const keyOf = ([key]: readonly string[]) => key;
  const aliases = grouped(alt, keyOf, (cells) => {
    const kind = cells[2]?.startsWith('f') === true ? 'former' : 'alias';
    return nameOf(cells[3], kind);
  });
  const more = grouped(comments, keyOf, (cells) => cells[1] ?? '');
  return sdn.map((cells) => entry(cells, aliases, more));
}

const after = (label: string) => new RegExp(`\\b${label} ([^;]+?)(?:;|\\.?$)`, 'g');
/** Labelled values in the remarks of an entry. */
const labelled = {
  Gender: after('Gender'),
  nationality: after('nationality'),
  citizen: after('citizen'),
  DOB: after('DOB'),
  POB: after('POB'),
  Passport: after('Passport'),
} as const;

function entry(
  cells: readonly string[],
  aliases: ReadonlyMap<string, Draft['names']>,
  more: ReadonlyMap<string, readonly string[]>,
): Draft {
  const [key = '', name = '', type, program, title] = cells;
  const remarks = [cells[11] ?? '', ...(more.get(key) ?? [])].join(' ');
  const [lastName, firstName] = name.split(/,(.*)/s);
  const found = (label: keyof typeof labelled) =>
    Array.from(remarks.matchAll(labelled[label]), ([, text = '']) =>
      text.trim().replace(/\.$/, ''),
    );
  const [gender] = found('Gender');
  const nationalities = [...found('nationality'), ...found('citizen')];
  const quoted = [...remarks.matchAll(/\ba\.k\.a\. '([^']+)'/g)];
  return {
    ...{ key, subject: ofacSubject(type), list: 'OFAC', program: clean(program) },
    categories: terrorProgram(program) ? ['Sanction', 'TER'] : ['Sanction'],
    ...{ firstName: clean(firstName), lastName: clean(lastName) },
    names: [
      nameOf(name, 'primary'),
      ...(aliases.get(key) ?? []),
      // Single quotes mark a weak alias.
      ...quoted.map(([, text]) => nameOf(text, 'alias', true)),
    ],
    births: found('DOB').map(parseListedDate),
    gender: gender === 'Male' || gender === 'Female' ? gender : undefined,
    countries: nationalities.map(countryCode),
    nationality: nationalities[0],
    placeOfBirth: found('POB')[0],
    identifiers: found('Passport'),
    furtherInformation: [remarks],
    roles: [title ?? ''],
  };
}
