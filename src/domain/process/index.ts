/** The life of one document under signature, as a pure state machine. */
export { keptUntilMs, purgedOnRequest, systemActor } from './accept.ts';
export { buildProcess, type NewProcess } from './build.ts';
export type { CommandOf, ProcessCommand, SigneeChange } from './command.ts';
export {
  type ActivityDraft,
  type Consequences,
  type Decision,
  type EventDraft,
  type JobDraft,
  type JobKind,
  jobKinds,
  type MessageDraft,
  type MessageTemplate,
  type Refusal,
  type WebhookType,
  webhookTypes,
} from './consequences.ts';
export { confirmations, decide } from './decide/decide.ts';
export { closedRule, findSignee, lastShown, signedRule, signingRule } from './guards.ts';
export { restsOnTest, signeeRefs, signerRule, startRule } from './identity-rule.ts';
export { attachmentDigest, isSigneeFact, signeeFacts, signeesFact } from './logged-facts.ts';
export type * from './process.ts';
export {
  attachmentTypes,
  deliveryTypes,
  processStatuses,
  signatureTypes,
  signeesMax,
} from './process.ts';
export { reachFault } from './reach.ts';
export { areAllSigned, type DecisionContext, isByTime, isOverdue, isTurnOf } from './turn.ts';
