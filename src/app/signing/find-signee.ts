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

/** A person who acts, with what was observed of them. */
export interface SigneeRequest {
  readonly processKey: ProcessKey;
  readonly signeeKey: SigneeKey;
  readonly circumstances: Circumstances;
  /** Only a process of this company; of any when it is left out. */
  readonly companyKey?: CompanyKey;
  /** SHA-256 of the access token that opened the place, where one did. */
  readonly tokenSha256?: string;
  /** Digest of the only document that is signed, where a signature is for that one. */
  readonly onlySha256?: string;
  /** Digest of the document that the person was shown; absent: they are shown it elsewhere. */
  readonly shownSha256?: string;
  /** The signee was not named by key, but found by a number, or is the only one. */
  readonly isByNumber?: boolean;
}

/** Query for a signee. */
type SigneeQuery = Omit<SigneeRequest, 'circumstances'>;

/** A signee in the process. */
export interface SigneeInProcess {
  readonly process: SigningProcess;
  readonly signee: Signee;
}

/**
 * The signee of the request, as stored.
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
 * The signee of the request who may sign at `nowMs`, in a transaction that keeps others from
 * changing that.
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

/** Refuses a way to sign that is not the signee's. @throws signing.forbidden.type */
export function requireType({ signee }: SigneeInProcess, type: SignatureType): void {
  if (signee.signatureType === type) return;
  throw new InnsigliError(
    'signing.forbidden.type',
    `expected a signature of type ${signee.signatureType} from ${signee.key}, found ${type}`,
  );
}

/** Refuses any document but the one that the signature is for. @throws process.conflict */
export function requireUnchanged(
  { key, document }: SigningProcess,
  { onlySha256 }: Pick<SigneeRequest, 'onlySha256'>,
): void {
  if (onlySha256 === undefined || document?.sha256 === onlySha256) return;
  throw otherDocument(key, 'the signature is for');
}

/**
 * Refuses a document that is another one than the person was shown. A signature of somebody else
 * leaves every byte that was shown in place: what was signed since then is the same document.
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
   * The key of the company with everything that a seal of this level needs; kept by its maker.
   *
   * @throws key.*, config.*
   */
  openSealing(level: SealLevel): Promise<SealPorts>;
  /** Test persons and test certificates are at work. */
  readonly simulated: boolean;
}

/** Dependencies of use cases of signees. */
export interface SigningPorts extends SealingPorts {
  readonly identity: IdentityProvider;
  /** Providers beside the one for SIM and app. */
  readonly foreign?: Readonly<Record<ForeignScheme, IdentityProvider>>;
  /** Given where providers are chosen by company and flow; else `identity` and `foreign` count. */
  readonly providers?: IdentityProviders;
  /** Rate limits of logins; the default ones when left out. */
  readonly loginBounds?: LoginBounds;
  /** Rate limits of codes for one number; the default ones when left out. */
  readonly codeBounds?: CodeBounds;
}

/** A signee of a process, with what was observed of them; nothing for a local program. */
export interface SigneeRef {
  readonly processKey: string;
  readonly signeeKey: string;
  readonly circumstances?: Circumstances;
}

/** A use case of a signee, as one of the company of the process; of any where none is named. */
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

/** Details that a client states, as one short line each: they are stored and shown as evidence. */
function observed({ ip, userAgent }: Circumstances = {}): Circumstances {
  return defined({
    ip: ip && plainText(ip.slice(0, 64)),
    userAgent: userAgent && plainText(userAgent.slice(0, 400)),
  });
}
