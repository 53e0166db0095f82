import { type ErrorCode, InnsigliError, isInnsigliError } from '../../../base/errors.ts';
import { systemCode } from '../../../base/os-errors.ts';

type Answer = readonly [pattern: RegExp, code: ErrorCode, message: string, hint: string];

// Classes and codes of appendix A of the PostgreSQL manual, and system error codes.
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
    'make room',
  ],
  [
    /^25006$/,
    'store.readonly',
    'the database is read-only: a standby, or a server configured as read-only',
    'name the primary server in the setting database; a standby accepts writes once promoted',
  ],
  [/^XX00[12]$/, 'store.corrupt', 'the database is damaged', 'restore a backup'],
  [
    // A missing schema (3F000, 42P01, 42703) may be one that is just being restored.
    /^(08...|57P0.|3D000|28...|58...|42501|3F000|42P01|42703|XX000|E[A-Z_]{3,})$/,
    'store.unavailable',
    'the database cannot be reached or opened',
    'check that the server runs and has the schema of the service, and the address, login, ' +
      'certificate and privileges of its connection string',
  ],
];

/** Whether the same transaction may succeed if repeated. */
export function isRetryable(error: unknown): boolean {
  return /^(40001|40P01)$/.test(codeOf(error));
}

/**
 * Converts the error of a failed connection attempt. An error with a specific code is returned
 * unchanged; any other error of driver or TLS is reported as an unreachable database.
 */
export function connectError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const code = codeOf(error) || codeOfConnection(error.message, false);
  if (answers.some(([pattern]) => pattern.test(code))) return error;
  // SASL: the driver has no password, or does not support the authentication method of the server.
  const found = code || (error.message.startsWith('SASL') ? '28P01' : '08001');
  return answerFor('08001', found, error);
}

/**
 * Converts an error of PostgreSQL or of the connection to one of the registry; other errors are
 * returned unchanged.
 *
 * @param isExhausted whether all connections of this process are in use
 */
export function codedPostgresError(error: unknown, isExhausted = false): unknown {
  if (isInnsigliError(error) || !(error instanceof Error)) return error;
  const code = codeOf(error) || codeOfConnection(error.message, isExhausted);
  const answered = answerFor(code, code, error);
  if (answered !== undefined) return answered;
  if (!/^[0-9A-Z]{5}$/.test(code)) return error;
  // The original error contains values of the row, so it is not attached as a cause.
  const { table, constraint } = error as { readonly table?: string; readonly constraint?: string };
  const place = [table, constraint].filter((name) => name !== undefined).join(', ');
  const message = `the database refused a row: ${code} ${place}`.trim();
  return new InnsigliError('internal.unexpected', message);
}

/** @param shown code for the message */
function answerFor(code: string, shown: string, cause: Error): InnsigliError | undefined {
  const answer = answers.find(([pattern]) => pattern.test(code));
  if (answer === undefined) return undefined;
  const [, coded, message, hint] = answer;
  return new InnsigliError(coded, `${message} (${shown})`, { hint, cause });
}

// The driver sets no code for these errors; the codes returned are those that the server would use.
function codeOfConnection(message: string, isExhausted: boolean): string {
  if (message.startsWith('timeout exceeded when trying')) return isExhausted ? '53300' : '08001';
  return /^(Connection terminated|Client (has encountered|was closed))/.test(message)
    ? '08006'
    : '';
}

/**
 * Whether the connection was lost while a statement was running. Other connections may still work,
 * and the statement may have been executed. A timeout does not count, so that an unresponsive
 * server is not retried.
 */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error) || error.message.endsWith('timeout')) return false;
  return /^(08006|57P0[12]|EPIPE|ECONNRESET)$/.test(
    codeOf(error) || codeOfConnection(error.message, false),
  );
}

/**
 * The error for a commit without a response: it is unknown whether the change was saved. An error
 * with which the server rejected the commit is returned unchanged.
 */
export function commitError(error: unknown): unknown {
  const { severity } = error as { readonly severity?: unknown };
  // FATAL and PANIC end the connection, and may occur while the commit is written.
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
