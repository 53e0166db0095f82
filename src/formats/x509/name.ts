import { asBuffer, equalBytes, hexOf } from '../../base/bytes.ts';
import { attempt, InnsigliError } from '../../base/errors.ts';
import {
  contentOf,
  type DerNode,
  der,
  derOf,
  oids,
  readDer,
  readOid,
  readSequence,
  readSet,
  readText,
} from '../asn1/index.ts';

const EMAIL_ADDRESS = '1.2.840.113549.1.9.1';
const DOMAIN_COMPONENT = '0.9.2342.19200300.100.1.25';

/** Attributes supported by {@link buildName}, in the spelling of X.520. */
export interface NameAttributes {
  readonly countryName?: string;
  readonly stateOrProvinceName?: string;
  readonly localityName?: string;
  readonly organizationName?: string;
  readonly organizationIdentifier?: string;
  readonly organizationalUnitName?: string;
  readonly surname?: string;
  readonly givenName?: string;
  readonly commonName?: string;
  readonly serialNumber?: string;
}

/** One attribute of a relative distinguished name. */
export interface NameAttribute {
  /** Dotted decimal form. */
  readonly type: string;
  /** The value's element. */
  readonly value: DerNode;
}

/**
 * Short names: the table of RFC 4514 §3, X.520 names and others used in certificates, spelled as in
 * LDAP and other tools. Attributes without a short name are shown as bytes.
 */
const shortNames = new Map<string, string>([
  [oids.commonName, 'CN'],
  [oids.localityName, 'L'],
  [oids.stateOrProvinceName, 'ST'],
  [oids.organizationName, 'O'],
  [oids.organizationalUnitName, 'OU'],
  [oids.countryName, 'C'],
  ['2.5.4.9', 'STREET'],
  [DOMAIN_COMPONENT, 'DC'],
  ['0.9.2342.19200300.100.1.1', 'UID'],
  [oids.surname, 'SN'],
  [oids.givenName, 'GN'],
  ['2.5.4.12', 'title'],
  ['2.5.4.13', 'description'],
  ['2.5.4.15', 'businessCategory'],
  ['2.5.4.17', 'postalCode'],
  ['2.5.4.18', 'postOfficeBox'],
  ['2.5.4.19', 'physicalDeliveryOfficeName'],
  ['2.5.4.20', 'telephoneNumber'],
  ['2.5.4.41', 'name'],
  ['2.5.4.43', 'initials'],
  ['2.5.4.44', 'generationQualifier'],
  ['2.5.4.46', 'dnQualifier'],
  ['2.5.4.51', 'houseIdentifier'],
  ['2.5.4.65', 'pseudonym'],
  ['1.2.840.113549.1.9.2', 'unstructuredName'],
  ['1.3.6.1.4.1.311.60.2.1.1', 'jurisdictionLocalityName'],
  ['1.3.6.1.4.1.311.60.2.1.2', 'jurisdictionStateOrProvinceName'],
  ['1.3.6.1.4.1.311.60.2.1.3', 'jurisdictionCountryName'],
  [oids.serialNumber, 'serialNumber'],
  [oids.organizationIdentifier, 'organizationIdentifier'],
  [EMAIL_ADDRESS, 'emailAddress'],
]);

/** UTF8String, PrintableString, TeletexString, IA5String, UniversalString, BMPString. */
const stringTags = new Set([0x0c, 0x13, 0x14, 0x16, 0x1c, 0x1e]);

/**
 * Parses a Name into attributes by relative distinguished name, in encoding order.
 *
 * @throws asn1.invalid if it is not a Name
 * @spec RFC 5280 §4.1.2.4
 */
export function parseName(nameDer: Uint8Array): readonly (readonly NameAttribute[])[] {
  return readSequence(readDer(nameDer), 'name').map((rdn) =>
    readSet(rdn, 'relative distinguished name').map((attribute) => {
      const [type, value] = readSequence(attribute, 'name attribute');
      if (value === undefined)
        throw new InnsigliError('asn1.invalid', 'name attribute has no value');
      return { type: readOid(type, 'attribute type'), value };
    }),
  );
}

/**
 * The human-readable name: `CN=Seal,O=Example,C=IS`, most specific part first. Control characters
 * become hexadecimal pairs, so the text is safe on a terminal. A malformed name becomes `#` and its
 * bytes in hexadecimal.
 *
 * @spec RFC 4514 §2
 */
export function describeName(nameDer: Uint8Array): string {
  const rdns = tryParse(nameDer);
  if (rdns === undefined) return `#${hexOf(nameDer)}`;
  return rdns
    .map((rdn) => rdn.map(describeAttribute).join('+'))
    .reverse()
    .join(',');
}

function describeAttribute({ type, value }: NameAttribute): string {
  const short = shortNames.get(type);
  if (short === undefined || !stringTags.has(value.tag)) {
    return `${short ?? type}=#${hexOf(derOf(value))}`;
  }
  return `${short}=${escapeValue(readText(value))}`;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is escaped
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function escapeValue(text: string): string {
  return text
    .replace(/[\\"+,;<>]/g, '\\$&')
    .replace(/^[ #]/, '\\$&')
    .replace(/(?<!\\) $/, '\\ ')
    .replace(CONTROL, (character) => {
      const bytes = Buffer.from(character, 'utf8').toString('hex');
      return bytes.replace(/../g, '\\$&');
    });
}

/** The most specific common name of a Name; undefined if it has none or is malformed. */
export function commonNameOf(nameDer: Uint8Array): string | undefined {
  return mostSpecific(nameDer, oids.commonName);
}

/** The most specific organisation of a Name; undefined if it has none or is malformed. */
export function organizationOf(nameDer: Uint8Array): string | undefined {
  return mostSpecific(nameDer, oids.organizationName);
}

function mostSpecific(nameDer: Uint8Array, wanted: string): string | undefined {
  const rdns = tryParse(nameDer) ?? [];
  for (let i = rdns.length - 1; i >= 0; i--) {
    for (const { type, value } of rdns[i] ?? []) {
      if (type === wanted && stringTags.has(value.tag)) return readText(value);
    }
  }
  return undefined;
}

/**
 * A Name with one attribute per relative distinguished name, in property order.
 *
 * @spec RFC 5280 §4.1.2.4, Appendix A.1 (country and serial number are PrintableString)
 */
export function buildName(attributes: NameAttributes): Uint8Array {
  const printable = new Set(['countryName', 'serialNumber']);
  const rdns = Object.entries(attributes).map(([name, text]: [string, string]) =>
    der.setOf(
      der.sequence(
        der.oid(oids[name as keyof NameAttributes]),
        printable.has(name) ? der.printableString(text) : der.utf8String(text),
      ),
    ),
  );
  return der.sequence(...rdns);
}

/**
 * A normalised text for each relative distinguished name: equal texts mean equal names. Letter
 * case, runs of spaces and string types are ignored. Undefined if the name is malformed.
 *
 * @spec RFC 5280 §7.1
 */
export function comparableRdns(nameDer: Uint8Array): readonly string[] | undefined {
  return tryParse(nameDer)?.map((rdn) => rdn.map(comparableAttribute).sort().join(''));
}

function comparableAttribute({ type, value }: NameAttribute): string {
  const text = stringTags.has(value.tag)
    ? `"${readText(value).normalize('NFKC').trim().replace(/\s+/g, ' ').toLowerCase()}`
    : `#${hexOf(contentOf(value))}`;
  return `${type}:${text.length}:${text}`;
}

/** A normalised text for a whole Name: two names match exactly if their texts are equal. */
export function comparableName(nameDer: Uint8Array): string {
  const rdns = comparableRdns(nameDer);
  return rdns === undefined ? asBuffer(nameDer).toString('latin1') : rdns.join('|');
}

/** Whether both names denote the same entity. @spec RFC 5280 §7.1 */
export function equalNames(a: Uint8Array, b: Uint8Array): boolean {
  return equalBytes(a, b) || comparableName(a) === comparableName(b);
}

/** The e-mail addresses in the attributes of a Name. */
export function emailAddressesOf(nameDer: Uint8Array): string[] {
  return (tryParse(nameDer) ?? [])
    .flat()
    .filter(({ type, value }) => type === EMAIL_ADDRESS && stringTags.has(value.tag))
    .map(({ value }) => readText(value));
}

function tryParse(nameDer: Uint8Array): ReturnType<typeof parseName> | undefined {
  return attempt(() => parseName(nameDer));
}
