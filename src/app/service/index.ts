/** The transaction around every change of a process, and the worker of the resulting jobs. */
export {
  applyCommand,
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
  lockGroup,
  lockSequence,
  type ProcessGroup,
  readPersons,
  requireGroup,
  type SequenceGroup,
  type ServicePorts,
} from './group.ts';
export { type JobLane, runConcurrently } from './run-concurrently.ts';
export { wholeContent } from './whole-content.ts';
export { type JobHandler, runDueJobs } from './worker.ts';
