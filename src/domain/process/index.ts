/** The life of one document under signature, as a pure state machine. */
export { keptUntilMs, purgedOnRequest, systemActor } from './accept.ts';
export * from './build.ts';
export type * from './command.ts';
export * from './consequences.ts';
export { confirmations, decide } from './decide/decide.ts';
export { closedRule, findSignee, lastShown, signedRule, signingRule } from './guards.ts';
export { reachFault, restsOnTest, signeeRefs, signerRule, startRule } from './identity-rule.ts';
export * from './process.ts';
export { areAllSigned, type DecisionContext, isByTime, isOverdue, isTurnOf } from './turn.ts';
