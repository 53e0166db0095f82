import { onCode } from '../../base/errors.ts';
import { isLoopbackHost } from '../../base/network/loopback.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import { providerNamed, returnPath } from '../signing/index.ts';
import { tokenDigest } from './access-tokens.ts';
import { providerOf } from './login-session.ts';
import type { AuthPorts } from './ports.ts';
import { takeReturn } from './provider-return.ts';

/** Texts shown to persons who return from the page of their provider. */
export interface ReturnWords {
  readonly returned: string;
  readonly notReturned: string;
}

/** Receives persons until it is closed. */
export interface ReturnReceiver {
  close(): Promise<void>;
}

/**
 * Receives the person of a login or signature who returns from the page of their provider, for a
 * program that runs on the person's own machine. Undefined if the provider does not redirect, or
 * the redirect does not arrive here: the front end is on another machine, uses TLS, or is served by
 * another program.
 */
export async function receiveReturns(
  ports: AuthPorts,
  _companyKey: CompanyKey,
  token: string,
  { returned, notReturned }: ReturnWords,
): Promise<ReturnReceiver | undefined> {
  const { protocol, hostname, port } = new URL(ports.frontEnd);
  if (protocol !== 'http:' || !isLoopbackHost(hostname)) return undefined;
  if (!(await comesBack(ports, token))) return undefined;
  return ports.openReturnReceiver({
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? 80 : Number(port),
    path: returnPath,
    take: async (target) => {
      const isTaken = await takeReturn(ports, new URL(target, ports.frontEnd).href).then(
        () => true,
        onCode('authentication.token.invalid', () => false),
      );
      return { isTaken, text: isTaken ? returned : notReturned };
    },
  });
}

async function comesBack(ports: AuthPorts, token: string): Promise<boolean> {
  const { login, challenge } = await ports.store.read(async (unit) => ({
    login: await unit.logins.find(tokenDigest(token)),
    challenge: await unit.challenges.find(token),
  }));
  const provider =
    login === undefined ? providerNamed(ports, challenge?.provider) : providerOf(ports, login);
  return provider?.callback !== undefined;
}
