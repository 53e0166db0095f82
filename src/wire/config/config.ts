import type { SimulatedPersons } from '../../adapters/eid/index.ts';
import type { SealLevel } from '../../base/level.ts';
import type { RevocationMode } from '../../base/revocation-mode.ts';
import type { LoginBounds } from '../../domain/login-bounds.ts';
import type { CodeBounds } from '../../domain/signing/index.ts';
import type { DigestAlgorithm } from '../../formats/x509/index.ts';

/** Digests that a seal may use. */
export const sealDigests = ['sha256', 'sha384', 'sha512'] as const satisfies DigestAlgorithm[];

/** How persons of the e-ID simulator answer: by themselves, or as somebody decides. */
export const simulatorModes = ['auto', 'manual'] as const;

/** Persons of the e-ID simulator: reserved test numbers only, or a person for any number. */
export const simulatedPersons = ['reserved', 'any'] as const satisfies SimulatedPersons[];

/** One of {@link sealDigests}. */
export type SealDigest = (typeof sealDigests)[number];

/** The key that seals: where it is, never the key itself. Paths are absolute. */
export type KeyConfig =
  | { readonly kind: 'development'; readonly seal: 'rsa' | 'ec' }
  | {
      readonly kind: 'pem';
      readonly keyFile: string;
      /** Absent: the certificate stands in the key file. */
      readonly certificateFile?: string;
      /** Certificates of the issuers, PEM (one or more in a file) or DER. */
      readonly chainFiles: readonly string[];
      /** File whose first line is the password. */
      readonly passwordFile?: string;
    }
  | { readonly kind: 'p12'; readonly file: string; readonly passwordFile?: string };

/** A time-stamp authority to ask over HTTP. */
export interface TsaConfig {
  /** `http:` or `https:`, without credentials. */
  readonly url: string;
  readonly username?: string;
  /** File whose first line is the password; present with {@link username}. */
  readonly passwordFile?: string;
}

/** A checked value of one setting. */
export type SettingValue = string | boolean | number | readonly string[] | readonly TsaConfig[];

/** Settings of the signing service; no value is a secret. */
export interface ServiceConfig {
  /** PostgreSQL address; absent: SQLite in the data directory. */
  readonly database?: string;
  /** Bounds of the connections of one process to PostgreSQL; absent: those of the store. */
  readonly databaseLimits?: {
    readonly connections: number;
    readonly connectTimeoutMs: number;
    /** Time limit of one statement, in milliseconds, whether the server answers or not. */
    readonly queryTimeoutMs: number;
  };
  /** Key of the company, where there are several. */
  readonly company?: string;
  /** Base address of signing pages, without a slash at the end. */
  readonly frontEnd: string;
  readonly mail: {
    readonly from: string;
    /** `smtp://host:port` or `smtps://host:port`; `none`: no mail; absent: files in the outbox. */
    readonly server?: string;
    readonly user?: string;
    readonly passwordFile?: string;
  };
  readonly sms: {
    /** URL; `none`: no text messages; absent: files in the outbox. */
    readonly gateway?: string;
    readonly tokenFile?: string;
  };
  /** Register of persons over HTTP. */
  readonly register: {
    /** Absent: the register that was imported. */
    readonly url?: string;
    readonly tokenFile?: string;
  };
  /** Programs go on with the time that was noted; absent: in production. */
  readonly goesByNotedTime?: boolean;
  /** Rate limits of logins; absent: the usual limits. */
  readonly logins?: LoginBounds;
  /** Rate limits of codes for one number; absent: the usual limits. */
  readonly codes?: CodeBounds;
  /** Private networks that webhooks may reach, CIDR. */
  readonly webhookNetworks: readonly string[];
  /** Absolute path of the file of e-ID providers. */
  readonly eid?: string;
  readonly screening: {
    /** Days after which an imported list is told to be old. */
    readonly maxAgeDays: number;
    /** Where lists are got from, `NAME=URL`. */
    readonly sources: readonly string[];
    /** Screenings of one company in a minute. */
    readonly perMinute: number;
    /** Threads of a service that search names; absent: one for each core but one. */
    readonly threads?: number;
  };
  readonly pages: {
    /** Anybody may have a signed file checked on the page `/s/verify`. */
    readonly verify: boolean;
  };
  readonly simulator: {
    /** Test persons answer by themselves, or wait for `innsigli auth simulate`. */
    readonly mode: (typeof simulatorModes)[number];
    /** Absolute path of a JSON file: what becomes of sessions, by number. */
    readonly scenarios?: string;
  };
  /** Persons of the e-ID simulator. */
  readonly simulatedPersons: (typeof simulatedPersons)[number];
}

/** Every setting, with flags, environment, files and defaults merged and checked. */
export interface ResolvedConfig {
  /** Absolute path of the folder for development trust and state. */
  readonly dataDir: string;
  /** Every network access is an error. */
  readonly offline: boolean;
  /** Development trust is refused. */
  readonly production: boolean;
  /** Addresses of private networks may be contacted for OCSP responses and CRLs. */
  readonly allowPrivateAddresses: boolean;
  readonly key: KeyConfig;
  /** A project file that was found names a key, which is refused, and nothing else names one. */
  readonly keyRefusedFrom?: string;
  /** File whose first line opens encrypted documents. */
  readonly pdfPasswordFile?: string;
  /** In the order to try; empty: the embedded authority of the development trust. */
  readonly tsa: readonly TsaConfig[];
  readonly tsaTimeoutMs: number;
  /** URL of an HTTP proxy for every request. */
  readonly proxy?: string;
  /** Absolute paths of PEM or DER files, or folders of them, with trust anchors. */
  readonly trust: readonly string[];
  /** Names of trust profiles whose anchors and trusted lists count, too. */
  readonly trustProfiles: readonly string[];
  /** The same, of files with certificates, CRLs and OCSP responses. */
  readonly validationData: readonly string[];
  /** Rule of verify for certificates of unknown revocation status. */
  readonly revocation: RevocationMode;
  /** Absolute path of a table of algorithms. Default: the usual one. */
  readonly algorithmPolicy?: string;
  readonly level: SealLevel;
  readonly digest: SealDigest;
  readonly service: ServiceConfig;
}

/** Origin of a value. */
export interface Origin {
  readonly kind: 'given' | 'flag' | 'environment' | 'project' | 'user' | 'default';
  /** The flag, the variable, the path of the file or the name of an object; empty for a default. */
  readonly name: string;
}

/** One line of `innsigli config explain`. */
export interface ExplainedSetting {
  /** Path in a configuration file, such as `key.file`. */
  readonly path: string;
  /** As a file would state it; secrets are references. `null`: not set. */
  readonly value: unknown;
  readonly origin: Origin;
}

/** A configuration together with its story. */
export interface ExplainedConfig {
  readonly config: ResolvedConfig;
  readonly settings: readonly ExplainedSetting[];
  /** Configuration files that were read. */
  readonly files: { readonly project?: string; readonly user?: string };
  /** Settings of a project file that was found, not named, which are left out. */
  readonly ignored: readonly string[];
  /** Effects of such a file, in words: a source of time-stamps, a lower level. */
  readonly effects: readonly string[];
  /** A project file that was found and belongs to another user: it is not read. */
  readonly foreign?: string;
}

/** True when anchors or profiles are named: the development root is not trusted then. */
export function namesAnchors({
  trust,
  trustProfiles,
}: Pick<ResolvedConfig, 'trust' | 'trustProfiles'>): boolean {
  return trust.length > 0 || trustProfiles.length > 0;
}
