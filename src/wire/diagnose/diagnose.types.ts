import type { Certificate } from '../../formats/x509/index.ts';
import type { Signer } from '../../seal/ports.ts';
import type { TimestampVerdict } from '../../trust/timestamp.ts';
import type { ResolvedConfig } from '../config/config.ts';
import type { DevelopmentAccess } from '../development.ts';
import type { Diagnosis, ToolkitIo } from '../toolkit.types.ts';

/** Input of a check, and results of earlier checks. */
export interface Examination {
  readonly config: ResolvedConfig;
  readonly io: ToolkitIo;
  readonly development: DevelopmentAccess;
  signer?: { readonly signer: Signer; readonly certificate: Certificate };
  /** Anchors of the configuration only. */
  anchors?: readonly Certificate[];
  /** True if a path leads from the certificate to an anchor that sealing trusts. */
  hasPath?: boolean;
  /** Check the requirements of the service even if none exists yet. */
  readonly isService: boolean;
  /** First remove the access rights of other users from the data directory. */
  readonly closesData: boolean;
  /** False: time-stamp authorities and sources of revocation data are not contacted. */
  readonly asksAuthorities: boolean;
  /** False: the mail server and the register of persons are not contacted. */
  readonly triesMail: boolean;
  /** Certificate chain of the authority, its own certificate first, DER. */
  authority?: readonly Uint8Array[];
  /** A time-stamp that the authority just issued. */
  stamp?: TimestampVerdict;
  /** Findings about the storage of the service. Empty until the database is examined. */
  storage: StorageFindings;
}

/** Result of a check. */
export type Outcome = Omit<Diagnosis, 'name'>;

/** Findings about the database of the service and its components. */
export interface StorageFindings {
  readonly database: Outcome;
  readonly vaultKey: Outcome;
  readonly contents: Outcome;
  readonly sealTrust: Outcome;
  /** Lists that persons are screened against. */
  readonly lists: Outcome;
  /** Messages that are held until a problem is fixed. */
  readonly messages: Outcome;
}
