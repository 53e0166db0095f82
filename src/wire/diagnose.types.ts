import type { HeldMessages } from '../domain/message/index.ts';
import type { Certificate } from '../formats/x509/index.ts';
import type { Signer } from '../seal/ports.ts';
import type { ResolvedConfig } from './config.ts';
import type { DevelopmentAccess } from './development.ts';
import type { Diagnosis, ToolkitIo } from './toolkit.types.ts';

/** What a check works with, and what earlier checks found. */
export interface Examination {
  readonly config: ResolvedConfig;
  readonly io: ToolkitIo;
  readonly development: DevelopmentAccess;
  signer?: { readonly signer: Signer; readonly certificate: Certificate };
  /** Of the configuration only. */
  anchors?: readonly Certificate[];
  /** True when a path leads from the certificate to what sealing trusts. */
  hasPath?: boolean;
  /** What the service needs is looked at, be there one or not. */
  readonly isService: boolean;
  /** False: time-stamp authorities and sources of revocation data are left alone. */
  readonly asksAuthorities: boolean;
  /** False: the mail server is left alone. */
  readonly triesMail: boolean;
  /** Messages that wait until something is put right. */
  held?: readonly HeldMessages[];
  /** Of the authority, its own certificate first, DER. */
  authority?: readonly Uint8Array[];
  /** Of the service, when the database could be asked. */
  storage?: StorageFindings;
}

/** What a check says; undefined when the level does not need it, or an earlier failure bars it. */
export type Outcome = Omit<Diagnosis, 'name'> | undefined;

/** What was found of the database of the service and what belongs to it. */
export interface StorageFindings {
  readonly database?: Outcome;
  readonly vaultKey?: Outcome;
  readonly contents?: Outcome;
  readonly sealTrust?: Outcome;
}
