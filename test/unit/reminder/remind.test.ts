import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { bindOperations } from '../../../src/app/operation.ts';
import type { Job, MailMessage } from '../../../src/app/ports/index.ts';
import {
  type ReminderRunPorts,
  type ReminderService,
  remindDue,
  reminderOperations,
} from '../../../src/app/reminder/index.ts';
import { applyCommand } from '../../../src/app/service/index.ts';
import { InnsigliError } from '../../../src/base/errors.ts';
import { asKey } from '../../../src/domain/keys.ts';
import type { Signee, SigningProcess } from '../../../src/domain/process/index.ts';
import type { Sequence } from '../../../src/domain/sequence.ts';
import {
  openTestStore,
  type TestStore,
  testCompany,
  testNowMs,
  testProcess,
  testSignee,
} from '../../support/store.ts';

const dayMs = 86_400_000;
let world: TestStore;
let nowMs = testNowMs;
let sent: { to: string; text: string; unsubscribeUrl: string | undefined }[] = [];
let isDown = false;
let ports: ReminderRunPorts;
let toolkit: ReminderService;

beforeEach(async () => {
  world = await openTestStore({ leaseNow: () => nowMs });
  nowMs = testNowMs;
  sent = [];
  isDown = false;
  let count = 0;
  const random = (bytes: number) => {
    count += 1;
    return Buffer.alloc(bytes).fill(count.toString(16).padStart(8, '0'), 0, 'hex');
  };
  const accept = (to: string, text: string, unsubscribeUrl?: string) => {
    if (isDown) throw new InnsigliError('mail.failed', 'as the test wants it');
    sent.push({ to, text, unsubscribeUrl });
  };
  ports = {
    store: world.store,
    blobs: world.blobs,
    now: () => nowMs,
    random,
    frontEnd: 'https://sign.example',
    mailFrom: { address: 'no-reply@mail.example' },
    mailer: {
      async send({ to, text, unsubscribeUrl, messageId }: MailMessage) {
        accept(to, text, unsubscribeUrl);
        return { reference: messageId };
      },
      close: () => undefined,
    },
    sms: {
      async send({ id, to, text }) {
        accept(to, text);
        return { reference: id };
      },
    },
    apply: (unit, key, command) =>
      applyCommand(
        unit,
        { random, frontEnd: 'https://sign.example', now: () => nowMs },
        key,
        command,
      ),
  };
  toolkit = bindOperations(reminderOperations, ports, testCompany.key);
});
afterEach(() => world.close());

const planned = (number: number, changes: Partial<Signee> = {}): Signee =>
  testSignee(number, {
    invitedAtMs: testNowMs,
    reminder: { nextAtMs: testNowMs + dayMs, sentCount: 0 },
    ...changes,
  });

async function add(...processes: readonly SigningProcess[]): Promise<void> {
  await world.store.write(async (unit) => {
    for (const process of processes) {
      await unit.processes.add(process);
      for (const { reminder } of process.signees) {
        if (reminder?.nextAtMs === undefined) continue;
        await unit.jobs.put({ kind: 'remind', ref: process.key, runAtMs: reminder.nextAtMs });
      }
    }
  });
}

const show = ({ key }: SigningProcess) => world.store.read((unit) => unit.processes.find(key));
const logOf = ({ key }: SigningProcess) =>
  world.store.read(async (unit) => (await unit.activity.rows(key)).map(({ status }) => status));
const jobAt = ({ key }: SigningProcess) =>
  world.store.read(async (unit) => (await unit.jobs.find('remind', key))?.runAtMs);
const keysOf = (process: SigningProcess, index = 0) => ({
  processKey: process.key,
  signeeKey: String(process.signees[index]?.key),
});

const rule = { firstDays: 1, intervalDays: 3 };

describe('manual reminders', () => {
  test('send one mail with its link and leave the schedule unchanged', async () => {
    const process = testProcess(1, { signees: [planned(1)], reminderRule: rule });
    await add(process);
    const request = {
      delivery: 'Email',
      includeUnsubscribe: true,
      user: 'owner@example.is',
    } as const;
    expect((await toolkit.remind(keysOf(process), request)).key).toBe(process.key);
    expect(await toolkit.runDue()).toEqual({ processes: 0, messages: 1, faults: 0 });
    const page = `https://sign.example/s/${process.key}/${process.signees[0]?.key}`;
    expect(sent).toMatchObject([
      { to: 'thordur1@example.is', unsubscribeUrl: `${page}/unsubscribe` },
    ]);
    expect(sent[0]?.text).toContain(page);
    expect(await logOf(process)).toEqual(['ReminderRequested', 'ReminderSent']);
    expect((await show(process))?.signees[0]?.reminder).toEqual(process.signees[0]?.reminder);
  });

  test('requested twice before delivery send one mail; requested later send another', async () => {
    const process = testProcess(1);
    await add(process);
    expect(await toolkit.remind(keysOf(process), {})).toMatchObject({ isDouble: false });
    expect(await toolkit.remind(keysOf(process), {})).toMatchObject({
      delivery: 'Email',
      isDouble: true,
    });
    await toolkit.runDue();
    expect(sent).toHaveLength(1);
    await toolkit.remind(keysOf(process), { delivery: 'Email' });
    await toolkit.runDue();
    expect(sent).toHaveLength(2);
  });

  test('with delivery None write a log row and send nothing', async () => {
    const process = testProcess(1);
    await add(process);
    await toolkit.remind(keysOf(process), { delivery: 'None' });
    expect(await toolkit.runDue()).toMatchObject({ messages: 0 });
    expect(await logOf(process)).toEqual(['ReminderRequested']);
  });

  test.each([
    ['Sms', { signatureType: 'Simple', phoneNumber: '5550101' }, 'reminder.delivery.not_allowed'],
    [
      'Sms',
      { signatureType: 'ClickToSign', phoneNumber: '5550101' },
      'reminder.delivery.not_allowed',
    ],
    ['Sms', { signatureType: 'Qualified' }, 'reminder.phone.missing'],
    ['Email', { email: '' }, 'reminder.email.missing'],
    ['Email', { state: 'Signed' }, 'signing.forbidden.signee.signed'],
  ] as const)('by %s to %j are rejected', async (delivery, signee, code) => {
    const process = testProcess(1, { signees: [testSignee(1, signee)] });
    await add(process);
    await expect(toolkit.remind(keysOf(process), { delivery })).rejects.toMatchObject({ code });
    expect(await logOf(process)).toEqual([]);
  });

  test.each([
    ['Canceled', 'Done', 'signing.forbidden.canceled'],
    ['Expired', 'Done', 'signing.forbidden.expired'],
    ['Blocked', 'Open', 'signing.forbidden.blocked'],
    ['Completed', 'Done', 'signing.forbidden.signee.signed'],
  ] as const)('for a process that is %s are rejected', async (status, phase, code) => {
    const process = testProcess(1, { status, phase });
    await add(process);
    const asked = toolkit.remind(keysOf(process), { delivery: 'Email' });
    await expect(asked).rejects.toMatchObject({ code });
  });

  test('for unknown keys and those of a different company are rejected', async () => {
    const process = testProcess(1);
    await add(process);
    const email = { delivery: 'Email' } as const;
    const target = keysOf(process);
    const other = bindOperations(reminderOperations, ports, asKey('company', 'c0ffee000002'));
    await expect(other.remind(target, email)).rejects.toMatchObject({ code: 'process.not_found' });
    await expect(other.cancelReminders(target)).rejects.toMatchObject({
      code: 'process.not_found',
    });
    await expect(toolkit.remind({ ...target, signeeKey: 'si0' }, email)).rejects.toMatchObject({
      code: 'error.signee.not_found',
    });
    await expect(
      toolkit.remind({ sequenceKey: 'pg0', personKey: 'gs0' }, email),
    ).rejects.toMatchObject({ code: 'process.not_found' });
  });
});

describe('scheduled reminders', () => {
  /** Days on which a worker that runs every six hours sent a mail. */
  async function daysUntil(days: number): Promise<number[]> {
    const found: number[] = [];
    const start = nowMs;
    for (; nowMs <= start + days * dayMs; nowMs += dayMs / 4) {
      const before = sent.length;
      await toolkit.runDue();
      if (sent.length > before) found.push((nowMs - start) / dayMs);
    }
    return found;
  }

  test.each([
    ['1:3', { firstDays: 1, intervalDays: 3 }, 1, [1, 4, 7, 10, 13]],
    ['5:0', { firstDays: 5, intervalDays: 0 }, 5, [5]],
    ['0:10', { firstDays: 0, intervalDays: 10 }, 10, [10]],
  ])('by the rule %s within fourteen days', async (_, reminderRule, first, days) => {
    const reminder = { nextAtMs: testNowMs + first * dayMs, sentCount: 0 };
    const process = testProcess(1, { signees: [planned(1, { reminder })], reminderRule });
    await add(process);
    expect(await daysUntil(14)).toEqual(days);
    const log = await logOf(process);
    expect(log).toEqual(days.map(() => 'ReminderSent'));
    expect((await show(process))?.signees[0]?.reminder?.sentCount).toBe(days.length);
  });

  test('end when the signee signs or unsubscribes, or the owner cancels', async () => {
    const signed = testProcess(1, {
      signees: [planned(1, { state: 'Signed' })],
      reminderRule: rule,
    });
    const quiet = testProcess(2, { signees: [planned(2)], reminderRule: rule });
    const stopped = testProcess(3, { signees: [planned(3)], reminderRule: rule });
    await add(signed, quiet, stopped);
    await toolkit.unsubscribe(keysOf(quiet));
    await toolkit.unsubscribe(keysOf(quiet));
    expect(await toolkit.cancelReminders(keysOf(stopped), 'owner@example.is')).toBe(1);
    expect(await toolkit.cancelReminders(keysOf(stopped))).toBe(1);
    expect(await daysUntil(10)).toEqual([]);
    expect(await logOf(quiet)).toEqual(['Unsubscribed']);
    expect(await logOf(stopped)).toEqual(['RemindersCanceled']);
    expect(await jobAt(quiet)).toBeUndefined();
    await toolkit.remind(keysOf(stopped), { delivery: 'Email' });
    await toolkit.runDue();
    expect(sent).toHaveLength(1);
  });

  test('are sent once by a worker that was down, not once per missed day', async () => {
    const process = testProcess(1, { signees: [planned(1)], reminderRule: rule });
    await add(process);
    nowMs += 12.5 * dayMs;
    await toolkit.runDue();
    expect(sent).toHaveLength(1);
    expect(await jobAt(process)).toBe(testNowMs + 16 * dayMs);
  });

  test('are delayed by a mail server that is down, but not multiplied', async () => {
    const process = testProcess(1, { signees: [planned(1)], reminderRule: rule });
    await add(process);
    nowMs += dayMs;
    isDown = true;
    expect(await toolkit.runDue()).toEqual({ processes: 1, messages: 1, faults: 1 });
    isDown = false;
    nowMs += 60_000;
    await toolkit.runDue();
    expect(sent).toHaveLength(1);
    expect(await logOf(process)).toEqual(['ReminderSent']);
  });

  test('are planned by one of two workers with the same job, and the next date is kept', async () => {
    const process = testProcess(1, { signees: [planned(1)], reminderRule: rule });
    await add(process);
    nowMs += dayMs;
    const claim = { kinds: ['remind'], leaseMs: 1, limit: 5 } as const;
    const [late] = await world.store.claimJobs({ ...claim, owner: 'a', nowMs });
    nowMs += 10;
    const [job] = await world.store.claimJobs({ ...claim, owner: 'b', nowMs });
    await remindDue(job as Job, ports);
    await remindDue(late as Job, ports);
    await toolkit.runDue();
    expect(sent).toHaveLength(1);
    expect(await jobAt(process)).toBe(testNowMs + 4 * dayMs);
  });

  test('leave nothing behind when the worker is killed before the commit, and are repeated', async () => {
    const process = testProcess(1, { signees: [planned(1)], reminderRule: rule });
    await add(process);
    nowMs += dayMs;
    const [job] = await world.store.claimJobs({
      ...{ owner: 'a', kinds: ['remind'], nowMs, leaseMs: 1_000, limit: 5 },
    });
    const dying: ReminderRunPorts['store'] = {
      ...world.store,
      write: (work) =>
        world.store.write(async (unit) => {
          await work(unit);
          throw new Error('killed');
        }),
    };
    await expect(remindDue(job as Job, { ...ports, store: dying })).rejects.toThrow('killed');
    expect((await show(process))?.rev).toBe(1);
    nowMs += 2_000;
    await toolkit.runDue();
    expect(sent).toHaveLength(1);
  });

  test('of a closed or removed process end', async () => {
    const process = testProcess(1, { signees: [planned(1)], status: 'Canceled', phase: 'Done' });
    await add(process);
    await world.store.write((unit) => unit.jobs.put({ kind: 'remind', ref: 'sp0', runAtMs: 0 }));
    nowMs += dayMs;
    expect(await toolkit.runDue()).toEqual({ processes: 2, messages: 0, faults: 0 });
    expect(await toolkit.runDue()).toEqual({ processes: 0, messages: 0, faults: 0 });
    expect(sent).toEqual([]);
  });
});

describe('reminders in a sequence', () => {
  const sequenceKey = asKey('sequence', 'pg000000000000000001');
  const email = 'anna@example.is';
  const a = testProcess(1, {
    ...{ sequenceKey, reminderRule: rule },
    signees: [planned(1, { email }), planned(11)],
  });
  const b = testProcess(2, { sequenceKey, reminderRule: rule, signees: [planned(2, { email })] });
  const person = (
    number: number,
    order: number,
    ...places: readonly [SigningProcess, number][]
  ) => ({
    key: asKey('person', `gs000000000${number}`),
    order,
    signingKeys: places.map(([process, index]) => ({
      processKey: process.key,
      signeeKey: (process.signees[index] as Signee).key,
    })),
  });
  const sequence: Sequence = {
    key: sequenceKey,
    companyKey: testCompany.key,
    rev: 1,
    user: 'owner@example.is',
    requiresAuth: false,
    signInOrder: false,
    processKeys: [a.key, b.key],
    persons: [person(1, 0, [a, 0], [b, 0]), person(2, 1, [a, 1])],
    createdAtMs: testNowMs,
    isEndTold: false,
  };
  const anna = { sequenceKey, personKey: 'gs0000000001' };

  beforeEach(async () => {
    await world.store.write((unit) => unit.sequences.add(sequence));
    await add(a, b);
  });

  test('by schedule send each person one mail for all documents', async () => {
    nowMs += dayMs;
    await toolkit.runDue();
    expect(sent.map(({ to }) => to).sort()).toEqual([email, 'thordur11@example.is']);
    const mail = sent.find(({ to }) => to === email);
    expect(mail?.text).toContain(`https://sign.example/s/${sequenceKey}/gs0000000001`);
    expect(mail?.text).toContain('- Agreement 1.pdf\n- Agreement 2.pdf');
    expect(sent.find(({ to }) => to !== email)?.text).not.toContain('Agreement 2.pdf');
    expect([await jobAt(a), await jobAt(b)]).toEqual([
      testNowMs + 4 * dayMs,
      testNowMs + 4 * dayMs,
    ]);
    nowMs += 3 * dayMs;
    await toolkit.runDue();
    expect(sent).toHaveLength(4);
  });

  test.each([
    ['the person', anna],
    ['a signee', keysOf(b)],
  ])('sent manually for %s are one mail for all documents', async (_, target) => {
    await toolkit.remind(target, { delivery: 'Email' });
    await toolkit.runDue();
    expect(sent.map(({ to }) => to)).toEqual([email]);
    expect(sent[0]?.text).toContain('- Agreement 1.pdf\n- Agreement 2.pdf');
  });

  test('continue with the second document when the first is signed', async () => {
    const process = (await show(a)) as SigningProcess;
    const signees = process.signees.map((signee, index) =>
      index === 0 ? { ...signee, state: 'Signed' as const } : signee,
    );
    await world.store.write((unit) => unit.processes.save({ ...process, rev: 2, signees }));
    await toolkit.remind(anna, { delivery: 'Email' });
    await toolkit.runDue();
    expect(sent).toHaveLength(1);
    expect(await logOf(b)).toEqual(['ReminderRequested', 'ReminderSent']);
  });

  test.each([
    ['cancel', () => toolkit.cancelReminders(anna)],
    ['cancel through a signee', () => toolkit.cancelReminders(keysOf(a))],
    ['unsubscribe', () => toolkit.unsubscribe(anna)],
  ] as const)(
    '%s ends the reminders of the person in all documents, and of no one else',
    async (_, end) => {
      await end();
      nowMs += dayMs;
      await toolkit.runDue();
      expect(sent.map(({ to }) => to)).toEqual(['thordur11@example.is']);
    },
  );
});
