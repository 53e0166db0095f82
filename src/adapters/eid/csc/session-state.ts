import { EidError, type EidFailCode, type EidState } from '../../../app/ports/index.ts';
import type { SignatureChoice } from './signature/signature-choice.ts';

/** State of a session between two calls, as plain JSON. Contains tokens and the code verifier. */
export interface CscState {
  readonly scheme: 'csc';
  readonly purpose: 'certificate' | 'sign';
  /**
   * `authorize`: the person is at the provider; `ready`: the session is authorised; `polling`: the
   * provider is signing; `failed`: the session has ended.
   */
  readonly phase: 'authorize' | 'ready' | 'polling' | 'failed';
  readonly expiresAtMs: number;
  readonly loginHint: string;
  /** Base URL of `oauth2/…`. */
  readonly server: string;
  readonly canRevoke: boolean;
  /** Absent if no person is sent to the provider. */
  readonly authorization?: AuthorizationState;
  /** Access token with its expiry time. */
  readonly token?: string;
  readonly tokenUntilMs?: number;
  /** Signature activation data of explicit authorization. */
  readonly sad?: string;
  /** For purpose `sign`. */
  readonly order?: OrderState;
  readonly responseId?: string;
  readonly failure?: { readonly code: EidFailCode; readonly providerCode?: string };
}

/** Values of a pending authorization request. */
export interface AuthorizationState {
  readonly nonce: string;
  readonly verifier: string;
}

/** What is to be signed, and with which credential; bytes as base64. */
export interface OrderState {
  readonly credentialId: string;
  readonly certificates: readonly string[];
  readonly choice: SignatureChoice;
  readonly digest: string;
  readonly signedBytes?: string;
  readonly label: string;
}

/** State of a session for a signature. */
export type OrderedState = CscState & { readonly order: OrderState };

/** @throws EidError `internalError` if the state is not one of this driver */
export function readState(state: EidState): CscState {
  const { scheme, phase } = state;
  if (scheme === 'csc' && typeof phase === 'string') return state as unknown as CscState;
  throw new EidError('internalError', 'the state belongs to a different driver');
}

/** The state in the form of the port. */
export function stateOf(state: CscState): EidState {
  return { ...state };
}

/** The state of a failed session, without secrets. */
export function failedState(state: CscState, { code, providerCode }: EidError): EidState {
  const { scheme, purpose, expiresAtMs, loginHint, server } = state;
  const failure = providerCode === undefined ? { code } : { code, providerCode };
  const kept = { scheme, purpose, expiresAtMs, loginHint, server, canRevoke: false };
  return stateOf({ ...kept, phase: 'failed', failure });
}

/** Decodes a base64 member of the state. */
export function bytesOf(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, 'base64'));
}
