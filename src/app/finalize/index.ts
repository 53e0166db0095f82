/** The work after the last signature. */
export { finalizeProcess, finalizeTerms } from './finalize-process.ts';
