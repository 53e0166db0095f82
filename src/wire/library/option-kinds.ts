import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { wrongArgument } from '../../base/given.ts';
import { sealLevels } from '../../base/level.ts';
import { limits } from '../../base/limits.ts';
import { revocationModes } from '../../base/revocation-mode.ts';
import { digestLengths } from '../../formats/x509/index.ts';
import { readAlgorithmTable } from '../../trust/algorithms/index.ts';
import type { OptionName } from './check-arguments.ts';

/** Throws if the value is not of this kind. */
type Kind = (name: string, value: unknown) => void;

const text: Kind = (name, value) => {
  if (typeof value !== 'string') throw wrongArgument(name, 'text', typeOf(value));
  if (value.length <= limits.givenCharacters) return;
  const message = `${name}: ${value.length} characters, at most ${limits.givenCharacters}`;
  throw new InnsigliError('limit.exceeded', message);
};

/** Describes a value by its type only: it may be secret. */
function typeOf(value: unknown): unknown {
  return typeof value === 'string' ? undefined : value;
}

const ofType =
  (type: 'boolean' | 'number' | 'function', expected: string): Kind =>
  (name, value) => {
    if (typeof value !== type) throw wrongArgument(name, expected, value);
  };
const flag = ofType('boolean', 'true or false');
const work = ofType('function', 'a function');

const bytes: Kind = (name, value) => {
  if (!(value instanceof Uint8Array)) throw wrongArgument(name, 'bytes', value);
};

const time: Kind = (name, value) => {
  if (!(value instanceof Date)) throw wrongArgument(name, 'a Date', value);
};

const object: Kind = (name, value) => {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  if (!isObject || value instanceof Uint8Array) throw wrongArgument(name, 'an object', value);
};

const oneOf =
  (...words: readonly unknown[]): Kind =>
  (name, value) => {
    if (words.includes(value)) return;
    throw wrongArgument(name, words.join(', '), value);
  };

const either =
  (word: unknown, kind: Kind): Kind =>
  (name, value) => {
    if (value !== word) kind(name, value);
  };

const listOf =
  (kind: Kind): Kind =>
  (name, value) => {
    if (!Array.isArray(value)) throw wrongArgument(name, 'an array', value);
    for (const each of value) kind(name, each);
  };

const members =
  (kinds: Readonly<Record<string, Kind>>, needed: readonly string[] = []): Kind =>
  (name, value) => {
    object(name, value);
    const given = value as Readonly<Record<string, unknown>>;
    const unknown = Object.keys(given).find((key) => !Object.hasOwn(kinds, key));
    if (unknown !== undefined) throw wrongArgument(name, Object.keys(kinds).join(', '), unknown);
    for (const [key, kind] of Object.entries(kinds)) {
      const isNeeded = needed.includes(key) || given[key] !== undefined;
      if (isNeeded) kind(`${name}.${key}`, given[key]);
    }
  };

const coordinates: Kind = (name, value) => {
  listOf(ofType('number', 'an array of four numbers'))(name, value);
  if ((value as readonly unknown[]).length === 4) return;
  throw wrongArgument(name, 'an array of four numbers', value);
};

const page: Kind = (name, value) => {
  if (typeof value !== 'number' && value !== 'last' && value !== 'all') {
    throw wrongArgument(name, 'a number, last or all', value);
  }
};

const visible = members({
  page,
  corner: text,
  startAt: oneOf('top', 'bottom'),
  rect: coordinates,
  template: text,
  language: text,
  image: bytes,
  qr: either(true, text),
});
const place = members({ city: text, street: text, state: text, postalCode: text, country: text });
const policyKinds = {
  id: text,
  digest: bytes,
  digestAlgorithm: oneOf(...Object.keys(digestLengths)),
  uri: text,
  notice: text,
};

const algorithms: Kind = (name, value) => {
  try {
    readAlgorithmTable(value, name);
  } catch (error) {
    if (!isInnsigliError(error)) throw error;
    throw new InnsigliError('usage.invalid', error.message, { cause: error });
  }
};

/** Interfaces of the caller and documents are checked elsewhere. */
type Elsewhere = 'signer' | 'timestampAuthority' | 'revocation' | 'detached';

const optionKinds: Readonly<Record<Exclude<OptionName, Elsewhere>, Kind>> = {
  level: oneOf(...sealLevels),
  password: text,
  field: text,
  reason: text,
  location: text,
  name: text,
  contact: text,
  certify: oneOf(1, 2, 3),
  ignorePermissions: flag,
  visible: either(false, visible),
  subFilter: oneOf('adbe.pkcs7.detached', 'ETSI.CAdES.detached'),
  includeSignedData: flag,
  secondOpinion: flag,
  revocationMode: oneOf(...revocationModes),
  validationData: members({ ocsp: listOf(bytes), crls: listOf(bytes) }, ['ocsp', 'crls']),
  algorithms,
  at: time,
  now: work,
  random: work,
  packaging: oneOf('enveloped', 'enveloping', 'detached'),
  id: text,
  parent: text,
  transform: oneOf('filter', 'enveloped'),
  encoding: oneOf('xml', 'base64'),
  mimeType: text,
  container: oneOf('asic-s', 'asic-e'),
  format: oneOf('xades', 'cades'),
  roles: listOf(text),
  commitments: listOf(text),
  place,
  policy: members(policyKinds, ['id', 'digest', 'digestAlgorithm']),
  trust: listOf(() => undefined),
  trustProfiles: listOf(text),
  dataDir: text,
  certificates: listOf(() => undefined),
};

/** Checks the kinds of options. @throws usage.invalid, limit.exceeded */
export function requireKinds(options: Readonly<Record<string, unknown>>): void {
  const kinds: Readonly<Record<string, Kind>> = optionKinds;
  for (const [name, value] of Object.entries(options)) {
    if (value !== undefined) kinds[name]?.(name, value);
  }
}
