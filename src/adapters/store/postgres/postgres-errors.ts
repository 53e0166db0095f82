import { type ErrorCode, InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import { systemCode } from '../../../base/os-errors.ts';

type Answer = readonly [pattern: RegExp, code: ErrorCode, message: string, hint: string];

// Classes and codes of appendix A of the manual of PostgreSQL; names of the system behind them.
const answers: readonly Answer[] = [
  [
    /^(40001|40P01|55P03|53300|57014|25P0[34])$/,
    'store.busy',
    'the database is busy with other work',
    'try again in a moment',
  ],
  [
    /^(53100|53200)$/,
    'store.full',
    'the database has no space left; nothing was changed',
    'make ' + 'room',
  ],
  [
    /^25006$/,
    'store.readonly',
    'the database is read-only: a standby, or a server configured as read-only',
    'name the primary server in the setting database; a standby accepts writes once promoted',
  ],
  [/^XX00[12]$/, 'store.corrupt', 'the database is damaged', 'restore a backup'],
  [
    // A schema that is gone (3F000, 42P01, 42703) may be one that is just being put back.
    /^(08...|57P0.|3D000|28...|58...|42501|3F000|42P01|42703|XX000|E[A-Z_]{3,})$/,
    'store.unavailable',
    'the database cannot be reached or opened',
    'check that the server runs and has the schema of the service, and the address, login, ' +
      'certificate and privileges of its connection string',
  ],
];

/** True when the same transaction may succeed when it runs again. */
export function isRetryable(error: unknown): boolean {
  return /^(40001|40P01)$/.test(codeOf(error));
}

/**
 * The error for a connection that did not come about: one that has a meaning of its own stays, and
 * all others say that the database cannot be reached, whatever the words of driver and TLS are.
 */
export function connectError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = codeOf(error) || codeOfConnection(error.message, false);
  if (answers.some(([pattern]) => pattern.test(code))) return error;
  // The driver has no password to show, or does not know the login that the server wants.
  const found = code || (error.message.startsWith('SASL') ? '28P01' : '08001');
  return answerFor('08001', found, error);
}

/**
 * The error of the registry for an error of PostgreSQL or of the connection; other errors are
 * unchanged.
 *
 * @param isExhausted all connections of this process are in use
 */
export function codedPostgresError(error: unknown, isExhausted = false): unknown {
  if (isInnsigliError(error) || !(error instanceof Error)) return error;
  const code = codeOf(error) || codeOfConnection(error.message, isExhausted);
  const answered = answerFor(code, code, error);
  if (answered !== undefined) return answered;
  if (!/^[0-9A-Z]{5}$/.test(code)) return error;
  // The error itself names the values of the row: it is left behind.
  const { table, constraint } = error as { readonly table?: string; readonly constraint?: string };
  const place = [table, constraint].filter((name) => name !== undefined).join(', ');
  const message = `the database refused a row: ${code} ${place}`.trim();
  return new InnsigliError('internal.unexpected', message);
}

/** @param shown the code in the message */
function answerFor(code: string, shown: string, cause: Error): InnsigliError | undefined {
  const answer = answers.find(([pattern]) => pattern.test(code));
  if (answer === undefined) return undefined;
  const [, coded, message, hint] = answer;
  return new InnsigliError(coded, `${message} (${shown})`, { hint, cause });
}

// The driver gives no code for these; the codes are those that the server would give.
function codeOfConnection(message: string, isExhausted: boolean): string {
  if (message.startsWith('timeout exceeded when trying')) return isExhausted ? '53300' : '08001';
  return /^(Connection terminated|Client (has encountered|was closed))/.test(message)
    ? '08006'
    : '';
}

/**
 * True when the connection under the statement is gone; the server may go on with others, and the
 * statement may have been done. A server that said nothing in time is asked nothing again.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error) || error.message.endsWith('timeout')) return false;
  return /^(08006|57P0[12]|EPIPE|ECONNRESET)$/.test(
    codeOf(error) || codeOfConnection(error.message, false),
  );
}

/**
 * The error for a commit that got no answer: nobody knows yet whether the change is there. An error
 * with which the server refused the commit stays as it is.
 */
export function commitError(error: unknown): unknown {
  const { severity } = error as { readonly severity?: unknown };
  // FATAL and PANIC end the connection, and may come when the commit is written.
  if (!(error instanceof Error) || severity === 'ERROR') return error;
  return new InnsigliError(
    'store.unavailable',
    `the connection was lost during a commit (${codeOf(error) || '08006'}): ` +
      'it is unknown whether the change was saved',
    { details: { outcome: 'unknown' }, hint: 'check before repeating the operation' },
  );
}

function codeOf(error: unknown): string {
  return systemCode(error) ?? '';
}
