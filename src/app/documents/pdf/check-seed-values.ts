import { equalBytes } from '../../../base/bytes.ts';
import { InnsigliError } from '../../../base/errors.ts';
import { reachesLevel, type SealLevel } from '../../../base/level.ts';
import {
  asArray,
  asDict,
  asInteger,
  asName,
  asNumber,
  asString,
  decodeText,
  type PdfDict,
  type PdfFile,
  type PdfObject,
} from '../../../formats/pdf/index.ts';
import { type Certificate, keyUsageBits } from '../../../formats/x509/index.ts';
import type { CmsSubFilter } from '../../../seal/signature-dictionary.ts';

/** The seal to compare with seed values. */
export interface SeededSeal {
  readonly subFilter: CmsSubFilter;
  readonly digest: string;
  readonly level: SealLevel | undefined;
  readonly reason: string | undefined;
  readonly certify: 1 | 2 | 3 | undefined;
  readonly certificate: Certificate | undefined;
  /** Certificates of the issuers, DER. */
  readonly chain: readonly Uint8Array[];
}

/**
 * Bits of `/Ff` that make an entry binding.
 *
 * @spec ISO 32000-2 table 237
 */
const binding = {
  filter: 1 << 0,
  subFilter: 1 << 1,
  version: 1 << 2,
  reasons: 1 << 3,
  legalAttestation: 1 << 4,
  addRevInfo: 1 << 5,
  digestMethod: 1 << 6,
  lockDocument: 1 << 7,
  appearanceFilter: 1 << 8,
} as const;

/** Highest supported /V: 3 covers all of ISO 32000-2. */
const VERSION = 3;

/**
 * Checks a seal against the seed values of its field: required ones must be met, recommended ones
 * need not be.
 *
 * @throws seal.seed.refused with the requirement of the field
 * @spec ISO 32000-2 §12.7.5.5, tables 236 to 238
 */
export function requireSeedValues(file: PdfFile, field: PdfDict, seal: SeededSeal): void {
  const seed = asDict(file.resolve(field.get('SV')));
  if (seed === undefined) return;
  const flags = asInteger(file.resolve(seed.get('Ff'))) ?? 0;
  const value = (key: string) => file.resolve(seed.get(key));
  const binds = (flag: number, key: string) => (flags & flag) !== 0 && seed.has(key);

  if (binds(binding.version, 'V') && (asNumber(value('V')) ?? 0) > VERSION) {
    throw refused(`seed values of version ${asNumber(value('V'))}, which are not supported`);
  }
  if (binds(binding.filter, 'Filter') && asName(value('Filter'))?.value !== 'Adobe.PPKLite') {
    throw refused(`the handler /${asName(value('Filter'))?.value}, found /Adobe.PPKLite`);
  }
  if (binds(binding.subFilter, 'SubFilter')) {
    requireListed('the format', seal.subFilter, namesIn(file, value('SubFilter')));
  }
  if (binds(binding.digestMethod, 'DigestMethod')) {
    const listed = namesIn(file, value('DigestMethod')).map((name) =>
      name.toLowerCase().replace('-', ''),
    );
    requireListed('the digest', seal.digest, listed, 'choose it with --digest');
  }
  if (binds(binding.reasons, 'Reasons')) requireReason(namesIn(file, value('Reasons')), seal);
  if (binds(binding.appearanceFilter, 'AppearanceFilter')) {
    throw refused('a named appearance of its viewer');
  }
  if (binds(binding.lockDocument, 'LockDocument') && value('LockDocument') !== false) {
    if (asName(value('LockDocument'))?.value !== 'false') {
      throw refused('a lock of the document with the signature');
    }
  }
  if (binds(binding.addRevInfo, 'AddRevInfo') && value('AddRevInfo') === true) {
    requireLevel(seal, 'B-LT', 'revocation data');
  }
  requireCertification(asDict(value('MDP')), file, seal);
  const stamp = asDict(value('TimeStamp'));
  if (stamp !== undefined && asInteger(file.resolve(stamp.get('Ff'))) === 1) {
    requireLevel(seal, 'B-T', 'a time-stamp');
  }
  const certificate = asDict(value('Cert'));
  if (certificate !== undefined) requireCertificate(file, certificate, seal);
}

/** A single full stop means that no reason is permitted. */
function requireReason(reasons: readonly string[], { reason }: SeededSeal): void {
  if (reasons.length === 0 || (reasons.length === 1 && reasons[0] === '.')) {
    if (reason !== undefined) throw refused('no reason');
    return;
  }
  requireListed('the reason', reason ?? 'none', reasons, 'choose it with --reason');
}

function requireLevel({ level }: SeededSeal, least: SealLevel, what: string): void {
  if (reachesLevel(level, least)) return;
  const demand = `${what}: level ${least} at least, found ${level ?? 'none'}`;
  throw refused(demand, `use --level ${least}`);
}

/** P 0 requires an ordinary signature, 1 to 3 a certification with that permission. */
function requireCertification(
  mdp: PdfDict | undefined,
  file: PdfFile,
  { certify }: SeededSeal,
): void {
  const permission = asInteger(file.resolve(mdp?.get('P')));
  if (permission === undefined) return;
  if (permission === 0 && certify !== undefined) throw refused('a seal without certification');
  if (permission >= 1 && permission <= 3 && certify !== permission) {
    throw refused(`a certification with P=${permission}`, `use --certify p${permission}`);
  }
}

/**
 * Bits of `/Ff` of a certificate seed value.
 *
 * @spec ISO 32000-2 table 238
 */
const bindingCertificate = { subject: 1 << 0, issuer: 1 << 1, policies: 1 << 2, keyUsage: 1 << 5 };

function requireCertificate(file: PdfFile, seed: PdfDict, seal: SeededSeal): void {
  const flags = asInteger(file.resolve(seed.get('Ff'))) ?? 0;
  const { certificate, chain } = seal;
  const binds = (flag: number, key: string) => (flags & flag) !== 0 && seed.has(key);
  const listed = (key: string) =>
    (asArray(file.resolve(seed.get(key))) ?? []).flatMap((item) => {
      const string = asString(file.resolve(item));
      return string === undefined ? [] : [string.bytes];
    });
  const holds = (wanted: readonly Uint8Array[], found: readonly Uint8Array[]) =>
    wanted.some((der) => found.some((own) => equalBytes(der, own)));
  const own = certificate === undefined ? [] : [certificate.der];
  if (binds(bindingCertificate.subject, 'Subject') && !holds(listed('Subject'), own)) {
    throw refused('one of specific signing certificates');
  }
  const issuers = [...own, ...chain];
  if (binds(bindingCertificate.issuer, 'Issuer') && !holds(listed('Issuer'), issuers)) {
    throw refused('a certificate from one of specific issuers');
  }
  if (binds(bindingCertificate.policies, 'OID')) {
    throw refused('certificate policies, which are not checked here');
  }
  if (binds(bindingCertificate.keyUsage, 'KeyUsage')) {
    const patterns = namesIn(file, file.resolve(seed.get('KeyUsage')));
    const usage = certificate?.extensions.keyUsage;
    if (!patterns.some((pattern) => fitsUsage(pattern, usage))) {
      throw refused(`a key usage of ${patterns.join(' or ')}`);
    }
  }
}

/** `1` must be set, `0` must not be, anything else is ignored; in the order of RFC 5280. */
function fitsUsage(pattern: string, usage: number | undefined): boolean {
  const bits = Object.values(keyUsageBits);
  return [...pattern].slice(0, bits.length).every((wanted, index) => {
    const isSet = usage !== undefined && (usage & (bits[index] as number)) !== 0;
    return wanted === '1' ? isSet : wanted === '0' ? !isSet : true;
  });
}

function requireListed(
  what: string,
  found: string,
  listed: readonly string[],
  hint?: string,
): void {
  if (listed.includes(found)) return;
  const names = listed.map((item) => `"${item}"`).join(' or ');
  throw refused(`${what} ${names}, found "${found}"`, hint);
}

/** Names and text strings of an array, or the single value. */
function namesIn(file: PdfFile, value: PdfObject): readonly string[] {
  return (asArray(value) ?? [value]).flatMap((item) => {
    const entry = file.resolve(item);
    const string = asString(entry);
    const name = string === undefined ? asName(entry)?.value : decodeText(string);
    return name === undefined ? [] : [name];
  });
}

function refused(
  demand: string,
  hint = 'omit --field: a new field has no constraints',
): InnsigliError {
  return new InnsigliError('seal.seed.refused', `the field requires ${demand}`, { hint });
}
