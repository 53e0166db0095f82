import { describe, expect, test } from 'vitest';
import type { ProcessCommand } from '../../src/domain/process/command.ts';
import { type CommandOf, decide, type SigningProcess } from '../../src/domain/process/index.ts';
import { hasLiveLease } from '../../src/domain/process/turn.ts';
import { fc } from '../support/property.ts';
import { commands, NOW, open, signee } from '../unit/domain/process/states.ts';

const names = ['anna', 'bjorn', 'carl'] as const;
const start: SigningProcess = {
  ...open,
  signInOrder: true,
  signees: names.map((name, order) =>
    signee(name, order, order === 2 ? { signatureType: 'Qualified', ssn: '1234567890' } : {}),
  ),
};

// Steps towards a signed document are frequent: most others end a history early.
const forward = ['sign', 'startSigning', 'view', 'complete', 'authenticate'] as const;
const anyType = Object.keys(commands) as ProcessCommand['type'][];

/** A step: a command for one of the signees after some time. */
const steps = fc.array(
  fc.record({
    type: fc.oneof(
      { weight: 14, arbitrary: fc.constantFrom<ProcessCommand['type']>(...forward) },
      { weight: 1, arbitrary: fc.constantFrom(...anyType) },
      // Steps that are almost always rejected are rare.
      { weight: 1, arbitrary: fc.constant('expire' as const) },
    ),
    // 3 and more: the next signee in order.
    who: fc.nat(6),
    waitMs: fc.oneof(
      { weight: 30, arbitrary: fc.nat(60_000) },
      { weight: 1, arbitrary: fc.nat(40 * 86_400_000) },
    ),
    useLease: fc.boolean(),
  }),
  { minLength: 1, maxLength: 80 },
);

describe('invariants of every history of a process (service rules I1–I6)', () => {
  test('hold for 1,500 random histories', () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(steps, (history) => {
        let process = start;
        let nowMs = NOW;
        for (const { type, who, waitMs, useLease } of history) {
          nowMs += waitMs;
          const before = process;
          process = step(process, type, who, useLease, nowMs);
          reached.add(`${process.status}/${process.phase}`);
          checkStep(before, process, nowMs);
        }
      }),
      { numRuns: 1_500, seed: 20_261_121 },
    );
    // A history that makes no progress proves nothing.
    for (const state of [
      'Active/Open',
      'Active/Finalizing',
      'Completed/Done',
      'Expired/Done',
      'Canceled/Done',
    ]) {
      expect([...reached]).toContain(state);
    }
  });
});

function step(
  process: SigningProcess,
  type: ProcessCommand['type'],
  who: number,
  useLease: boolean,
  nowMs: number,
): SigningProcess {
  const next = process.signees.find(({ state }) => state !== 'Signed') ?? start.signees[0];
  const signeeKey = (start.signees[who] ?? next)?.key;
  const current = process.document ?? { sha256: 'a'.repeat(64), lengthBytes: 100 };
  const token = process.lease?.token;
  const command = {
    ...commands[type],
    ...('signeeKey' in commands[type] ? { signeeKey } : {}),
    ...(type === 'sign'
      ? {
          seenSha256: current.sha256,
          document: {
            sha256: `${current.lengthBytes}`.padStart(64, '0'),
            lengthBytes: current.lengthBytes + 50,
          },
          ...(useLease && token !== undefined ? { token } : {}),
        }
      : {}),
  } as CommandOf<typeof type>;
  const decision = decide(process, command, { nowMs });
  return decision.kind === 'accepted' ? decision.next : process;
}

function checkStep(before: SigningProcess, after: SigningProcess, nowMs: number): void {
  if (after === before) return;
  const signed = after.signees.filter(({ state }) => state === 'Signed').length;
  // I1
  if (after.status === 'Completed') expect(signed).toBe(after.signees.length);
  // I2: a lease has one holder, and exists only while the process is open
  if (after.lease !== undefined) expect(after.status).toBe('Active');
  if (hasLiveLease(after, nowMs)) expect(after.lease?.token).toBe(after.leaseToken);
  // I3
  expect(after.documentRev).toBe(signed);
  if (after.purgedAtMs === undefined && after.documentRev > before.documentRev) {
    expect(after.document?.lengthBytes).toBeGreaterThan(before.document?.lengthBytes ?? 0);
  }
  // I5
  if (['Completed', 'Expired', 'Canceled'].includes(before.status)) {
    expect(after.status).toBe(before.status);
    expect(after.documentRev).toBe(before.documentRev);
  }
  // No one signs before the preceding signees.
  after.signees.forEach(({ state }, at) => {
    if (state === 'Signed') {
      expect(after.signees.slice(0, at).every((other) => other.state === 'Signed')).toBe(true);
    }
  });
  expect(after.rev).toBe(before.rev + 1);
}
