import type { Challenge } from '../../../domain/signing/index.ts';
import type { IdentityAnswer, IdentityProvider, StorePorts, StoreUnit } from '../../ports/index.ts';

/** A session at a provider, as it is kept. */
export interface KeptSession {
  /** Names it without what opens it. */
  readonly key: string;
  readonly ref: string;
  /** The reference as it is now; undefined when the session has ended. */
  read(unit: StoreUnit): Promise<string | undefined>;
  /** Keeps another reference, unless the session has ended or `mayFollow` refuses the one now. */
  keep(unit: StoreUnit, ref: string, mayFollow: (now: string) => boolean): Promise<void>;
}

/**
 * The answer of a provider to one poll. Of several at the same time, in whatever process, one asks
 * it, because some providers hand out a result once; the others hear that the session waits. What
 * it said is stored before anything is done with it.
 */
export async function askProvider(
  { store }: Pick<StorePorts, 'store'>,
  provider: IdentityProvider,
  session: KeptSession,
): Promise<IdentityAnswer> {
  const { pollMs } = provider;
  if (pollMs === 0) return provider.poll(session.ref);
  const flight = `in flight ${session.key}`;
  const waitMs = await store.writeLightly((unit) => unit.polls.take(flight, pollMs));
  if (waitMs > 0) return { state: 'waiting' };
  try {
    // Another poll may have come back since the session was looked at.
    const ref = await store.read((unit) => session.read(unit));
    if (ref === undefined) return { state: 'waiting' };
    const answer = await provider.poll(ref);
    const next = answer.state === 'failed' ? undefined : answer.ref;
    // Somebody who came back from the provider meanwhile is further than a session that waits.
    const mayFollow = (now: string) => answer.state === 'done' || now === ref;
    if (next !== undefined) await store.write((unit) => session.keep(unit, next, mayFollow));
    return answer;
  } finally {
    await store.writeLightly((unit) => unit.polls.release(flight));
  }
}

/** A challenge of which the provider is known. */
type ProviderChallenge = Challenge & { readonly providerRef: string };

/** As {@link askProvider}, for a challenge of a signee; gives it with its new reference. */
export async function askForChallenge(
  ports: StorePorts & { readonly identity: IdentityProvider },
  session: ProviderChallenge,
): Promise<{ readonly answer: IdentityAnswer; readonly session: ProviderChallenge }> {
  const { token } = session;
  const answer = await askProvider(ports, ports.identity, {
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
