import type { CrlCache } from '../../adapters/revocation/index.ts';
import type { ArchivePorts, SealPorts } from '../../app/documents/seal-ports.ts';
import { defined } from '../../base/defined.ts';
import { InnsigliError, isInnsigliError, restated } from '../../base/errors.ts';
import { reachesLevel, type SealLevel } from '../../base/level.ts';
import type { OpenOptions } from '../../formats/pdf/index.ts';
import { type Certificate, describeName } from '../../formats/x509/index.ts';
import type { RevocationSource, Signer } from '../../seal/ports.ts';
import type { AlgorithmTable } from '../../trust/algorithms/index.ts';
import { internCertificate } from '../../trust/certificates.ts';
import type { Qualifier } from '../../verify/qualification/index.ts';
import type { ResolvedConfig, SealDigest } from '../config/config.ts';
import type { DevelopmentAccess } from '../development.ts';
import { loadAlgorithmTable } from '../files/algorithm-policy.ts';
import { loadCertificates, readConfigured, readPassword } from '../files/files.ts';
import { type GivenValidationData, loadValidationData } from '../files/validation-files.ts';
import { loadFonts } from '../fonts.ts';
import type { SealXmlOptions, ToolkitIo } from '../toolkit.types.ts';
import {
  type CountedAuthority,
  countRequests,
  type OpenAuthority,
  openAuthority,
  openInquirySource,
  openRevocation,
} from './outside-parties.ts';
import { silentCertificate } from './silent-certificate.ts';
import { anchorsOf, configuredTrust, worksWithTestKeys } from './trust.ts';

/** Parameters for signing with the key. */
export interface SignerOptions {
  readonly digest?: SealDigest;
  readonly scheme?: 'rsa-pss';
}

/**
 * The key, the anchors and the external services of one toolkit. Each is opened on first use and
 * cached for later seals. A failed attempt is repeated on the next use.
 */
export interface OpenedParties {
  signer(options: SignerOptions): Promise<Signer>;
  /** Anchors of the configuration only, including trust profiles. */
  anchors(): Promise<readonly Certificate[]>;
  /** Determines what is qualified. Undefined without a profile that has trusted lists. */
  qualifier(): Promise<Qualifier | undefined>;
  /** The authority, counting requests from this call on. */
  authority(anchors: readonly Certificate[]): Promise<CountedAuthority>;
  revocation(): Promise<RevocationSource>;
  /** Revocation source for the certificates of one verified document. */
  inquiry(): Promise<RevocationSource>;
  /** Validation data from the configuration, not verified. */
  validationData(): Promise<GivenValidationData>;
  /** Additional certificates for building paths, DER. */
  certificates(): Promise<readonly Uint8Array[]>;
  /** Expiry dates of algorithms. Undefined: the default table. */
  algorithms(): Promise<AlgorithmTable | undefined>;
  /** Options for encrypted documents. */
  opening(): Promise<OpenOptions>;
  /** Closes all connections. They are reopened when needed. */
  close(): void;
}

/** Returns key, anchors and services of a configuration, opened on first use. */
export function openedParties(
  config: ResolvedConfig,
  development: DevelopmentAccess,
  io: ToolkitIo,
): OpenedParties {
  const signers = kept<Signer>();
  const trust = configuredTrust(config, io);
  const authorities = kept<OpenAuthority>();
  const revocations = kept<RevocationSource>();
  const openings = kept<OpenOptions>();
  const tables = kept<AlgorithmTable | undefined>();
  const data = kept<GivenValidationData>();
  const crls: CrlCache = new Map();
  const validationData = () => data.get('', () => loadValidationData(config.validationData));
  const algorithms = () => tables.get('', () => loadAlgorithmTable(config.algorithmPolicy));
  // The embedded authority needs no delay between requests.
  const before = config.tsa.length > 0 ? io.beforeTimestamp : undefined;
  return {
    signer: (options) =>
      signers.get(`${options.digest} ${options.scheme}`, () =>
        openSigner(config, options, development, io),
      ),
    anchors: async () => (await trust()).anchors,
    qualifier: async () => (await trust()).qualifier,
    async authority(trusted) {
      // Responses are verified against the anchors, so each set of anchors needs its own authority.
      const names = trusted.map(({ der }) => Buffer.from(der).toString('base64')).join();
      const given = { anchors: trusted, algorithms: await algorithms() };
      const open = () => openAuthority(config, development, io, given);
      return countRequests((await authorities.get(names, open)).authority, before);
    },
    revocation: () =>
      revocations.get('', async () => openRevocation(config, development, await validationData())),
    inquiry: () => openInquirySource(config, development, crls),
    validationData,
    certificates: async () => (await validationData()).certificates,
    algorithms,
    opening: () =>
      openings.get('', async () => {
        const { pdfPasswordFile } = config;
        if (pdfPasswordFile === undefined) return {};
        return { password: await readPassword(pdfPasswordFile, io) };
      }),
    close() {
      for (const one of authorities.all()) void one.then(({ close }) => close());
      authorities.clear();
    },
  };
}

function kept<T>() {
  const values = new Map<string, Promise<T>>();
  return {
    get(key: string, open: () => Promise<T>): Promise<T> {
      let value = values.get(key);
      if (value === undefined) {
        value = open();
        values.set(key, value);
        value.catch(() => values.delete(key));
      }
      return value;
    },
    all: () => [...values.values()],
    clear: () => values.clear(),
  };
}

/**
 * Opens the configured signer.
 *
 * @throws key.unreadable, key.password.missing, key.password.wrong, key.mismatch
 */
export async function openSigner(
  config: ResolvedConfig,
  options: SignerOptions,
  development: DevelopmentAccess,
  io: ToolkitIo,
): Promise<Signer> {
  const { key } = config;
  if (key.kind === 'development') {
    if (config.keyRefusedFrom !== undefined) throw refusedKey(config.keyRefusedFrom);
    const { keyObjectSigner } = await import('../../adapters/keys/key-object.ts');
    const trust = await development.use();
    const signer = keyObjectSigner({ ...(await trust.seal(key.seal)), ...options });
    return {
      ...signer,
      sign(data) {
        development.announce();
        return signer.sign(data);
      },
    };
  }
  const what = key.kind === 'pem' ? key.keyFile : key.file;
  const read = async (password: string | undefined): Promise<Signer> => {
    const secret = defined({ password });
    if (key.kind === 'p12') {
      const { p12Signer } = await import('../../adapters/keys/p12.ts');
      const p12 = await readConfigured(key.file, 'PKCS#12 file');
      return p12Signer({ p12, ...secret, ...options });
    }
    const { pemSigner } = await import('../../adapters/keys/pem.ts');
    const chain = await loadCertificates(key.chainFiles);
    return pemSigner({
      key: await readConfigured(key.keyFile, 'key file'),
      certificate: await readConfigured(key.certificateFile ?? key.keyFile, 'certificate file'),
      chain: chain.map(({ der }) => der),
      ...secret,
      ...options,
    });
  };
  try {
    if (key.passwordFile === undefined) return await readAsking(read, what, io);
    return await read(await readPassword(key.passwordFile, io));
  } catch (error) {
    throw advised(error, key.passwordFile);
  }
}

/** Signing with a test key instead would contradict the file. */
function refusedKey(file: string): InnsigliError {
  const message = `${file} names a key, but the file was found, not named`;
  return new InnsigliError('config.invalid', message, {
    details: { file },
    hint: 'name the project file with --config, or the key with --key or --p12',
  });
}

/** Adds to a password error where the password is read from. */
function advised(error: unknown, passwordFile: string | undefined): unknown {
  if (!isInnsigliError(error)) return error;
  const { code } = error;
  if (code === 'key.password.missing') {
    const hint = 'pass a file whose first line is the password: --password-file FILE';
    return restated(error, { hint });
  }
  if (code !== 'key.password.wrong' || passwordFile === undefined) return error;
  const hint = `the first line of ${passwordFile} is the password, including spaces`;
  return restated(error, { hint });
}

/** Without a password file, a person is prompted, but only if the key turns out to be encrypted. */
async function readAsking(
  read: (password: string | undefined) => Promise<Signer>,
  what: string,
  io: ToolkitIo,
): Promise<Signer> {
  try {
    return await read(undefined);
  } catch (error) {
    const missing = isInnsigliError(error) && error.code === 'key.password.missing';
    const password = missing ? await io.askPassword?.(what) : undefined;
    if (password === undefined) throw error;
    return read(password);
  }
}

/** Dependencies of every use case of a toolkit. */
export interface ToolkitContext {
  readonly config: ResolvedConfig;
  readonly io: ToolkitIo;
  readonly development: DevelopmentAccess;
  readonly parties: OpenedParties;
}

/** The ports of one seal, and facts to report afterwards. */
export interface OpenedSeal {
  readonly level: SealLevel;
  readonly ports: SealPorts;
  /** Subject of the signing certificate. */
  readonly signerName: string;
  /** Same as in {@link SealedDocument}. */
  readonly silentCertificate?: string;
  /** Number of requests to time-stamp authorities since opening. */
  requests(): number;
}

/** Opens the key, the anchors and what the level requires. @throws key.*, config.* */
export async function openSeal(
  { config, io, development, parties }: ToolkitContext,
  { level = config.level, digest = config.digest, scheme }: SealXmlOptions,
): Promise<OpenedSeal> {
  const options = { digest, ...defined({ scheme }) };
  const signer = await parties.signer(options);
  const embedded = level !== 'B-B' && config.tsa.length === 0;
  if (embedded) await development.use();
  const isAtWork = worksWithTestKeys(config, level);
  const configured = await parties.anchors();
  const anchors = await anchorsOf(configured, development, signer.chain, isAtWork);
  const counted = level === 'B-B' ? undefined : await parties.authority(anchors);
  // The development trust has its own revocation data, and from B-LT on the document contains it.
  const isOpen = config.key.kind !== 'development' && !reachesLevel(level, 'B-LT');
  const silent =
    isOpen && config.validationData.length === 0
      ? silentCertificate(signer, anchors, io.now())
      : undefined;
  return {
    ...(silent === undefined ? {} : { silentCertificate: silent }),
    level,
    ports: {
      signer,
      anchors,
      now: io.now,
      random: io.random,
      fonts: loadFonts,
      ...(counted === undefined ? {} : { authority: counted.authority }),
      certificates: await parties.certificates(),
      algorithms: await parties.algorithms(),
      isListedResponder: (await parties.qualifier())?.isListedResponder,
      ...(reachesLevel(level, 'B-LT') ? { revocation: await parties.revocation() } : {}),
    },
    signerName: describeName(internCertificate(signer.certificate).subjectDer),
    requests: () => counted?.requests() ?? 0,
  };
}

/** The ports for augmentation, with a request counter. */
export async function openArchive(
  context: ToolkitContext,
): Promise<{ readonly ports: ArchivePorts; requests(): number }> {
  const { config, development, parties } = context;
  if (config.tsa.length === 0) await development.use();
  const ports = await openWithoutAuthority(context);
  const { authority, requests } = await parties.authority(ports.anchors);
  return { ports: { ...ports, authority }, requests };
}

/** The ports for augmentation, without the time-stamp authority. */
export async function openWithoutAuthority({ config, io, development, parties }: ToolkitContext) {
  const isEmbedded = config.tsa.length === 0;
  return {
    anchors: await anchorsOf(await parties.anchors(), development, [], isEmbedded),
    revocation: await parties.revocation(),
    certificates: await parties.certificates(),
    algorithms: await parties.algorithms(),
    isListedResponder: (await parties.qualifier())?.isListedResponder,
    now: io.now,
    random: io.random,
  };
}
