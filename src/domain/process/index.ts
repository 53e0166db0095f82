/** The life cycle of one document being signed, as a pure state machine. */

export { purgedOnRequest, retainedUntilMs, systemActor } from './accept.ts';
export { broughtBy, buildProcess, type NewProcess } from './build.ts';
export type { CommandOf, ProcessCommand, SigneeChange } from './command.ts';
export {
  type ActivityDraft,
  attachmentDigest,
  type Consequences,
  type Decision,
  type EventDraft,
  eventTypes,
  isSigneeFact,
  type JobDraft,
  type JobKind,
  jobKinds,
  type MessageDraft,
  type MessageTemplate,
  type Refusal,
  signeeFacts,
  signeesFact,
  type WebhookType,
  webhookTypes,
} from './consequences.ts';
export { confirmations, decide } from './decide/decide.ts';
export {
  closedCodes,
  closedRule,
  findSignee,
  lastShown,
  ownTurnCodes,
  type SigningCode,
  signedRule,
  signingCodes,
  signingRule,
} from './guards.ts';
export { isByTestPerson, reachFault, signeeRefs, signerRule, startRule } from './identity-rule.ts';
export * from './process.ts';
export * from './status.table.ts';
export { areAllSigned, type DecisionContext, isOverdue, isTimed, isTurnOf } from './turn.ts';
