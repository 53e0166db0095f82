import { InnsigliError } from '../../base/errors.ts';
import { isUrl } from '../../base/network/is-url.ts';
import type { Vault } from '../ports/index.ts';
import { providerNamed, sessionOfReturn } from '../signing/index.ts';
import { tokenDigest } from './access-tokens.ts';
import { providerOf, unknownLogin } from './login-session.ts';
import type { AuthPorts } from './ports.ts';

/** Maximum length of a return address, in characters. */
const URL_MAX = 8192;

/**
 * Accepts the address with which a person returned from the page of their provider. Its parameters
 * apply to the session identified by `state`; the holder of the session token then polls.
 *
 * @throws authentication.token.invalid for an address that belongs to no pending session
 */
export async function takeReturn(ports: AuthPorts, address: string): Promise<void> {
  if (address.length > URL_MAX || !isUrl(address)) throw unknownLogin();
  const url = new URL(address);
  const { kind, token } = openReturn(ports.vault, url.searchParams.get('state') ?? '');
  if (kind === 'login') await returnToLogin(ports, token, url);
  else await returnToSigning(ports, token, url);
}

function openReturn(vault: Pick<Vault, 'decrypt'>, state: string) {
  // Our part is followed by a nonce of the driver.
  const [own = ''] = state.split('.');
  try {
    return sessionOfReturn(vault, own);
  } catch (cause) {
    const message = 'the URL does not belong to a login';
    throw new InnsigliError('authentication.token.invalid', message, { cause });
  }
}

async function returnToLogin(ports: AuthPorts, token: string, url: URL): Promise<void> {
  const key = tokenDigest(token);
  const login = await ports.store.read((unit) => unit.logins.find(key));
  if (login?.state !== 'waiting') throw unknownLogin();
  const ref = await providerOf(ports, login).callback?.(login.providerRef, url);
  if (ref === undefined) throw unknownLogin();
  await ports.store.write(async (unit) => {
    const now = await unit.logins.lock(key);
    // The first return counts; the provider rejects a second one.
    if (now?.state !== 'waiting' || now.providerRef !== login.providerRef) throw unknownLogin();
    await unit.logins.save({ ...now, providerRef: ref });
  });
}

async function returnToSigning(ports: AuthPorts, token: string, url: URL): Promise<void> {
  const challenge = await ports.store.read((unit) => unit.challenges.find(token));
  if (challenge?.state !== 'waiting' || challenge.providerRef === undefined) throw unknownLogin();
  const provider = providerNamed(ports, challenge.provider);
  const ref = await provider?.callback?.(challenge.providerRef, url);
  if (ref === undefined) throw unknownLogin();
  await ports.store.write(async (unit) => {
    const now = await unit.challenges.find(token);
    if (now?.state !== 'waiting' || now.providerRef !== challenge.providerRef) throw unknownLogin();
    await unit.challenges.save({ ...now, providerRef: ref });
  });
}
