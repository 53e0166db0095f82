import { CoreError } from '../../base/errors.ts';
import type { ProcessKey, SigneeKey } from '../../domain/keys.ts';
import {
  type Circumstances,
  findSignee,
  type SignatureType,
  type Signee,
  type SigningProcess,
  signingRule,
} from '../../domain/process/index.ts';
import type { StoreUnit } from '../ports/index.ts';
import { contextOf, lockGroup, refusalError, type ServicePorts } from '../service/index.ts';

/** Who does something, with what was observed meanwhile. */
export interface SigneeRequest {
  readonly processKey: ProcessKey;
  readonly signeeKey: SigneeKey;
  readonly circumstances: Circumstances;
}

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
  { processKey, signeeKey }: Omit<SigneeRequest, 'circumstances'>,
): Promise<SigneeInProcess> {
  const process = await store.read((unit) => unit.processes.find(processKey));
  return requireSignee(process, processKey, signeeKey);
}

/**
 * The signee of the request who may sign now, in a transaction that keeps others from changing
 * that.
 *
 * @throws process.not_found, error.signee.not_found, signing.forbidden.*, 2002
 */
export async function lockSigner(
  unit: StoreUnit,
  { processKey, signeeKey }: Omit<SigneeRequest, 'circumstances'>,
  type: SignatureType,
  nowMs: number,
): Promise<SigneeInProcess> {
  const group = await lockGroup(unit, processKey);
  const found = requireSignee(group?.get(processKey), processKey, signeeKey);
  requireType(found, type);
  const context = contextOf(group as NonNullable<typeof group>, nowMs);
  const refusal = signingRule(found.process, found.signee, context);
  if (refusal !== undefined) throw refusalError(refusal, nowMs);
  return found;
}

/** Refuses a way to sign that is not the signee's. @throws signing.forbidden.type */
export function requireType({ signee }: SigneeInProcess, type: SignatureType): void {
  if (signee.signatureType === type) return;
  throw new CoreError(
    'signing.forbidden.type',
    `expected a signature of type ${signee.signatureType} from ${signee.key}, found ${type}`,
  );
}

function requireSignee(
  process: SigningProcess | undefined,
  processKey: ProcessKey,
  signeeKey: SigneeKey,
): SigneeInProcess {
  if (process === undefined) {
    throw new CoreError('process.not_found', `there is no process ${processKey}`);
  }
  const signee = findSignee(process, signeeKey);
  if (signee !== undefined) return { process, signee };
  throw new CoreError('error.signee.not_found', `process ${processKey} has no such signee`);
}
