import { inject } from 'vitest';
import { postgresMissing, type TestServer, testServer } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Connection string of the server of the run. Empty if there is none. */
    readonly postgres: string;
  }
}

/** A database that the service runs on. */
export type Engine = 'sqlite' | 'postgresql';

/** The engines that tests of this project run on: one per project. */
export const engines: readonly Engine[] =
  process.env['INNSIGLI_TEST_ENGINE'] === 'postgresql' ? ['postgresql'] : ['sqlite'];

/** The reason why an engine cannot be tested, for the title. Empty if it can. */
export function whyNot(engine: Engine): string {
  if (engine === 'sqlite' || postgresMissing === undefined) return '';
  return ` (skipped: ${postgresMissing})`;
}

/** The PostgreSQL server shared by all tests of a run: each creates a separate database. */
export function sharedPostgres(): TestServer {
  return testServer(inject('postgres'));
}
