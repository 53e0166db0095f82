/** What stands around every route: guards, names, failures, headers, counters, description. */
export { addFailureAnswers } from './answers.ts';
export { addAuthentication, type ProcessAccess, readCredentials } from './authentication.ts';
export { addBinding } from './binding.ts';
export { bindCasing } from './casing.ts';
export { addHygiene, requestId } from './hygiene.ts';
export { addMetrics } from './metrics.ts';
export { addDescription, addDescriptionRoutes } from './openapi.ts';
export { addRepeats } from './repeats.ts';
export { openThrottle, type Throttle } from './throttle.ts';
