import { type Command, Option } from 'commander';
import type { FlagSettings } from '../wire/config/layer.ts';

/** Adds the options that choose the key. */
export function addKeyOptions(command: Command): Command {
  return command
    .optionsGroup('Key:')
    .option('--key <file>', 'private key, PEM')
    .option('--cert <file>', 'certificate of the key, PEM or DER')
    .option('--chain <file>', 'certificates of the issuers (repeatable)', collect)
    .option('--p12 <file>', 'key and certificates, PKCS#12')
    .option('--password-file <file>', 'file whose first line opens the key, or - for stdin')
    .option('--development-key <kind>', 'key of the development trust: rsa or ec');
}

/** Adds the options for time-stamp authorities and the way to them. */
export function addTimestampOptions(command: Command): Command {
  return command
    .optionsGroup('Time-stamps and trust:')
    .option('--tsa <url>', 'time-stamp authority (repeatable: tried in this order)', collect)
    .option('--tsa-user <name>', 'user name for the authority')
    .option('--tsa-password-file <file>', 'file whose first line is its password, or - for stdin')
    .option('--tsa-timeout <time>', 'how long one authority may take: 10s, 800ms, 5 (seconds)')
    .option('--proxy <url>', 'HTTP proxy for every request but mail');
}

/** What help says about the addresses that certificates name. */
export const revocationHelp =
  'B-LT and B-LTA ask the OCSP and CRL addresses in the certificates. Addresses in private ' +
  'networks are refused unless allowPrivateAddresses is set in your configuration, or ' +
  'INNSIGLI_ALLOW_PRIVATE_ADDRESSES=true.';

/** Adds the option for encrypted documents. */
export function addDocumentOptions(command: Command): Command {
  const text = 'file whose first line opens an encrypted PDF, or - for stdin';
  return command.option('--pdf-password-file <file>', text);
}

/** What help says about the files that a detached signature stands beside. */
export const detachedHelp =
  'document that a detached signature is over, FILE or NAME=FILE: NAME as signed (repeatable)';

/** The option for the level of a seal. */
export function levelOption(): Option {
  return new Option('--level <level>', 'B-B, B-T, B-LT or B-LTA (default: B-LTA)');
}

/** The option for the digest of a signature. */
export function digestOption(): Option {
  return new Option('--digest <name>', 'sha256, sha384 or sha512 (default: sha256)');
}

/** Adds the option for trust anchors. */
export function addTrustOption(command: Command): Command {
  const text = 'trust anchor instead of the development root: file or folder (repeatable)';
  return command.option('--trust <path>', text, collect);
}

/** Adds the options for trust anchors, and for what documents and networks lack. */
export function addTrustOptions(command: Command): Command {
  const text = 'issuers, CRLs, OCSP answers that are missing: file or folder (repeatable)';
  return addTrustOption(command).option('--validation-data <path>', text, collect);
}

/** Parsed options of the three groups above, as commander names them. */
export interface SettingOptions {
  readonly key?: string;
  readonly cert?: string;
  readonly chain?: readonly string[];
  readonly p12?: string;
  readonly passwordFile?: string;
  readonly pdfPasswordFile?: string;
  readonly developmentKey?: string;
  readonly tsa?: readonly string[];
  readonly tsaUser?: string;
  readonly tsaPasswordFile?: string;
  readonly tsaTimeout?: string;
  readonly proxy?: string;
  readonly trust?: readonly string[];
  readonly validationData?: readonly string[];
  readonly level?: string;
  readonly digest?: string;
}

/** The options that are settings, under the names of the settings. */
export function settingsFrom(options: SettingOptions): FlagSettings {
  const all = {
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
    validationData: options.validationData,
  };
  const given = Object.entries(all).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given) as FlagSettings;
}

/** Collects the values of a repeatable option. */
export function collect(value: string, previous: readonly string[] = []): readonly string[] {
  return [...previous, value];
}
