/** Plugins around routes: access control, name binding, failures, headers, counters, OpenAPI. */

export * from './access/authentication.ts';
export {
  addClientAddress,
  clientAddresses,
  holderScale,
  routeAddress,
} from './access/client-address.ts';
export * from './access/cors.ts';
export { readCredentials } from './access/credentials.ts';
export * from './access/places.ts';
export { addVisitorRate, openBuckets, openRateLimit, tooOften } from './access/rate-limit.ts';
export * from './access/throttle.ts';
export * from './answers/answers.ts';
export { byWeight, contentRange, hasTag, requestedRange } from './answers/byte-ranges.ts';
export type { DescribedAnswer, Description, MediaType, Operation } from './answers/description.ts';
export { addDownloads } from './answers/downloads.ts';
export * from './answers/openapi.ts';
export { addChunkedResponses, inChunks, usualAnswerBytes } from './answers/pieces.ts';
export { addSecurityHeaders, requestIds } from './answers/security-headers.ts';
export * from './bodies/binding.ts';
export * from './bodies/body-budget.ts';
export { isUnclean } from './bodies/clean-keys.ts';
export { addHeldDocuments, documentReader, documentText } from './bodies/held-documents.ts';
export * from './bodies/idempotency.ts';
export { openBudget } from './connections/budget.ts';
export { limitConnections } from './connections/connections.ts';
export { addPace } from './connections/pace.ts';
export { type Answerer, answerOneByOne } from './connections/pipelining.ts';
export { type TimeSlices, timeSlices } from './connections/time-slices.ts';
export * from './metrics.ts';
