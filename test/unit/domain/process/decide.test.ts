import { describe, expect, test } from 'vitest';
import { ownStatuses, publishedStatuses } from '../../../../src/domain/activity/statuses.ts';
import type { Decision } from '../../../../src/domain/process/consequences.ts';
import { commandTypes, decide } from '../../../../src/domain/process/decide/decide.ts';
import type { SigningProcess } from '../../../../src/domain/process/process.ts';
import { processStatuses } from '../../../../src/domain/process/status.table.ts';
import { decisionLine, decisionTable as table } from './decision-line.ts';
import { commands, NOW, open, signee, states } from './states.ts';

const every = commandTypes.flatMap((type) =>
  Object.entries(states).map(([name, process]) => ({ type, name, process })),
);

const logStatuses = [...publishedStatuses, ...Object.keys(ownStatuses)].map(
  (status) => status.split(':')[0],
);

const answer = (process: SigningProcess, type: (typeof commandTypes)[number]): Decision =>
  decide(process, commands[type], { nowMs: NOW });

describe('the decision table of commands and states', () => {
  test('lists each pair once', () => {
    expect(table.map(([type, name]) => `${type} ${name}`)).toEqual(
      every.map(({ type, name }) => `${type} ${name}`),
    );
  });

  test('covers every status', () => {
    const known = new Set(Object.values(states).map(({ status }) => status));
    expect(known).toEqual(new Set(processStatuses));
  });

  test.each(table)('%s in state %s', (type, name, expected) => {
    const command = type as (typeof commandTypes)[number];
    expect(decisionLine(answer(states[name] as SigningProcess, command))).toBe(expected);
  });

  test('accepted commands keep the invariants', () => {
    const accepted = every.flatMap(({ type, process, name }) => {
      const decision = answer(process, type);
      return decision.kind === 'accepted' ? [{ type, process, name, ...decision }] : [];
    });
    expect(accepted.length).toBeGreaterThan(200);
    for (const { type, name, process, next, consequences } of accepted) {
      const where = `${type} in ${name}`;
      expect(next.rev, where).toBe(process.rev + 1);
      expect(next.leaseToken, where).toBeGreaterThanOrEqual(process.leaseToken);
      expect(next.documentRev - process.documentRev, where).toBe(type === 'sign' ? 1 : 0);
      const isFinal = ['Completed', 'Expired', 'Canceled'].includes(process.status);
      if (isFinal) expect(next.status, where).toBe(process.status);
      if (next.status === 'Completed') {
        expect(
          next.signees.every(({ state }) => state === 'Signed'),
          where,
        ).toBe(true);
      }
      if (next.phase === 'Done') expect(next.lease, where).toBeUndefined();
      const rows = consequences.activity.map(({ status }) => status.split(':')[0]);
      expect(logStatuses, where).toEqual(expect.arrayContaining(rows));
      // Every change is logged, except that a schedule advances.
      const isTold = consequences.activity.length > 0 || type === 'remindDue';
      expect(isTold || type === 'start', where).toBe(true);
      expect(Object.values(next)).not.toContain(undefined);
    }
  });
});

describe('the order of the rules', () => {
  const late = { ...open, expiresAtMs: NOW - 1 };
  const signed = [signee('anna', 0, { state: 'Signed' }), signee('bjorn', 1)];
  const second = { ...commands.sign, signeeKey: signee('bjorn', 1).key };
  const lease = { signeeKey: signee('bjorn', 1).key, token: 4, untilMs: NOW + 1 };
  const cases: readonly (readonly [string, SigningProcess, typeof second, string])[] = [
    [
      'unknown before canceled',
      { ...open, status: 'Canceled', signees: [] },
      second,
      'error.signee.not_found',
    ],
    [
      'canceled before expired',
      { ...late, status: 'Canceled', phase: 'Done' },
      second,
      'signing.forbidden.canceled',
    ],
    ['expired before blocked', { ...late, status: 'Blocked' }, second, 'signing.forbidden.expired'],
    [
      'blocked before signed',
      { ...open, status: 'Blocked', signees: signed },
      commands.sign,
      'signing.forbidden.blocked',
    ],
    [
      'signed before order',
      { ...open, signInOrder: true, signees: signed },
      commands.sign,
      'signing.forbidden.signee.signed',
    ],
    [
      'order before login',
      { ...open, signInOrder: true, requiresAuth: true },
      second,
      'signing.forbidden.order',
    ],
    [
      'login before lock',
      { ...open, requiresAuth: true, lease },
      commands.sign,
      'signing.forbidden.verification.missing',
    ],
    ['lock', { ...open, lease }, commands.sign, '2002'],
  ];
  test.each(cases)(
    'the first violated rule rejects the command: %s',
    (_, process, command, code) => {
      const decision = decide(process, command, { nowMs: NOW });
      expect(decision).toMatchObject({ kind: 'refused', refusal: { code } });
    },
  );

  test('a held lock tells when to retry', () => {
    const decision = decide({ ...open, lease }, commands.sign, { nowMs: NOW });
    expect(decision).toMatchObject({ refusal: { retryAtMs: NOW + 1 } });
  });
});

describe('a late signature', () => {
  const qualified = { ...open, signees: [signee('anna', 0, { signatureType: 'Qualified' })] };
  const lease = { signeeKey: signee('anna', 0).key, token: 4, untilMs: NOW + 60_000 };
  const cases: readonly (readonly [string, SigningProcess, object, string])[] = [
    ['without a lease', qualified, {}, 'signing.forbidden.type'],
    [
      'under an expired lease',
      { ...qualified, lease: { ...lease, untilMs: NOW } },
      { token: 4 },
      'process.conflict',
    ],
    [
      'under an older lease',
      { ...qualified, lease: { ...lease, token: 5 } },
      { token: 4 },
      'process.conflict',
    ],
    [
      'over a different document',
      { ...qualified, lease },
      { token: 4, seenSha256: 'f'.repeat(64) },
      'process.conflict',
    ],
    [
      'that shortens the document',
      { ...qualified, lease },
      { token: 4, document: { sha256: 'd'.repeat(64), lengthBytes: 100 } },
      'process.conflict',
    ],
  ];
  test.each(cases)('is rejected: %s', (_, process, more, code) => {
    const decision = decide(process, { ...commands.sign, ...more }, { nowMs: NOW });
    expect(decision).toMatchObject({ kind: 'refused', refusal: { code } });
  });

  test('is accepted under a live lease although the process has expired', () => {
    const process = { ...qualified, lease, expiresAtMs: NOW - 1 };
    const decision = decide(process, { ...commands.sign, token: 4 }, { nowMs: NOW });
    expect(decision).toMatchObject({ kind: 'accepted', next: { phase: 'Finalizing' } });
  });
});

describe('a purge by retention', () => {
  const DAY = 86_400_000;
  const canceled = { ...open, status: 'Canceled', phase: 'Done', endedAtMs: NOW } as const;
  const at = (nowMs: number) => decide(canceled, commands.purgeDue, { nowMs });

  test('is rejected before its time, with the time to retry', () => {
    expect(at(NOW + 30 * DAY - 1)).toMatchObject({
      kind: 'refused',
      refusal: { code: 'process.state.refused', retryAtMs: NOW + 30 * DAY },
    });
  });

  test('logs what was removed, by the system', () => {
    const decision = at(NOW + 30 * DAY);
    const { activity = [] } = decision.kind === 'accepted' ? decision.consequences : {};
    expect(activity).toEqual([
      {
        status: 'Purged',
        createdBy: 'System',
        digests: { 'removed:1': 'a'.repeat(64), 'removed:2': 'b'.repeat(64) },
      },
    ]);
  });

  test('a purge on request needs no retention period and names the user', () => {
    const decision = decide(canceled, commands.purge, { nowMs: NOW });
    const { activity = [] } = decision.kind === 'accepted' ? decision.consequences : {};
    const { by: createdBy } = commands.purge;
    expect(activity).toMatchObject([{ createdBy, description: 'on request' }]);
  });
});

test('an extension must be a whole number of milliseconds', () => {
  const expiresAtMs = NOW + 1000.5;
  expect(decide(open, { ...commands.extend, expiresAtMs }, { nowMs: NOW })).toMatchObject({
    refusal: { code: 'validation.error' },
  });
});

describe('the log of a declined process', () => {
  test('contains the reason and the IP address', () => {
    const decision = decide(open, commands.decline, { nowMs: NOW });
    const rows = decision.kind === 'accepted' ? decision.consequences.activity : [];
    expect(rows[0]).toMatchObject({
      status: 'SigneeDeclined',
      personal: { reason: 'no', ip: '192.0.2.1' },
    });
  });
});
