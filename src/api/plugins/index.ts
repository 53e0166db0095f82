/** What stands around every route: guards, names, failures, headers, counters, description. */
export { routeAddress } from './addresses.ts';
export { addFailureAnswers, answerUnread, answerUnrouted } from './answers.ts';
export {
  addAuthentication,
  type GuardOptions,
  type ProcessAccess,
  readCredentials,
} from './authentication.ts';
export { addBinding } from './binding.ts';
export { addBodyBudget, type BodyBytes, usualBodyBytes } from './body-budget.ts';
export { bindCasing } from './casing.ts';
export { addConnections } from './connections.ts';
export type { DescribedAnswer, Description, MediaType, Operation } from './description.ts';
export { addDownloads } from './downloads.ts';
export { addHygiene, requestIds } from './hygiene.ts';
export { addMetrics } from './metrics.ts';
export { addDescription, addDescriptionRoutes } from './openapi.ts';
export { addPace } from './pace.ts';
export { addPieces, inPieces } from './pieces.ts';
export { addRepeats } from './repeats.ts';
export { openThrottle, type Throttle } from './throttle.ts';
