import type { IdentityService } from '../../app/auth/index.ts';
import type { CompanyRequest, CreatedCompany } from '../../app/company/index.ts';
import type { CompanyService, FailedJob, WorkReport } from '../../app/company-service.ts';
import type { DueJobs, StoreHealth } from '../../app/ports/index.ts';
import type { Company } from '../../domain/company.ts';
import type { JobKind } from '../../domain/process/index.ts';
import type { RandomSource } from '../../seal/ports.ts';
import type { ConfiguredOperations, WarningCode } from '../toolkit.types.ts';

/**
 * Settings of {@link Innsigli}, structured like a configuration file. Secrets are read from files
 * named here and never appear in the settings. Omitted members have the defaults of the command
 * line.
 */
export interface InnsigliSettings {
  /** Folder of all state, created on first use. Default: that of the command line. */
  readonly dataDir?: string;
  /** Treat every network access as an error. Default: false. */
  readonly offline?: boolean;
  /** Reject the development trust and the simulator. Default: false. */
  readonly production?: boolean;
  /** Level of seals for which none is given. Default: `B-LTA`. */
  readonly level?: 'B-B' | 'B-T' | 'B-LT' | 'B-LTA';
  /** Digest algorithm of signatures. Default: `sha256`. */
  readonly digest?: 'sha256' | 'sha384' | 'sha512';
  /** The seal key. Default: the key of the development trust. */
  readonly key?: {
    /** PEM file of the private key. */
    readonly file?: string;
    /** PEM or DER file of its certificate. */
    readonly certificate?: string;
    /** PEM or DER files of the issuer certificates. */
    readonly chain?: readonly string[];
    /** PKCS #12 file with key and certificates, instead of the files above. */
    readonly p12?: string;
    /** File with the password of the key in its first line. */
    readonly passwordFile?: string;
    /** The key of the development trust to use. Default: `ec`. */
    readonly development?: 'rsa' | 'ec';
  };
  /** Time-stamp authorities, in the order in which they are tried. Default: the embedded one. */
  readonly tsa?: readonly (
    | string
    | { readonly url: string; readonly user: string; readonly passwordFile: string }
  )[];
  /** Files or folders with trust anchors. They replace the development root. */
  readonly trust?: readonly string[];
  /**
   * Names of trust profiles, as created by `innsigli trust sync`. Their anchors and lists are used
   * to verify documents; `system` names the root certificates of this machine. Default: none.
   */
  readonly trustProfiles?: readonly string[];
  /** `postgres://user@host/name`. Default: SQLite in the data directory. */
  readonly database?: string;
  /** Key of the company. Needed if there are several. */
  readonly company?: string;
  /** Base URL of the signing pages, such as `https://sign.example.com`. */
  readonly frontEnd?: string;
  /** Mail transport. Default: mail is written to files in the outbox. */
  readonly mail?: {
    /** Sender address, such as `Acme <sign@acme.example>`. */
    readonly from?: string;
    /** `smtp://host:port` or `smtps://host:port`. Default: files in the outbox. */
    readonly server?: string;
    /** User name at the server. Default: none. */
    readonly user?: string;
    /** File with the password of the user in its first line. */
    readonly passwordFile?: string;
  };
  /** HTTP gateway for text messages. Default: text messages are written to files in the outbox. */
  readonly sms?: { readonly gateway?: string; readonly tokenFile?: string };
  /** Private networks that webhooks may reach, such as `10.0.0.0/8`. Default: none. */
  readonly webhooks?: { readonly networks?: string };
}

/** Functions that the embedding program provides to {@link Innsigli}. */
export interface InnsigliIo {
  /** Clock. Default: the system clock. */
  readonly now?: () => Date;
  /** Returns `count` unpredictable bytes. Default: the system's random generator. */
  readonly random?: RandomSource;
  /** Called with a sentence for the user, such as a warning about test keys. Default: dropped. */
  warn?(message: string, code: WarningCode): void;
  /**
   * Prompts for the password of `what`. Resolves to undefined if no one can be prompted. Called
   * only if a key is encrypted and no password file is configured.
   */
  askPassword?(what: string): Promise<string | undefined>;
}

/** State of the database (readable and writable), and the jobs that are due. */
export interface ServiceHealth {
  readonly store: StoreHealth;
  readonly due: readonly DueJobs[];
}

/**
 * All functions of the command line for one configuration: documents, and the signing service of
 * the data directory. Keys, database and connections are opened on first use and stay open until
 * {@link close}. Arguments of methods are checked by kind and copied; errors name the invalid
 * member.
 */
export interface Innsigli extends ConfiguredOperations {
  /**
   * The service of a company: the one with this key, that of the settings, or the only one.
   *
   * @param key key of the company
   * @throws company.not_found, store.*, vault.invalid
   * @example
   * const acme = await innsigli.company();
   * const process = await acme.processes.create({ pdf, signees, flowKey });
   */
  company(key?: string): Promise<CompanyService>;
  /**
   * Creates a company with one flow. Its secrets are returned only by this call.
   *
   * @throws validation.error, store.*
   * @example
   * const { company, apiKey } = await innsigli.createCompany({ name: 'Acme ehf.' });
   */
  createCompany(request: CompanyRequest): Promise<CreatedCompany>;
  /**
   * All companies of the data directory.
   *
   * @example
   * for (const { key, name } of await innsigli.companies()) console.log(key, name);
   */
  companies(): Promise<readonly Company[]>;
  /**
   * Runs the due jobs of all companies: seals finished documents, sends messages and webhooks,
   * expires, reminds, purges. Jobs that a job creates are run too if they are due.
   *
   * @param kinds only these; default: all
   * @param signal stops after the jobs in progress
   * @param onFailure called immediately for each job that failed
   * @example
   * const { done, failed } = await innsigli.runDueJobs();
   */
  runDueJobs(
    kinds?: readonly JobKind[],
    signal?: AbortSignal,
    onFailure?: (failed: FailedJob) => void,
  ): Promise<WorkReport>;
  /**
   * Logins of persons and the sessions they open, for all companies.
   *
   * @example
   * const identity = await innsigli.identity();
   */
  identity(): Promise<IdentityService>;
  /**
   * State of the database (readable and writable), and the jobs that are due.
   *
   * @throws store.*
   * @example
   * const { due } = await innsigli.health();
   */
  health(): Promise<ServiceHealth>;
  /**
   * Closes the service and all connections. A later call opens them again.
   *
   * @example
   * await innsigli.close();
   */
  close(): Promise<void>;
}
