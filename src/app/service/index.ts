/** The transaction around every change of a process, and the worker that does what follows. */
export * from './commit.ts';
export * from './group.ts';
export * from './run-concurrently.ts';
export * from './whole-content.ts';
export * from './worker.ts';
