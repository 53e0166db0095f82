/** Completion of a process after its last signature. */
export { finalizeProcess, finalizeTerms } from './finalize-process.ts';
