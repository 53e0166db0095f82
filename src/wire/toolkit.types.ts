import type { TrustService } from '../api/index.ts';
import type { ExportVerification } from '../app/activity/index.ts';
import type { VisibleSeal } from '../app/documents/pdf/visible-seal.ts';
import type { ArchivePlan } from '../app/documents/plan/archive-plan.ts';
import type { SealedDocument } from '../app/documents/sealed-document.ts';
import type { XmlPackaging } from '../app/documents/xml/request.ts';
import type { ByteSource } from '../base/bytes.ts';
import type { SealLevel } from '../base/level.ts';
import type { RevocationMode } from '../base/revocation-mode.ts';
import type { WatchedClock } from '../base/time/watched-clock.ts';
import type { EnvelopedTransform, XadesClaims } from '../seal/xades/index.ts';
import type { VerificationReport } from '../verify/report/index.ts';
import type { ResolvedConfig, SealDigest } from './config/config.ts';
import type { RegisterService } from './service/register-service.types.ts';
import type { Service, ServiceOptions } from './service/service.types.ts';
import type { StorageService } from './service/storage-service.types.ts';

export type { StorageFigures } from '../app/storage/index.ts';

/** Stable names of the warnings. */
export type WarningCode =
  | 'api.exposed'
  | 'api.proxy.unnamed'
  | 'batch.warning'
  | 'clock.differs'
  | 'clock.jumped'
  | 'config.file.ignored'
  | 'config.setting.found'
  | 'config.setting.ignored'
  | 'config.variable.ignored'
  | 'datadir.closed'
  | 'datadir.open'
  | 'document.uncovered'
  | 'job.failed'
  | 'document.warning'
  | 'compliance.unreachable'
  | 'output.unseen'
  | 'screening.lists.unready'
  | 'screening.thread.lost'
  | 'template.handle.unknown'
  | 'trust.anchor.leaf'
  | 'trust.certificate.unreadable'
  | 'trust.development'
  | 'trust.list.expired'
  | 'trust.list.refused'
  | 'tsa.exposed';

/** Functions that the surrounding program provides to the toolkit. */
export interface ToolkitIo {
  /** Current time in epoch milliseconds. */
  now(): number;
  /** The clock that `now` reads, in a long-running program that watches it for steps. */
  readonly clock?: WatchedClock;
  /** Time of leases in milliseconds, for tests. Default: that of the database or the system. */
  readonly leaseNow?: () => number;
  /** Returns `count` unpredictable bytes. */
  random(count: number): Uint8Array;
  /** Called with one sentence that the user must see, such as a development trust warning. */
  warn(message: string, code: WarningCode): void;
  /**
   * Prompts for the password of `what`. Resolves to undefined if no one can be prompted. Called
   * only if a key is encrypted and no password file is configured.
   */
  askPassword?(what: string): Promise<string | undefined>;
  /** Returns the first line of standard input, which is read once. */
  readStdinLine?(): Promise<string>;
  /** Awaited before each request to a configured time-stamp authority. */
  beforeTimestamp?(): Promise<void>;
}

/** Options for signing with the configured key. */
export interface KeyOptions {
  /** Level of the seal. Default: that of the configuration, `B-LTA`. */
  readonly level?: SealLevel;
  /** Digest algorithm of the signature. Default: that of the configuration, `sha256`. */
  readonly digest?: SealDigest;
  /** Use RSA-PSS instead of PKCS #1 v1.5, for RSA keys. Default: PKCS #1 v1.5. */
  readonly scheme?: 'rsa-pss';
}

/** Options for sealing a PDF; the key comes from the configuration. */
export interface SealOptions extends KeyOptions {
  /** Reason for signing, such as `Approved` (`/Reason`). Default: none. */
  readonly reason?: string;
  /** Place of signing, such as `Reykjavík` (`/Location`). Default: none. */
  readonly location?: string;
  /** Name of the signer (`/Name`). Default: none; viewers show the name in the certificate. */
  readonly name?: string;
  /** Contact information of the signer (`/ContactInfo`). Default: none. */
  readonly contact?: string;
  /** Fully qualified name of the signature field to use or create. Default: a new name. */
  readonly field?: string;
  /** Make it a certification signature with this DocMDP permission. Default: approval signature. */
  readonly certify?: 1 | 2 | 3;
  /** Create a field even if the encrypted document only permits filling fields. Default: false. */
  readonly ignorePermissions?: boolean;
  /**
   * Appearance of the seal; false: never drawn, not even in an existing field with an area.
   * Default: invisible, but drawn in an existing field with an area.
   */
  readonly visible?: VisibleSeal | false;
}

/** A document and the name by which signatures refer to it. */
export interface FileObjectSource {
  /** Relative path, with `/` as the separator. */
  readonly name: string;
  /** Its bytes. */
  readonly source: ByteSource;
}

/** Options for one signature over several documents. */
export interface SealFilesOptions
  extends Omit<SealXmlOptions, 'packaging' | 'id' | 'into' | 'transform'> {
  /** Put documents and signature into a container of this type. Default: detached XML signature. */
  readonly container?: 'asic-s' | 'asic-e';
  /** Format of a signature in a container. Default: `xades`. */
  readonly format?: 'xades' | 'cades';
}

/** Options for one XML signature; the key comes from the configuration. */
export interface SealXmlOptions extends KeyOptions, XadesClaims {
  /** Packaging of the signature: in the document, around it, or detached. Default: `enveloped`. */
  readonly packaging?: XmlPackaging;
  /** Cover only the element with this Id. Default: the whole document. */
  readonly id?: string;
  /**
   * Parent element of an enveloped signature: `#id`, local names from the root on, or `ubl` for an
   * extension. Default: the root element; for UBL, an extension.
   */
  readonly parent?: string;
  /**
   * Transform of an enveloped signature: `filter` removes all signatures, so that the document can
   * be signed again; `enveloped` removes only its own, for programs that support no other
   * transform. Default: `filter`.
   */
  readonly transform?: EnvelopedTransform;
}

/** Result of {@link ConfiguredOperations.initialise}. */
export interface InitOutcome {
  readonly dataDir: string;
  /** Absolute paths of the files that were created. */
  readonly created: readonly string[];
  /** Absolute paths of the files that already existed. */
  readonly existing: readonly string[];
  /** Path of the development root certificate, for other validators. */
  readonly rootCertificate: string;
  /** The first company with its secrets, returned only once. Absent if a company existed. */
  readonly company?: {
    readonly key: string;
    readonly name: string;
    readonly apiKey: string;
    readonly webhookSignatureKey: string;
  };
}

/** The first company, to be created by {@link ConfiguredOperations.initialise}. */
export interface FirstCompany {
  /** Its name, such as `Acme ehf.`. */
  readonly name: string;
  /** E-mail address of its first user. Default: none. */
  readonly user?: string;
}

/** Scope of {@link ConfiguredOperations.diagnose}. */
export interface DiagnosisOptions {
  /** False: the mail server and the register of persons are not contacted. Default: true. */
  readonly triesMail?: boolean;
  /** False: authorities and sources of revocation data are not contacted. Default: true. */
  readonly asksAuthorities?: boolean;
  /** Also check the requirements of the service if none exists yet. Default: false. */
  readonly isService?: boolean;
  /** Remove other users' access to the data directory, as the service does. Default: false. */
  readonly closesData?: boolean;
  /** Called with the name of each check before it runs. */
  begun?(name: string): void;
}

/** Result of one check of `innsigli doctor`. */
export interface Diagnosis {
  readonly name: string;
  /** `skipped`: not run, for the reason given in the message. */
  readonly status: 'ok' | 'warning' | 'failed' | 'skipped';
  readonly message: string;
  readonly hint?: string;
  /** Expiry date of the checked object, ISO 8601. */
  readonly until?: string;
  /** Reason of a warning, without names of files, hosts or persons. */
  readonly reason?: string;
  /** True for a temporary failure, such as an unreachable server. */
  readonly passing?: true;
}

/** A running trust server. */
export interface TrustServer {
  /** Base address, such as `http://127.0.0.1:8318`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Options of a verification. */
export interface VerifyDocumentOptions {
  /** Also verify XML signatures by a second implementation. It can only lower an indication. */
  readonly secondOpinion?: boolean;
  /** Time of verification, epoch milliseconds. Default: now. */
  readonly atMs?: number;
  /** Revocation mode. Default: that of the configuration, `require`. */
  readonly revocation?: RevocationMode;
}

/** Operations over one configuration and its data directory, without the signing service. */
export interface ConfiguredOperations {
  /**
   * Seals a PDF.
   *
   * @throws pdf.*, key.*, tsa.*, revocation.*, config.*
   * @example
   * const { tail, report } = await innsigli.seal(memorySource(pdf), { reason: 'Approved' });
   * await writeFile('sealed.pdf', Buffer.concat([pdf, tail]));
   */
  seal(input: ByteSource, options: SealOptions): Promise<SealedDocument>;
  /**
   * Creates an XML signature in, around or detached from one document.
   *
   * @throws xml.*, key.*, tsa.*, revocation.*, config.*
   * @example
   * const { keptBytes, tail } = await innsigli.sealXml(memorySource(xml), { level: 'B-B' });
   * await writeFile('sealed.xml', Buffer.concat([xml.subarray(0, keptBytes), tail]));
   */
  sealXml(input: ByteSource, options: SealXmlOptions): Promise<SealedDocument>;
  /**
   * Creates one signature over several documents, in a container or detached.
   *
   * @throws container.*, xml.*, key.*, tsa.*, revocation.*, config.*
   * @example
   * const files = [{ name: 'a.pdf', source: memorySource(pdf) }];
   * const { tail } = await innsigli.sealFiles(files, { container: 'asic-e' });
   */
  sealFiles(files: readonly FileObjectSource[], options: SealFilesOptions): Promise<SealedDocument>;
  /**
   * Augments a signed document to level B-LTA, or renews its archive time-stamps.
   *
   * @param detached documents that a detached signature refers to
   * @throws pdf.*, xml.*, container.*, archive.*, tsa.*, revocation.*
   * @example
   * const { keptBytes, tail } = await innsigli.augment(memorySource(sealed));
   */
  augment(input: ByteSource, detached?: readonly FileObjectSource[]): Promise<SealedDocument>;
  /**
   * Lists, for each signature of a document, what {@link augment} would add and which addresses it
   * would query. Sends no request and creates nothing.
   *
   * @param detached documents that a detached signature refers to
   * @throws config.*
   * @example
   * const { possible, signatures } = await innsigli.planArchive(memorySource(signed));
   */
  planArchive(input: ByteSource, detached?: readonly FileObjectSource[]): Promise<ArchivePlan>;
  /**
   * Covers a document with a time-stamp, without a key: a PDF gets a document time-stamp, a file of
   * any other kind is put into an ASiC-S container.
   *
   * @param name of the file in the container, such as `minutes.txt`
   * @param form output format; default: determined by the first bytes of the file
   * @throws pdf.*, tsa.*, usage.invalid, container.limit
   * @example
   * const { keptBytes, tail } = await innsigli.timestamp(memorySource(text), 'minutes.txt');
   */
  timestamp(input: ByteSource, name: string, form?: 'pdf' | 'container'): Promise<SealedDocument>;
  /**
   * Verifies every signature of a document.
   *
   * @param detached documents that a detached signature refers to
   * @throws pdf.*, xml.*, container.*, cms.* if the document cannot be read at all
   * @example
   * const { indication, coverage } = await innsigli.verify(memorySource(sealed));
   */
  verify(
    input: ByteSource,
    detached?: readonly FileObjectSource[],
    options?: VerifyDocumentOptions,
  ): Promise<VerificationReport>;
  /**
   * Verifies an export of the activity log against the trust anchors of the user, without a
   * database.
   *
   * @param chunks of the file
   * @throws activity.export.invalid, limit.exceeded
   * @example
   * const { isIntact } = await innsigli.verifyLogExport(createReadStream('log.jsonl'));
   */
  verifyLogExport(chunks: AsyncIterable<Uint8Array>): Promise<ExportVerification>;
  /**
   * Creates the missing files of the development trust. If a company is given and none exists, also
   * creates the database and this company with its keys and a flow.
   *
   * @throws config.*, store.*, vault.*
   * @example
   * const { company } = await innsigli.initialise({ name: 'Acme ehf.' });
   */
  initialise(company?: FirstCompany): Promise<InitOutcome>;
  /**
   * Checks the key, its chain, authorities, revocation data and the components of the service.
   *
   * @example
   * const checks = await innsigli.diagnose({ triesMail: false });
   * const failed = checks.filter(({ status }) => status === 'failed');
   */
  diagnose(options?: DiagnosisOptions): Promise<readonly Diagnosis[]>;
  /**
   * Administration of the database and the stored blobs, for operators.
   *
   * @throws store.*, config.datadir.missing
   * @example
   * const figures = await (await innsigli.storage()).show();
   */
  storage(): Promise<StorageService>;
  /**
   * The register of persons imported from a file, for operators.
   *
   * @throws store.*, vault.*, config.datadir.missing
   * @example
   * const figures = await (await innsigli.register()).show();
   */
  register(): Promise<RegisterService>;
  /**
   * Serves time-stamps, OCSP responses and CRLs of the development trust.
   *
   * @throws config.invalid
   * @example
   * const server = await innsigli.serveTrust({ host: '127.0.0.1', port: 8318 });
   */
  serveTrust(address: { readonly host: string; readonly port: number }): Promise<TrustServer>;
}

/**
 * The use cases that all front ends of innsigli share. Keys, anchors and connections are opened on
 * first use and cached for later calls.
 */
export interface Toolkit extends ConfiguredOperations {
  /**
   * Rejects a configured key that is so weak that `verify` would not accept its signatures.
   *
   * @throws key.weak
   */
  requireStrongKey(): Promise<void>;
  /**
   * Opens the signing service of the data directory, and creates it if it does not exist, unless
   * `mustExist` is set.
   *
   * @throws store.*, vault.invalid, config.datadir.missing with `mustExist`
   */
  service(options?: ServiceOptions): Promise<Service>;
  /** Pages that can be switched off. */
  readonly pages: { readonly verify: boolean };
  /** Responses of the development trust, for an HTTP server elsewhere. Undefined in production. */
  trustService(): TrustService | undefined;
  /** Closes the open connections. A later call opens them again. */
  close(): void;
}

/** Opens a toolkit. This is cheap: all expensive work is done in its methods. */
export type OpenToolkit = (config: ResolvedConfig, io: ToolkitIo) => Toolkit;
