import { defined } from '../../base/defined.ts';
import type { ErrorCode } from '../../base/errors.ts';
import type { SigneeKey } from '../keys.ts';
import type { CommandOf, ProcessCommand } from './command.ts';
import type { Decision, Refusal } from './consequences.ts';
import type { Signee, SigningProcess } from './process.ts';
import type { ProcessStatus } from './status.table.ts';
import { type DecisionContext, hasLiveLease, isTurnOf } from './turn.ts';

/** The first rule that forbids the action; undefined if none does. */
export type Verdict<Code extends ErrorCode = ErrorCode> = Refusal<Code> | undefined;

/** The decision to refuse a command. */
export function refuse(refusal: Refusal): Decision {
  return { kind: 'refused', refusal };
}

/** Builds a refusal from its code and message. */
export function refusal<Code extends ErrorCode>(
  code: Code,
  message: string,
  hint?: string,
): Refusal<Code> {
  return { code, message, ...defined({ hint }) };
}

/** The signee with this key. */
export function findSignee(process: SigningProcess, key: SigneeKey): Signee | undefined {
  return process.signees.find((signee) => signee.key === key);
}

/** Digest of the bytes last shown to a signee; undefined if none were. */
export function lastShown({ shownSha256, viewedSha256 }: Signee): string | undefined {
  return shownSha256 ?? viewedSha256;
}

function unknownSignee(process: SigningProcess, key: SigneeKey): Refusal {
  return refusal('error.signee.not_found', `process ${process.key} has no signee ${key}`);
}

/** Handler of the commands of one type. */
export type Handler<Type extends ProcessCommand['type']> = (
  process: SigningProcess,
  command: CommandOf<Type>,
  context: DecisionContext,
) => Decision;

type OfSignee = Extract<ProcessCommand, { readonly signeeKey: SigneeKey }>['type'];

/** Handler of commands about one signee. Refuses those about signees the process does not have. */
export function ofSignee<Type extends OfSignee>(
  decide: (
    process: SigningProcess,
    signee: Signee,
    command: CommandOf<Type>,
    context: DecisionContext,
  ) => Decision,
): Handler<Type> {
  return (process, command, context) => {
    const { signeeKey } = command as { readonly signeeKey: SigneeKey };
    const signee = findSignee(process, signeeKey);
    if (signee === undefined) return refuse(unknownSignee(process, signeeKey));
    return decide(process, signee, command, context);
  };
}

/** Codes with which a process that is not open refuses its signees. */
export const closedCodes = [
  'signing.forbidden.inactive',
  'signing.forbidden.canceled',
  'signing.forbidden.expired',
  'signing.forbidden.blocked',
] as const;

/** Refusal codes for actions that only the signee whose turn it is may perform. */
export const ownTurnCodes = [
  ...closedCodes,
  'signing.forbidden.order',
  'signing.forbidden.signee.signed',
] as const;

/** Refusal codes of the rules that apply to every method of signing. */
export const signingCodes = [
  ...ownTurnCodes,
  'signing.forbidden.verification.missing',
  '2002',
] as const;

/** One of {@link signingCodes}. */
export type SigningCode = (typeof signingCodes)[number];

type Closed = Verdict<(typeof closedCodes)[number] | 'signing.forbidden.signee.signed'>;

/** The refusal for a signee, by the status of the process. */
const closed: Readonly<Record<ProcessStatus, (process: SigningProcess) => Closed>> = {
  Active: () => undefined,
  InActive: ({ key }) => refusal('signing.forbidden.inactive', `process ${key} has not started`),
  Completed: ({ key }) =>
    refusal('signing.forbidden.signee.signed', `all signees have signed process ${key}`),
  Expired: ({ key, expiresAtMs }) => {
    const day = new Date(expiresAtMs).toISOString();
    return refusal('signing.forbidden.expired', `process ${key} expired at ${day}`);
  },
  Canceled: ({ key }) => refusal('signing.forbidden.canceled', `process ${key} is cancelled`),
  Blocked: ({ key }) => refusal('signing.forbidden.blocked', `process ${key} is blocked`),
};

/** Forbids what requires an open process. Overdue processes count as expired unless cancelled. */
export function closedRule(process: SigningProcess, { nowMs }: DecisionContext): Closed {
  const { status, phase, expiresAtMs } = process;
  const isSigned = status === 'Completed' || phase === 'Finalizing' || phase === 'FinalizeFailed';
  const isLate = !isSigned && nowMs >= expiresAtMs && !hasLiveLease(process, nowMs);
  if (isLate && status !== 'Canceled') return closed.Expired(process);
  return closed[isSigned && status === 'Active' ? 'Completed' : status](process);
}

/** Like {@link closedRule}, but also permits the action before the process has started. */
export function endedRule(process: SigningProcess, context: DecisionContext): Verdict {
  const closed = closedRule(process, context);
  return closed?.code === 'signing.forbidden.inactive' ? undefined : closed;
}

/** Forbids what only a signee whose turn it is may do, in an open process: G4 to G6. */
export function ownTurnRule(
  process: SigningProcess,
  signee: Signee,
  context: DecisionContext,
): Verdict<SigningCode> {
  return (
    closedRule(process, context) ??
    signedRule(process, signee) ??
    turnRule(process, signee, context)
  );
}

/** Forbids a signature of `signee`: G4 to G8, in order. @spec service rules G4–G8 */
export function signingRule(
  process: SigningProcess,
  signee: Signee,
  context: DecisionContext,
): Verdict<SigningCode> {
  return (
    ownTurnRule(process, signee, context) ??
    verificationRule(process, signee) ??
    leaseRule(process, signee, context)
  );
}

/** Forbids a second signature. */
export function signedRule(process: SigningProcess, { key, state }: Signee): Verdict<SigningCode> {
  if (state !== 'Signed' && state !== 'Declined') return undefined;
  const done = state === 'Signed' ? 'has signed' : 'has declined';
  return refusal('signing.forbidden.signee.signed', `signee ${key} ${done} in ${process.key}`);
}

/** Forbids a signature out of order. */
function turnRule(
  process: SigningProcess,
  signee: Signee,
  context: DecisionContext,
): Verdict<SigningCode> {
  if (isTurnOf(process, signee, context)) return undefined;
  return refusal(
    'signing.forbidden.order',
    `other signees must sign before signee ${signee.key}`,
    'wait for the invitation',
  );
}

/** Forbids signing or declining without the login that the process requires. */
export function verificationRule(process: SigningProcess, signee: Signee): Verdict<SigningCode> {
  if (!process.requiresAuth || signee.authenticatedAtMs !== undefined) return undefined;
  return refusal(
    'signing.forbidden.verification.missing',
    `signee ${signee.key} has not logged in`,
    'log in with an electronic identity first',
  );
}

/** Forbids what would interfere with another signee who is signing now. */
export function leaseRule(
  process: SigningProcess,
  signee: Pick<Signee, 'key'> | undefined,
  { nowMs }: DecisionContext,
): Verdict<SigningCode> {
  const { lease } = process;
  if (lease === undefined || !hasLiveLease(process, nowMs)) return undefined;
  if (lease.signeeKey === signee?.key) return undefined;
  return {
    ...refusal('2002', `another signee is signing ${process.key}`, 'try again later'),
    retryAtMs: lease.untilMs,
  };
}
