/**
 * Aborts a run immediately if SQLite is missing: hundreds of tests would fail, each with a
 * different message.
 */
import Database from 'better-sqlite3';

/** Opens a database in memory. */
export function setup(): void {
  try {
    new Database(':memory:').close();
  } catch (error) {
    const [why] = String(error).split('\n', 1);
    const message = `better-sqlite3 does not run here: npm rebuild better-sqlite3, or npm ci (${why})`;
    // Vitest 4.1 fails on stack traces of global setup, and then reports nothing else.
    throw Object.assign(new Error(message), { stack: message });
  }
}
