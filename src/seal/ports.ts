import type { Certificate, SignatureAlgorithm } from '../formats/x509/index.ts';

/** A private key somewhere, with the certificate that vouches for it. */
export interface Signer {
  /** The signing certificate, DER. */
  readonly certificate: Uint8Array;
  /** Certificates of its issuers, DER, any order; the root may be left out. */
  readonly chain: readonly Uint8Array[];
  /** Signature algorithm of {@link sign}. */
  readonly algorithm: SignatureAlgorithm;
  /**
   * The signature over `data` (the signer hashes). ECDSA as DER `SEQUENCE { r, s }`.
   *
   * @throws key.sign.failed when the key cannot be used
   */
  sign(data: Uint8Array): Promise<Uint8Array>;
}

/** A maker of a whole CMS over the covered bytes: a foreign library or service. */
export interface CmsSigner {
  /** Bytes to keep free for the CMS; more than needed is fine, less is an error. */
  readonly estimatedLengthBytes: number;
  /**
   * A detached SignedData over `content`, DER.
   *
   * @throws key.sign.failed when there is none
   */
  signContent(content: Uint8Array): Promise<Uint8Array>;
}

/** An RFC 3161 time-stamp authority: carries requests and answers, checks neither. */
export interface TimestampAuthority {
  /** Address or name of the source for messages, without credentials. */
  readonly name: string;
  /** Bytes that its tokens need at most, when it knows; saves space and a second request. */
  readonly tokenLengthBytes?: number;
  /**
   * The TimeStampResp, DER, to a TimeStampReq, DER.
   *
   * @throws tsa.unreachable, tsa.timeout, tsa.http.status, tsa.credentials, network.offline
   */
  timestamp(request: Uint8Array): Promise<Uint8Array>;
}

/** Revocation data for one certificate, as found: nothing of it is verified yet. */
export interface RevocationData {
  /** OCSPResponse values, DER. */
  readonly ocsp: readonly Uint8Array[];
  /** CertificateList values, DER. */
  readonly crls: readonly Uint8Array[];
  /** The addresses that were asked, for messages. */
  readonly asked?: readonly RevocationRequest[];
}

/** One address that was asked for revocation data. */
export interface RevocationRequest {
  /** Kind and address: `OCSP http://…`. */
  readonly name: string;
  /** Reason for the missing data; absent if the source gave some. */
  readonly message?: string;
}

/** A source of OCSP responses and CRLs: the network, a folder, the development trust. */
export interface RevocationSource {
  /** Data that the caller has given: asked first, and where {@link find} has nothing better. */
  readonly atHand?: RevocationData;
  /**
   * Revocation data for `certificate`; empty when the source knows none.
   *
   * @throws network.offline, network.blocked, network.failed
   */
  find(certificate: Certificate, issuer: Certificate): Promise<RevocationData>;
  /** True for a certificate whose data it makes itself: nobody is asked. Default: for none. */
  readonly makesItself?: (certificate: Certificate, issuer: Certificate) => boolean;
}

/** Gives `count` unpredictable bytes; injected so that tests can repeat a run. */
export type RandomSource = (count: number) => Uint8Array;
