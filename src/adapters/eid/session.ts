import {
  type EidAssurance,
  type EidEnvironment,
  EidError,
  type EidPoll,
  type EidRequest,
  type EidState,
} from '../../app/ports/index.ts';
import { defined } from '../../base/defined.ts';

/** A client of a provider: its options, and the means to ask. */
export interface ProviderClient<Options> {
  readonly options: Options;
  readonly environment: EidEnvironment;
}

/** The session that a state holds. @throws EidError `internalError` when it is of another driver */
export function sessionIn<Session extends { readonly kind: string }>(
  state: EidState,
  kind: Session['kind'],
): Session {
  if (state['kind'] === kind) return state as unknown as Session;
  throw new EidError('internalError', 'the state belongs to a different driver');
}

/** The end of a session that has failed. */
export function failed({ code, providerCode }: Pick<EidError, 'code' | 'providerCode'>): EidPoll {
  return { status: 'failed', code, ...defined({ providerCode }) };
}

/** As {@link failed}; what may be asked for again is thrown. */
export function failedBy(error: unknown): EidPoll {
  if (!(error instanceof EidError) || error.code === 'providerUnavailable') throw error;
  return failed(error);
}

const levels: readonly EidAssurance[] = ['unknown', 'low', 'substantial', 'high'];

/** True when a level is at least the one that is asked for. What nobody tells is no level. */
export function reaches(assurance: EidAssurance, least: EidAssurance = 'unknown'): boolean {
  return levels.indexOf(assurance) >= levels.indexOf(least);
}

/** @throws EidError `assuranceTooLow` when the contract promises less than the request demands */
export function requireAssurance(
  { minAssurance }: EidRequest,
  { assurance = 'unknown' }: { readonly assurance?: EidAssurance },
): void {
  if (reaches(assurance, minAssurance)) return;
  throw new EidError('assuranceTooLow', `expected ${minAssurance}, the contract says ${assurance}`);
}
