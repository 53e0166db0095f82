import type { XmlElement } from '../../../../formats/xml/index.ts';
import type { ListedDate, ListedName } from '../../listed-person.ts';
import { countryCode } from '../countries.ts';
import { type Draft, joined, nameOf } from '../draft.ts';
import { kid, kids, textOf } from '../xml-reader.ts';
import { ofacSubject, terrorProgram } from './ofac.ts';
import { type OfacReferences, readReferences, under } from './ofac-references.ts';

/**
 * Extracts drafts from an SDN_ADVANCED file of the US Treasury. Parties have profiles, profiles
 * have identities, and identities have names in parts, each part in one script. Everything else is
 * referenced by number.
 */
export function ofacAdvancedDrafts(root: XmlElement): readonly Draft[] {
  const references = readReferences(root);
  return under(root, 'DistinctParties', 'DistinctParty').flatMap((party) =>
    kids(party, 'Profile').map((profile) => draftOf(profile, party, references)),
  );
}

/** The date of issue of the file. */
export function ofacAdvancedDate(root: XmlElement): string | undefined {
  const issued = kid(root, 'DateOfIssue');
  return issued === undefined ? undefined : dayOf(issued);
}

function draftOf(profile: XmlElement, party: XmlElement, references: OfacReferences): Draft {
  const identities = kids(profile, 'Identity');
  const names = identities.flatMap((identity) => namesOf(identity, references));
  // The primary name of the primary identity becomes that of the entry.
  const first = names.find(({ kind }) => kind === 'primary') ?? names[0];
  const ordered = first === undefined ? [] : [first, ...names.filter((each) => each !== first)];
  const features = featuresOf(profile, references);
  const entry = references.entry(profile.attribute('ID'));
  const programs = entry?.programs.join(', ');
  const countries = [...features.countries('Nationality'), ...features.countries('Citizenship')];
  const gender = features.details('Gender')[0]?.toLowerCase();
  const comment = textOf(party, 'Comment');
  const likely = first?.family === undefined ? 'organisation' : 'person';
  return {
    key: profile.attribute('ID') ?? '',
    subject: subjectOf(profile, references) ?? likely,
    categories: terrorProgram(programs) ? ['Sanction', 'TER'] : ['Sanction'],
    ...{ firstName: first?.given, lastName: first?.family },
    names: ordered.map(({ text, kind, isWeak }) => nameOf(text, kind, isWeak)),
    births: features.births(),
    gender: gender === 'male' ? 'Male' : gender === 'female' ? 'Female' : undefined,
    countries: countries.map(countryCode),
    nationality: countries[0],
    placeOfBirth: features.places('Place of Birth')[0],
    primaryLocation: features.places('Location')[0],
    identifiers: identities.flatMap((each) => references.documents(each.attribute('ID'))),
    furtherInformation: comment === undefined ? [] : [comment],
    roles: features.details('Title'),
    ...{ list: 'OFAC', program: programs },
  };
}

/** Undefined for a profile whose type is missing from the reference values. */
function subjectOf(
  profile: XmlElement,
  { partyType, word }: OfacReferences,
): Draft['subject'] | undefined {
  const subtype = profile.attribute('PartySubTypeID');
  const type = partyType(subtype);
  if (type === undefined) return undefined;
  // Vessels and aircraft are subtypes of the type `Transport`.
  return ofacSubject(type === 'Transport' ? word('PartySubType', subtype) : type);
}

interface PartedName {
  readonly text: string;
  readonly kind: ListedName['kind'];
  readonly isWeak: boolean;
  readonly given: string | undefined;
  readonly family: string | undefined;
}

function namesOf(identity: XmlElement, { word }: OfacReferences): readonly PartedName[] {
  const groups = under(identity, 'NamePartGroups', 'MasterNamePartGroup').flatMap((group) =>
    kids(group, 'NamePartGroup'),
  );
  const types = new Map(
    groups.map((group) => [
      group.attribute('ID') ?? '',
      word('NamePartType', group.attribute('NamePartTypeID')) ?? '',
    ]),
  );
  const isMain = isTrue(identity, 'Primary');
  return kids(identity, 'Alias').flatMap((alias) => {
    const isFormer = word('AliasType', alias.attribute('AliasTypeID'))?.startsWith('F') === true;
    const kind = isMain && isTrue(alias, 'Primary') ? 'primary' : isFormer ? 'former' : 'alias';
    const isWeak = isTrue(alias, 'LowQuality');
    return kids(alias, 'DocumentedName').flatMap((name): readonly PartedName[] => {
      const values = kids(name, 'DocumentedNamePart').flatMap((each) =>
        kids(each, 'NamePartValue'),
      );
      const parts = values.map((value) => ({
        text: value.text,
        type: types.get(value.attribute('NamePartGroupID') ?? '') ?? '',
      }));
      const isFamily = ({ type }: { readonly type: string }) => type === 'Last Name';
      const family = joined(...parts.filter(isFamily).map((part) => part.text));
      const given = joined(...parts.filter((part) => !isFamily(part)).map((part) => part.text));
      const text = joined(given, family);
      if (text === undefined) return [];
      const script = word('Script', values[0]?.attribute('ScriptID'));
      const isLatin = script === undefined || script === 'Latin';
      return [{ text, kind: isLatin ? kind : 'original-script', isWeak, given, family }];
    });
  });
}

function featuresOf(profile: XmlElement, references: OfacReferences) {
  const features = kids(profile, 'Feature').map((feature) => ({
    type: references.word('FeatureType', feature.attribute('FeatureTypeID')) ?? '',
    versions: kids(feature, 'FeatureVersion'),
  }));
  const versions = (type: string) =>
    features.flatMap((each) => (each.type.startsWith(type) ? each.versions : []));
  const locations = (type: string) =>
    versions(type).flatMap((version) =>
      kids(version, 'VersionLocation').flatMap(
        (each) => references.location(each.attribute('LocationID')) ?? [],
      ),
    );
  return {
    births: () =>
      versions('Birthdate').flatMap((version) => kids(version, 'DatePeriod').map(periodOf)),
    details: (type: string) =>
      versions(type).flatMap((version) =>
        kids(version, 'VersionDetail').flatMap((detail) => {
          const known = references.word('DetailReference', detail.attribute('DetailReferenceID'));
          return known ?? joined(detail.text) ?? [];
        }),
      ),
    places: (type: string) => locations(type).flatMap(({ text }) => text ?? []),
    countries: (type: string) => locations(type).flatMap(({ country }) => country ?? []),
  };
}

/** A day, a whole month or year, or a range. The file contains the first and last day of each. */
function periodOf(period: XmlElement): ListedDate | undefined {
  const [start, end] = [kid(period, 'Start'), kid(period, 'End')];
  const first = start === undefined ? undefined : kid(start, 'From');
  const last = end === undefined ? undefined : (kid(end, 'To') ?? kid(end, 'From'));
  const from = first === undefined ? undefined : dayOf(first);
  if (from === undefined) return undefined;
  const to = last === undefined ? from : (dayOf(last) ?? from);
  const isApproximate = [start, end].some(
    (each) => each !== undefined && isTrue(each, 'Approximate'),
  );
  return { ...spanOf(from, to), ...(isApproximate ? { isApproximate } : {}) };
}

/** `1962` for a whole year, `1962-03` for a whole month. */
function spanOf(from: string, to: string): Pick<ListedDate, 'from' | 'to'> {
  if (from === to) return { from };
  const [fromYear, toYear] = [from.slice(0, 4), to.slice(0, 4)];
  if (from.endsWith('-01-01') && to.endsWith('-12-31')) {
    return fromYear === toYear ? { from: fromYear } : { from: fromYear, to: toYear };
  }
  const isMonth = from.endsWith('-01') && from.slice(0, 7) === to.slice(0, 7);
  const days = new Date(Date.UTC(Number(toYear), Number(to.slice(5, 7)), 0)).getUTCDate();
  return isMonth && to.endsWith(`-${String(days)}`) ? { from: from.slice(0, 7) } : { from, to };
}

function dayOf(element: XmlElement): string | undefined {
  const [year, month, day] = ['Year', 'Month', 'Day'].map((name) => textOf(element, name));
  if (year === undefined || !/^\d{4}$/.test(year)) return undefined;
  const numbers = [month, day].map((part) => (/^\d{1,2}$/.test(part ?? '') ? part : undefined));
  const known = numbers[0] === undefined ? [] : numbers.filter((part) => part !== undefined);
  return [year, ...known.map((part) => part.padStart(2, '0'))].join('-');
}

function isTrue(element: XmlElement, attribute: string): boolean {
  return element.attribute(attribute) === 'true';
}
