import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import type { AuthPorts } from '../../src/app/auth/index.ts';
import { checkPasscode } from '../../src/app/auth/sequence/sequence-passcode.ts';
import { hashPasscode } from '../../src/app/process/passcode.ts';
import { newKey } from '../../src/domain/keys.ts';
import type { Sequence } from '../../src/domain/sequence.ts';
import { testCompany } from '../support/store.ts';
import { describeStores } from './on-engines.ts';

const startMs = Date.UTC(2026, 0, 5);

describeStores('passcodes of a sequence', (store) => {
  const opened = async (passcode: string) => {
    const person = {
      key: newKey('person', randomBytes),
      order: 0,
      signingKeys: [],
      passcodeHash: await hashPasscode(passcode, randomBytes),
      // As written by earlier versions.
      passcodeTries: 4,
      passcodeLockedUntilMs: startMs + 1e9,
    };
    const sequence: Sequence = {
      ...{ key: newKey('sequence', randomBytes), companyKey: testCompany.key, rev: 1 },
      ...{ user: 'o@example.test', requiresAuth: false, signInOrder: false },
      ...{ processKeys: [], persons: [person], createdAtMs: startMs, isEndTold: false },
    };
    await store().write(({ sequences }) => sequences.add(sequence));
    let nowMs = startMs;
    // Two programs with one database share nothing else.
    const ports = () =>
      ({ store: store(), now: () => nowMs, random: randomBytes }) as unknown as AuthPorts;
    const place = { sequenceKey: sequence.key, personKey: person.key };
    const enter = async (given: string, ip?: string) => {
      const answer = { ...place, passcode: given, ...(ip === undefined ? {} : { ip }) };
      try {
        return (await checkPasscode(ports(), answer)).token.length;
      } catch (error) {
        const { details } = error as { details: { retryAfterSeconds?: number } };
        return details.retryAfterSeconds ?? 'wrong';
      }
    };
    return { enter, pass: (ms: number) => (nowMs += ms), rev: sequence.rev, key: sequence.key };
  };

  test('that are shorter, from earlier versions, still open', async () => {
    const { enter } = await opened('1234');
    expect(await enter('1234', '192.0.2.1')).toBe(43);
  });

  test('share five attempts among all programs, even concurrent ones', async () => {
    const { enter } = await opened('leyniorð');
    const tries = Array.from({ length: 12 }, (_, at) => enter(`no ${at}`, '192.0.2.1'));
    const found = await Promise.all(tries);
    expect(found.filter((each) => each === 'wrong')).toHaveLength(5);
    expect(await enter('leyniorð', '192.0.2.1')).toBe(900);
    expect(await enter('leyniorð', '198.51.100.1')).toBe(43);
    expect(await enter('no')).toBe('wrong');
  });

  test('do not modify the sequence, so that concurrent signers are not disturbed', async () => {
    const { enter, key, rev } = await opened('leyniorð');
    await enter('no');
    await enter('leyniorð');
    const after = await store().read(({ sequences }) => sequences.find(key));
    expect(after?.rev).toBe(rev);
  });

  test('keep failed attempts for a day, and delete them by the second day', async () => {
    const { enter, pass } = await opened('leyniorð');
    const forget = (atMs: number) =>
      store().write(({ tallies }) => tallies.removeForgotten(startMs + atMs));
    const day = 24 * 3_600_000;
    await forget(1e12);
    for (let at = 0; at < 5; at += 1) await enter('no', '192.0.2.1');
    expect(await forget(day - 1)).toBe(0);
    pass(day);
    expect(await enter('no', '192.0.2.2')).toBe('wrong');
    // The tally of the first client; those of all clients and of the network are from today.
    expect(await forget(day)).toBe(0);
    expect(await forget(2 * day)).toBe(3);
  });

  test('count failed attempts for longer as the waiting time grows', async () => {
    const { enter, pass } = await opened('leyniorð');
    for (let at = 0; at < 5; at += 1) await enter('no', '192.0.2.1');
    pass(20 * 60_000);
    for (let at = 0; at < 15; at += 1) expect(await enter('no', `10.0.${at}.1`)).toBe('wrong');
    // Twenty in total: two per hour.
    expect(await enter('no', '192.0.2.1')).toBe(40 * 60);
  });
});
