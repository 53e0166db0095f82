import { describe, expect, test } from 'vitest';
import { loggedStatus } from '../../../src/domain/activity/index.ts';

const after = (...statuses: readonly string[]) =>
  loggedStatus(statuses.map((status) => ({ status })));

describe('the status derived from the log', () => {
  test.each([
    ['InActive', ['Created', 'SigneeAdded']],
    ['Active', ['Created', 'Started', 'SigneeSigned']],
    ['Completed', ['Created', 'Started', 'Completed', 'Confirmation:sent', 'Purged']],
    ['Canceled', ['Created', 'Started', 'SigneeDeclined', 'Canceled']],
    ['Blocked', ['Created', 'Started', 'Blocked', 'SignupSent']],
    ['Active', ['Created', 'Started', 'Blocked', 'Unblocked']],
    ['InActive', ['Created', 'Blocked', 'Unblocked']],
    ['Expired', ['Created', 'Started', 'Blocked', 'Unblocked', 'Expired']],
    [undefined, ['Started']],
    [undefined, []],
  ])('is %s after these rows', (expected, statuses) => {
    expect(after(...statuses)).toBe(expected);
  });
});
