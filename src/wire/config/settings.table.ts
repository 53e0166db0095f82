import { sealLevels } from '../../base/level.ts';
import { revocationModes } from '../../base/revocation-mode.ts';
import { usualLoginBounds } from '../../domain/login-bounds.ts';
import { usualCodeBounds } from '../../domain/signing/index.ts';
import { type SettingValue, sealDigests, simulatedPersons, simulatorModes } from './config.ts';

/** Syntax and validation of the value of a setting. */
export type SettingKind =
  | 'path'
  | 'paths'
  | 'names'
  | 'boolean'
  | 'level'
  | 'choice'
  | 'url'
  | 'authorities'
  | 'sources'
  | 'duration'
  | 'mailbox'
  | 'count'
  | 'text';

/** One setting: its names in files, environment and flags. */
export interface Setting {
  /** Path in a configuration file. A setting with `fileless` has no member of its own there. */
  readonly path: string;
  readonly variable: string;
  /** Undefined if there is no flag. */
  readonly flag?: string;
  readonly kind: SettingKind;
  readonly choices?: readonly string[];
  /** Keywords that are accepted in place of an address. */
  readonly others?: readonly string[];
  /** Value if none is given. That of `dataDir` depends on the user. */
  readonly default?: SettingValue;
  /** Minimum of a count; 1 if omitted. */
  readonly min?: number;
  /** Maximum of a count; 1000 if omitted. */
  readonly max?: number;
  /** As a flag it may be `-`, which means the first line of standard input. */
  readonly stdin?: true;
  /** Part of another setting in a file: `tsa` entries contain their credentials. */
  readonly fileless?: true;
  /** One line for help, man page and documentation. */
  readonly summary: string;
}

/** Default base URL of the signing pages. */
export const defaultFrontEnd = 'http://127.0.0.1:8080';

/** All settings. Help topics, man page and validation are derived from this table. */
export const settings = [
  {
    path: 'dataDir',
    variable: 'INNSIGLI_HOME',
    flag: '--data-dir',
    kind: 'path',
    summary: 'folder of the development trust and of all state',
  },
  {
    path: 'offline',
    variable: 'INNSIGLI_OFFLINE',
    flag: '--offline',
    kind: 'boolean',
    default: false,
    summary: 'make every network access an error',
  },
  {
    path: 'production',
    variable: 'INNSIGLI_PRODUCTION',
    kind: 'boolean',
    default: false,
    summary: 'reject the development trust, test persons and unsafe settings',
  },
  {
    path: 'allowPrivateAddresses',
    variable: 'INNSIGLI_ALLOW_PRIVATE_ADDRESSES',
    kind: 'boolean',
    default: false,
    summary:
      'query OCSP and CRL addresses in private networks too, except link-local and ' +
      'metadata addresses: seal, archive, doctor',
  },
  {
    path: 'simulatedPersons',
    variable: 'INNSIGLI_SIMULATED_PERSONS',
    kind: 'choice',
    default: 'reserved',
    choices: simulatedPersons,
    summary: 'numbers of the e-ID simulator: only reserved test persons, or any fictitious person',
  },
  {
    path: 'eid',
    variable: 'INNSIGLI_EID',
    kind: 'path',
    summary: 'JSON file of the e-ID providers, and of the methods, companies and flows they serve',
  },
  {
    path: 'simulator.mode',
    variable: 'INNSIGLI_SIMULATOR_MODE',
    kind: 'choice',
    default: 'auto',
    choices: simulatorModes,
    summary:
      'whether persons of the e-ID simulator answer by themselves or wait for innsigli auth ' +
      'simulate',
  },
  {
    path: 'simulator.scenarios',
    variable: 'INNSIGLI_SIMULATOR_SCENARIOS',
    kind: 'path',
    summary: 'JSON file of numbers and the outcome of their sessions in the e-ID simulator',
  },
  {
    path: 'level',
    variable: 'INNSIGLI_LEVEL',
    flag: '--level',
    kind: 'level',
    default: 'B-LTA',
    choices: sealLevels,
    summary: 'target level of seal and seal-xml',
  },
  {
    path: 'digest',
    variable: 'INNSIGLI_DIGEST',
    flag: '--digest',
    kind: 'choice',
    default: 'sha256',
    choices: sealDigests,
    summary: 'digest of the signature',
  },
  {
    path: 'key.development',
    variable: 'INNSIGLI_DEVELOPMENT_KEY',
    flag: '--development-key',
    kind: 'choice',
    default: 'rsa',
    choices: ['rsa', 'ec'],
    summary: 'seal with this key of the development trust',
  },
  {
    path: 'key.file',
    variable: 'INNSIGLI_KEY',
    flag: '--key',
    kind: 'path',
    summary: 'private key, PEM',
  },
  {
    path: 'key.certificate',
    variable: 'INNSIGLI_CERT',
    flag: '--cert',
    kind: 'path',
    summary: 'certificate of the key, PEM or DER',
  },
  {
    path: 'key.chain',
    variable: 'INNSIGLI_CHAIN',
    flag: '--chain',
    kind: 'paths',
    summary: 'certificates of the issuers',
  },
  {
    path: 'key.p12',
    variable: 'INNSIGLI_P12',
    flag: '--p12',
    kind: 'path',
    summary: 'key and certificates, PKCS#12',
  },
  {
    path: 'key.passwordFile',
    variable: 'INNSIGLI_PASSWORD_FILE',
    flag: '--password-file',
    stdin: true,
    kind: 'path',
    summary: 'file whose first line is the password of the key',
  },
  {
    path: 'pdfPasswordFile',
    variable: 'INNSIGLI_PDF_PASSWORD_FILE',
    flag: '--pdf-password-file',
    stdin: true,
    kind: 'path',
    summary: 'file whose first line is the password of encrypted documents',
  },
  {
    path: 'tsa',
    variable: 'INNSIGLI_TSA',
    flag: '--tsa',
    kind: 'authorities',
    default: [],
    summary: 'time-stamp authorities, in order of preference',
  },
  {
    path: 'tsa.user',
    variable: 'INNSIGLI_TSA_USER',
    flag: '--tsa-user',
    kind: 'text',
    fileless: true,
    summary: 'user name for the time-stamp authority',
  },
  {
    path: 'tsa.passwordFile',
    variable: 'INNSIGLI_TSA_PASSWORD_FILE',
    flag: '--tsa-password-file',
    stdin: true,
    kind: 'path',
    fileless: true,
    summary: 'file whose first line is the password for the authority',
  },
  {
    path: 'tsaTimeoutMs',
    variable: 'INNSIGLI_TSA_TIMEOUT',
    flag: '--tsa-timeout',
    kind: 'duration',
    default: 10_000,
    summary: 'time limit for one authority: 10s, 800ms, 5 (seconds); in files milliseconds',
  },
  {
    path: 'proxy',
    variable: 'INNSIGLI_PROXY',
    flag: '--proxy',
    kind: 'url',
    summary: 'HTTP proxy for all requests except mail (see mail.server); it resolves names',
  },
  {
    path: 'trust',
    variable: 'INNSIGLI_TRUST',
    flag: '--trust',
    kind: 'paths',
    default: [],
    summary: 'trust anchors, PEM or DER files or folders; they replace the development root',
  },
  {
    path: 'trustProfiles',
    variable: 'INNSIGLI_TRUST_PROFILES',
    flag: '--trust-profile',
    kind: 'names',
    default: [],
    summary:
      'trust profiles of innsigli trust, or system for the roots of the operating system; they ' +
      'replace the development root, too',
  },
  {
    path: 'validationData',
    variable: 'INNSIGLI_VALIDATION_DATA',
    flag: '--validation-data',
    kind: 'paths',
    default: [],
    summary:
      'additional issuer certificates, CRLs and OCSP responses, PEM or ' +
      'DER files or folders; none of them is trusted by itself',
  },
  {
    path: 'revocation',
    variable: 'INNSIGLI_REVOCATION',
    flag: '--revocation',
    kind: 'choice',
    default: 'require',
    choices: revocationModes,
    summary:
      'certificates of unknown revocation status: make the verdict INDETERMINATE, query OCSP and ' +
      'CRL addresses first, or only report it: verify',
  },
  {
    path: 'algorithmPolicy',
    variable: 'INNSIGLI_ALGORITHM_POLICY',
    flag: '--policy',
    kind: 'path',
    summary: 'table of algorithm expiry dates, JSON: seal, archive, verify',
  },
  {
    path: 'database',
    variable: 'INNSIGLI_DATABASE',
    kind: 'text',
    summary:
      'PostgreSQL URL without password, postgres://user@host/name; otherwise SQLite in dataDir',
  },
  {
    path: 'databaseConnections',
    variable: 'INNSIGLI_DATABASE_CONNECTIONS',
    kind: 'count',
    default: 10,
    summary: 'maximum number of PostgreSQL connections per process',
  },
  {
    path: 'databaseConnectTimeoutMs',
    variable: 'INNSIGLI_DATABASE_CONNECT_TIMEOUT',
    kind: 'duration',
    default: 5000,
    summary: 'time limit for a PostgreSQL connection: 5s, 800ms; in files milliseconds',
  },
  {
    path: 'databaseQueryTimeoutMs',
    variable: 'INNSIGLI_DATABASE_QUERY_TIMEOUT',
    kind: 'duration',
    default: 15_000,
    summary: 'time limit for one PostgreSQL statement; in files milliseconds',
  },
  {
    path: 'company',
    variable: 'INNSIGLI_COMPANY',
    flag: '--company',
    kind: 'text',
    summary: 'key of the company, if there are several',
  },
  {
    path: 'frontEnd',
    variable: 'INNSIGLI_FRONT_END',
    kind: 'url',
    default: defaultFrontEnd,
    summary: 'base address of your signing pages, for links in mails and webhooks',
  },
  {
    path: 'mail.from',
    variable: 'INNSIGLI_MAIL_FROM',
    kind: 'mailbox',
    default: 'innsigli@localhost',
    summary: 'sender of mails: an address, or Name <address>; without a name that of the company',
  },
  {
    path: 'mail.server',
    variable: 'INNSIGLI_MAIL_SERVER',
    kind: 'text',
    summary:
      'smtp://host:port (STARTTLS) or smtps://host:port; smtp://127.0.0.1:25?tls=none: no TLS, ' +
      'on this machine only; ?proxy=none: bypass the setting proxy; none: no mail; otherwise ' +
      'files in dataDir/outbox/mail',
  },
  {
    path: 'mail.user',
    variable: 'INNSIGLI_MAIL_USER',
    kind: 'text',
    summary: 'user name at the mail server',
  },
  {
    path: 'mail.passwordFile',
    variable: 'INNSIGLI_MAIL_PASSWORD_FILE',
    kind: 'path',
    summary: 'file whose first line is the password at the mail server',
  },
  {
    path: 'sms.gateway',
    variable: 'INNSIGLI_SMS_GATEWAY',
    kind: 'url',
    others: ['none'],
    summary:
      'gateway for text messages; none: no text messages; otherwise files in dataDir/outbox/sms',
  },
  {
    path: 'sms.tokenFile',
    variable: 'INNSIGLI_SMS_TOKEN_FILE',
    kind: 'path',
    summary: 'file whose first line is the token for the gateway',
  },
  {
    path: 'register.url',
    variable: 'INNSIGLI_REGISTER_URL',
    kind: 'url',
    summary:
      'register of persons queried over HTTP for addresses and families; otherwise the imported ' +
      'register, see innsigli register',
  },
  {
    path: 'register.tokenFile',
    variable: 'INNSIGLI_REGISTER_TOKEN_FILE',
    kind: 'path',
    summary: 'file whose first line is the token for that register',
  },
  {
    path: 'pages.verify',
    variable: 'INNSIGLI_PAGES_VERIFY',
    kind: 'boolean',
    default: true,
    summary: 'serve the public page that checks signed files (true)',
  },
  {
    path: 'screening.maxAgeDays',
    variable: 'INNSIGLI_SCREENING_MAX_AGE_DAYS',
    kind: 'count',
    default: 7,
    summary: 'days after which a screening list is reported as outdated (7)',
  },
  {
    path: 'screening.sources',
    variable: 'INNSIGLI_SCREENING_SOURCES',
    kind: 'sources',
    default: [],
    summary: 'URLs from which innsigli screen lists update downloads lists, each as NAME=URL',
  },
  {
    path: 'screening.perMinute',
    variable: 'INNSIGLI_SCREENING_PER_MINUTE',
    kind: 'count',
    max: 1_000_000,
    default: 60,
    summary: 'screenings per minute of one company by one program (60)',
  },
  {
    path: 'screening.threads',
    variable: 'INNSIGLI_SCREENING_THREADS',
    kind: 'count',
    min: 0,
    max: 64,
    summary: 'name search threads of innsigli serve; 0: none (one per core, minus one)',
  },
  {
    path: 'logins.open',
    variable: 'INNSIGLI_LOGINS_OPEN',
    kind: 'count',
    default: usualLoginBounds.open,
    summary: 'concurrent e-ID logins and signatures of one number (1)',
  },
  {
    path: 'logins.inTenMinutes',
    variable: 'INNSIGLI_LOGINS_IN_TEN_MINUTES',
    kind: 'count',
    default: usualLoginBounds.inTenMinutes,
    summary: 'logins and signatures of one number per ten minutes (5)',
  },
  {
    path: 'logins.aDay',
    variable: 'INNSIGLI_LOGINS_A_DAY',
    kind: 'count',
    default: usualLoginBounds.aDay,
    summary: 'logins and signatures of one number per day (20)',
  },
  {
    path: 'logins.aDayByClient',
    variable: 'INNSIGLI_LOGINS_A_DAY_BY_CLIENT',
    kind: 'count',
    default: usualLoginBounds.aDayByClient,
    summary: 'logins and signatures of one number per day by one client (10)',
  },
  {
    path: 'logins.strangersInTenMinutes',
    variable: 'INNSIGLI_LOGINS_STRANGERS_IN_TEN_MINUTES',
    kind: 'count',
    default: usualLoginBounds.strangersInTenMinutes,
    summary:
      'share of those per ten minutes that may start without credentials of ' +
      'a company or a link of the person (2)',
  },
  {
    path: 'logins.strangersADay',
    variable: 'INNSIGLI_LOGINS_STRANGERS_A_DAY',
    kind: 'count',
    default: usualLoginBounds.strangersADay,
    summary: 'the same per day (8), half of them by one client',
  },
  {
    path: 'logins.aMinuteOfFlow',
    variable: 'INNSIGLI_LOGINS_A_MINUTE_OF_FLOW',
    kind: 'count',
    default: usualLoginBounds.aMinuteOfFlow,
    summary:
      'logins of a flow per minute (60): by anyone; by holders of links, a sixth by one ' +
      'link; and with the credentials of its company. Half by one client',
  },
  {
    path: 'logins.boundTestNumbers',
    variable: 'INNSIGLI_LOGINS_BOUND_TEST_NUMBERS',
    kind: 'boolean',
    default: usualLoginBounds.boundsTestNumbers,
    summary: 'limit the published test numbers of the simulator too (false)',
  },
  {
    path: 'codes.anHour',
    variable: 'INNSIGLI_CODES_AN_HOUR',
    kind: 'count',
    default: usualCodeBounds.anHour,
    summary: 'one-time codes to one phone number or mail address per hour (10)',
  },
  {
    path: 'codes.aDay',
    variable: 'INNSIGLI_CODES_A_DAY',
    kind: 'count',
    default: usualCodeBounds.aDay,
    summary: 'the same per day (20)',
  },
  {
    path: 'clock.noted',
    variable: 'INNSIGLI_CLOCK_NOTED',
    kind: 'boolean',
    summary:
      'continue with the recorded time if a program is started with a different one ' +
      '(true in production)',
  },
  {
    path: 'webhooks.networks',
    variable: 'INNSIGLI_WEBHOOK_NETWORKS',
    kind: 'text',
    summary: 'private networks that webhooks may reach: 10.1.0.0/16,…',
  },
] as const satisfies readonly Setting[];

/** Path of a setting. */
export type SettingPath = (typeof settings)[number]['path'];

/** Variables that are read but are not settings. */
export const otherVariables = {
  INNSIGLI_CONFIG: 'configuration file, like --config',
  NO_COLOR: 'not empty: no colour',
  FORCE_COLOR: 'not empty and not 0: colour in files and pipes, too',
  XDG_CONFIG_HOME: 'folder of the user configuration (default ~/.config)',
  XDG_DATA_HOME: 'folder of the data directory (default ~/.local/share)',
} as const;
