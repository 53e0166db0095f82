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
  /** Refuse a data directory without one, and make nothing. */
  readonly mustExist?: boolean;
  /** Take what documents, schemas and values may ask for without end. */
  readonly threads?: WorkThreads;
  /** Search names; left out: each search is done where it is asked for. */
  readonly searchThreads?: SearchThreads;
}

/** The signing service of a data directory. */
export interface Service {
  /** Makes a company; its secrets are shown this once. */
  createCompany(request: CompanyRequest): Promise<CreatedCompany>;
  companies(): Promise<readonly Company[]>;
  /**
   * The toolkit of a company: the named one, that of the configuration, or the only one.
   *
   * @throws company.not_found
   */
  open(company?: string): Promise<CompanyService>;
  /**
   * The toolkit of a company, for its API key; undefined when they do not belong together.
   *
   * @param scope the scope that the key must have; undefined: any
   * @throws authentication.key.scope
   */
  openFor(
    companyKey: string,
    apiKey: string,
    scope?: ApiKeyScope,
  ): Promise<CompanyService | undefined>;
  /** The toolkit of the company that a process, sequence or flow belongs to, when it is there. */
  openOwner(
    what: 'process' | 'sequence' | 'flow',
    key: string,
  ): Promise<CompanyService | undefined>;
  /** As in the port of the HTTP interface; results are cached. */
  placesBehind(key: string): Promise<number>;
  /**
   * True if pages of `origin` may read responses about a company, or about any company if none is
   * named; changes by another program take effect within two seconds.
   */
  allowsOrigin(origin: string, companyKey?: string): Promise<boolean>;
  /**
   * Does the jobs of all companies that are due: seals finished documents, sends messages and
   * webhooks, expires, reminds, purges. Jobs that a job makes are done too, when they are due.
   *
   * @param kinds only these
   * @param signal ends it after what is under way
   * @param told called at once with each job that failed
   */
  work(
    kinds?: readonly JobKind[],
    signal?: AbortSignal,
    told?: (failed: FailedJob) => void,
  ): Promise<WorkReport>;
  /** Requests that come twice under one name, and are done once. */
  readonly idempotency: IdempotentRequests;
  /** Answers that are saved before a form is sent. */
  readonly drafts: DraftService;
  /**
   * To be called by a program that serves or works, when it begins: it marks the folder of
   * contents for other hosts, and compares the key that it seals with to theirs.
   *
   * @param seals false: it does no work that seals, and opens no key
   * @throws contents.unshared, trust.mismatch, key.*
   */
  enter(seals?: boolean): Promise<void>;
  /**
   * Does what the first screenings would otherwise wait for: opens lists, and searches names in a
   * thread. It takes some seconds at most, and records nothing.
   *
   * @returns how many names were searched
   * @throws store.*
   */
  warmUp(options: WarmUpOptions): Promise<number>;
  /** State of the database (readable and writable), and the work that is due. @throws store.* */
  health(): Promise<{ readonly store: StoreHealth; readonly due: readonly DueJobs[] }>;
  /** Looks whether the open database is the one at its place; cheap. @throws store.replaced */
  requireInPlace(): void;
  /** Writes where documents are kept, and gives the bytes that are free there. @throws store.* */
  storage(): Promise<{ readonly freeBytes: number }>;
  /** Jobs that this program has done since it opened the service, and those that failed. */
  readonly worked: { readonly done: number; readonly failed: number };
  /** Messages that wait until settings or servers are put right, by the code that says why. */
  held(): Promise<readonly HeldMessages[]>;
  /** Decides for persons of the e-ID simulator. @throws config.invalid unless it waits */
  simulator(): Promise<SimulatorDesk>;
  /** Logins of persons and what they open, for all companies. */
  readonly identity: IdentityService;
  close(): Promise<void>;
}
