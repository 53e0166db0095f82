import type { EidAssurance } from '../../../app/ports/index.ts';
import type { PathOptions } from '../revocation-request.ts';
import type { ProviderClient } from '../session.ts';

/** Level of a certificate. */
export type CertificateLevel = 'ADVANCED' | 'QUALIFIED';

/** Hash algorithms of the protocol by the names that node:crypto uses. */
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

/** Options of a service that speaks version 3 of the protocol. */
export interface SmartIdOptions extends PathOptions {
  /** Address with the version: `https://rp-api.smart-id.com/v3`. */
  readonly baseUrl: string;
  /** Name of the scheme in what is signed: `smart-id`; the demonstration ends in `-demo`. */
  readonly schemeName: string;
  readonly relyingPartyUuid: string;
  readonly relyingPartyName: string;
  /** Company on whose behalf the relying party asks. Default: none. */
  readonly brokeredRpName?: string;
  /** Least level of certificates. Default: `QUALIFIED`. */
  readonly certificateLevel?: CertificateLevel;
  /** Policies, all of which a certificate of that level has. Default: those of Smart-ID. */
  readonly policies?: Readonly<Record<CertificateLevel, readonly string[]>>;
  /** Uses, one of which a certificate has. Default: authentication with Smart-ID, clientAuth. */
  readonly extendedKeyUsages?: readonly string[];
  /** Default: `SHA-512`. */
  readonly hashAlgorithm?: HashAlgorithm;
  /** Level that the contract promises for those certificates. Default: `unknown`. */
  readonly assurance?: EidAssurance;
  /** Languages of the app, ISO 639-3, by ISO 639-1. Default: `eng` and those of the Baltics. */
  readonly languages?: Readonly<Record<string, string>>;
  /** Name for evidence. Default: `smart-id-v3`. */
  readonly scheme?: string;
  /** How long a request for the status may wait, from 1 s. Default: 1 s. */
  readonly longPollMs?: number;
  /** Bound on the time that a person has. Default: 300 s, after which the service forgets it. */
  readonly sessionMs?: number;
  /** Time for each request, besides {@link longPollMs}. Default: 10 s. */
  readonly timeoutMs?: number;
}

/** A client of the service. */
export type SmartIdClient = ProviderClient<SmartIdOptions>;

/** What holds where options say nothing. */
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
