import type { IdentityService } from '../../src/app/auth/index.ts';
import type { CompanyService } from '../../src/app/company-service.ts';
import type { LoginScheme } from '../../src/domain/auth/index.ts';
import { jobKinds, type SigningProcess } from '../../src/domain/process/index.ts';

/** A task of a program, and when it dies. */
export interface KillTask {
  readonly act: Act;
  readonly processKey: string;
  /** Offset of the clock from real time. */
  readonly offsetMs: number;
  /** Number of the kill point, from 1. */
  readonly killAt?: number;
  /** If given, the program only polls this e-ID session once. */
  readonly poll?: EidPollTask;
}

/** A poll of an e-ID session. */
export type EidPollTask =
  | { readonly token: string; readonly flowKey: string; readonly scheme?: LoginScheme }
  | { readonly token: string; readonly processKey: string; readonly signeeKey: string };

/** The possible work: one kind of job, all jobs, or every missing signature. */
export type Act = 'sign' | 'finalize' | 'message' | 'webhook' | 'remind' | 'expire' | 'all';

/** The result of a task that was not killed. */
export interface KillOutcome {
  readonly error?: string;
  /** Kill points that were passed. */
  readonly points: readonly string[];
}

/** An adjustable clock. */
export interface MovableClock {
  pass(ms: number): void;
}

/** Time after which the jobs and e-ID session of a dead worker are released. */
export const PAST_LEASES_MS = 6 * 60_000;

/** Old contents are removed at the end, after everything has been counted. */
const everything = jobKinds.filter((kind) => kind !== 'purge');

/** Polls a session, with scheme `eid-se` by default. */
export async function pollEid(identity: IdentityService, poll: EidPollTask) {
  const scheme = 'eid-se';
  if ('flowKey' in poll) return identity.pollLogin({ scheme, ...poll });
  const { token, ...place } = poll;
  const circumstances = { ip: '192.0.2.7', userAgent: 'Vafri/1.0' };
  return identity.pollSigning({ ...place, circumstances }, token, scheme);
}

/** Does `act`, except for work that is already done. */
export async function perform(
  toolkit: CompanyService,
  clock: MovableClock,
  { act, processKey }: Pick<KillTask, 'act' | 'processKey'>,
): Promise<void> {
  if (act === 'sign' || act === 'all') await signAll(toolkit, clock, processKey);
  if (act === 'sign') return;
  const { failed } = await toolkit.runDueJobs(act === 'all' ? everything : [act]);
  // Clocks are moved by weeks here: late anchoring of a day is not under test.
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
