import { defined } from '../../base/defined.ts';
import { sealLevels } from '../../base/level.ts';
import { revocationModes } from '../../base/revocation-mode.ts';
import { sealDigests } from '../../wire/config/config.ts';
import type { FlagSettings } from '../../wire/config/layer.ts';
import type { Given } from '../command/index.ts';

/** Options that choose the key. */
export const keyOptions = {
  'Key:': '',
  '--key <file>': 'private key, PEM',
  '--cert <file>': 'certificate of the key, PEM or DER',
  '--chain <file>': { text: 'certificates of the issuers (repeatable)', many: true },
  '--p12 <file>': 'key and certificates, PKCS#12',
  '--password-file <file>': 'file whose first line is the password of the key, or - for stdin',
  '--development-key <kind>': {
    text: 'key of the development trust: rsa or ec',
    offered: ['rsa', 'ec'],
  },
} as const;

/** Options for time-stamping authorities and access to them. */
export const timestampOptions = {
  'Time-stamps and trust:': '',
  '--tsa <url>': { text: 'time-stamp authority (repeatable: tried in order)', many: true },
  '--tsa-user <name>': 'user name for the authority',
  '--tsa-password-file <file>': 'file whose first line is its password, or - for stdin',
  '--tsa-timeout <time>': 'time limit for one authority: 10s, 800ms, 5 (seconds)',
  '--proxy <url>': 'HTTP proxy for all requests except mail',
} as const;

/** Help about the addresses in certificates. */
export const revocationHelp =
  'B-LT and B-LTA query the OCSP and CRL addresses in the certificates. Addresses in private ' +
  'networks are rejected unless allowPrivateAddresses is set in your configuration, or ' +
  'INNSIGLI_ALLOW_PRIVATE_ADDRESSES=true.';

/** The option for encrypted documents. */
export const documentOptions = {
  '--pdf-password-file <file>':
    'file whose first line is the password of an encrypted PDF, or - for stdin',
} as const;

const detachedText =
  'document covered by a detached signature, FILE or NAME=FILE: NAME as signed (repeatable)';

/** The option for documents covered by detached signatures. */
export const detachedOption = {
  '--detached <file>': {
    text: detachedText,
    many: true,
  },
} as const;

/** The option for the level of a seal. */
export const levelOption = {
  '--level <level>': { text: 'B-B, B-T, B-LT or B-LTA (default: B-LTA)', offered: sealLevels },
} as const;

/** The option for the digest algorithm of a signature. */
export const digestOption = {
  '--digest <name>': { text: 'sha256, sha384 or sha512 (default: sha256)', offered: sealDigests },
} as const;

/** The option for trust anchors. */
export const trustOption = {
  '--trust <path>': {
    text: 'trust anchor instead of the development root: file or folder (repeatable)',
    many: true,
  },
  '--trust-profile <name>': {
    text: 'anchors and lists of a trust profile; system: roots of this machine (repeatable)',
    many: true,
  },
} as const;

/** Options for trust anchors, and for data missing in documents or not reachable by network. */
export const trustOptions = {
  ...trustOption,
  '--validation-data <path>': {
    text: 'missing issuers, CRLs or OCSP responses: file or folder (repeatable)',
    many: true,
  },
} as const;

/** The option for certificates whose revocation status is unknown. */
export const revocationOption = {
  '--revocation <rule>': {
    text:
      'certificates of unknown status: require makes the verdict INDETERMINATE, online queries ' +
      'OCSP and CRL addresses first, ignore only reports it (default: require)',
    choices: revocationModes,
  },
} as const;

/** The option for a different table of algorithms. */
export const algorithmPolicyOption = {
  '--policy <file>': 'table of algorithm expiry dates, JSON',
} as const;

/** The same option, for commands where `--policy` names the signature policy. */
export const namedAlgorithmPolicyOption = {
  '--algorithm-policy <file>': algorithmPolicyOption['--policy <file>'],
} as const;

/** Help about the table of algorithms. */
export const algorithmHelp =
  'Keys and digests are rejected from the day they expire as evidence (ETSI TS 119 312), ' +
  'with a warning 400 days ahead. In --json "provesUntil" states by when a later time-stamp ' +
  'is due.';

type SettingTable = typeof keyOptions &
  typeof timestampOptions &
  typeof documentOptions &
  typeof levelOption &
  typeof digestOption &
  typeof trustOptions &
  typeof revocationOption;

/** Values of the options that are settings. */
export type SettingOptions = Partial<Given<object, SettingTable>> & {
  readonly algorithmPolicy?: string | undefined;
};

/** Returns the options that are settings, by the names of the settings. */
export function settingsFrom(options: SettingOptions): FlagSettings {
  return defined({
    level: options.level,
    digest: options.digest,
    'key.development': options.developmentKey,
    'key.file': options.key,
    'key.certificate': options.cert,
    'key.chain': options.chain,
    'key.p12': options.p12,
    'key.passwordFile': options.passwordFile,
    pdfPasswordFile: options.pdfPasswordFile,
    tsa: options.tsa,
    'tsa.user': options.tsaUser,
    'tsa.passwordFile': options.tsaPasswordFile,
    tsaTimeoutMs: options.tsaTimeout,
    proxy: options.proxy,
    trust: options.trust,
    trustProfiles: options.trustProfile,
    validationData: options.validationData,
    revocation: options.revocation,
    algorithmPolicy: options.algorithmPolicy,
  });
}
