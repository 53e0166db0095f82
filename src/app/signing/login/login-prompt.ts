import { sha256Of } from '../../../base/bytes.ts';
import { type InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import { loginDeadlineMs } from '../../../domain/auth/index.ts';
import { newToken } from '../../../domain/keys.ts';
import {
  forgottenAtMs,
  numberSpans,
  type Opener,
  type OpenLogin,
  type OpenSession,
  usualLoginBounds,
  waitOfOpenMs,
} from '../../../domain/login-bounds.ts';
import type { NumberStanding } from '../../../domain/person/index.ts';
import type { SigningProcess } from '../../../domain/process/index.ts';
import type { Challenge } from '../../../domain/signing/index.ts';
import { countEvent, rateLimitError, revertCount } from '../../counted-times.ts';
import type { IdentityProvider, StoreUnit } from '../../ports/index.ts';
import type { SigneeRequest, SigningPorts } from '../find-signee.ts';
import { mismatchCode, type StartedSession } from './eid-session.ts';
import {
  countsOf,
  type LoginPrompt,
  numberSubject,
  openerOf,
  strangersStanding,
} from './login-counts.ts';
import { cancelSession, type EndedLogin, findEnded } from './open-logins.ts';
import { providerNamed } from './own-provider.ts';
import { returnAddress } from './return-address.ts';

/** Permission to start a prompt. */
export interface HeldPrompt {
  /** Records where the session is stored. Call it in the transaction that stores the session. */
  note(unit: StoreUnit, session: OpenSession): Promise<void>;
}

/** Codes of a refusal by the provider. It received a request, so the start counts. */
const refusals: ReadonlySet<string> = new Set([
  'authentication.error.idp.start',
  'eid.provider.error',
  mismatchCode,
]);

/**
 * Runs `start` within the limits of the number, the flow, the client and the link. A failed start
 * occupies no slot, and counts only if the provider refused it.
 *
 * @throws authentication.start.too_frequent
 */
export async function withPrompt<T>(
  ports: SigningPorts,
  prompt: LoginPrompt,
  start: (held: HeldPrompt) => Promise<T>,
): Promise<T> {
  const { provider, loginHint } = prompt;
  const by = openerOf(prompt);
  const bounds = ports.loginBounds ?? usualLoginBounds;
  if (!bounds.boundsTestNumbers && provider.isTestNumber?.(loginHint) === true) {
    return start({ note: async () => undefined });
  }
  const id = Buffer.from(ports.random(16)).toString('hex');
  const number = numberSubject(loginHint);
  const ended = number === undefined ? [] : await findEnded(ports, number, provider, by);
  const nowMs = ports.now();
  await ports.store.write(async (unit) => {
    // Before any row is locked, because the removal waits for locks on the rows that it removes.
    await unit.tallies.removeForgotten(nowMs);
    const own = { id, startedAtMs: nowMs, by };
    if (number !== undefined) await claimSlot(unit, ports, number, own, ended);
    const waitMs = await countEvent(unit, await countsOf(unit, bounds, prompt), nowMs);
    if (waitMs > 0) throw tooFrequent('too many logins were started', waitMs);
  });
  await cancelReplaced(ports, prompt.provider, ended);
  try {
    return await start({
      note: async (unit, session) => {
        if (number !== undefined) await noteSession(unit, number, id, session);
      },
    });
  } catch (error) {
    const isRefused = isInnsigliError(error) && refusals.has(error.code);
    await ports.store.write(async (unit) => {
      if (number !== undefined) await releaseSlot(unit, number, id);
      if (isRefused) return;
      await revertCount(unit, await countsOf(unit, bounds, prompt), nowMs);
    });
    throw error;
  }
}

async function claimSlot(
  unit: StoreUnit,
  ports: SigningPorts,
  number: string,
  own: OpenLogin & { readonly by: Opener },
  ended: readonly EndedLogin[],
): Promise<void> {
  const bounds = ports.loginBounds ?? usualLoginBounds;
  const tally = await unit.tallies.lock(number);
  const over = new Set(ended.map(({ login }) => login.id));
  const open = tally.open.filter((each) => !over.has(each.id));
  const nowMs = own.startedAtMs;
  const waitMs = waitOfOpenMs(open, bounds.open, own.by, { nowMs, lifeMs: loginDeadlineMs });
  if (waitMs > 0) throw tooFrequent('a login of this number is pending', waitMs);
  for (const { login, isStillOpen } of ended) {
    if (isStillOpen) await cancelSession(unit, ports, login, nowMs);
  }
  const next = { ...tally, open: [...open, own] };
  await unit.tallies.save(number, next, forgottenAtMs(numberSpans(bounds), nowMs));
}

/** Cancels the replaced prompts at their providers, to remove them from the person's devices. */
async function cancelReplaced(
  ports: SigningPorts,
  provider: IdentityProvider,
  ended: readonly EndedLogin[],
): Promise<void> {
  const open = ended.flatMap(({ login, isStillOpen }) => (isStillOpen && login.session) || []);
  await Promise.all(
    open.map(async ({ provider: name, providerRef }) =>
      (provider.name === name ? provider : providerNamed(ports, name))?.cancel(providerRef),
    ),
  );
}

async function noteSession(
  unit: StoreUnit,
  number: string,
  id: string,
  session: OpenSession,
): Promise<void> {
  const tally = await unit.tallies.lock(number);
  const open = tally.open.map((each) => (each.id === id ? { ...each, session } : each));
  await saveOpen(unit, number, tally.timesMs, open);
}

async function releaseSlot(unit: StoreUnit, number: string, id: string): Promise<void> {
  const tally = await unit.tallies.lock(number);
  const open = tally.open.filter((each) => each.id !== id);
  await saveOpen(unit, number, tally.timesMs, open);
}

async function saveOpen(
  unit: StoreUnit,
  number: string,
  timesMs: readonly number[],
  open: readonly OpenLogin[],
): Promise<void> {
  const lastMs = Math.max(0, ...timesMs, ...open.map(({ startedAtMs }) => startedAtMs));
  const forgottenMs = forgottenAtMs(numberSpans(usualLoginBounds), lastMs);
  await unit.tallies.save(number, { timesMs, open }, forgottenMs);
}

function tooFrequent(why: string, waitMs: number): InnsigliError {
  const message = `${why}: wait ${Math.max(1, Math.ceil(waitMs / 1000))} s`;
  const hint = 'accept or decline it on the phone, or wait for the given time';
  return rateLimitError('authentication.start.too_frequent', message, waitMs, hint);
}

/** Builds a signee's prompt. A client that names no signee counts as a stranger to all. */
export function promptOf(
  { identity: provider }: SigningPorts,
  request: SigneeRequest,
  { flowKey }: SigningProcess,
  loginHint: string,
  standing: NumberStanding,
): LoginPrompt {
  const { processKey, signeeKey, companyKey, circumstances, isByNumber = false } = request;
  const number = isByNumber ? strangersStanding(standing) : standing;
  const link = { by: 'link', link: `${processKey} ${signeeKey}`, number } as const;
  const starter = companyKey === undefined ? link : ({ by: 'company', companyKey } as const);
  return { provider, loginHint, flowKey, starter, circumstances };
}

/**
 * Starts a session at the provider and stores it as a challenge of the signee.
 *
 * @throws authentication.error.idp.start, eid.provider.error
 */
export async function startSession(
  ports: SigningPorts,
  start: Parameters<IdentityProvider['start']>[0],
  held: HeldPrompt,
  own: Pick<
    Challenge,
    | 'kind'
    | 'processKey'
    | 'signeeKey'
    | 'createdAtMs'
    | 'expiresAtMs'
    | 'leaseToken'
    | 'prepared'
    | 'scheme'
    | 'start'
  >,
): Promise<StartedSession> {
  const { identity, store, random } = ports;
  const token = newToken(random);
  const back = returnAddress(ports, identity, { kind: 'signing', token });
  const { ref, ...shown } = await identity.start({ ...start, ...back });
  const session = {
    provider: identity.name,
    providerRef: ref,
    pollingMs: shown.pollingIntervalSeconds * 1000,
  };
  await store.write(async (unit) => {
    await unit.challenges.add({ ...own, ...session, token, tries: 0, state: 'waiting' });
    const pace = challengePace(token);
    await held.note(unit, { ...session, kind: 'challenge', key: token, pace });
  });
  return { token, ...shown };
}

/** Key for pacing the polls of a challenge. Not the token itself, which stays secret. */
export function challengePace(token: string): string {
  return `challenge ${sha256Of(token)}`;
}
