import type { Certificate } from '../../formats/x509/index.ts';
import type { Signer } from '../../seal/ports.ts';
import type { TimestampVerdict } from '../../trust/timestamp.ts';
import type { ResolvedConfig } from '../config/config.ts';
import type { DevelopmentAccess } from '../development.ts';
import type { Diagnosis, ToolkitIo } from '../toolkit.types.ts';

/** Input of a check, and results of earlier ones. */
export interface Examination {
  readonly config: ResolvedConfig;
  readonly io: ToolkitIo;
  readonly development: DevelopmentAccess;
  signer?: { readonly signer: Signer; readonly certificate: Certificate };
  /** Anchors of the configuration only. */
  anchors?: readonly Certificate[];
  /** True when a path leads from the certificate to what sealing trusts. */
  hasPath?: boolean;
  /** Checks what the service needs, whether there is one or not. */
  readonly isService: boolean;
  /** The data directory is closed to others first. */
  readonly closesData: boolean;
  /** False: time-stamp authorities and sources of revocation data are left alone. */
  readonly asksAuthorities: boolean;
  /** False: the mail server and the register of persons are left alone. */
  readonly triesMail: boolean;
  /** Certificates of the authority, its own first, DER. */
  authority?: readonly Uint8Array[];
  /** A time-stamp that it just made. */
  stamp?: TimestampVerdict;
  /** Findings for the storage of the service; empty until the database is examined. */
  storage: StorageFindings;
}

/** Result of a check. */
export type Outcome = Omit<Diagnosis, 'name'>;

/** Findings for the database of the service and its parts. */
export interface StorageFindings {
  readonly database: Outcome;
  readonly vaultKey: Outcome;
  readonly contents: Outcome;
  readonly sealTrust: Outcome;
  /** Lists that persons are screened against. */
  readonly lists: Outcome;
  /** Messages that wait until something is put right. */
  readonly messages: Outcome;
}
