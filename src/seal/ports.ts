import type { Certificate, SignatureAlgorithm } from '../formats/x509/index.ts';

/** A private key, wherever it is stored, with its certificate. */
export interface Signer {
  /** The signing certificate, DER. */
  readonly certificate: Uint8Array;
  /** Certificates of its issuers, DER, in any order; the root may be omitted. */
  readonly chain: readonly Uint8Array[];
  /** Signature algorithm of {@link sign}. */
  readonly algorithm: SignatureAlgorithm;
  /**
   * Signs `data`, which the signer hashes. ECDSA signatures are DER `SEQUENCE { r, s }`.
   *
   * @throws key.sign.failed if the key cannot be used
   */
  sign(data: Uint8Array): Promise<Uint8Array>;
}

/** An external library or service that creates a complete CMS over the covered bytes. */
export interface CmsSigner {
  /** Bytes to reserve for the CMS. Too large a value is harmless, too small a value is an error. */
  readonly estimatedLengthBytes: number;
  /**
   * Returns a detached SignedData over `content`, DER.
   *
   * @throws key.sign.failed if the signer cannot create it
   */
  signContent(content: Uint8Array): Promise<Uint8Array>;
}

/** An RFC 3161 time-stamp authority. It transports requests and responses and checks neither. */
export interface TimestampAuthority {
  /** Address or name for messages, without credentials. */
  readonly name: string;
  /** Maximum length of its tokens, if known. Saves space and a second request. */
  readonly tokenLengthBytes?: number;
  /**
   * Returns the TimeStampResp, DER, for a TimeStampReq, DER.
   *
   * @throws tsa.unreachable, tsa.timeout, tsa.http.status, tsa.credentials, network.offline
   */
  timestamp(request: Uint8Array): Promise<Uint8Array>;
}

/** Revocation data for one certificate, not yet verified. */
export interface RevocationData {
  /** OCSPResponse values, DER. */
  readonly ocsp: readonly Uint8Array[];
  /** CertificateList values, DER. */
  readonly crls: readonly Uint8Array[];
  /** The addresses that were queried, for messages. */
  readonly asked?: readonly RevocationRequest[];
}

/** One address that was queried for revocation data. */
export interface RevocationRequest {
  /** Kind and address: `OCSP http://…`. */
  readonly name: string;
  /** Reason for the missing data. Undefined if the address returned data. */
  readonly message?: string;
}

/** A source of OCSP responses and CRLs: the network, a folder, the development trust. */
export interface RevocationSource {
  /** Data from the caller. Used before {@link find}, and if that returns nothing better. */
  readonly atHand?: RevocationData;
  /**
   * Returns revocation data for `certificate`; empty if the source has none.
   *
   * @throws network.offline, network.blocked, network.failed
   */
  find(certificate: Certificate, issuer: Certificate): Promise<RevocationData>;
  /** True if the source generates a certificate's data without a request. Default: for none. */
  readonly makesItself?: (certificate: Certificate, issuer: Certificate) => boolean;
}

/** Returns `count` unpredictable bytes. Injected, so that tests can repeat a run. */
export type RandomSource = (count: number) => Uint8Array;
