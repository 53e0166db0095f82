import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { EidAssurance, ServedMethod } from '../../app/ports/index.ts';
import { defined } from '../../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { isRecord } from '../../base/input.ts';
import { osReason } from '../../base/os-errors.ts';
import { findSimilar } from '../../base/text/index.ts';

/** Authentication methods that a provider can serve. */
export const eidMethods = ['Sim', 'App', 'device-link', 'eid-se', 'eid-dk'] as const;

/** Provider of each method; `none` disables the method. */
export type MethodChoice = Partial<Readonly<Record<ServedMethod, string>>>;

/** TLS settings of a provider. */
export interface TransportEntry {
  /** PEM of the only certification authorities trusted for its servers. */
  readonly caFile?: string;
  readonly certificateFile?: string;
  readonly keyFile?: string;
  readonly pfxFile?: string;
  readonly passphraseFile?: string;
}

/** Configuration of a provider. */
export interface ProviderEntry {
  readonly driver: string;
  /** Options of the driver, as written in the file. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly transport: TransportEntry;
  readonly minAssurance?: Exclude<EidAssurance, 'unknown'>;
}

/** e-ID providers and the methods they serve. */
export interface EidFile {
  /** Folder that relative paths are resolved against. */
  readonly folder: string;
  readonly name: string;
  readonly providers: Readonly<Record<string, ProviderEntry>>;
  readonly methods: MethodChoice;
  /** Choices by company key. */
  readonly companies: Readonly<Record<string, MethodChoice>>;
  /** Choices by flow key. */
  readonly flows: Readonly<Record<string, MethodChoice>>;
}

const BYTES_MAX = 1024 * 1024;
const transportMembers = ['caFile', 'certificateFile', 'keyFile', 'pfxFile', 'passphraseFile'];
const reserved: ReadonlySet<string> = new Set(['none', 'simulator']);
const levels = ['low', 'substantial', 'high'];

/**
 * Reads the file that configures the e-ID providers.
 *
 * @throws config.invalid with the JSON path of the first problem
 */
export function readEidFile(name: string): EidFile {
  const fault = (path: string, expected: string, found: unknown): never => {
    const shown = typeof found === 'object' ? 'another value' : JSON.stringify(found);
    const message = `${name}: ${path}: expected ${expected}, found ${shown}`;
    throw new InnsigliError('config.invalid', message);
  };
  const root = objectAt('$', parseFile(name), fault);
  requireKnown('$', root, ['providers', 'methods', 'companies', 'flows'], fault);
  const membersAt = <T>(member: string, read: (path: string, value: unknown) => T) => {
    const all = Object.entries(objectAt(`$.${member}`, root[member] ?? {}, fault));
    return Object.fromEntries(all.map(([key, value]) => [key, read(`$.${member}.${key}`, value)]));
  };
  const providers = membersAt('providers', (path, value) => providerAt(path, value, fault));
  const names = new Set([...Object.keys(providers), ...reserved]);
  const choice = (path: string, value: unknown) => choiceAt(path, value, names, fault);
  return {
    ...{ name, folder: dirname(name), providers },
    methods: choice('$.methods', root['methods'] ?? {}),
    companies: membersAt('companies', choice),
    flows: membersAt('flows', choice),
  };
}

type Fault = (path: string, expected: string, found: unknown) => never;

function providerAt(path: string, value: unknown, fault: Fault): ProviderEntry {
  // Sessions contain provider names: none may be a prefix of another, or the name of a simulator.
  const name = path.slice('$.providers.'.length);
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name) || reserved.has(name)) {
    fault(path, 'a name of at most 64 letters, digits, ".", "_" and "-", not a reserved one', name);
  }
  const { driver, transport = {}, minAssurance, ...options } = objectAt(path, value, fault);
  if (typeof driver !== 'string') return fault(`${path}.driver`, 'the name of a driver', driver);
  const tls = objectAt(`${path}.transport`, transport, fault);
  requireKnown(`${path}.transport`, tls, transportMembers, fault);
  for (const [member, file] of Object.entries(tls)) {
    if (typeof file !== 'string') fault(`${path}.transport.${member}`, 'the path of a file', file);
  }
  if (minAssurance !== undefined && !levels.includes(minAssurance as string)) {
    fault(`${path}.minAssurance`, levels.join(', '), minAssurance);
  }
  const least = minAssurance as ProviderEntry['minAssurance'];
  return { driver, options, transport: tls, ...defined({ minAssurance: least }) };
}

function choiceAt(
  path: string,
  value: unknown,
  names: ReadonlySet<string>,
  fault: Fault,
): MethodChoice {
  const choice = objectAt(path, value, fault);
  requireKnown(path, choice, eidMethods, fault);
  for (const [method, provider] of Object.entries(choice)) {
    if (typeof provider !== 'string' || !names.has(provider)) {
      fault(`${path}.${method}`, `one of ${[...names].join(', ')}`, provider);
    }
  }
  return choice as MethodChoice;
}

function objectAt(path: string, value: unknown, fault: Fault): Record<string, unknown> {
  return isRecord(value) ? value : fault(path, 'an object', value);
}

/** Rejects unknown members: they are mistyped. */
export function requireKnown(
  path: string,
  value: object,
  names: readonly string[],
  fault: Fault,
): void {
  for (const member of Object.keys(value)) {
    if (names.includes(member)) continue;
    const similar = findSimilar(member, names);
    const meant = similar === undefined ? names.join(', ') : `${similar}, which is similar`;
    fault(`${path}.${member}`, `one of the members ${meant}`, member);
  }
}

function parseFile(name: string): unknown {
  const what = `the file of e-ID providers ${name}`;
  try {
    const { size } = statSync(name);
    if (size > BYTES_MAX) {
      const message = `${what}: expected at most ${BYTES_MAX} bytes, found ${size}`;
      throw new InnsigliError('config.invalid', message);
    }
    return JSON.parse(readFileSync(name, 'utf8'));
  } catch (cause) {
    if (isInnsigliError(cause)) throw cause;
    const isJson = !(cause instanceof SyntaxError);
    const reason = isJson
      ? ` cannot be read: ${osReason(cause)}`
      : ': expected JSON, found other text';
    throw new InnsigliError('config.invalid', `${what}${reason}`, { cause });
  }
}
