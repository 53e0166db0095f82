import type { IdentityProvider, Vault } from '../../ports/index.ts';

/** Path under which persons come back from pages of their providers. */
export const returnPath = '/s/eid/callback';

const CONTEXT = 'eid return';

/** A session to which somebody comes back. */
export interface ReturnSession {
  readonly kind: 'login' | 'signing';
  readonly token: string;
}

/**
 * The address to which a person comes back from a page of the provider, with the session in its
 * `state`, encrypted; absent where the provider has no page.
 */
export function returnAddress(
  { vault, frontEnd }: { readonly vault: Pick<Vault, 'encrypt'>; readonly frontEnd: string },
  provider: IdentityProvider,
  { kind, token }: ReturnSession,
): { readonly returnUrl: string } | undefined {
  if (provider.callback === undefined) return undefined;
  const mark = kind === 'login' ? 'l' : 's';
  const url = new URL(returnPath, frontEnd);
  // A full stop parts it from what the driver adds.
  const state = vault.encrypt(`${mark}${token}`, CONTEXT).replace('.', '-');
  url.searchParams.set('state', state);
  return { returnUrl: url.href };
}

/** The session in a `state`. @throws vault.invalid when it was made elsewhere */
export function sessionOfReturn(vault: Pick<Vault, 'decrypt'>, state: string): ReturnSession {
  const text = vault.decrypt(state.replace('-', '.'), CONTEXT);
  return { kind: text.startsWith('l') ? 'login' : 'signing', token: text.slice(1) };
}
