import { describe, expect, test } from 'vitest';
import { findDifference } from '../../../src/domain/activity/index.ts';
import { isWrittenAt } from '../../../src/domain/activity/row.ts';
import type { ActivityDraft, SigningProcess } from '../../../src/domain/process/index.ts';
import { logOf, processOf, startMs } from './log-of.ts';

const dayMs = 86_400_000;
const expiresAtMs = startMs + 30 * dayMs;
const by = { createdBy: 'System' };
const terms = { retentionDays: 30, expiresAtMs };
const created = { status: 'Created', ...by, terms };
const canceled = { status: 'Canceled', ...by };
const policy = { retentionDays: 30 } as SigningProcess['policy'];
const ended = { status: 'Canceled', phase: 'Done' } as const;

/** The fault found in the log of `drafts`, one row per second. */
const faultOf = (drafts: readonly ActivityDraft[], changes: Partial<SigningProcess>) => {
  const process = { status: 'InActive', policy, expiresAtMs, ...changes } as const;
  return findDifference(logOf('sp01', drafts).rows, processOf('sp01', process));
};
const changedAt = (seq: number) => ({ seq, fault: 'process.changed' });

describe('the retention and expiry of a process', () => {
  test.each([
    ['unchanged', {}, undefined],
    ['a different retention', { policy: { ...policy, retentionDays: 29 } }, changedAt(1)],
    ['a different expiry', { expiresAtMs: expiresAtMs + 1 }, changedAt(1)],
  ] as const)('are compared with the log: %s', (_, changes, found) => {
    expect(faultOf([created], changes)).toEqual(found);
  });

  test('follow a row that extends the process', () => {
    const later = expiresAtMs + dayMs;
    const extended = { status: 'Extended', ...by, terms: { expiresAtMs: later } };
    expect(faultOf([created, extended], { expiresAtMs: later })).toBeUndefined();
    expect(faultOf([created, extended], { expiresAtMs })).toEqual(changedAt(2));
  });

  test('are not checked against rows of earlier versions, which do not state them', () => {
    const older = { status: 'Created', ...by };
    const other = { expiresAtMs: 1, policy: { ...policy, retentionDays: 1 } };
    expect(faultOf([older], other)).toBeUndefined();
    expect(faultOf([created, { status: 'Extended', ...by }], { expiresAtMs: 1 })).toBeUndefined();
  });
});

describe('the end of a process', () => {
  const endedAtMs = startMs + 1000;
  test.each([
    ['as logged', { ...ended, endedAtMs }, undefined],
    ['earlier', { ...ended, endedAtMs: 1 }, changedAt(2)],
    ['later', { ...ended, endedAtMs: endedAtMs + 1 }, changedAt(2)],
    ['without an end time', ended, changedAt(2)],
    ['for an open process', { ...ended, phase: 'Open', endedAtMs }, changedAt(2)],
  ] as const)('is compared with the log: %s', (_, changes, found) => {
    expect(faultOf([created, canceled], changes)).toEqual(found);
  });

  test.each([
    ['an end time', { endedAtMs: startMs }],
    ['a phase', { phase: 'Done' }],
  ] as const)('is rejected if no row states it: %s', (_, changes) => {
    expect(faultOf([created], changes)).toEqual(changedAt(1));
  });

  test('a process without a signature cannot be in a finalizing phase', () => {
    expect(faultOf([created], { phase: 'Finalizing' })).toEqual(changedAt(1));
    expect(faultOf([created], { phase: 'FinalizeFailed' })).toEqual(changedAt(1));
  });
});

describe('a purge by the system', () => {
  const purged = { status: 'Purged', ...by };
  const was = { ...ended, endedAtMs: startMs + 1000, purgedAtMs: startMs + 2000 };
  const purgedAfter = (retentionDays: number, row: ActivityDraft = purged) =>
    faultOf([{ ...created, terms: { ...terms, retentionDays } }, canceled, row], {
      ...was,
      policy: { ...policy, retentionDays },
    });

  test.each([
    ['too early', purgedAfter(1), changedAt(3)],
    ['on time', purgedAfter(0), undefined],
    ['on request', purgedAfter(1, { ...purged, description: 'on request' }), undefined],
    ['in the name of a user', purgedAfter(1, { ...purged, createdBy: 'a@b.is' }), undefined],
  ])('is compared with the retention period: %s', (_, found, expected) => {
    expect(found).toEqual(expected);
  });

  test('is not checked in time for a process of an earlier version', () => {
    expect(faultOf([{ status: 'Created', ...by }, canceled, purged], was)).toBeUndefined();
  });
});

test.each([
  [1000, undefined, 1000, true],
  [1000, undefined, 1, true],
  [1000, undefined, 1001, false],
  [9000, undefined, 8000, false],
  [9000, 'the clock is 1000 ms behind this log', 8000, true],
  [9000, 'why; the clock is 1000 ms behind this log', 8000, true],
  [9000, 'the clock is 1000 ms behind this log', 7999, false],
  [9000, undefined, undefined, false],
])(
  'a row created at %d with the description "%s" was written at %d: %s',
  (createdAtMs, description, atMs, isSo) => {
    const row = { createdAtMs, ...(description === undefined ? {} : { description }) };
    expect(isWrittenAt(row, atMs)).toBe(isSo);
  },
);
