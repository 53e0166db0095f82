import type { CompanyService } from '../../../app/company-service.ts';
import type { QualifiedAnswer, SigneeRef, StartedSession } from '../../../app/signing/index.ts';
import { defined } from '../../../base/defined.ts';
import { type EidMethod, loginDeadlineMs } from '../../../domain/auth/index.ts';
import type { SigningProcess } from '../../../domain/process/index.ts';
import { oneOf } from '../../command/index.ts';
import { type CommandContext, refuseUsage } from '../../context.ts';
import {
  type EidFailure,
  type EidProgress,
  type EidSession,
  eidWords,
  followEid,
  isRefused,
  qrForms,
  startedOrRefused,
} from '../../eid/index.ts';

/** Options for the e-ID with which a signee logs in or signs. */
export const eidOptions = {
  '--qualified': 'sign only with a Qualified signature; fail for signees of another type',
  '--sim <phone>': 'Qualified or login: e-ID on the SIM of this phone number',
  '--app <ssn>': 'Qualified or login: e-ID in the app of this national number',
  '--eid-se': 'Qualified: Swedish e-ID of the signee',
  '--eid-dk': 'Qualified: Danish e-ID of the signee',
  '--qr <form>': { text: `QR code: ${qrForms.join(', ')}`, ...oneOf(qrForms) },
  '--qr-file <file>': 'write the QR code to this SVG file, and rewrite it whenever it changes',
} as const;

/** Values of {@link eidOptions}. */
export interface EidGiven {
  readonly sim?: string | undefined;
  readonly app?: string | undefined;
  readonly eidSe?: true | undefined;
  readonly eidDk?: true | undefined;
  readonly qr?: (typeof qrForms)[number] | undefined;
  readonly qrFile?: string | undefined;
}

/** Logs the signee in, if the process requires a login before the document is shown. */
export async function logInSignee(
  { auth, signing }: CompanyService,
  place: SigneeRef,
  given: EidGiven,
  context: CommandContext,
): Promise<EidFailure | undefined> {
  const { method, loginHint } = choiceOf(given, 'this process requires a login', ['sim', 'app']);
  const channel = method === 'sim' ? 'Sim' : 'App';
  const choice = { channel, includeVerificationCode: true, ...hinted(loginHint) } as const;
  const session = await startedOrRefused(() => signing.startAuth(place, choice));
  if (isRefused(session)) return session;
  const at = { ...place, token: session.token, purpose: 'login' } as const;
  const poll = async (): Promise<EidProgress<true>> => {
    const answer = await signing.pollAuth(place, session.token);
    return answer.state === 'done' ? { state: 'done', value: true } : progressOf(answer);
  };
  const isSimulated = await simulates(auth, method);
  const shown = { title: `Log in: ${method}`, isSimulated, poll };
  const outcome = await followEid(sessionOf(auth, at, session, shown, context), context, given);
  if (outcome.state === 'failed') return outcome;
  context.console.note(eidWords(context.io.env).loggedIn);
  return undefined;
}

/** Signs with the signee's own e-ID. */
export async function signQualified(
  { auth }: CompanyService,
  place: SigneeRef,
  given: EidGiven,
  context: CommandContext,
): Promise<SigningProcess | EidFailure> {
  const choice = choiceOf(given, 'the signature of this signee needs an e-ID');
  const session = await startedOrRefused(() => auth.startSigning(place, choice));
  if (isRefused(session)) return session;
  const at = { ...place, token: session.token };
  const poll = async (): Promise<EidProgress<SigningProcess>> => {
    const answer = await auth.pollSigning(at);
    if (answer.state === 'signed') return { state: 'done', value: answer.process };
    return progressOf(answer);
  };
  const isSimulated = await simulates(auth, choice.method);
  const shown = { title: `Sign: ${choice.method}`, isSimulated, poll };
  const outcome = await followEid(sessionOf(auth, at, session, shown, context), context, given);
  return outcome.state === 'done' ? outcome.value : outcome;
}

type Method = Exclude<EidMethod, 'device-link'>;

function sessionOf<T>(
  auth: CompanyService['auth'],
  at: Parameters<CompanyService['auth']['cancelSigning']>[0],
  started: StartedSession,
  shown: Pick<EidSession<T>, 'title' | 'isSimulated' | 'poll'>,
  { io }: CommandContext,
): EidSession<T> {
  return {
    ...shown,
    started,
    expiresAtMs: io.now() + loginDeadlineMs,
    refresh: () => auth.refreshSigning(at),
    receiveReturns: () => auth.receiveReturns(at.token, eidWords(io.env)),
    cancel: () => auth.cancelSigning(at),
  };
}

function progressOf(
  answer: Exclude<QualifiedAnswer, { readonly state: 'signed' }>,
): EidProgress<never> {
  if (answer.state === 'failed') return answer;
  const { hint: step, qrData: link, verificationCode, redirectUrl } = answer;
  return { state: 'waiting', ...defined({ step, link, verificationCode, redirectUrl }) };
}

async function simulates(auth: CompanyService['auth'], method: Method): Promise<boolean> {
  return (await auth.methods()).find((each) => each.method === method)?.isSimulated ?? false;
}

function choiceOf(
  { sim, app, eidSe, eidDk }: EidGiven,
  why: string,
  among: readonly Method[] = ['sim', 'app', 'eid-se', 'eid-dk'],
): { readonly method: Method; readonly loginHint?: string } {
  const given: readonly (readonly [Method, string | true | undefined])[] = [
    ['sim', sim],
    ['app', app],
    ['eid-se', eidSe],
    ['eid-dk', eidDk],
  ];
  const named = given.filter(([method, value]) => value !== undefined && among.includes(method));
  const [first, ...others] = named;
  if (first === undefined || others.length > 0) {
    const flags = among
      .map((method) => `--${method}`)
      .join(', ')
      .replace(/, (?=[^,]*$)/, ' or ');
    return refuseUsage(`expected ${flags}: ${why}`);
  }
  const [method, value] = first;
  return { method, ...hinted(typeof value === 'string' ? value : undefined) };
}

function hinted(loginHint: string | undefined) {
  return loginHint === undefined ? {} : { loginHint };
}
