import { defined } from '../../base/defined.ts';
import { type ErrorCode, InnsigliError } from '../../base/errors.ts';
import type { SealLevel } from '../../base/level.ts';
import { asKey, type CompanyKey, type ProcessKey, type SigneeKey } from '../../domain/keys.ts';
import type { LoginBounds } from '../../domain/login-bounds.ts';
import {
  type Circumstances,
  findSignee,
  type SignatureType,
  type Signee,
  type SigningProcess,
  signingRule,
} from '../../domain/process/index.ts';
import { type CodeBounds, plainText } from '../../domain/signing/index.ts';
import type { SealPorts } from '../documents/seal-ports.ts';
import { coded } from '../operation.ts';
import type {
  ForeignScheme,
  IdentityProvider,
  IdentityProviders,
  StoreUnit,
} from '../ports/index.ts';
import { requireOwn } from '../required.ts';
import { contextOf, refusalError, requireGroup, type ServicePorts } from '../service/index.ts';

/** A request by a signee, with the observed circumstances. */
export interface SigneeRequest {
  readonly processKey: ProcessKey;
  readonly signeeKey: SigneeKey;
  readonly circumstances: Circumstances;
  /** Only a process of this company. Default: any company. */
  readonly companyKey?: CompanyKey;
  /** SHA-256 of the access token used, if any. */
  readonly tokenSha256?: string;
  /** Digest of the only document that may be signed, if the signature is bound to one. */
  readonly onlySha256?: string;
  /** Digest of the document shown to the person. Undefined if it is shown elsewhere. */
  readonly shownSha256?: string;
  /** Whether the signee was found by a number, or as the only one, rather than named by key. */
  readonly isByNumber?: boolean;
}

type SigneeQuery = Omit<SigneeRequest, 'circumstances'>;

/** A signee with the process. */
export interface SigneeInProcess {
  readonly process: SigningProcess;
  readonly signee: Signee;
}

/**
 * Reads the signee of the request as stored.
 *
 * @throws process.not_found, error.signee.not_found
 */
export async function readSignee(
  { store }: Pick<ServicePorts, 'store'>,
  place: SigneeQuery,
): Promise<SigneeInProcess> {
  return requireSignee(await store.read((unit) => unit.processes.find(place.processKey)), place);
}

/**
 * Locks the process and returns the signee of the request if they may sign now.
 *
 * @throws process.not_found, error.signee.not_found, process.conflict, signing.forbidden.*, 2002
 */
export async function lockSigner(
  unit: StoreUnit,
  clock: Pick<ServicePorts, 'now'>,
  place: SigneeQuery,
  type: SignatureType,
): Promise<SigneeInProcess & { readonly nowMs: number }> {
  const group = await requireGroup(unit, clock, place.processKey);
  const found = requireSignee(group.get(place.processKey), place);
  requireType(found, type);
  requireShown(found.process, place);
  const { nowMs } = group;
  const refusal = signingRule(found.process, found.signee, contextOf(group));
  if (refusal !== undefined) throw refusalError(refusal, nowMs);
  return { ...found, nowMs };
}

/** Rejects a signature type other than the signee's. @throws signing.forbidden.type */
export function requireType({ signee }: SigneeInProcess, type: SignatureType): void {
  if (signee.signatureType === type) return;
  throw new InnsigliError(
    'signing.forbidden.type',
    `expected a signature of type ${signee.signatureType} from ${signee.key}, found ${type}`,
  );
}

/** Rejects any document other than the one the signature is bound to. @throws process.conflict */
export function requireUnchanged(
  { key, document }: SigningProcess,
  { onlySha256 }: Pick<SigneeRequest, 'onlySha256'>,
): void {
  if (onlySha256 === undefined || document?.sha256 === onlySha256) return;
  throw otherDocument(key, 'the signature is for');
}

/**
 * Rejects a document other than the one shown to the person. Signatures of others preserve every
 * byte that was shown, so a document with further signatures counts as the same.
 *
 * @throws process.conflict
 */
export function requireShown(
  { key, document, signees }: SigningProcess,
  { shownSha256 }: Pick<SigneeRequest, 'shownSha256'>,
): void {
  if (shownSha256 === undefined || document?.sha256 === shownSha256) return;
  if (signees.some(({ proof }) => proof?.signedSha256 === shownSha256)) return;
  throw otherDocument(key, 'the person was shown');
}

function otherDocument(key: ProcessKey, which: string): InnsigliError {
  return new InnsigliError(
    'process.conflict',
    `the document of process ${key} is not what ${which}`,
    { hint: 'show the document to the person again, then start the signature again' },
  );
}

function requireSignee(found: SigningProcess | undefined, place: SigneeQuery): SigneeInProcess {
  const process = requireOwn(found, place.companyKey, place.processKey);
  const signee = findSignee(process, place.signeeKey);
  if (signee !== undefined) return { process, signee };
  throw new InnsigliError('error.signee.not_found', `process ${process.key} has no such signee`);
}

/** Dependencies of use cases that sign or seal. */
export interface SealingPorts extends ServicePorts {
  /**
   * Opens the company's key with everything a seal of this level needs. The provider of this
   * function caches it.
   *
   * @throws key.*, config.*
   */
  openSealing(level: SealLevel): Promise<SealPorts>;
  /** Whether test persons and test certificates are in use. */
  readonly simulated: boolean;
}

/** Dependencies of use cases of signees. */
export interface SigningPorts extends SealingPorts {
  readonly identity: IdentityProvider;
  /** Providers in addition to the one for SIM and app. */
  readonly foreign?: Readonly<Record<ForeignScheme, IdentityProvider>>;
  /** Set if providers are selected by company and flow. Otherwise `identity`, `foreign` apply. */
  readonly providers?: IdentityProviders;
  /** Rate limits of logins. Default: `usualLoginBounds`. */
  readonly loginBounds?: LoginBounds;
  /** Rate limits of codes for one number. Default: `usualCodeBounds`. */
  readonly codeBounds?: CodeBounds;
}

/** A signee of a process, with the observed circumstances; a local program has none. */
export interface SigneeRef {
  readonly processKey: string;
  readonly signeeKey: string;
  readonly circumstances?: Circumstances;
}

/** Makes a signee's use case an operation of the process's company, or of any if none is given. */
export function forSignee<
  const Codes extends readonly ErrorCode[],
  More extends readonly unknown[],
  Answer,
>(
  errors: Codes,
  act: (ports: SigningPorts, request: SigneeRequest, ...more: More) => Promise<Answer>,
  ofSome: readonly ErrorCode[] = [],
) {
  const run = async (
    ports: SigningPorts,
    companyKey: CompanyKey | undefined,
    { processKey, signeeKey, circumstances }: SigneeRef,
    ...more: More
  ): Promise<Answer> => {
    const request = {
      processKey: asKey('process', processKey),
      signeeKey: asKey('signee', signeeKey),
      circumstances: observed(circumstances),
      ...defined({ companyKey }),
    };
    return act(ports, request, ...more);
  };
  return coded(errors, run, ofSome);
}

/** Reduces details stated by a client to one short line each, since they are shown as evidence. */
function observed({ ip, userAgent }: Circumstances = {}): Circumstances {
  return defined({
    ip: ip && plainText(ip.slice(0, 64)),
    userAgent: userAgent && plainText(userAgent.slice(0, 400)),
  });
}
