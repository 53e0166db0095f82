import { defined } from '../../../base/defined.ts';
import { codeOf, isInnsigliError } from '../../../base/errors.ts';
import { expiredHint, loginDeadlineMs } from '../../../domain/auth/index.ts';
import type { Identity } from '../../../domain/person/index.ts';
import { closedRule, type SigningProcess, signerRule } from '../../../domain/process/index.ts';
import type { ShownPrompt } from '../../../domain/signing/index.ts';
import type { ForeignScheme, IdentityAnswer } from '../../ports/index.ts';
import { readPersons, runCommand } from '../../service/index.ts';
import { commitSignature } from '../commit-signature.ts';
import {
  readSignee,
  requireShown,
  requireType,
  type SigneeInProcess,
  type SigneeRequest,
  type SigningPorts,
} from '../find-signee.ts';
import { pollChallenge } from './ask-provider.ts';
import { deliveredSignature } from './delivered-signature.ts';
import {
  type EidChoice,
  endFailed,
  failSession,
  findSession,
  graceMs,
  languageOf,
  loginOf,
  mismatchCode,
  mismatchError,
  requirePlaces,
  type SessionPoll,
  type StartedSession,
  sessionIdOf,
  startRequest,
} from './eid-session.ts';
import { startSignatureStep } from './go-on-to-sign.ts';
import { type HeldPrompt, promptOf, startSession, withPrompt } from './login-prompt.ts';
import { withProviderFor, withProviderOfToken } from './own-provider.ts';
import { noSignature, prepareSignature } from './prepare-signature.ts';

/**
 * Starts a signature with the signee's own electronic identity (`Qualified`). No one else can sign
 * the document until the signature is done, has failed or has expired.
 *
 * @throws process.not_found, error.signee.not_found, signing.forbidden.*, 2002
 * @throws validation.error without a number, authentication.error.idp.start
 * @throws authentication.error.signee.unprovable if no such identity could prove to be the signee's
 */
export async function startQualified(
  given: SigningPorts,
  request: SigneeRequest & EidChoice,
  scheme?: ForeignScheme,
): Promise<StartedSession> {
  const found = await readSignee(given, request);
  const ports = withProviderFor(given, scheme ?? request.channel, found.process);
  requireType(found, 'Qualified');
  const places = await requirePlaces(ports, found, request.channel);
  const shown = { text: found.process.fileName, language: languageOf(found) };
  const { start, standing } = startRequest(request, places, 'sign', shown);
  const prompt = promptOf(ports, request, found.process, start.loginHint, standing);
  const named = defined({ scheme });
  return withPrompt(ports, prompt, (held) =>
    leaseAndStart(ports, { ...request, ...named }, found, start, held),
  );
}

async function leaseAndStart(
  ports: SigningPorts,
  request: SigneeRequest & { readonly scheme?: ForeignScheme },
  found: SigneeInProcess,
  start: ReturnType<typeof startRequest>['start'],
  held: HeldPrompt,
): Promise<StartedSession> {
  const { processKey, signeeKey } = request;
  const leaseMs = loginDeadlineMs + graceMs;
  const command = { type: 'startSigning', signeeKey, leaseMs } as const;
  const leased = await runCommand(ports, processKey, command, found.process);
  const leaseToken = leased.leaseToken;
  const startedAtMs = ports.now();
  // If the lease was held before, only its remaining time is left; later responses are ignored.
  const { untilMs = startedAtMs } = leased.lease ?? {};
  const times = {
    createdAtMs: startedAtMs,
    expiresAtMs: Math.min(startedAtMs + loginDeadlineMs, untilMs),
  };
  const own = {
    kind: 'eid-sign',
    processKey,
    signeeKey,
    ...times,
    ...defined({ leaseToken, scheme: request.scheme }),
  } as const;
  try {
    // Checked under the lease, where the document can no longer change.
    requireShown(leased, request);
    const place = { ...found, process: leased };
    return await startSession(ports, ...(await firstRequest(ports, place, start, held, own)));
  } catch (error) {
    await giveBack(ports, leased, request, error);
    throw error;
  }
}

type SessionStart = Parameters<typeof startSession>;

/** The request for the signature, or for the certificate if the person must provide it first. */
async function firstRequest(
  ports: SigningPorts,
  place: SigneeInProcess,
  start: SessionStart[1],
  held: HeldPrompt,
  own: SessionStart[3],
): Promise<[SessionStart[1], HeldPrompt, SessionStart[3]]> {
  const { identity } = ports;
  const needed = identity.signing?.certificate;
  if (needed === 'session') {
    const next = { ...own, start: { ...start, purpose: 'sign' } as const };
    return [{ ...start, purpose: 'certificate' }, held, next];
  }
  const certificates = needed === 'lookup' ? await identity.findCertificates?.(start) : undefined;
  const { order, prepared } = await prepareSignature(ports, place, certificates);
  return [{ ...start, order }, held, { ...own, prepared }];
}

async function giveBack(
  ports: SigningPorts,
  leased: SigningProcess,
  { signeeKey }: SigneeRequest,
  error: unknown,
): Promise<void> {
  const cause = codeOf(error);
  const { key, leaseToken: token } = leased;
  await runCommand(ports, key, { type: 'abandonSigning', signeeKey, token, cause }, leased);
}

/** Status of a signature with an electronic identity. */
export type QualifiedAnswer =
  /** Contains the new prompt if it changed: some persons must first provide their certificate. */
  | (ShownPrompt & {
      readonly state: 'waiting';
      /** The scheme's code for the step, such as `userSign`. */
      readonly hint?: string;
    })
  | { readonly state: 'signed'; readonly process: SigningProcess }
  /** `hint`: `userCancel`, `expiredTransaction` or a different code of the provider. */
  | { readonly state: 'failed'; readonly hint: string };

type Session = Awaited<ReturnType<typeof findSession>>;

/**
 * Polls a signature, and adds it to the document once the person has approved. A poll that fails
 * for a reason other than the person can be repeated until the session expires.
 *
 * @throws authentication.token.invalid, process.not_found, error.signee.not_found
 * @throws authentication.error.signee.logon.mismatch if a different person has responded
 * @throws process.conflict if the session was too late
 */
export async function pollQualified(
  given: SigningPorts,
  poll: SessionPoll,
): Promise<QualifiedAnswer> {
  const ports = await withProviderOfToken(given, poll.token);
  const session = await findSession(ports, poll, 'eid-sign');
  const known = await endedAnswer(ports, session);
  if (known !== undefined) return known;
  const { answer, session: next } = await pollChallenge(ports, session);
  const isOver = ports.now() >= session.expiresAtMs;
  if (answer.state === 'waiting' && !isOver) return waitingAnswer(answer, session);
  if (answer.state === 'waiting') await ports.identity.cancel(next.providerRef);
  if (answer.state === 'done') return signWith(ports, poll, next, answer.identity);
  const hint = answer.state === 'failed' ? answer.hint : expiredHint;
  return endFailed(ports, session, hint);
}

const waiting: QualifiedAnswer = { state: 'waiting' };

function waitingAnswer(
  { hint, verificationCode }: IdentityAnswer & { readonly state: 'waiting' },
  { shown }: Session,
): QualifiedAnswer {
  const news: ShownPrompt & { readonly hint?: string } = defined({ hint, verificationCode });
  return { state: 'waiting', ...shown, ...news };
}

async function signWith(
  ports: SigningPorts,
  poll: SessionPoll,
  session: Session,
  identity: Identity,
): Promise<QualifiedAnswer> {
  const { processKey, signeeKey, circumstances, token } = poll;
  await requireFitting(ports, poll, session, identity);
  const { leaseToken, prepared, start } = session;
  if (prepared === undefined) {
    if (start === undefined) throw noSignature(ports.identity);
    const go = { ...session, start };
    const next = await startSignatureStep(ports, poll, go, identity);
    if (next !== undefined) return next;
    return (await endedAnswer(ports, await findSession(ports, poll, 'eid-sign'))) ?? waiting;
  }
  try {
    const { providerRef } = session;
    const own = await deliveredSignature(ports.identity, providerRef, prepared, identity);
    const process = await commitSignature(
      {
        processKey,
        signeeKey,
        circumstances,
        method: 'eid',
        provedBy: ports.identity.name,
        sessionId: sessionIdOf(token),
        type: 'Qualified',
        own: { ...own, login: loginOf(ports, ports.identity, identity) },
        onlySha256: prepared.seenSha256,
        ...defined({ token: leaseToken }),
        also: (unit) => unit.challenges.save({ ...session, state: 'done' }),
      },
      ports,
    );
    return { state: 'signed', process };
  } catch (error) {
    return refusedAnswer(ports, poll, session, error);
  }
}

/** Rejects a different person before they sign. The transaction makes the final decision. */
async function requireFitting(
  ports: SigningPorts,
  poll: SessionPoll,
  session: Session,
  identity: Identity,
): Promise<void> {
  const own = loginOf(ports, ports.identity, identity);
  const { process, signee } = await readSignee(ports, poll);
  const persons = await ports.store.read((unit) => readPersons(unit, process));
  const context = { ...persons, nowMs: ports.now() };
  // The transaction reports refusals that apply to any signature, unchanged.
  if (closedRule(process, context) !== undefined) return;
  if (signerRule(process, signee, { own }, context) === undefined) return;
  await failSession(ports, session, mismatchCode);
  throw mismatchError();
}

/** A concurrent poll may have completed the signature. A rule that refuses it ends the session. */
async function refusedAnswer(
  ports: SigningPorts,
  poll: SessionPoll,
  session: Session,
  error: unknown,
): Promise<QualifiedAnswer> {
  const now = await findSession(ports, poll, 'eid-sign');
  const known = now.state === 'done' ? await endedAnswer(ports, now) : undefined;
  if (known !== undefined) return known;
  const isRefused =
    isInnsigliError(error) && /^(signing\.forbidden|process\.conflict)/.test(error.code);
  const isOther = isInnsigliError(error) && error.code === mismatchCode;
  if (isRefused || isOther) await failSession(ports, session, error.code);
  throw error;
}

async function endedAnswer(
  ports: SigningPorts,
  session: Session,
): Promise<QualifiedAnswer | undefined> {
  const { state, failureCode = expiredHint } = session;
  if (state === 'waiting') return undefined;
  if (state === 'done') {
    const { process } = await readSignee(ports, session);
    return { state: 'signed', process };
  }
  if (failureCode === mismatchCode) throw mismatchError();
  return { state: 'failed', hint: failureCode };
}
