import type { IdentityProvider, Vault } from '../../ports/index.ts';

/** Path to which persons return from pages of their providers. */
export const returnPath = '/s/eid/callback';

const CONTEXT = 'eid return';

/** A session that a person returns to. */
export interface ReturnSession {
  readonly kind: 'login' | 'signing';
  readonly token: string;
}

/**
 * The URL to which a person returns from a page of the provider, with the encrypted session in its
 * `state`. Undefined if the provider has no page.
 */
export function returnAddress(
  { vault, frontEnd }: { readonly vault: Pick<Vault, 'encrypt'>; readonly frontEnd: string },
  provider: IdentityProvider,
  { kind, token }: ReturnSession,
): { readonly returnUrl: string } | undefined {
  if (provider.callback === undefined) return undefined;
  const mark = kind === 'login' ? 'l' : 's';
  const url = new URL(returnPath, frontEnd);
  // A full stop separates the state from what the driver appends, so it must not occur here.
  const state = vault.encrypt(`${mark}${token}`, CONTEXT).replace('.', '-');
  url.searchParams.set('state', state);
  return { returnUrl: url.href };
}

/** Decrypts the session of a `state`. @throws vault.invalid if it was created elsewhere */
export function sessionOfReturn(vault: Pick<Vault, 'decrypt'>, state: string): ReturnSession {
  const text = vault.decrypt(state.replace('-', '.'), CONTEXT);
  return { kind: text.startsWith('l') ? 'login' : 'signing', token: text.slice(1) };
}
