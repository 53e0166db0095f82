/** The transaction around every change of a process, and the worker that does what follows. */
export {
  applyCommand,
  type CommandOutcome,
  type CommitPorts,
  refusalError,
  runCommand,
  writeConsequences,
} from './commit.ts';
export { contextOf, lockGroup, type ProcessGroup } from './group.ts';
export type { ServicePorts } from './ports.ts';
export { type Lane, workSideBySide } from './side-by-side.ts';
export { type JobHandler, runDueJobs, type WorkerOptions } from './worker.ts';
