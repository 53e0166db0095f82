import {
  type EidAssurance,
  type EidEnvironment,
  EidError,
  type EidPoll,
  type EidRequest,
  type EidState,
} from '../../app/ports/index.ts';
import { defined } from '../../base/defined.ts';

/** Options and environment for requests to a provider. */
export interface ProviderClient<Options> {
  readonly options: Options;
  readonly environment: EidEnvironment;
}

/** Reads the session from a state. @throws EidError `internalError` if it is another driver's */
export function sessionIn<Session extends { readonly kind: string }>(
  state: EidState,
  kind: Session['kind'],
): Session {
  if (state['kind'] === kind) return state as unknown as Session;
  throw new EidError('internalError', 'the state belongs to a different driver');
}

/** The poll result of a failed session. */
export function failed({ code, providerCode }: Pick<EidError, 'code' | 'providerCode'>): EidPoll {
  return { status: 'failed', code, ...defined({ providerCode }) };
}

/** Like {@link failed}; an error after which the request may be retried is rethrown. */
export function failedBy(error: unknown): EidPoll {
  if (!(error instanceof EidError) || error.code === 'providerUnavailable') throw error;
  return failed(error);
}

const levels: readonly EidAssurance[] = ['unknown', 'low', 'substantial', 'high'];

/** Whether a level is at least the required one. `unknown` is the lowest level. */
export function meetsAssurance(assurance: EidAssurance, least: EidAssurance = 'unknown'): boolean {
  return levels.indexOf(assurance) >= levels.indexOf(least);
}

/** @throws EidError `assuranceTooLow` if the contract guarantees less than the request requires */
export function requireAssurance(
  { minAssurance }: EidRequest,
  { assurance = 'unknown' }: { readonly assurance?: EidAssurance },
): void {
  if (meetsAssurance(assurance, minAssurance)) return;
  throw new EidError('assuranceTooLow', `expected ${minAssurance}, the contract says ${assurance}`);
}
