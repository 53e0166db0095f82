import type { Certificate } from '../formats/x509/index.ts';

/** Certificates at hand to build paths with; none of them is trusted for being here. */
export interface CertificatePool {
  /** The parsed certificate; the same value for the same bytes. Undefined when unreadable. */
  add(der: Uint8Array): Certificate | undefined;
  /** Certificates whose subject is the issuer of `certificate`, best match first. */
  issuersOf(certificate: Certificate): readonly Certificate[];
  /** The certificate with this issuer name and serial number. */
  find(issuerDer: Uint8Array, serialNumber: Uint8Array): Certificate | undefined;
  readonly all: readonly Certificate[];
}

/** Why no path is valid. Names follow the sub-indications of ETSI EN 319 102-1. */
export type PathProblem =
  | 'NO_CERTIFICATE_CHAIN_FOUND'
  | 'OUT_OF_BOUNDS_NOT_REVOKED'
  | 'NOT_YET_VALID'
  | 'CHAIN_CONSTRAINTS_FAILURE'
  | 'CERTIFICATE_CHAIN_GENERAL_FAILURE';

/** The outcome of path building. */
export type PathResult =
  | { readonly valid: true; readonly path: readonly Certificate[] }
  | {
      readonly valid: false;
      readonly problem: PathProblem;
      /** Expected and found, for people. */
      readonly message: string;
      /** The best path found, leaf first; may end without an anchor. */
      readonly path: readonly Certificate[];
    };

/** What {@link findPath} is asked. */
export interface PathQuestion {
  readonly certificate: Certificate;
  readonly pool: CertificatePool;
  readonly anchors: readonly Certificate[];
  /** The time at which every certificate of the path must be valid. */
  readonly atMs: number;
}
