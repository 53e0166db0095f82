/** The transaction around every change of a process, and the worker that does what follows. */
export * from './commit.ts';
export {
  contextOf,
  lockGroup,
  lockSequence,
  type ProcessGroup,
  readPersons,
  requireGroup,
  type SequenceGroup,
  type ServicePorts,
} from './group.ts';
export * from './run-concurrently.ts';
export * from './whole-content.ts';
export * from './worker.ts';
