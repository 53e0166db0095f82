import type { IdentityService } from '../../app/auth/index.ts';
import type { CompanyRequest, CreatedCompany } from '../../app/company/index.ts';
import type { CompanyService, FailedJob, WorkReport } from '../../app/company-service.ts';
import type { DueJobs, StoreHealth } from '../../app/ports/index.ts';
import type { Company } from '../../domain/company.ts';
import type { JobKind } from '../../domain/process/index.ts';
import type { RandomSource } from '../../seal/ports.ts';
import type { ConfiguredOperations, WarningCode } from '../toolkit.types.ts';

/**
 * Settings of {@link Innsigli}, in the form of a configuration file. Secrets are in files that are
 * named here, never in the settings. Members that are left out have the defaults of the command
 * line.
 */
export interface InnsigliSettings {
  /** Folder of all state; made on first use. Default: that of the command line. */
  readonly dataDir?: string;
  /** Every network access is an error. Default: false. */
  readonly offline?: boolean;
  /** Refuse the development trust and the simulator. Default: false. */
  readonly production?: boolean;
  /** Level of seals that name none. Default: `B-LTA`. */
  readonly level?: 'B-B' | 'B-T' | 'B-LT' | 'B-LTA';
  /** Digest of signatures. Default: `sha256`. */
  readonly digest?: 'sha256' | 'sha384' | 'sha512';
  /** The seal key. Default: the key of the development trust. */
  readonly key?: {
    /** Private key, a PEM file. */
    readonly file?: string;
    /** Its certificate, a PEM or DER file. */
    readonly certificate?: string;
    /** Certificates of issuers, PEM or DER files. */
    readonly chain?: readonly string[];
    /** PKCS #12 file with key and certificates, instead of the above. */
    readonly p12?: string;
    /** File whose first line is the password of the key. */
    readonly passwordFile?: string;
    /** The key of the development trust to use. Default: `ec`. */
    readonly development?: 'rsa' | 'ec';
  };
  /** Time-stamp authorities, in the order to try. Default: the embedded one. */
  readonly tsa?: readonly (
    | string
    | { readonly url: string; readonly user: string; readonly passwordFile: string }
  )[];
  /** Trust anchors: files or folders; they replace the development root. */
  readonly trust?: readonly string[];
  /**
   * Names of trust profiles, as `innsigli trust sync` makes them, whose anchors and lists
   * documents are verified with; `system` for the roots of this machine. Default: none.
   */
  readonly trustProfiles?: readonly string[];
  /** `postgres://user@host/name`. Default: SQLite in the data directory. */
  readonly database?: string;
  /** Key of the company, where there are several. */
  readonly company?: string;
  /** Base address of signing pages, such as `https://sign.example.com`. */
  readonly frontEnd?: string;
  /** Transport of mail. Default: as files in the outbox. */
  readonly mail?: {
    /** Sender, such as `Acme <sign@acme.example>`. */
    readonly from?: string;
    /** `smtp://host:port` or `smtps://host:port`. Default: files in the outbox. */
    readonly server?: string;
    /** User of the server. Default: none. */
    readonly user?: string;
    /** File whose first line is the password of the user. */
    readonly passwordFile?: string;
  };
  /** HTTP gateway of text messages. Default: files in the outbox. */
  readonly sms?: { readonly gateway?: string; readonly tokenFile?: string };
  /** Private networks that webhooks may reach, such as `10.0.0.0/8`. Default: none. */
  readonly webhooks?: { readonly networks?: string };
}

/** Dependencies of {@link Innsigli} on the program around it. */
export interface InnsigliIo {
  /** Clock. Default: that of the system. */
  readonly now?: () => Date;
  /** Gives `count` unpredictable bytes. Default: those of the system. */
  readonly random?: RandomSource;
  /**
   * Called with a sentence that the user must see, such as the use of test keys. Default: silence.
   */
  warn?(message: string, code: WarningCode): void;
  /**
   * Asks a person for the password of `what`; undefined when nobody can be asked. Called only
   * when a key is encrypted and no password file is configured.
   */
  askPassword?(what: string): Promise<string | undefined>;
}

/** State of the database (readable and writable), and the work that is due. */
export interface ServiceHealth {
  readonly store: StoreHealth;
  readonly due: readonly DueJobs[];
}

/**
 * All functions of the command line over one configuration: documents, and the signing service of
 * the data directory. Keys, database and connections are opened on first use and kept until
 * {@link close}. Arguments of methods are checked by kind and copied; errors name the member at
 * fault.
 */
export interface Innsigli extends ConfiguredOperations {
  /**
   * The service of a company: the named one, that of the settings, or the only one.
   *
   * @param key key of the company
   * @throws company.not_found, store.*, vault.invalid
   * @example
   * const acme = await innsigli.company();
   * const process = await acme.processes.create({ pdf, signees, flowKey });
   */
  company(key?: string): Promise<CompanyService>;
  /**
   * Makes a company with one flow; its secrets are shown this once.
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
   * Does the jobs of all companies that are due: seals finished documents, sends messages and
   * webhooks, expires, reminds, purges. Jobs that a job makes are done too, when they are due.
   *
   * @param kinds only these; default: all
   * @param signal ends it after what is under way
   * @param onFailure called at once with each job that failed
   * @example
   * const { done, failed } = await innsigli.runDueJobs();
   */
  runDueJobs(
    kinds?: readonly JobKind[],
    signal?: AbortSignal,
    onFailure?: (failed: FailedJob) => void,
  ): Promise<WorkReport>;
  /**
   * Logins of persons and what they open, for all companies.
   *
   * @example
   * const identity = await innsigli.identity();
   */
  identity(): Promise<IdentityService>;
  /**
   * State of the database (readable and writable), and the work that is due.
   *
   * @throws store.*
   * @example
   * const { due } = await innsigli.health();
   */
  health(): Promise<ServiceHealth>;
  /**
   * Closes the service and all connections; a later call opens them again.
   *
   * @example
   * await innsigli.close();
   */
  close(): Promise<void>;
}
