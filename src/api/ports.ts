import type { IdentityService } from '../app/auth/index.ts';
import type { IdempotentRequests } from '../app/company/index.ts';
import type { CompanyService } from '../app/company-service.ts';
import type { DraftService } from '../app/flow/index.ts';
import type { DocumentTexts } from '../app/ports/index.ts';
import type { ReportInWords, ReportInWordsRequest } from '../app/reports/index.ts';
import type { ByteSource } from '../base/bytes.ts';
import type { RevocationMode } from '../base/revocation-mode.ts';
import type { ApiKeyScope } from '../domain/company.ts';
import type { RandomBytes } from '../domain/keys.ts';

/** A sealed, signed or archived document. */
export interface SealedDocumentParts {
  /** The bytes of the input with which the result starts. */
  readonly kept: Uint8Array;
  /** The bytes that follow. */
  readonly tail: Uint8Array;
  /** Number of seals on pages; 1 for an invisible seal. */
  readonly sealCount?: number;
}

/** Options of the seal of a PDF. */
export interface ApiSeal {
  readonly reason?: string;
  readonly visible: { readonly language: 'is' | 'en'; readonly page: 'all' | 1 };
}

/**
 * Seals, archives and verifies, the same for all companies; owners take turns. The call takes
 * ownership of the input bytes: they may be transferred to another thread, and must not be used
 * afterwards.
 */
export interface DocumentService {
  seal(input: ByteSource, options: ApiSeal, owner: string): Promise<SealedDocumentParts>;
  sealXml(input: ByteSource, options: object, owner: string): Promise<SealedDocumentParts>;
  augment(input: ByteSource, owner: string): Promise<SealedDocumentParts>;
  /**
   * Returns the response of `POST /verify`, JSON in UTF-8: a report can be as long as its document.
   * Default of `revocation`: as configured.
   */
  verify(
    input: ByteSource,
    options: { readonly revocation?: RevocationMode },
    owner: string,
  ): Promise<Uint8Array>;
  /** Returns the report in plain language; revocation is checked as configured. */
  describe(input: ByteSource, options: ReportInWordsRequest, owner: string): Promise<ReportInWords>;
}

/** Public services of the development trust: time-stamps and certificate status. */
export interface TrustService {
  /** Returns a TimeStampResp for a TimeStampReq, DER. Invalid ones are rejected with a reason. */
  timestamp(request: Uint8Array): Promise<Uint8Array>;
  /** Returns the OCSPResponse for an OCSPRequest, DER. */
  ocsp(request: Uint8Array): Promise<Uint8Array>;
  /** Returns the CRL of an issuer, DER. Undefined if there is no such issuer. */
  crl(issuer: string): Promise<Uint8Array | undefined>;
  /** Returns the certificate of an issuer, DER. Undefined if there is no such issuer. */
  certificate(issuer: string): Promise<Uint8Array | undefined>;
}

/** Due work of one kind. */
export interface DueWork {
  readonly kind: string;
  readonly count: number;
  /** Seconds for which the oldest item has been due. */
  readonly lagSeconds: number;
}

/** Completed and due work, for metrics. */
export interface Counters {
  readonly due: readonly DueWork[];
  /** Jobs completed by this process since it started; `failed` is the number of failed ones. */
  readonly done: number;
  readonly failed: number;
  /** Messages held until settings or servers are fixed. */
  readonly held: readonly { readonly code: string; readonly count: number }[];
}

/** Readiness of the service. */
export interface Readiness {
  readonly ready: boolean;
  /** One entry for each check. */
  readonly checks: readonly {
    readonly name: string;
    readonly ok: boolean;
    readonly message: string;
  }[];
}

/** Dependencies of the HTTP interface. */
export interface ApiPorts {
  /** Epoch milliseconds. */
  now(): number;
  readonly random: RandomBytes;
  readonly version: string;
  /**
   * Returns the company of this user name and password. Undefined if they do not match.
   *
   * @throws authentication.key.scope if the key lacks `scope`
   */
  authenticate(
    companyKey: string,
    apiKey: string,
    scope?: ApiKeyScope,
  ): Promise<CompanyService | undefined>;
  /** Returns the company of a process. @throws process.not_found */
  companyOfProcess(processKey: string): Promise<CompanyService>;
  /** Returns the company of a sequence. @throws process.not_found */
  companyOfSequence(sequenceKey: string): Promise<CompanyService>;
  /**
   * Number of signees that a key leads to: persons times documents for the key of a sequence, or of
   * a document in one; 0 for any other key.
   */
  placesBehind(key: string): Promise<number>;
  /** Returns the company of a flow. @throws flow.not_found */
  companyOfFlow(flowKey: string): Promise<CompanyService>;
  /**
   * Whether the company, or any if none is named, allows pages of `origin` to read responses about
   * it. Cheap; never throws.
   */
  allowsOrigin(origin: string, companyKey?: string): Promise<boolean>;
  readonly documents: DocumentService;
  /** Texts of documents, for readers without scripts. */
  readonly texts: DocumentTexts;
  /** Pages that can be disabled. */
  readonly pages: { readonly verify: boolean };
  /** Logins of persons, and the tokens issued to them. */
  readonly identity: IdentityService;
  /** Requests with an idempotency key. */
  readonly idempotency: IdempotentRequests;
  /** Answers saved before a form is sent. */
  readonly drafts: DraftService;
  readiness(): Promise<Readiness>;
  counters(): Promise<Counters>;
  /** The development trust. Undefined in production. */
  readonly trust?: TrustService;
}
