import type { Challenge } from '../../../domain/signing/index.ts';
import type { IdentityAnswer, IdentityProvider, StorePorts, StoreUnit } from '../../ports/index.ts';

/** A stored session at a provider. */
export interface KeptSession {
  /** Identifies the session without granting access to it. */
  readonly key: string;
  readonly ref: string;
  /** The current reference. Undefined if the session has ended. */
  read(unit: StoreUnit): Promise<string | undefined>;
  /** Stores a new reference, unless the session has ended or `mayFollow` rejects the old one. */
  keep(unit: StoreUnit, ref: string, mayFollow: (now: string) => boolean): Promise<void>;
}

/**
 * Polls the provider once. Of several concurrent polls, in any process, only one reaches the
 * provider, because some providers return a result only once; the rest report that the session is
 * waiting. The result is stored before it is used.
 */
export async function pollProvider(
  { store }: Pick<StorePorts, 'store'>,
  provider: IdentityProvider,
  session: KeptSession,
): Promise<IdentityAnswer> {
  const { pollMs } = provider;
  if (pollMs === 0) return provider.poll(session.ref);
  const flight = `in flight ${session.key}`;
  const waitMs = await store.writeRelaxed((unit) => unit.polls.take(flight, pollMs));
  if (waitMs > 0) return { state: 'waiting' };
  try {
    // A concurrent poll may have changed the reference since the session was read.
    const ref = await store.read((unit) => session.read(unit));
    if (ref === undefined) return { state: 'waiting' };
    const answer = await provider.poll(ref);
    const next = answer.state === 'failed' ? undefined : answer.ref;
    // A person who has returned from the provider takes precedence over a waiting session.
    const mayFollow = (now: string) => answer.state === 'done' || now === ref;
    if (next !== undefined) await store.write((unit) => session.keep(unit, next, mayFollow));
    return answer;
  } finally {
    await store.writeRelaxed((unit) => unit.polls.release(flight));
  }
}

/** A challenge with a known provider. */
type ProviderChallenge = Challenge & { readonly providerRef: string };

/** Like {@link pollProvider}, for a challenge of a signee. Returns it with its new reference. */
export async function pollChallenge(
  ports: StorePorts & { readonly identity: IdentityProvider },
  session: ProviderChallenge,
): Promise<{ readonly answer: IdentityAnswer; readonly session: ProviderChallenge }> {
  const { token } = session;
  const answer = await pollProvider(ports, ports.identity, {
    key: token,
    ref: session.providerRef,
    read: async (unit) => {
      const now = await unit.challenges.find(token);
      return now?.state === 'waiting' ? now.providerRef : undefined;
    },
    keep: async (unit, providerRef, mayFollow) => {
      const now = await unit.challenges.find(token);
      if (now?.state !== 'waiting' || !mayFollow(now.providerRef ?? '')) return;
      await unit.challenges.save({ ...now, providerRef });
    },
  });
  const ref = answer.state === 'failed' ? undefined : answer.ref;
  return { answer, session: ref === undefined ? session : { ...session, providerRef: ref } };
}
