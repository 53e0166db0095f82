import type { IdentityService } from '../../app/auth/index.ts';
import type {
  CompanyRequest,
  CreatedCompany,
  IdempotentRequests,
} from '../../app/company/index.ts';
import type { CompanyService, FailedJob, WorkReport } from '../../app/company-service.ts';
import type { DraftService } from '../../app/flow/index.ts';
import type { DueJobs, SimulatorDesk, StoreHealth } from '../../app/ports/index.ts';
import type { SearchThreads, WarmUpOptions } from '../../app/screening/index.ts';
import type { ApiKeyScope, Company } from '../../domain/company.ts';
import type { HeldMessages } from '../../domain/message/index.ts';
import type { JobKind } from '../../domain/process/index.ts';
import type { WorkThreads } from '../threads/work-threads.types.ts';

/** Options for opening the service of a data directory. */
export interface ServiceOptions {
  /** Reject a data directory without a service, and create nothing. */
  readonly mustExist?: boolean;
  /** Threads for work of unbounded cost on documents, schemas and values. */
  readonly threads?: WorkThreads;
  /** Threads for name searches. If omitted, each search runs in the calling thread. */
  readonly searchThreads?: SearchThreads;
}

/** The signing service of a data directory. */
export interface Service {
  /** Creates a company. Its secrets are returned only by this call. */
  createCompany(request: CompanyRequest): Promise<CreatedCompany>;
  companies(): Promise<readonly Company[]>;
  /**
   * The toolkit of a company: the given one, the configured one, or the only one.
   *
   * @throws company.not_found
   */
  open(company?: string): Promise<CompanyService>;
  /**
   * The toolkit of a company, authenticated by its API key. Undefined if the key does not belong to
   * the company.
   *
   * @param scope the scope that the key must have; undefined: any
   * @throws authentication.key.scope
   */
  openFor(
    companyKey: string,
    apiKey: string,
    scope?: ApiKeyScope,
  ): Promise<CompanyService | undefined>;
  /** Toolkit of the company that owns a process, sequence or flow. Undefined if there is none. */
  openOwner(
    what: 'process' | 'sequence' | 'flow',
    key: string,
  ): Promise<CompanyService | undefined>;
  /** Same as in the port of the HTTP interface. Results are cached. */
  placesBehind(key: string): Promise<number>;
  /**
   * Whether pages of `origin` may read responses about a company, or about any company if none is
   * given. Changes by another program take effect within two seconds.
   */
  allowsOrigin(origin: string, companyKey?: string): Promise<boolean>;
  /**
   * Runs the due jobs of all companies: seals finished documents, sends messages and webhooks,
   * expires, reminds, purges. Jobs that a job creates are run too if they are due.
   *
   * @param kinds only these
   * @param signal stops after the jobs in progress
   * @param told called immediately with each job that failed
   */
  work(
    kinds?: readonly JobKind[],
    signal?: AbortSignal,
    told?: (failed: FailedJob) => void,
  ): Promise<WorkReport>;
  /** Requests that are sent repeatedly with one idempotency key and executed once. */
  readonly idempotency: IdempotentRequests;
  /** Form answers saved before submission. */
  readonly drafts: DraftService;
  /**
   * Must be called when a server or worker starts: marks the blob folder for other hosts, and
   * compares the sealing key with theirs.
   *
   * @param seals false: the program does not seal and opens no key
   * @throws contents.unshared, trust.mismatch, key.*
   */
  enter(seals?: boolean): Promise<void>;
  /**
   * Does in advance what would delay the first screenings: opens lists, and searches names in a
   * thread. Takes some seconds at most, and records nothing.
   *
   * @returns the number of names searched
   * @throws store.*
   */
  warmUp(options: WarmUpOptions): Promise<number>;
  /** State of the database (readable and writable), and the jobs that are due. @throws store.* */
  health(): Promise<{ readonly store: StoreHealth; readonly due: readonly DueJobs[] }>;
  /** Checks cheaply that the open database is still the file at its path. @throws store.replaced */
  requireInPlace(): void;
  /** Test-writes to the document storage and returns the free bytes there. @throws store.* */
  storage(): Promise<{ readonly freeBytes: number }>;
  /** Numbers of jobs that this program completed since it opened the service, and that failed. */
  readonly worked: { readonly done: number; readonly failed: number };
  /** Messages that are held until settings or servers are fixed, by the code of the reason. */
  held(): Promise<readonly HeldMessages[]>;
  /** Decides e-ID simulator sessions. @throws config.invalid unless it waits for decisions */
  simulator(): Promise<SimulatorDesk>;
  /** Logins of persons and the sessions they open, for all companies. */
  readonly identity: IdentityService;
  close(): Promise<void>;
}
