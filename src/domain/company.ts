import { invalid, isRecord, oneOf, refuse, refuseWord, timeZone } from '../base/input.ts';
import { isUrl } from '../base/network/is-url.ts';
import { isLoopbackHost } from '../base/network/loopback.ts';
import { type ComplianceRules, readComplianceRules } from './compliance/index.ts';
import type { CompanyKey } from './keys.ts';
import { type SigneeIdentity, signeeIdentities } from './person/index.ts';

/** A company whose documents are signed. Every other record belongs to a company. */
export interface Company {
  readonly key: CompanyKey;
  readonly name: string;
  /** National number of the company. */
  readonly ssn?: string;
  readonly createdAtMs: number;
  /** End of the trial, after which no new processes are accepted. Absent: no trial. */
  readonly trialEndsAtMs?: number;
  /** Rule for logins as a signee without a known national number, if the flow has none. */
  readonly signeeIdentity?: SigneeIdentity;
  /** Time zone of evidence and mails, if the flow has none: an IANA name. */
  readonly timeZone?: string;
  /** Compliance rules for its customers. Absent: the default rules. */
  readonly compliance?: ComplianceRules;
  /** Quotas that differ from the defaults. */
  readonly quotas?: Partial<Quotas>;
}

/** Scopes of an API key: sign and seal, read, change settings, screen persons. */
export const apiKeyScopes = ['sign', 'read', 'manage', 'screen'] as const;

/** One of {@link apiKeyScopes}. */
export type ApiKeyScope = (typeof apiKeyScopes)[number];

/** A key with which a program acts for a company. The key itself is never stored. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly companyKey: CompanyKey;
  /** SHA-256 of the key, hexadecimal. */
  readonly sha256: string;
  /** Purpose of the key, as entered by its owner. */
  readonly label: string;
  readonly createdAtMs: number;
  readonly revokedAtMs?: number;
  /** Scopes of the key; absent: all. */
  readonly scopes?: readonly ApiKeyScope[];
  /** End of validity in epoch milliseconds; absent: valid until revoked. */
  readonly expiresAtMs?: number;
}

/** A user of a company. */
export interface CompanyUser {
  readonly companyKey: CompanyKey;
  /** Lower case. */
  readonly email: string;
  readonly name: string;
  readonly createdAtMs: number;
}

/** Settings of a company that apply to flows without their own value. */
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
 * Returns `company` with the settings in `input`, parsed JSON. Null resets a setting to its
 * default.
 *
 * @throws validation.error for a setting that is unknown or invalid
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

/** Maximum number of origins that a company may register. */
export const originsMax = 20;

const charactersMax = 300;

// No path (not even a slash), no credentials and no white space.
const form = /^https?:\/\/[^\s/?#@\\*]+$/i;

/**
 * Returns the origin in `text` as browsers serialize it, in lower case and without a default port.
 * Undefined unless it can be registered: `https://host`, `https://host:port`, and `http://` for
 * loopback hosts.
 *
 * @spec RFC 6454 §6.2
 */
export function findOrigin(text: string): string | undefined {
  if (text.length > charactersMax || !form.test(text) || !isUrl(text)) return undefined;
  const { protocol, hostname, origin } = new URL(text);
  return protocol === 'https:' || isLoopbackHost(hostname) ? origin : undefined;
}

/** Like {@link findOrigin}. @throws validation.error */
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

/** Limits for one company. The defaults are the same for every company. */
export interface Quotas {
  /** Total bytes of documents and attachments, counted once per process that is not purged. */
  readonly storedBytes: number;
  /** New processes per UTC day, including those of sequences. */
  readonly processes: number;
  /** Attachments of new processes per day. */
  readonly attachments: number;
  /** Mails to one address per day. */
  readonly mailsPerRecipient: number;
  /** Requests with an `Idempotency-Key` per day. */
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

/** All quotas, in display order. */
export const quotaNames = Object.keys(usualQuotas) as readonly QuotaName[];

/** The day to which a quota applies, and the seconds until the next day begins. */
export function quotaDay(nowMs: number): { readonly day: string; readonly restSeconds: number } {
  const restMs = DAY_MS - (((nowMs % DAY_MS) + DAY_MS) % DAY_MS);
  return { day: new Date(nowMs).toISOString().slice(0, 10), restSeconds: Math.ceil(restMs / 1000) };
}

const DAY_MS = 86_400_000;
