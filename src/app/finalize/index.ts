/** The work after the last signature. */
export * from './finalize-process.ts';
