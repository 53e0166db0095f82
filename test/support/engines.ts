import { inject } from 'vitest';
import { postgresMissing, type TestServer, testServer } from './postgres.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Connection string of the server of the run; empty when there is none. */
    readonly postgres: string;
  }
}

/** A database that the service runs on. */
export type Engine = 'sqlite' | 'postgresql';

/** The engines that tests of this project run on: each of the two projects has one. */
export const engines: readonly Engine[] =
  process.env['INNSIGLI_TEST_ENGINE'] === 'postgresql' ? ['postgresql'] : ['sqlite'];

/** Why an engine cannot be tested, for the title; empty when it can. */
export function whyNot(engine: Engine): string {
  if (engine === 'sqlite' || postgresMissing === undefined) return '';
  return ` (skipped: ${postgresMissing})`;
}

/** The PostgreSQL server that all tests of a run share: each makes a database of its own. */
export function sharedPostgres(): TestServer {
  return testServer(inject('postgres'));
}
