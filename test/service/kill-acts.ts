import type { IdentityService } from '../../src/app/auth/index.ts';
import type { CompanyService } from '../../src/app/company-service.ts';
import type { LoginScheme } from '../../src/domain/auth/index.ts';
import { jobKinds, type SigningProcess } from '../../src/domain/process/index.ts';

/** What a program is told to do, and when it dies. */
export interface KillTask {
  readonly act: Act;
  readonly processKey: string;
  /** Clock against the real one. */
  readonly offsetMs: number;
  /** Number of the moment at which it kills itself, from 1. */
  readonly killAt?: number;
  /** Given: it asks once how this session with an e-ID stands, and does nothing else. */
  readonly poll?: EidPollTask;
}

/** A question how a session with an e-ID stands. */
export type EidPollTask =
  | { readonly token: string; readonly flowKey: string; readonly scheme?: LoginScheme }
  | { readonly token: string; readonly processKey: string; readonly signeeKey: string };

/** What can be done: one kind of work, all of it, or every signature that is missing. */
export type Act = 'sign' | 'finalize' | 'message' | 'webhook' | 'remind' | 'expire' | 'all';

/** What came of a task that was not killed. */
export interface KillOutcome {
  readonly error?: string;
  /** Moments that were passed. */
  readonly points: readonly string[];
}

/** A clock that can be moved. */
export interface MovableClock {
  pass(ms: number): void;
}

/** Time after which the jobs of a dead worker, and its session with an e-ID, are free. */
export const PAST_LEASES_MS = 6 * 60_000;

/** The removal of old contents comes at the end, when everything was counted. */
const everything = jobKinds.filter((kind) => kind !== 'purge');

/** Asks how a session stands, of `eid-se` unless another scheme is named. */
export async function pollEid(identity: IdentityService, poll: EidPollTask) {
  const scheme = 'eid-se';
  if ('flowKey' in poll) return identity.pollLogin({ scheme, ...poll });
  const { token, ...place } = poll;
  const circumstances = { ip: '192.0.2.7', userAgent: 'Vafri/1.0' };
  return identity.pollSigning({ ...place, circumstances }, token, scheme);
}

/** Does `act`; what was done before is not done again. */
export async function perform(
  toolkit: CompanyService,
  clock: MovableClock,
  { act, processKey }: Pick<KillTask, 'act' | 'processKey'>,
): Promise<void> {
  if (act === 'sign' || act === 'all') await signAll(toolkit, clock, processKey);
  if (act === 'sign') return;
  const { failed } = await toolkit.runDueJobs(act === 'all' ? everything : [act]);
  // Clocks are moved by weeks here: that a day was anchored late is no part of this.
  const own = failed.filter(({ code }) => code !== 'activity.root.late');
  if (own.length > 0) throw new Error(own.map(({ kind, code }) => `${kind} ${code}`).join());
}

async function signAll(
  { processes, signing }: CompanyService,
  clock: MovableClock,
  processKey: string,
): Promise<void> {
  const { signees } = await processes.show({ key: processKey });
  for (const signee of signees) {
    if (signee.state === 'Signed') continue;
    await signOne(signing, clock, { processKey, signeeKey: signee.key }, signee);
  }
}

async function signOne(
  signing: CompanyService['signing'],
  clock: MovableClock,
  place: { readonly processKey: string; readonly signeeKey: string },
  { signatureType, phoneNumber = '' }: SigningProcess['signees'][number],
): Promise<void> {
  if (signatureType === 'ClickToSign') await signing.signByClick(place);
  if (signatureType === 'Simple') {
    const { token } = await signing.sendCode(place);
    await signing.signByCode(place, token, '123456');
  }
  if (signatureType === 'Qualified') {
    const choice = { channel: 'Sim', loginHint: phoneNumber } as const;
    const { token } = await signing.startQualified(place, choice);
    clock.pass(5000);
    const { state } = await signing.pollQualified(place, token);
    if (state !== 'signed') throw new Error(`the session is ${state}`);
  }
}
