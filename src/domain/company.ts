import { invalid, isRecord, oneOf, refuse, refuseWord, timeZone } from '../base/input.ts';
import { isUrl } from '../base/network/is-url.ts';
import { isLoopbackHost } from '../base/network/loopback.ts';
import { type ComplianceRules, readComplianceRules } from './compliance/index.ts';
import type { CompanyKey } from './keys.ts';
import { type SigneeIdentity, signeeIdentities } from './person/index.ts';

/** A company whose documents are signed; everything else belongs to one. */
export interface Company {
  readonly key: CompanyKey;
  readonly name: string;
  /** National number of the company. */
  readonly ssn?: string;
  readonly createdAtMs: number;
  /** After this no new processes are taken; absent: no trial. */
  readonly trialEndsAtMs?: number;
  /** Rule for logins as a signee without a known number, if the flow has none. */
  readonly signeeIdentity?: SigneeIdentity;
  /** Time zone of evidence and mails, if the flow has none: an IANA name. */
  readonly timeZone?: string;
  /** What it asks of its customers; absent: what is usual. */
  readonly compliance?: ComplianceRules;
  /** Quotas that differ from the default ones. */
  readonly quotas?: Partial<Quotas>;
}

/** Scopes of an API key: sign and seal, read, change settings, screen persons. */
export const apiKeyScopes = ['sign', 'read', 'manage', 'screen'] as const;

/** One of {@link apiKeyScopes}. */
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** A key with which a program speaks for a company; the key itself is nowhere stored. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly companyKey: CompanyKey;
  /** SHA-256 of the key, hexadecimal. */
  readonly sha256: string;
  /** Purpose of the key, in the words of its owner. */
  readonly label: string;
  readonly createdAtMs: number;
  readonly revokedAtMs?: number;
  /** Scopes of the key; absent: all. */
  readonly scopes?: readonly ApiKeyScope[];
  /** End of validity in epoch milliseconds; absent: valid until revoked. */
  readonly expiresAtMs?: number;
}

/** A person of a company. */
export interface CompanyUser {
  readonly companyKey: CompanyKey;
  /** Lower case. */
  readonly email: string;
  readonly name: string;
  readonly createdAtMs: number;
}

/** Settings of a company, for its flows that do not say otherwise. */
export type CompanySettings = Pick<Company, 'signeeIdentity' | 'timeZone' | 'compliance'>;

const readers: {
  readonly [Name in keyof CompanySettings]-?: (
    value: unknown,
    name: string,
  ) => CompanySettings[Name];
} = { signeeIdentity: oneOf(signeeIdentities), timeZone, compliance: readComplianceRules };

/** The names of {@link CompanySettings}. */
export const companySettings = Object.keys(readers) as readonly (keyof CompanySettings)[];

/**
 * `company` with what `input`, parsed JSON, says. Null gives a setting its default again.
 *
 * @throws validation.error for a setting that is unknown or wrong
 */
export function withSettings(company: Company, input: unknown): Company {
  if (!isRecord(input)) return refuse('settings', 'an object', input);
  const next: Record<string, unknown> = { ...company };
  for (const [name, value] of Object.entries(input)) {
    if (!Object.hasOwn(readers, name)) {
      refuseWord(name.slice(0, 60), Object.keys(readers), name);
    }
    if (value === null) delete next[name];
    else next[name] = readers[name as keyof CompanySettings](value, name);
  }
  return next as unknown as Company;
}

/** Origins that a company may register. */
export const originsMax = 20;

const charactersMax = 300;

// No path, not even a slash, no credentials, and no blank.
const form = /^https?:\/\/[^\s/?#@\\*]+$/i;

/**
 * The origin in `text` as browsers write it, lower case and without a usual port; undefined for
 * what is none that can be registered: `https://host`, `https://host:port`, and `http://` of this
 * machine.
 *
 * @spec RFC 6454 §6.2
 */
export function findOrigin(text: string): string | undefined {
  if (text.length > charactersMax || !form.test(text) || !isUrl(text)) return undefined;
  const { protocol, hostname, origin } = new URL(text);
  return protocol === 'https:' || isLoopbackHost(hostname) ? origin : undefined;
}

/** As {@link findOrigin}. @throws validation.error */
export function parseOrigin(text: string): string {
  const found = findOrigin(text);
  if (found !== undefined) return found;
  const shown = `"${text.slice(0, 100)}"`;
  return invalid('origin', `expected https://host[:port], found ${shown}`, hintFor(text));
}

function hintFor(text: string): string {
  if (text.includes('*')) return 'list each origin: wildcards are not supported';
  if (/^http:/i.test(text)) return 'http is allowed only for this machine, such as localhost';
  if (/^https:\/\/[^/]+\//i.test(text)) return 'omit the part after host and port';
  return 'use scheme and host, as in location.origin of the page';
}

/** Limits for one company; the defaults are the same for all. */
export interface Quotas {
  /** Bytes of documents and attachments, as often as they are in a process that is not purged. */
  readonly storedBytes: number;
  /** New processes in a day, UTC; those of sequences too. */
  readonly processes: number;
  /** Attachments of new processes in a day. */
  readonly attachments: number;
  /** Mails to one address in a day. */
  readonly mailsPerRecipient: number;
  /** Requests with an `Idempotency-Key` in a day. */
  readonly namedRequests: number;
}

/** The name of a quota. */
export type QuotaName = keyof Quotas;

/** Default quotas of a company: more than a small firm ever needs. */
export const usualQuotas: Quotas = {
  storedBytes: 50_000_000_000,
  processes: 20_000,
  attachments: 20_000,
  mailsPerRecipient: 1_000,
  namedRequests: 100_000,
};

/** All quotas, in the order in which they are shown. */
export const quotaNames = Object.keys(usualQuotas) as readonly QuotaName[];

/** The day of a quota, and the seconds until the next one begins. */
export function quotaDay(nowMs: number): { readonly day: string; readonly restSeconds: number } {
  const restMs = DAY_MS - (((nowMs % DAY_MS) + DAY_MS) % DAY_MS);
  return { day: new Date(nowMs).toISOString().slice(0, 10), restSeconds: Math.ceil(restMs / 1000) };
}

const DAY_MS = 86_400_000;
