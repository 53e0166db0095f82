import type { Challenge } from '../../../domain/signing/index.ts';
import type { IdentityAnswer, IdentityProvider, Store } from '../../ports/index.ts';

/**
 * The answer of a provider to one poll. Of several at the same time, in whatever process, one asks
 * it, because some providers hand out a result once; the others hear that the session waits.
 *
 * @param key of the session, without what opens it
 */
export async function askProvider(
  { store, now }: { readonly store: Store; now(): number },
  provider: IdentityProvider,
  key: string,
  ref: string,
): Promise<IdentityAnswer> {
  const { pollMs } = provider;
  if (pollMs === 0) return provider.poll(ref);
  const flight = `in flight ${key}`;
  const waitMs = await store.write((unit) => unit.polls.take(flight, now(), pollMs));
  if (waitMs > 0) return { state: 'waiting' };
  try {
    return await provider.poll(ref);
  } finally {
    await store.write((unit) => unit.polls.release(flight));
  }
}

/** A challenge of which the provider is known. */
type ProviderChallenge = Challenge & { readonly providerRef: string };

/**
 * As {@link askProvider}; what the provider has said is stored before anything is done with it, so
 * that a result that it hands out once is not lost with the process.
 */
export async function askForChallenge(
  ports: { readonly store: Store; readonly identity: IdentityProvider; now(): number },
  session: ProviderChallenge,
): Promise<{ readonly answer: IdentityAnswer; readonly session: ProviderChallenge }> {
  const { store, identity } = ports;
  const answer = await askProvider(ports, identity, session.token, session.providerRef);
  if (identity.pollMs === 0 || answer.state === 'failed' || answer.ref === undefined) {
    const ref = answer.state === 'done' ? answer.ref : undefined;
    return { answer, session: ref === undefined ? session : { ...session, providerRef: ref } };
  }
  const next = { ...session, providerRef: answer.ref };
  await store.write(async (unit) => {
    const now = await unit.challenges.find(session.token);
    if (now?.state === 'waiting')
      await unit.challenges.save({ ...now, providerRef: next.providerRef });
  });
  return { answer, session: next };
}
