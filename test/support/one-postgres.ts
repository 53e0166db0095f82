/** One PostgreSQL server for all slow tests of a run: starting one takes seconds. */
import type { TestProject } from 'vitest/node';
import { postgresMissing, startPostgres } from './postgres.ts';

/** Starts it before the first test; ends it after the last. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (postgresMissing !== undefined) {
    project.provide('postgres', '');
    return undefined;
  }
  const server = await startPostgres({ maxConnections: 200 });
  project.provide('postgres', server.dsn);
  return () => server.stop();
}
