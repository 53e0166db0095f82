import { expect, test } from 'vitest';
import { processOperations } from '../../../../src/app/process/index.ts';
import { reminderOperations } from '../../../../src/app/reminder/index.ts';
import { signingOperations } from '../../../../src/app/signing/index.ts';
import type { ErrorCode } from '../../../../src/base/errors.ts';
import { decisionTable } from './decision-line.ts';
import { commands } from './states.ts';

const operations = { ...processOperations, ...reminderOperations, ...signingOperations };

interface Row {
  readonly operation: keyof typeof operations;
  /** The command that it sends. */
  readonly command: keyof typeof commands;
  /**
   * Codes that no row of the table shows: from reads before the command, and from rules beyond the
   * state of a process. Not compared if omitted.
   */
  readonly others?: readonly ErrorCode[];
}

const found = 'process.not_found';
const starter = 'sequence.cancel.forbidden';
const twin = 'error.signee.add.exists';
const closed = 'message.channel.none';
const limit = 'signing.forbidden.signee.limit';
const order = 'signing.forbidden.order';

const rows: readonly Row[] = [
  { operation: 'cancel', command: 'cancel', others: [found, starter] },
  { operation: 'cancelSequence', command: 'cancel', others: [found, starter] },
  { operation: 'block', command: 'block', others: [found] },
  { operation: 'unblock', command: 'unblock', others: [found] },
  { operation: 'extend', command: 'extend', others: [found] },
  { operation: 'retryFinalize', command: 'retryFinalize', others: [found] },
  { operation: 'invite', command: 'invite', others: [found, order] },
  {
    operation: 'deleteAttachment',
    command: 'deleteAttachment',
    others: [found, 'process.file.not_found'],
  },
  { operation: 'purge', command: 'purge', others: [found] },
  {
    operation: 'addSignee',
    command: 'addSignee',
    others: [found, twin, limit, closed, 'signing.forbidden.document.signed'],
  },
  { operation: 'updateSignee', command: 'updateSignee', others: [found, twin, limit] },
  {
    operation: 'remind',
    command: 'remind',
    others: [
      ...[found, order, closed],
      ...['reminder.delivery.not_allowed', 'reminder.phone.missing', 'reminder.email.missing'],
    ] as ErrorCode[],
  },
  { operation: 'cancelReminders', command: 'cancelReminders', others: [found] },
  { operation: 'unsubscribe', command: 'unsubscribe', others: [found] },
  { operation: 'openLink', command: 'openLink', others: [found] },
  { operation: 'view', command: 'view' },
  { operation: 'openView', command: 'view' },
  { operation: 'signByClick', command: 'sign' },
  { operation: 'sendCode', command: 'sign' },
  { operation: 'signByCode', command: 'sign' },
  { operation: 'startQualified', command: 'startSigning' },
  { operation: 'decline', command: 'decline' },
];

test.each(rows)('$operation declares the codes with which $command is rejected', (row) => {
  const { operation, command, others } = row;
  const declared = new Set<string>(operations[operation].errors);
  const decisions = decisionTable.filter(([type]) => type === command);
  expect(decisions.length).toBeGreaterThan(0);
  const refusals = new Set(decisions.map(([, , decision]) => decision).filter(isCode));
  expect([...refusals].filter((code) => !declared.has(code))).toEqual([]);
  if (others === undefined) return;
  expect(declared).toEqual(new Set<string>([...refusals, ...others]));
});

test('the table covers every operation that changes a process', () => {
  const changes = Object.keys(commands).filter((name) => name in operations);
  expect(rows.map(({ command }) => command)).toEqual(expect.arrayContaining(changes));
});

function isCode(decision: string): boolean {
  return decision !== '=' && !decision.includes(' · ');
}
