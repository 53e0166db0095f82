import { EidError, type EidFailCode, type EidState } from '../../../app/ports/index.ts';
import type { SignatureChoice } from './signature/signature-choice.ts';

/** Session between two calls, as plain JSON. It holds tokens and the code verifier. */
export interface CscState {
  readonly scheme: 'csc';
  readonly purpose: 'certificate' | 'sign';
  /**
   * `authorize`: the person is at the provider; `ready`: the session is authorised; `polling`:
   * the provider signs; `failed`: it is over.
   */
  readonly phase: 'authorize' | 'ready' | 'polling' | 'failed';
  readonly expiresAtMs: number;
  readonly loginHint: string;
  /** Base of `oauth2/…`. */
  readonly server: string;
  readonly canRevoke: boolean;
  /** Absent: nobody is sent to the provider. */
  readonly authorization?: AuthorizationState;
  /** Access token, and when it ends. */
  readonly token?: string;
  readonly tokenUntilMs?: number;
  /** Signature activation data of explicit authorization. */
  readonly sad?: string;
  /** Purpose `sign`. */
  readonly order?: OrderState;
  readonly responseId?: string;
  readonly failure?: { readonly code: EidFailCode; readonly providerCode?: string };
}

/** Authorization request that waits for its answer. */
export interface AuthorizationState {
  readonly nonce: string;
  readonly verifier: string;
}

/** What is to be signed with what; bytes as base64. */
export interface OrderState {
  readonly credentialId: string;
  readonly certificates: readonly string[];
  readonly choice: SignatureChoice;
  readonly digest: string;
  readonly signedBytes?: string;
  readonly label: string;
}

/** A session for a signature. */
export type OrderedState = CscState & { readonly order: OrderState };

/** @throws EidError `internalError` when the state is one of another driver */
export function readState(state: EidState): CscState {
  const { scheme, phase } = state;
  if (scheme === 'csc' && typeof phase === 'string') return state as unknown as CscState;
  throw new EidError('internalError', 'the state belongs to a different driver');
}

/** The state as the port has it. */
export function stateOf(state: CscState): EidState {
  return { ...state };
}

/** The session after it has failed, without its secrets. */
export function failedState(state: CscState, { code, providerCode }: EidError): EidState {
  const { scheme, purpose, expiresAtMs, loginHint, server } = state;
  const failure = providerCode === undefined ? { code } : { code, providerCode };
  const kept = { scheme, purpose, expiresAtMs, loginHint, server, canRevoke: false };
  return stateOf({ ...kept, phase: 'failed', failure });
}

/** Bytes of the state. */
export function bytesOf(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}
