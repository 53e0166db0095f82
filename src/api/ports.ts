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
  /** The bytes of the input that the result begins with. */
  readonly kept: Uint8Array;
  /** The bytes behind them. */
  readonly tail: Uint8Array;
  /** Seals on pages; 1 for an invisible one. */
  readonly sealCount?: number;
}

/** Options of the seal of a PDF. */
export interface ApiSeal {
  readonly reason?: string;
  readonly visible: { readonly language: 'is' | 'en'; readonly page: 'all' | 1 };
}

/**
 * Sealing, archiving and verifying, the same for all companies; owners take turns. The bytes of an
 * input belong to the call: they may be moved to another thread, and are not to be used afterwards.
 */
export interface DocumentService {
  seal(input: ByteSource, options: ApiSeal, owner: string): Promise<SealedDocumentParts>;
  sealXml(input: ByteSource, options: object, owner: string): Promise<SealedDocumentParts>;
  augment(input: ByteSource, owner: string): Promise<SealedDocumentParts>;
  /**
   * The answer of `POST /verify`, JSON in UTF-8: a report can be as long as its document. Default
   * of `revocation`: that of the configuration.
   */
  verify(
    input: ByteSource,
    options: { readonly revocation?: RevocationMode },
    owner: string,
  ): Promise<Uint8Array>;
  /** The same in words for people; revocation is asked for as the configuration says. */
  describe(input: ByteSource, options: ReportInWordsRequest, owner: string): Promise<ReportInWords>;
}

/** Answers of the development trust to the world: time-stamps and the status of certificates. */
export interface TrustService {
  /** TimeStampResp to a TimeStampReq, DER; a bad one gets a rejection that says why. */
  timestamp(request: Uint8Array): Promise<Uint8Array>;
  /** OCSPResponse to an OCSPRequest, DER. */
  ocsp(request: Uint8Array): Promise<Uint8Array>;
  /** CRL of an issuer, DER; undefined when there is no such issuer. */
  crl(issuer: string): Promise<Uint8Array | undefined>;
  /** Certificate of an issuer, DER. */
  certificate(issuer: string): Promise<Uint8Array | undefined>;
}

/** Work that is due, of one kind. */
export interface DueWork {
  readonly kind: string;
  readonly count: number;
  /** Seconds for which the oldest has been due. */
  readonly lagSeconds: number;
}

/** Work done and due, for counters. */
export interface Counters {
  readonly due: readonly DueWork[];
  /** Jobs that this program has done, and those that failed, since it began. */
  readonly done: number;
  readonly failed: number;
  /** Messages that wait until settings or servers are put right. */
  readonly held: readonly { readonly code: string; readonly count: number }[];
}

/** Readiness of the service. */
export interface Readiness {
  readonly ready: boolean;
  /** One line for each thing that was looked at. */
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
   * The company of this user name and password; undefined when they do not belong together.
   *
   * @throws authentication.key.scope when the key is not good for `scope`
   */
  authenticate(
    companyKey: string,
    apiKey: string,
    scope?: ApiKeyScope,
  ): Promise<CompanyService | undefined>;
  /** The company of a process. @throws process.not_found */
  companyOfProcess(processKey: string): Promise<CompanyService>;
  /** The company of a sequence. @throws process.not_found */
  companyOfSequence(sequenceKey: string): Promise<CompanyService>;
  /**
   * The number of signee places behind a key: for a sequence, those of each of its documents,
   * persons times documents; 0 for other keys.
   */
  placesBehind(key: string): Promise<number>;
  /** The company of a flow. @throws flow.not_found */
  companyOfFlow(flowKey: string): Promise<CompanyService>;
  /**
   * True if a company, or any if none is named, allows pages of `origin` to read responses about
   * it. It is cheap and never throws.
   */
  allowsOrigin(origin: string, companyKey?: string): Promise<boolean>;
  readonly documents: DocumentService;
  /** Texts of documents, for people without scripts. */
  readonly texts: DocumentTexts;
  /** Pages that can be switched off. */
  readonly pages: { readonly verify: boolean };
  /** Logins of persons, and the tokens that they get. */
  readonly identity: IdentityService;
  /** Requests that come twice under one name. */
  readonly idempotency: IdempotentRequests;
  /** Answers that are saved before a form is sent. */
  readonly drafts: DraftService;
  readiness(): Promise<Readiness>;
  counters(): Promise<Counters>;
  /** The development trust; absent in production. */
  readonly trust?: TrustService;
}
