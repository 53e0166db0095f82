import type { SimulatedPersons } from '../../adapters/eid/index.ts';
import type { SealLevel } from '../../base/level.ts';
import type { RevocationMode } from '../../base/revocation-mode.ts';
import type { LoginBounds } from '../../domain/login-bounds.ts';
import type { CodeBounds } from '../../domain/signing/index.ts';
import type { DigestAlgorithm } from '../../formats/x509/index.ts';

/** Digest algorithms that a seal may use. */
export const sealDigests = ['sha256', 'sha384', 'sha512'] as const satisfies DigestAlgorithm[];

/** Response modes of the e-ID simulator: automatic, or by manual decision. */
export const simulatorModes = ['auto', 'manual'] as const;

/** Persons of the e-ID simulator: reserved test numbers only, or any number. */
export const simulatedPersons = ['reserved', 'any'] as const satisfies SimulatedPersons[];

/** One of {@link sealDigests}. */
export type SealDigest = (typeof sealDigests)[number];

/** Location of the sealing key, never the key itself. Paths are absolute. */
export type KeyConfig =
  | { readonly kind: 'development'; readonly seal: 'rsa' | 'ec' }
  | {
      readonly kind: 'pem';
      readonly keyFile: string;
      /** Undefined if the certificate is in the key file. */
      readonly certificateFile?: string;
      /** Issuer certificates: PEM (one or more per file) or DER. */
      readonly chainFiles: readonly string[];
      /** File with the password in its first line. */
      readonly passwordFile?: string;
    }
  | { readonly kind: 'p12'; readonly file: string; readonly passwordFile?: string };

/** A time-stamp authority, contacted over HTTP. */
export interface TsaConfig {
  /** `http:` or `https:`, without credentials. */
  readonly url: string;
  readonly username?: string;
  /** File with the password in its first line. Present with {@link username}. */
  readonly passwordFile?: string;
}

/** Validated value of one setting. */
export type SettingValue = string | boolean | number | readonly string[] | readonly TsaConfig[];

/** Settings of the signing service. No value is secret. */
export interface ServiceConfig {
  /** PostgreSQL URL. Undefined: SQLite in the data directory. */
  readonly database?: string;
  /** Limits of the PostgreSQL connections of one process. Undefined: the limits of the store. */
  readonly databaseLimits?: {
    readonly connections: number;
    readonly connectTimeoutMs: number;
    /** Time limit of a statement in milliseconds, enforced even if the server does not respond. */
    readonly queryTimeoutMs: number;
  };
  /** Key of the company. Needed if there are several. */
  readonly company?: string;
  /** Base URL of the signing pages, without a trailing slash. */
  readonly frontEnd: string;
  readonly mail: {
    readonly from: string;
    /** `smtp://host:port` or `smtps://host:port`; `none`: no mail. Undefined: outbox files. */
    readonly server?: string;
    readonly user?: string;
    readonly passwordFile?: string;
  };
  readonly sms: {
    /** URL; `none`: no text messages. Undefined: files in the outbox. */
    readonly gateway?: string;
    readonly tokenFile?: string;
  };
  /** Register of persons over HTTP. */
  readonly register: {
    /** Undefined: the imported register. */
    readonly url?: string;
    readonly tokenFile?: string;
  };
  /** Whether programs continue from the recorded time. Undefined: in production only. */
  readonly goesByNotedTime?: boolean;
  /** Rate limits of logins. Undefined: the default limits. */
  readonly logins?: LoginBounds;
  /** Rate limits of codes for one number. Undefined: the default limits. */
  readonly codes?: CodeBounds;
  /** Private networks that webhooks may reach, in CIDR notation. */
  readonly webhookNetworks: readonly string[];
  /** Absolute path of the file that configures e-ID providers. */
  readonly eid?: string;
  readonly screening: {
    /** Age in days after which an imported list is reported as outdated. */
    readonly maxAgeDays: number;
    /** Addresses from which lists are downloaded, `NAME=URL`. */
    readonly sources: readonly string[];
    /** Maximum number of screenings per company and minute. */
    readonly perMinute: number;
    /** Number of name search threads of a service. Undefined: the number of cores minus one. */
    readonly threads?: number;
  };
  readonly pages: {
    /** Anyone may have a signed file verified on the page `/s/verify`. */
    readonly verify: boolean;
  };
  readonly simulator: {
    /** Test persons respond automatically, or wait for `innsigli auth simulate`. */
    readonly mode: (typeof simulatorModes)[number];
    /** Absolute path of a JSON file with the outcomes of sessions by number. */
    readonly scenarios?: string;
  };
  /** Persons of the e-ID simulator. */
  readonly simulatedPersons: (typeof simulatedPersons)[number];
}

/** All settings, merged from flags, environment, files and defaults, and validated. */
export interface ResolvedConfig {
  /** Absolute path of the folder with development trust and state. */
  readonly dataDir: string;
  /** Every network access is an error. */
  readonly offline: boolean;
  /** The development trust is rejected. */
  readonly production: boolean;
  /** Addresses in private networks may be contacted for OCSP responses and CRLs. */
  readonly allowPrivateAddresses: boolean;
  readonly key: KeyConfig;
  /** Set if only a discovered project file, which must not configure a key, configures one. */
  readonly keyRefusedFrom?: string;
  /** File with the password of encrypted documents in its first line. */
  readonly pdfPasswordFile?: string;
  /** In the order they are tried. Empty: the embedded authority of the development trust. */
  readonly tsa: readonly TsaConfig[];
  readonly tsaTimeoutMs: number;
  /** URL of an HTTP proxy for all requests. */
  readonly proxy?: string;
  /** Absolute paths of PEM or DER files with trust anchors, or of folders with such files. */
  readonly trust: readonly string[];
  /** Names of trust profiles whose anchors and trusted lists are used in addition. */
  readonly trustProfiles: readonly string[];
  /** Absolute paths of files with certificates, CRLs and OCSP responses, or of folders of them. */
  readonly validationData: readonly string[];
  /** Verification rule for certificates of unknown revocation status. */
  readonly revocation: RevocationMode;
  /** Absolute path of a table of algorithms. Default: the built-in table. */
  readonly algorithmPolicy?: string;
  readonly level: SealLevel;
  readonly digest: SealDigest;
  readonly service: ServiceConfig;
}

/** Source of a value. */
export interface Origin {
  readonly kind: 'given' | 'flag' | 'environment' | 'project' | 'user' | 'default';
  /** The flag, the variable, the path of the file or the name of an object. Empty for a default. */
  readonly name: string;
}

/** One line of `innsigli config explain`. */
export interface ExplainedSetting {
  /** Path in a configuration file, such as `key.file`. */
  readonly path: string;
  /** Value as written in a file; secrets are references. `null`: not set. */
  readonly value: unknown;
  readonly origin: Origin;
}

/** A configuration and the origin of its values. */
export interface ExplainedConfig {
  readonly config: ResolvedConfig;
  readonly settings: readonly ExplainedSetting[];
  /** Configuration files that were read. */
  readonly files: { readonly project?: string; readonly user?: string };
  /** Settings of a discovered project file, ignored because the file was not named explicitly. */
  readonly ignored: readonly string[];
  /** Effects of this file in words, such as a different source of time-stamps or a lower level. */
  readonly effects: readonly string[];
  /** A discovered project file that belongs to another user and is not read. */
  readonly foreign?: string;
}

/** Whether anchors or profiles are configured. The development root is not trusted in that case. */
export function namesAnchors({
  trust,
  trustProfiles,
}: Pick<ResolvedConfig, 'trust' | 'trustProfiles'>): boolean {
  return trust.length > 0 || trustProfiles.length > 0;
}
