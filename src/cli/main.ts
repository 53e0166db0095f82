import { processIo } from './process-io.ts';
import { runCli } from './run.ts';

export { runCli } from './run.ts';

/** Runs the command line of this process; its exit code is set when the promise resolves. */
export async function main(): Promise<void> {
  process.exitCode = await runCli(process.argv.slice(2), processIo());
}
