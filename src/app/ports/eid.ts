import type { EidFailCode } from '../../domain/auth/index.ts';
import type { Identity } from '../../domain/person/index.ts';

export { EidError, eidFailCodes } from '../../domain/auth/index.ts';
export type { EidFailCode };

/**
 * Ways to a person: a prompt on the SIM of their phone or in their app, a link that is shown as QR
 * code or opened on the same device, or a page of the provider.
 */
export type EidChannel = 'Sim' | 'App' | 'DeviceLink' | 'Redirect';

/**
 * State of a session between two calls, as plain JSON. It may hold secrets: the caller encrypts
 * it at rest and hands it back unchanged, to any process.
 */
export type EidState = { readonly [member: string]: unknown };

/** Challenge that a person answers. Members that a scheme lacks are absent. */
export interface EidChallenge {
  /** Four digits to be compared with those on the device of the person. */
  readonly verificationCode?: string;
  /** Text of the QR code; {@link EidDriver.refresh} gives newer ones. */
  readonly qrData?: string;
  /** Opens the app on the device that shows the page. */
  readonly sameDeviceLink?: string;
  /** Token of {@link sameDeviceLink} alone, for programs that build the link themselves. */
  readonly autoStartToken?: string;
  /** Page of the provider that the person goes to. */
  readonly redirectUrl?: string;
}

/** Assurance level of an identification, as Regulation (EU) No 910/2014 names them. */
export type EidAssurance = 'low' | 'substantial' | 'high' | 'unknown';

/** Person as the provider states them, after everything about the answer was verified. */
export interface EidIdentity extends Identity {
  /** ISO 3166 code of the country that gave the national number. */
  readonly country: string;
  /** Pseudonym of the person at the scheme: document number, `uuid` or `sub`. */
  readonly subject: string;
  readonly assurance: EidAssurance;
  /** `YYYY-MM-DD`. */
  readonly birthDate?: string;
}

/** What shows later, without the provider, that the person has answered. */
export interface EidEvidence {
  /** Name of the scheme: `bankid-se`. */
  readonly scheme: string;
  readonly format: 'xmldsig' | 'raw-signature' | 'cms' | 'jwt';
  /** The signed answer: XML and JWT as text, the rest as base64. */
  readonly data: string;
  /** OCSPResponse, base64. */
  readonly ocsp?: string;
  /** Certificates, base64 DER: that of the person first. */
  readonly certificates?: readonly string[];
  /** The bytes that a raw signature covers, base64. */
  readonly message?: string;
  /** JWK Set with the keys that verify a JWT, as JSON: providers replace theirs. */
  readonly keys?: string;
  /** What the session of a login asked for, and the signed answer repeats. */
  readonly asked?: { readonly nonce?: string; readonly text?: string };
}

/** A login that evidence has to show. */
export interface EidShownLogin extends Pick<EidIdentity, 'ssn' | 'name' | 'subject'> {
  /** Epoch milliseconds between which the person has answered. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/**
 * How a signature comes back. `raw`: a signature value over a digest of signed attributes; `cms`:
 * a SignedData over the digest of the covered bytes; `evidence`: proof of approval, for a seal of
 * the service that carries it; `document`: the signed document.
 */
export type EidDelivery = 'raw' | 'cms' | 'evidence' | 'document';

/** Digest algorithm of what is signed. */
export type EidDigest = 'sha256' | 'sha384' | 'sha512';

/** Certificates of a person for signatures. */
export interface EidCertificates {
  /** DER; that of the person first. */
  readonly certificates: readonly Uint8Array[];
  /** For {@link EidSignOrder.linked} of the signature that follows at once. */
  readonly linked?: EidState;
}

/** Facts on the signatures of a driver. */
export interface EidSigning {
  readonly delivery: EidDelivery;
  /** What the contract with the provider promises; `qualified` is never believed by itself. */
  readonly level: 'advanced' | 'qualified' | 'test';
  readonly digest: EidDigest;
  /** Padding of RSA signatures; default `pkcs1`. With `pss` the salt is as long as the digest. */
  readonly rsaPadding?: 'pkcs1' | 'pss';
  /**
   * How the certificate is known before the digest is made: not at all (`cms`, `evidence`,
   * `document`), by {@link EidDriver.findCertificates}, or by a session of purpose `certificate`.
   */
  readonly certificate: 'none' | 'lookup' | 'session';
}

/** What is to be signed. */
export interface EidSignOrder {
  /** `raw`: of the signed attributes. Else of the bytes that the signature covers. */
  readonly digest: Uint8Array;
  /** `raw`: the signed attributes, DER, for the check of the answer; no provider gets them. */
  readonly signedBytes?: Uint8Array;
  /** Name of the document. */
  readonly label: string;
  /** `raw`: certificates of the certificate phase, DER, that of the person first. */
  readonly certificates?: readonly Uint8Array[];
  /** State that the session of the certificate phase left for this one. */
  readonly linked?: EidState;
  /** `document` only. */
  readonly document?: Uint8Array;
}

/** What a person is asked. */
export interface EidRequest {
  readonly purpose: 'auth' | 'certificate' | 'sign';
  readonly channel: EidChannel;
  /** Phone number for `Sim`, else national number; empty where the provider asks by itself. */
  readonly loginHint: string;
  /** Shown to the person where the scheme can. */
  readonly text: string;
  /** Language of the person: `is`, `en`, `sv`, … */
  readonly language: string;
  /** Have `Sim` show a code as well. */
  readonly includeVerificationCode: boolean;
  /** Lowest level that counts; absent: any. */
  readonly minAssurance?: Exclude<EidAssurance, 'unknown'>;
  /** Where the person comes back to on the same device, with a nonce of the caller inside. */
  readonly returnUrl?: string;
  readonly endUserIp?: string;
  readonly userAgent?: string;
  /** With purpose `sign` only. */
  readonly order?: EidSignOrder;
}

/** A session that was started. */
export interface EidStarted {
  readonly state: EidState;
  readonly challenge: EidChallenge;
  /** Least time between two polls. */
  readonly pollingMs: number;
  /** Epoch milliseconds at which the provider ends the session; the caller may end it earlier. */
  readonly expiresAtMs: number;
}

/** Signature algorithm of a raw signature. */
export type EidSignatureAlgorithm =
  | { readonly name: 'rsa-pkcs1'; readonly digest: EidDigest }
  | { readonly name: 'rsa-pss'; readonly digest: EidDigest; readonly saltLengthBytes: number }
  /** The value is `SEQUENCE { r, s }`, DER. */
  | { readonly name: 'ecdsa'; readonly digest: EidDigest };

/** A signature as it was delivered. */
export type EidSignature =
  | {
      readonly delivery: 'raw';
      readonly value: Uint8Array;
      readonly algorithm: EidSignatureAlgorithm;
      /** DER; that of the person first. */
      readonly certificates: readonly Uint8Array[];
    }
  | { readonly delivery: 'cms'; readonly cms: Uint8Array }
  | { readonly delivery: 'evidence' }
  | { readonly delivery: 'document'; readonly document: Uint8Array };

/** How a session stands. */
export type EidPoll =
  | {
      readonly status: 'pending';
      /** Word of the scheme for the step: `outstandingTransaction`, `userSign`. */
      readonly hint: string;
      /** The state from now on; absent: unchanged. */
      readonly state?: EidState;
      readonly challenge?: EidChallenge;
      readonly pollingMs?: number;
    }
  | {
      readonly status: 'complete';
      readonly identity: EidIdentity;
      readonly evidence: EidEvidence;
      /** Purpose `sign`. */
      readonly signature?: EidSignature;
      /** Purpose `certificate`: DER, that of the person first. */
      readonly certificates?: readonly Uint8Array[];
      /** Purpose `certificate`: for {@link EidSignOrder.linked}. */
      readonly linked?: EidState;
    }
  | {
      readonly status: 'failed';
      readonly code: EidFailCode;
      /** Code of the provider as it was given. */
      readonly providerCode?: string;
    };

/** A request to a provider. */
export interface EidHttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly timeoutMs: number;
  /** The answer is signed by itself: an http: address is taken, too. Default: false. */
  readonly isSigned?: boolean;
}

/** An answer of a provider, whatever its status. Redirects are not followed. */
export interface EidHttpAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** At most 1 MiB. */
  readonly body: Uint8Array;
}

/** Result of the check of an OCSP response. */
export interface EidRevocation {
  readonly status: 'good' | 'revoked' | 'unknown';
  /** Epoch milliseconds. */
  readonly producedAtMs: number;
  /** Value of the nonce extension, without its OCTET STRING; absent: there is none. */
  readonly nonce?: Uint8Array;
}

/** Checks of certificates, by the rules that `verify` follows. */
export interface EidTrust {
  /**
   * The path of the first certificate to one of the anchors, the anchor last.
   *
   * @throws EidError `invalidResponse` when there is none that holds at `atMs`
   */
  requirePath(
    certificates: readonly Uint8Array[],
    anchors: readonly Uint8Array[],
    atMs: number,
  ): readonly Uint8Array[];
  /**
   * What an OCSP response says of a certificate, its signature and the authority of its responder
   * verified.
   *
   * @throws EidError `invalidResponse` when it says nothing of it, or is not authorised
   */
  checkOcsp(
    response: Uint8Array,
    certificate: Uint8Array,
    issuer: Uint8Array,
    atMs: number,
  ): EidRevocation;
  /**
   * What OCSP responses or CRLs say of a certificate, as {@link checkOcsp} does.
   *
   * @throws EidError `invalidResponse` when none of them says anything of it
   */
  checkStatus(
    data: EidStatusData,
    certificate: Uint8Array,
    issuer: Uint8Array,
    atMs: number,
  ): 'good' | 'revoked';
}

/** Revocation data of a certificate, DER. */
export interface EidStatusData {
  readonly ocsp: readonly Uint8Array[];
  readonly crls: readonly Uint8Array[];
}

/** What a driver gets from outside with every call. */
export interface EidEnvironment {
  /** Epoch milliseconds. */
  now(): number;
  random(count: number): Uint8Array;
  /** @throws EidError `providerUnavailable` when no answer came, `invalidResponse` when too long */
  http(request: EidHttpRequest): Promise<EidHttpAnswer>;
  readonly trust: EidTrust;
  /**
   * Revocation data from the addresses that a certificate names, which are anybody's: OCSP, else a
   * CRL; nothing where it names none. Absent: no address is asked.
   *
   * @throws EidError `providerUnavailable` when none of them has answered
   */
  findStatus?(certificate: Uint8Array, issuer: Uint8Array): Promise<EidStatusData>;
}

/** A finding of {@link EidDriver.check}. */
export interface EidFinding {
  /** `certificate`, `reachable`, `clock`, `configuration`, … */
  readonly name: string;
  readonly isOk: boolean;
  /** One sentence without secrets. */
  readonly message: string;
}

/**
 * The protocol of an e-ID scheme. A driver keeps nothing between two calls: every process can go
 * on with a session. It sends at most one request for a poll, and those that complete it.
 */
export interface EidDriver {
  /** Name for the evidence and messages: `bankid-se`. */
  readonly name: string;
  readonly channels: readonly EidChannel[];
  /** True when the identities of `Sim` come with the phone number. */
  readonly tellsPhone: boolean;
  /** True when the provider hands out a result once only. */
  readonly answersOnce: boolean;
  /** Absent: the scheme identifies only. */
  readonly signing?: EidSigning;
  /** @throws EidError when the provider refuses, cannot be reached or answers wrongly */
  start(request: EidRequest, environment: EidEnvironment): Promise<EidStarted>;
  /**
   * How a session stands. What the person, the provider or the protocol has refused is an answer.
   *
   * @throws EidError `providerUnavailable` when the session may still be asked for again
   */
  poll(state: EidState, environment: EidEnvironment): Promise<EidPoll>;
  /** Ends a session upstream as far as the protocol can; quiet when it has ended before. */
  cancel(state: EidState, environment: EidEnvironment): Promise<void>;
  /** The challenge at this time, without a request: QR codes change each second. */
  refresh?(state: EidState, nowMs: number): EidChallenge;
  /**
   * Takes the address with which the person came back from the provider; gives the state to poll.
   *
   * @throws EidError `invalidResponse` when the address does not belong to the session
   */
  callback?(state: EidState, url: URL, environment: EidEnvironment): Promise<EidState>;
  /** Certificates of the person for signatures; with `signing.certificate` `lookup`. */
  findCertificates?(request: EidRequest, environment: EidEnvironment): Promise<EidCertificates>;
  /**
   * What the evidence of a login shows, without the provider: signature, certificate or key,
   * person, session. Absent: the scheme has no logins.
   *
   * @throws EidError when it does not show the login
   */
  verifyEvidence?(
    evidence: EidEvidence,
    login: EidShownLogin,
    trust: EidTrust,
  ): Promise<readonly EidFinding[]>;
  /** Configuration, certificates, reachability and clock, for the operator. */
  check(environment: EidEnvironment): Promise<readonly EidFinding[]>;
}
