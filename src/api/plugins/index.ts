/** What stands around every route: guards, names, failures, headers, counters, description. */
export { routeAddress } from './addresses.ts';
export { addFailureAnswers, answerUnread, answerUnrouted } from './answers.ts';
export { addAuthentication, type GuardOptions } from './authentication.ts';
export { addBinding } from './binding.ts';
export { addBodyBudget, type BodyBytes } from './body-budget.ts';
export { bindCasing } from './casing.ts';
export { networksOf } from './clients.ts';
export { readCredentials } from './credentials.ts';
export type { DescribedAnswer, Description, MediaType, Operation } from './description.ts';
export { addClientAddress } from './forwarded.ts';
export { addHeldDocuments, documentReader, documentText } from './held-documents.ts';
export { addHygiene, requestIds } from './hygiene.ts';
export { addMetrics } from './metrics.ts';
export { addDescription, addDescriptionRoutes } from './openapi.ts';
export { addPlaces, type ProcessAccess } from './places.ts';
export { addRepeats } from './repeats.ts';
export { type FailureLine, openThrottle, type Throttle } from './throttle.ts';
