import { CoreError, type ErrorCode, isCoreError } from '../../base/errors.ts';

type Answer = readonly [pattern: RegExp, code: ErrorCode, message: string, hint: string];

// Classes and codes of appendix A of the manual of PostgreSQL; names of the system behind them.
const answers: readonly Answer[] = [
  [
    /^(40001|40P01|55P03|53300|57014|25P03)$/,
    'store.busy',
    'the database is busy with other work',
    'try again in a moment',
  ],
  [/^(53100|53200)$/, 'store.full', 'the database has no room; nothing was changed', 'make room'],
  [
    /^25006$/,
    'store.readonly',
    'the database takes no changes',
    'connect to the server that is not a copy',
  ],
  [/^XX00[12]$/, 'store.corrupt', 'the database is damaged', 'put back a backup'],
  [
    /^(08...|57P0.|3D000|28...|58...|42501|E[A-Z]{3,})$/,
    'store.unavailable',
    'the database cannot be reached or opened',
    'check that the server runs, and the address and rights in its connection string',
  ],
];

/** True when the same transaction may succeed when it runs again. */
export function isRetryable(error: unknown): boolean {
  return /^(40001|40P01)$/.test(codeOf(error));
}

/**
 * What the caller gets for an error of PostgreSQL or of the connection; other errors stay.
 *
 * @param isExhausted all connections of this process are in use
 */
export function codedPostgresError(error: unknown, isExhausted = false): unknown {
  if (isCoreError(error) || !(error instanceof Error)) return error;
  const code = codeOf(error) || codeOfConnection(error.message, isExhausted);
  const answer = answers.find(([pattern]) => pattern.test(code));
  if (answer !== undefined) {
    const [, coded, message, hint] = answer;
    return new CoreError(coded, `${message} (${code})`, { hint, cause: error });
  }
  if (!/^[0-9A-Z]{5}$/.test(code)) return error;
  // The error itself names the values of the row: it is left behind.
  const { table, constraint } = error as { readonly table?: string; readonly constraint?: string };
  const place = [table, constraint].filter((name) => name !== undefined).join(', ');
  return new CoreError(
    'internal.unexpected',
    `the database refused a row: ${code} ${place}`.trim(),
  );
}

// The driver gives no code for these; the codes are those that the server would give.
function codeOfConnection(message: string, isExhausted: boolean): string {
  if (message.startsWith('timeout exceeded when trying')) return isExhausted ? '53300' : '08001';
  return /^Connection terminated|^Client has encountered/.test(message) ? '08006' : '';
}

function codeOf(error: unknown): string {
  const code = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  return typeof code === 'string' ? code : '';
}
