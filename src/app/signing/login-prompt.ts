import { CoreError, isCoreError } from '../../base/errors.ts';
import { clientShareName } from '../../base/ip-address.ts';
import type { FlowKey } from '../../domain/keys.ts';
import { normalPhone } from '../../domain/person/index.ts';
import type { Circumstances } from '../../domain/process/index.ts';
import {
  type Count,
  clientSpans,
  flowSpans,
  forgottenAtMs,
  numberSpans,
  type OpenLogin,
  type OpenSession,
  usualLoginBounds,
} from '../../domain/tally/index.ts';
import { giveBackTimes, takeTimes } from '../counted-times.ts';
import type { IdentityProvider, StoreUnit } from '../ports/index.ts';
import { cancelSession, findEnded, type Verdict, waitOfOpenMs } from './open-logins.ts';
import type { SigningPorts } from './ports.ts';

/** A login or signature by e-ID that is to be started: its person gets a prompt. */
export interface LoginPrompt {
  readonly provider: IdentityProvider;
  /** Number of the person; empty where the provider asks itself. */
  readonly loginHint: string;
  readonly flowKey?: FlowKey;
  /** Who starts it: strangers do not use up what the others need. */
  readonly by: 'anybody' | 'link' | 'company';
  readonly circumstances: Circumstances | undefined;
  /** Names the place whose link named a number that is not known to be that of its signee. */
  readonly link?: string;
}

/** A prompt that may be started. */
export interface HeldPrompt {
  /** Says where its session is kept; to be called with the transaction that keeps it. */
  note(unit: StoreUnit, session: OpenSession): Promise<void>;
}

/** Codes with which a provider refuses: it was asked, so that counts. */
const refusals: ReadonlySet<string> = new Set([
  'authentication.error.idp.start',
  'eid.provider.error',
]);

/**
 * Gives what `start` gives, within the bounds of the number, the flow, the client and the link. A
 * start that fails holds no place, and counts only when the provider has refused it.
 *
 * @throws authentication.start.too_frequent
 */
export async function withPrompt<T>(
  ports: SigningPorts,
  prompt: LoginPrompt,
  start: (held: HeldPrompt) => Promise<T>,
): Promise<T> {
  const { provider, loginHint } = prompt;
  const bounds = ports.loginBounds ?? usualLoginBounds;
  if (!bounds.boundsTestNumbers && provider.isTestNumber?.(loginHint) === true) {
    return start({ note: async () => undefined });
  }
  const id = Buffer.from(ports.random(16)).toString('hex');
  const number = numberSubject(loginHint);
  const ended = number === undefined ? [] : await findEnded(ports, number, prompt.provider);
  const nowMs = ports.now();
  await ports.store.write(async (unit) => {
    if (number !== undefined) await takePlace(unit, ports, number, id, ended, nowMs);
    const waitMs = await takeTimes(unit, await countsOf(unit, ports, prompt, number), nowMs);
    if (waitMs > 0) throw tooFrequent('too many logins were started', waitMs);
  });
  try {
    return await start({
      note: async (unit, session) => {
        if (number !== undefined) await noteSession(unit, number, id, session);
      },
    });
  } catch (error) {
    const isRefused = isCoreError(error) && refusals.has(error.code);
    await ports.store.write(async (unit) => {
      if (number !== undefined) await giveUpPlace(unit, number, id);
      if (isRefused) return;
      await giveBackTimes(unit, await countsOf(unit, ports, prompt, number), nowMs);
    });
    throw error;
  }
}

function numberSubject(loginHint: string): string | undefined {
  const number = normalPhone(loginHint);
  return number === '' ? undefined : `login of number ${number}`;
}

/** All that counts a start, in one order for everybody: rows are locked as they come. */
async function countsOf(
  unit: StoreUnit,
  ports: SigningPorts,
  { flowKey, by, circumstances, link }: LoginPrompt,
  number: string | undefined,
): Promise<readonly Count[]> {
  const bounds = ports.loginBounds ?? usualLoginBounds;
  const client = clientShareName(circumstances?.ip);
  const flow = flowKey === undefined ? undefined : await unit.flows.find(flowKey);
  const aMinute = flow?.settings.loginsPerMinute ?? bounds.aMinuteOfFlow;
  const place = flow === undefined ? undefined : `login of flow ${flow.key} by ${by}`;
  const counts: Count[] = [];
  if (number !== undefined) counts.push({ subject: number, spans: numberSpans(bounds) });
  if (link !== undefined) {
    counts.push({ subject: `login by link ${link}`, spans: numberSpans(bounds) });
  }
  if (number !== undefined && client !== undefined) {
    counts.push({ subject: `${number} by client ${client}`, spans: clientSpans(bounds) });
  }
  if (place !== undefined) counts.push({ subject: place, spans: flowSpans(aMinute) });
  if (place !== undefined && client !== undefined && by === 'anybody') {
    counts.push({ subject: `${place} by client ${client}`, spans: flowSpans(aMinute, 0.5) });
  }
  if (place === undefined && client !== undefined) {
    counts.push({ subject: `login by client ${client}`, spans: flowSpans(aMinute) });
  }
  return counts.sort((a, b) => (a.subject < b.subject ? -1 : 1));
}

async function takePlace(
  unit: StoreUnit,
  ports: SigningPorts,
  number: string,
  id: string,
  ended: readonly Verdict[],
  nowMs: number,
): Promise<void> {
  const bounds = ports.loginBounds ?? usualLoginBounds;
  const tally = await unit.tallies.lock(number);
  const over = new Set(ended.map(({ login }) => login.id));
  const open = tally.open.filter((each) => !over.has(each.id));
  const waitMs = waitOfOpenMs(open, bounds.open, nowMs);
  if (waitMs > 0) throw tooFrequent('a login of this number waits for its person', waitMs);
  for (const { login, isAbandoned } of ended) {
    if (isAbandoned) await cancelSession(unit, ports, login, nowMs);
  }
  const own: OpenLogin = { id, startedAtMs: nowMs };
  const next = { ...tally, open: [...open, own] };
  await unit.tallies.save(number, next, forgottenAtMs(numberSpans(bounds), nowMs));
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

async function giveUpPlace(unit: StoreUnit, number: string, id: string): Promise<void> {
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

function tooFrequent(why: string, waitMs: number): CoreError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new CoreError('authentication.start.too_frequent', `${why}: wait ${retryAfterSeconds} s`, {
    details: { retryAfterSeconds },
    hint: 'answer or refuse the one on the phone, or wait as long as it says',
  });
}
