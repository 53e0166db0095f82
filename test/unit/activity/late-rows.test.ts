import { describe, expect, test } from 'vitest';
import { verifyChain } from '../../../src/domain/activity/index.ts';
import { endings, openStatuses } from '../../../src/domain/activity/statuses.ts';
import { decisionTable } from '../domain/process/decision-line.ts';
import { states } from '../domain/process/states.ts';
import { logOf } from './log-of.ts';

const by = { createdBy: 'System' };
const verdictOn = (...statuses: readonly string[]) => {
  const { rows } = logOf(
    'sp01',
    statuses.map((status) => ({ status, ...by })),
  );
  return verifyChain('sp01', rows, undefined);
};
const late = (seq: number) => ({ isIntact: false, seq, fault: 'row.late' });

describe('a process that continues after its end', () => {
  test.each([
    ['reopened and signed', ['Created', 'Started', 'Canceled', 'SigneeSigned', 'Completed'], 4],
    ['cancelled after completion', ['Created', 'Started', 'Completed', 'Canceled'], 4],
    ['extended after expiry', ['Created', 'Started', 'Expired', 'SignupSent', 'Extended'], 5],
    [
      'blocked and unblocked after expiry',
      ['Created', 'Started', 'Expired', 'Blocked', 'Unblocked'],
      4,
    ],
    [
      'declined after completion',
      ['Created', 'Started', 'Completed', 'SigneeDeclined', 'Canceled'],
      4,
    ],
  ] as const)('is reported: %s', (_, statuses, seq) => {
    expect(verdictOn(...statuses)).toEqual(late(seq));
  });

  test.each([
    ['messages', ['Created', 'Started', 'Completed', 'Confirmation:delivered', 'WebhookSent']],
    ['an export and a purge', ['Created', 'Started', 'Canceled', 'ActivityExported', 'Purged']],
    ['a signee who declines', ['Created', 'Started', 'SigneeDeclined', 'Canceled']],
    ['an expiry after an unblocking', ['Created', 'Started', 'Blocked', 'Unblocked', 'Expired']],
  ] as const)('is not reported for rows that may follow or precede an end: %s', (_, statuses) => {
    expect(verdictOn(...statuses)).toMatchObject({ isIntact: true });
  });
});

describe('log rows of the decision table', () => {
  /** Statuses of the log rows that commands write in the states for which `isMeant` is true. */
  const rowsIn = (isMeant: (state: string) => boolean) =>
    decisionTable.flatMap(([, state, line]) => {
      const rows = line.includes(' · ') && isMeant(state) ? (line.split(' · ')[1] ?? '') : '';
      return rows.split(' ').filter((status) => status !== '' && status !== '-');
    });
  const hasEnded = (state: string) => states[state]?.phase === 'Done';

  test('no command accepted after the end writes a row that counts as late', () => {
    const after = new Set(rowsIn(hasEnded));
    expect(after.size).toBeGreaterThan(4);
    expect([...after].filter((status) => openStatuses.has(status))).toEqual([]);
  });

  test('every row that changes what is signed, or by whom, is written only before the end', () => {
    const before = new Set(rowsIn((state) => !hasEnded(state)));
    // A process starts with its first row, which is not in the table.
    const made = [...openStatuses].filter((status) => status !== 'Created');
    expect(made.filter((status) => !before.has(status))).toEqual([]);
    for (const status of endings) expect(openStatuses.has(status)).toBe(true);
  });
});
