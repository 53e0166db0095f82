import type { EidFailCode } from '../../domain/auth/index.ts';
import type { Identity } from '../../domain/person/index.ts';

export { EidError, eidFailCodes } from '../../domain/auth/index.ts';
export type { EidFailCode };

/**
 * How a person is reached: a prompt on the SIM of their phone, a prompt in their app, a link shown
 * as a QR code or opened on the same device, or a page of the provider.
 */
export type EidChannel = 'Sim' | 'App' | 'DeviceLink' | 'Redirect';

/**
 * State of a session between two calls, as plain JSON. It may contain secrets: the caller encrypts
 * it at rest and passes it back unchanged, from any process.
 */
export type EidState = { readonly [member: string]: unknown };

/** Challenge that a person responds to. Members that a scheme does not have are absent. */
export interface EidChallenge {
  /** Four digits that the person compares with those on their device. */
  readonly verificationCode?: string;
  /** Text of the QR code. {@link EidDriver.refresh} returns newer ones. */
  readonly qrData?: string;
  /** Link that opens the app on the device that shows the page. */
  readonly sameDeviceLink?: string;
  /** The token of {@link sameDeviceLink} alone, for programs that build the link themselves. */
  readonly autoStartToken?: string;
  /** Page of the provider that the person is redirected to. */
  readonly redirectUrl?: string;
}

/** Assurance level of an identification, as named in Regulation (EU) No 910/2014. */
export type EidAssurance = 'low' | 'substantial' | 'high' | 'unknown';

/** The person as stated by the provider, once the response was fully verified. */
export interface EidIdentity extends Identity {
  /** ISO 3166 code of the country that issued the national number. */
  readonly country: string;
  /** The scheme's pseudonym for the person: document number, `uuid` or `sub`. */
  readonly subject: string;
  readonly assurance: EidAssurance;
  /** Date of birth as `YYYY-MM-DD`. */
  readonly birthDate?: string;
}

/** Evidence that proves the person's response later, without the provider. */
export interface EidEvidence {
  /** Name of the scheme, such as `bankid-se`. */
  readonly scheme: string;
  readonly format: 'xmldsig' | 'raw-signature' | 'cms' | 'jwt';
  /** The signed response: XML and JWT as text, anything else as base64. */
  readonly data: string;
  /** The OCSPResponse, base64. */
  readonly ocsp?: string;
  /** Certificates, base64 DER, the person's own first. */
  readonly certificates?: readonly string[];
  /** The bytes that a raw signature covers, base64. */
  readonly message?: string;
  /** JWK Set with the keys that verify a JWT, as JSON: providers rotate their keys. */
  readonly keys?: string;
  /** Values that a login session requested and the signed response repeats. */
  readonly asked?: { readonly nonce?: string; readonly text?: string };
}

/** A login that evidence must prove. */
export interface EidShownLogin extends Pick<EidIdentity, 'ssn' | 'name' | 'subject'> {
  /** Start and end of the period in which the person responded, in milliseconds since the epoch. */
  readonly startedAtMs: number;
  readonly endedAtMs: number;
}

/**
 * Form in which a signature is delivered. `raw`: a signature value over a digest of signed
 * attributes; `cms`: a SignedData over the digest of the covered bytes; `evidence`: proof of
 * approval, for a seal of the service that contains it; `document`: the signed document.
 */
export type EidDelivery = 'raw' | 'cms' | 'evidence' | 'document';

/** Digest algorithm of the signed data. */
export type EidDigest = 'sha256' | 'sha384' | 'sha512';

/** A person's signing certificates. */
export interface EidCertificates {
  /** DER, the person's own first. */
  readonly certificates: readonly Uint8Array[];
  /** State for {@link EidSignOrder.linked} of the signature that follows immediately. */
  readonly linked?: EidState;
}

/** Properties of the signatures of a driver. */
export interface EidSigning {
  readonly delivery: EidDelivery;
  /** Level promised by the contract with the provider. `qualified` is never trusted on its own. */
  readonly level: 'advanced' | 'qualified' | 'test';
  readonly digest: EidDigest;
  /** Padding of RSA signatures. Default: `pkcs1`. With `pss` the salt is as long as the digest. */
  readonly rsaPadding?: 'pkcs1' | 'pss';
  /**
   * How the certificate is obtained before the digest is computed: not at all (`cms`, `evidence`,
   * `document`), by {@link EidDriver.findCertificates}, or by a session of purpose `certificate`.
   */
  readonly certificate: 'none' | 'lookup' | 'session';
}

/** The data to be signed. */
export interface EidSignOrder {
  /** With `raw`, the digest of the signed attributes. Otherwise that of the signed bytes. */
  readonly digest: Uint8Array;
  /** `raw` only: the signed attributes, DER, to verify the response. Never sent to a provider. */
  readonly signedBytes?: Uint8Array;
  /** Name of the document. */
  readonly label: string;
  /** `raw` only: certificates of the certificate phase, DER, the person's own first. */
  readonly certificates?: readonly Uint8Array[];
  /** State that the session of the certificate phase passed on to this one. */
  readonly linked?: EidState;
  /** `document` only: the document to sign. */
  readonly document?: Uint8Array;
}

/** The request that a person is to approve. */
export interface EidRequest {
  readonly purpose: 'auth' | 'certificate' | 'sign';
  readonly channel: EidChannel;
  /** Phone number for `Sim`, otherwise national number. Empty if the provider prompts for it. */
  readonly loginHint: string;
  /** Text shown to the person if the scheme supports it. */
  readonly text: string;
  /** Language of the person: `is`, `en`, `sv`, … */
  readonly language: string;
  /** Whether `Sim` shows a verification code as well. */
  readonly includeVerificationCode: boolean;
  /** Lowest accepted level. Undefined: any. */
  readonly minAssurance?: Exclude<EidAssurance, 'unknown'>;
  /** URL that the person returns to on the same device. Contains a nonce of the caller. */
  readonly returnUrl?: string;
  readonly endUserIp?: string;
  readonly userAgent?: string;
  /** Purpose `sign` only. */
  readonly order?: EidSignOrder;
}

/** A started session. */
export interface EidStarted {
  readonly state: EidState;
  readonly challenge: EidChallenge;
  /** Minimum interval between two polls. */
  readonly pollingMs: number;
  /** Provider's end of the session, in milliseconds since the epoch. The caller may end earlier. */
  readonly expiresAtMs: number;
}

/** Signature algorithm of a raw signature. */
export type EidSignatureAlgorithm =
  | { readonly name: 'rsa-pkcs1'; readonly digest: EidDigest }
  | { readonly name: 'rsa-pss'; readonly digest: EidDigest; readonly saltLengthBytes: number }
  /** The signature value is `SEQUENCE { r, s }`, DER. */
  | { readonly name: 'ecdsa'; readonly digest: EidDigest };

/** A signature as delivered. */
export type EidSignature =
  | {
      readonly delivery: 'raw';
      readonly value: Uint8Array;
      readonly algorithm: EidSignatureAlgorithm;
      /** DER, the person's own first. */
      readonly certificates: readonly Uint8Array[];
    }
  | { readonly delivery: 'cms'; readonly cms: Uint8Array }
  | { readonly delivery: 'evidence' }
  | { readonly delivery: 'document'; readonly document: Uint8Array };

/** Status of a session. */
export type EidPoll =
  | {
      readonly status: 'pending';
      /** The scheme's code for the step, such as `outstandingTransaction` or `userSign`. */
      readonly hint: string;
      /** The new state. Undefined: unchanged. */
      readonly state?: EidState;
      readonly challenge?: EidChallenge;
      readonly pollingMs?: number;
    }
  | {
      readonly status: 'complete';
      readonly identity: EidIdentity;
      readonly evidence: EidEvidence;
      /** Purpose `sign` only. */
      readonly signature?: EidSignature;
      /** Purpose `certificate` only: DER, the person's own first. */
      readonly certificates?: readonly Uint8Array[];
      /** Purpose `certificate` only: for {@link EidSignOrder.linked}. */
      readonly linked?: EidState;
    }
  | {
      readonly status: 'failed';
      readonly code: EidFailCode;
      /** The provider's code, verbatim. */
      readonly providerCode?: string;
    };

/** A request to a provider. */
export interface EidHttpRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly timeoutMs: number;
  /** Whether the response is itself signed, so that http: URLs are accepted too. Default: false. */
  readonly isSigned?: boolean;
}

/** An HTTP response of a provider, whatever its status. Redirects are not followed. */
export interface EidHttpAnswer {
  readonly status: number;
  /** Header fields, with names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** At most 1 MiB. */
  readonly body: Uint8Array;
}

/** Result of verifying an OCSP response. */
export interface EidRevocation {
  readonly status: 'good' | 'revoked' | 'unknown';
  /** In milliseconds since the epoch. */
  readonly producedAtMs: number;
  /** Value of the nonce extension, without its OCTET STRING. Undefined if there is none. */
  readonly nonce?: Uint8Array;
}

/** Verification of certificates, by the same rules as `verify`. */
export interface EidTrust {
  /**
   * Returns the path from the first certificate to one of the anchors, the anchor last.
   *
   * @throws EidError `invalidResponse` if no path is valid at `atMs`
   */
  requirePath(
    certificates: readonly Uint8Array[],
    anchors: readonly Uint8Array[],
    atMs: number,
  ): readonly Uint8Array[];
  /**
   * Returns the status of a certificate in an OCSP response, after verifying the signature and the
   * authority of the responder.
   *
   * @throws EidError `invalidResponse` if it does not cover the certificate, or is not authorised
   */
  checkOcsp(
    response: Uint8Array,
    certificate: Uint8Array,
    issuer: Uint8Array,
    atMs: number,
  ): EidRevocation;
  /**
   * Returns the status of a certificate in OCSP responses or CRLs, as {@link checkOcsp} does.
   *
   * @throws EidError `invalidResponse` if none of them covers the certificate
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

/** External services that a driver receives with every call. */
export interface EidEnvironment {
  /** Current time in milliseconds since the epoch. */
  now(): number;
  random(count: number): Uint8Array;
  /**
   * @throws EidError `providerUnavailable` if no response arrived, `invalidResponse` if it is too
   * long
   */
  http(request: EidHttpRequest): Promise<EidHttpAnswer>;
  readonly trust: EidTrust;
  /**
   * Fetches revocation data from the URLs named in a certificate, which are untrusted: OCSP,
   * otherwise a CRL. Empty if it names none. Undefined: no URL is fetched.
   *
   * @throws EidError `providerUnavailable` if none of them responded
   */
  findStatus?(certificate: Uint8Array, issuer: Uint8Array): Promise<EidStatusData>;
}

/** A finding of {@link EidDriver.check}. */
export interface EidFinding {
  /** Subject of the finding: `certificate`, `reachable`, `clock`, `configuration`, … */
  readonly name: string;
  readonly isOk: boolean;
  /** One sentence that contains no secrets. */
  readonly message: string;
}

/**
 * The protocol of an e-ID scheme. A driver keeps no state between two calls: any process can
 * continue a session. Each poll sends at most one request, plus those that complete the session.
 */
export interface EidDriver {
  /** Name used in evidence and messages, such as `bankid-se`. */
  readonly name: string;
  readonly channels: readonly EidChannel[];
  /** Whether the identities of `Sim` include the phone number. */
  readonly tellsPhone: boolean;
  /** Whether the provider returns a result only once. */
  readonly answersOnce: boolean;
  /** Undefined if the scheme only identifies persons. */
  readonly signing?: EidSigning;
  /** @throws EidError if the provider refuses, is unreachable or sends an invalid response */
  start(request: EidRequest, environment: EidEnvironment): Promise<EidStarted>;
  /**
   * Returns the status of a session. A refusal by the person, the provider or the protocol is a
   * result, not an error.
   *
   * @throws EidError `providerUnavailable` if the session may be polled again
   */
  poll(state: EidState, environment: EidEnvironment): Promise<EidPoll>;
  /** Cancels a provider's session as far as the protocol allows. Succeeds if it has ended. */
  cancel(state: EidState, environment: EidEnvironment): Promise<void>;
  /** Returns the challenge for this time, without a request: QR codes change every second. */
  refresh?(state: EidState, nowMs: number): EidChallenge;
  /**
   * Processes the URL with which the person returned from the provider. Returns the state to poll.
   *
   * @throws EidError `invalidResponse` if the URL does not belong to the session
   */
  callback?(state: EidState, url: URL, environment: EidEnvironment): Promise<EidState>;
  /** Returns the person's signing certificates. For `signing.certificate` `lookup`. */
  findCertificates?(request: EidRequest, environment: EidEnvironment): Promise<EidCertificates>;
  /**
   * Verifies that the evidence proves the login, without the provider: signature, certificate or
   * key, person, session. Undefined if the scheme has no logins.
   *
   * @throws EidError if it does not prove the login
   */
  verifyEvidence?(
    evidence: EidEvidence,
    login: EidShownLogin,
    trust: EidTrust,
  ): Promise<readonly EidFinding[]>;
  /** Checks configuration, certificates, reachability and clock, for the operator. */
  check(environment: EidEnvironment): Promise<readonly EidFinding[]>;
}
