/** The transaction around every change of a process, and the worker that does what follows. */
export {
  applyCommand,
  type CommandOutcome,
  type CommitPorts,
  decideIn,
  outcomeOf,
  refusalError,
  requireAccepted,
  runCommand,
  saveSequence,
  settleGroup,
  writeConsequences,
} from './commit.ts';
export {
  contextOf,
  type KnownProcess,
  lockGroup,
  lockSequence,
  type ProcessGroup,
  requireGroup,
  type SequenceGroup,
} from './group.ts';
export type { ServicePorts } from './ports.ts';
export { readPersons } from './read-persons.ts';
export { type JobLane, runConcurrently } from './run-concurrently.ts';
export { wholeContent } from './whole-content.ts';
export { type JobHandler, runDueJobs, type WorkerOptions } from './worker.ts';
