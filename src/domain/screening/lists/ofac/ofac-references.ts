import type { XmlElement } from '../../../../formats/xml/index.ts';
import { clean, joined } from '../draft.ts';
import { grouped } from '../grouped.ts';
import { kid, kids, textOf } from '../xml-reader.ts';

/** Data that the parties of an SDN_ADVANCED file reference by number. */
export interface OfacReferences {
  /** The text of a reference value, for example `Birthdate` for `FeatureType` 8. */
  readonly word: (set: ReferenceSet, id: string | undefined) => string | undefined;
  /** The party type to which the subtype of a profile belongs. */
  readonly partyType: (subtype: string | undefined) => string | undefined;
  readonly location: (id: string | undefined) => OfacLocation | undefined;
  /** Types and numbers of the documents of an identity. */
  readonly documents: (identity: string | undefined) => readonly string[];
  /** Lists and programmes that include a profile. */
  readonly entry: (profile: string | undefined) => OfacEntry | undefined;
}

/** A location and its country. */
export interface OfacLocation {
  readonly text: string | undefined;
  readonly country: string | undefined;
}

/** The list and programmes of a profile. */
export interface OfacEntry {
  readonly list: string | undefined;
  readonly programs: readonly string[];
}

const sets = {
  AliasType: 'AliasTypeValues',
  AreaCode: 'AreaCodeValues',
  Country: 'CountryValues',
  DetailReference: 'DetailReferenceValues',
  FeatureType: 'FeatureTypeValues',
  IDRegDocType: 'IDRegDocTypeValues',
  List: 'ListValues',
  NamePartType: 'NamePartTypeValues',
  PartySubType: 'PartySubTypeValues',
  PartyType: 'PartyTypeValues',
  SanctionsType: 'SanctionsTypeValues',
  Script: 'ScriptValues',
} as const;

type ReferenceSet = keyof typeof sets;

/** Reads the reference values, locations, documents and entries of a file. */
export function readReferences(root: XmlElement): OfacReferences {
  const values = kid(root, 'ReferenceValueSets');
  const elements = new Map<string, ReadonlyMap<string, XmlElement>>();
  for (const [name, set] of Object.entries(sets)) {
    const holder = values === undefined ? undefined : kid(values, set);
    elements.set(name, holder === undefined ? new Map() : byId(kids(holder, name)));
  }
  const find = (set: ReferenceSet, id = '') => elements.get(set)?.get(id);
  const word = (set: ReferenceSet, id: string | undefined) => clean(find(set, id)?.text);
  const places = byId(under(root, 'Locations', 'Location'));
  const by = (list: readonly XmlElement[], attribute: string) =>
    grouped(
      list,
      (each) => each.attribute(attribute),
      (each) => each,
    );
  const documents = by(under(root, 'IDRegDocuments', 'IDRegDocument'), 'IdentityID');
  const entries = by(under(root, 'SanctionsEntries', 'SanctionsEntry'), 'ProfileID');
  return {
    word,
    partyType: (subtype) =>
      word('PartyType', find('PartySubType', subtype)?.attribute('PartyTypeID')),
    location: (id = '') => {
      const place = places.get(id);
      if (place === undefined) return undefined;
      const area = kid(place, 'LocationAreaCode')?.attribute('AreaCodeID');
      const country =
        word('Country', kid(place, 'LocationCountry')?.attribute('CountryID')) ??
        clean(find('AreaCode', area)?.attribute('Description'));
      const parts = kids(place, 'LocationPart').map((part) =>
        kids(part, 'LocationPartValue')
          .map((each) => textOf(each, 'Value'))
          .find(Boolean),
      );
      const texts = [...parts, country].filter((part) => part !== undefined);
      return { text: clean(texts.join(', ')), country };
    },
    documents: (identity = '') =>
      (documents.get(identity) ?? []).flatMap((each) => {
        const kind = word('IDRegDocType', each.attribute('IDRegDocTypeID'));
        const number = textOf(each, 'IDRegistrationNo');
        return number === undefined ? [] : (joined(kind, number) ?? []);
      }),
    entry: (profile = '') => {
      const found = entries.get(profile);
      if (found === undefined) return undefined;
      const measures = found.flatMap((each) => kids(each, 'SanctionsMeasure'));
      const programs = measures.filter(
        (each) => word('SanctionsType', each.attribute('SanctionsTypeID')) === 'Program',
      );
      return {
        list: word('List', found[0]?.attribute('ListID')),
        programs: [...new Set(programs.flatMap((each) => textOf(each, 'Comment') ?? []))],
      };
    },
  };
}

/** The `name` children of the element `list` of `root`. */
export function under(root: XmlElement, list: string, name: string): readonly XmlElement[] {
  const found = kid(root, list);
  return found === undefined ? [] : kids(found, name);
}

function byId(elements: readonly XmlElement[]): ReadonlyMap<string, XmlElement> {
  return new Map(elements.map((each) => [each.attribute('ID') ?? '', each]));
}
