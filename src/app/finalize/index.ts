/** The work after the last signature. */
export { finalizeProcess } from './finalize-process.ts';
