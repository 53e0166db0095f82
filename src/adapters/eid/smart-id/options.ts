import type { EidAssurance } from '../../../app/ports/index.ts';
import type { PathOptions } from '../revocation-request.ts';
import type { ProviderClient } from '../session.ts';

/** Level of a certificate. */
export type CertificateLevel = 'ADVANCED' | 'QUALIFIED';

/** Hash algorithms of the protocol with their names in node:crypto. */
export const hashAlgorithms = {
  'SHA-256': { name: 'sha256', lengthBytes: 32 },
  'SHA-384': { name: 'sha384', lengthBytes: 48 },
  'SHA-512': { name: 'sha512', lengthBytes: 64 },
  'SHA3-256': { name: 'sha3-256', lengthBytes: 32 },
  'SHA3-384': { name: 'sha3-384', lengthBytes: 48 },
  'SHA3-512': { name: 'sha3-512', lengthBytes: 64 },
} as const;

/** One of {@link hashAlgorithms}. */
export type HashAlgorithm = keyof typeof hashAlgorithms;

/** Options of a service with version 3 of the protocol. */
export interface SmartIdOptions extends PathOptions {
  /** Base URL including the version: `https://rp-api.smart-id.com/v3`. */
  readonly baseUrl: string;
  /** Scheme name in the signed data: `smart-id`; for the demo service with suffix `-demo`. */
  readonly schemeName: string;
  readonly relyingPartyUuid: string;
  readonly relyingPartyName: string;
  /** Company on whose behalf the relying party sends requests. Default: none. */
  readonly brokeredRpName?: string;
  /** Minimum level of certificates. Default: `QUALIFIED`. */
  readonly certificateLevel?: CertificateLevel;
  /** Policies that a certificate of each level must contain, all of them. Default: Smart-ID's. */
  readonly policies?: Readonly<Record<CertificateLevel, readonly string[]>>;
  /** Extended key usages, one of them required. Default: Smart-ID authentication, clientAuth. */
  readonly extendedKeyUsages?: readonly string[];
  /** Hash algorithm of signatures. Default: `SHA-512`. */
  readonly hashAlgorithm?: HashAlgorithm;
  /** Level of assurance guaranteed by the contract for these certificates. Default: `unknown`. */
  readonly assurance?: EidAssurance;
  /** App languages in ISO 639-3, by ISO 639-1. Default: `eng`, `est`, `lav`, `lit` and `rus`. */
  readonly languages?: Readonly<Record<string, string>>;
  /** Name of the scheme in evidence. Default: `smart-id-v3`. */
  readonly scheme?: string;
  /** Time for which the service may hold a status request, at least 1 s. Default: 1 s. */
  readonly longPollMs?: number;
  /** Maximum duration of a session. Default: 300 s, after which the service drops it. */
  readonly sessionMs?: number;
  /** Timeout of each request, in addition to {@link longPollMs}. Default: 10 s. */
  readonly timeoutMs?: number;
}

/** A client of the service. */
export type SmartIdClient = ProviderClient<SmartIdOptions>;

/** Defaults of the options. */
export const usual = {
  certificateLevel: 'QUALIFIED',
  hashAlgorithm: 'SHA-512',
  longPollMs: 1_000,
  sessionMs: 300_000,
  timeoutMs: 10_000,
  pollingMs: 2_000,
  languages: { en: 'eng', et: 'est', lv: 'lav', lt: 'lit', ru: 'rus' } as Readonly<
    Record<string, string>
  >,
  /** NCP+ and NCP of EN 319 411-1, each with the policy of the issuer. */
  policies: {
    QUALIFIED: ['1.3.6.1.4.1.10015.17.2', '0.4.0.2042.1.2'],
    ADVANCED: ['1.3.6.1.4.1.10015.17.1', '0.4.0.2042.1.1'],
  },
  extendedKeyUsages: ['1.3.6.1.4.1.62306.5.7.0', '1.3.6.1.5.5.7.3.2'],
} as const;
