import { answerFault } from '../provider-answer.ts';
import { sessionSecretDigest } from './acsp.ts';
import type { SmartIdSession } from './start-session.ts';

const what = 'the address of the return';

/**
 * The session with what the person has brought back from the app on the same device. The address
 * has to be the one that the session was started with, its nonce included, with the digest of the
 * secret of this session; it counts once.
 *
 * @throws EidError `invalidResponse`
 */
export function withReturn(session: SmartIdSession, url: URL): SmartIdSession {
  const { flow, initialCallbackUrl, sessionSecret } = session;
  if (flow !== 'Web2App') throw answerFault('nobody returns from a QR code');
  if (session.verifier !== undefined) throw answerFault(`${what} was used before`);
  const begun = new URL(initialCallbackUrl);
  const isThere = url.origin === begun.origin && url.pathname === begun.pathname;
  const isOwn = [...begun.searchParams].every(([name, value]) => only(url, name) === value);
  if (!isThere || !isOwn) throw answerFault(`${what}: expected that of the session`);
  if (only(url, 'sessionSecretDigest') !== sessionSecretDigest(sessionSecret)) {
    throw answerFault(`${what}: expected the digest of the secret of the session`);
  }
  const verifier = only(url, 'userChallengeVerifier');
  if (verifier === undefined || !/^[\w-]{22,128}$/.test(verifier)) {
    throw answerFault(`${what}: expected userChallengeVerifier`);
  }
  return { ...session, verifier };
}

function only(url: URL, name: string): string | undefined {
  const [value, ...others] = url.searchParams.getAll(name);
  return others.length === 0 ? value : undefined;
}
