import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  deliverMessage,
  type MessagePorts,
  messageTerms,
  queueMessage,
  queueMessages,
} from '../../../src/app/message/index.ts';
import type { Job, MailMessage } from '../../../src/app/ports/index.ts';
import { applyCommand, runCommand } from '../../../src/app/service/index.ts';
import { type ErrorCode, InnsigliError } from '../../../src/base/errors.ts';
import { asKey } from '../../../src/domain/keys.ts';
import type { Message } from '../../../src/domain/message/index.ts';
import type { MessageDraft, SigningProcess } from '../../../src/domain/process/index.ts';
import {
  openTestStore,
  type TestStore,
  testCompany,
  testFlow,
  testNowMs,
  testProcess,
  testSignee,
} from '../../support/store.ts';

let world: TestStore;
beforeAll(async () => {
  world = await openTestStore({ leaseNow: () => nowMs });
});
afterAll(() => world.close());

let count = 0;
let nowMs = testNowMs;
let sent: MailMessage[] = [];
let texts: { id: string; to: string; text: string }[] = [];
/** Results of the transports, by address. */
let verdicts: Map<string, ErrorCode>;

beforeEach(() => {
  nowMs = testNowMs + 1_000;
  sent = [];
  texts = [];
  verdicts = new Map();
});

const random = (bytes: number) => {
  count += 1;
  return Buffer.alloc(bytes, 0).fill(count.toString(16).padStart(8, '0'), 0, 'hex');
};

function ports(): MessagePorts {
  const answer = (to: string) => {
    const code = verdicts.get(to);
    if (code !== undefined) throw new InnsigliError(code, 'as the test wants it');
  };
  return {
    store: world.store,
    blobs: world.blobs,
    now: () => nowMs,
    frontEnd: 'https://sign.example',
    mailFrom: { address: 'no-reply@mail.example' },
    mailer: {
      async send(message) {
        sent.push(message);
        answer(message.to);
        return { reference: message.messageId };
      },
      close: () => undefined,
    },
    sms: {
      async send(message) {
        texts.push(message);
        answer(message.to);
        return { reference: `gw-${message.id}` };
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
}

/** Stores a process and the messages of `drafts`. */
async function given(
  changes: Partial<SigningProcess>,
  drafts: readonly MessageDraft[],
): Promise<SigningProcess> {
  count += 1;
  const process = testProcess(count, changes);
  await world.store.write(async (unit) => {
    await unit.processes.add(process);
    await queueMessages(unit, { random }, process, drafts, nowMs);
  });
  return process;
}

async function claim(): Promise<readonly Job[]> {
  return world.store.claimJobs({
    owner: 'w',
    kinds: ['message'],
    nowMs,
    leaseMs: 60_000,
    limit: 50,
  });
}

async function work(): Promise<void> {
  for (const job of await claim()) await deliverMessage(job, ports());
}

const messagesOf = ({ key }: SigningProcess): Promise<readonly Message[]> =>
  world.store.read((unit) => unit.messages.ofProcess(key));

const logOf = ({ key }: SigningProcess): Promise<readonly string[]> =>
  world.store.read(async (unit) => (await unit.activity.rows(key)).map(({ status }) => status));

const jobOf = (message: Message | undefined) =>
  world.store.read((unit) => unit.jobs.find('message', message?.id ?? ''));

const two = () => [testSignee(1), testSignee(2, { order: 1, language: 'Pl' })];
const signups = (signees: SigningProcess['signees']): MessageDraft[] =>
  signees.map(({ key }) => ({ template: 'Signup', channel: 'Email', signeeKey: key }));

describe('deliverMessage', () => {
  test('sends, and records the result of the transport with a log row', async () => {
    const signees = two();
    const process = await given({ signees }, signups(signees));
    expect(await logOf(process)).toEqual([]);
    await work();
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
      ['thordur1@example.is', 'Beiðni um undirritun – Prófun ehf.'],
      ['thordur2@example.is', 'Prośba o podpis – Prófun ehf.'],
    ]);
    expect(sent[0]).toMatchObject({
      from: '"Prófun ehf." <no-reply@mail.example>',
      replyTo: 'owner@example.is',
    });
    expect(sent[0]?.text).toContain(`https://sign.example/s/${process.key}/${signees[0]?.key}`);
    expect(sent[0]?.text).toContain(process.fileName);
    const messages = await messagesOf(process);
    expect(messages.map(({ state, attempts }) => [state, attempts])).toEqual([
      ['sent', 1],
      ['sent', 1],
    ]);
    expect(sent[0]?.messageId).toBe(`<${messages[0]?.id}@mail.example>`);
    expect(await logOf(process)).toEqual(['SignupSent', 'SignupSent']);
    expect(await claim()).toEqual([]);
  });

  test('repeats the mail only to the address that failed', async () => {
    verdicts.set('thordur2@example.is', 'mail.failed');
    const signees = [...two(), testSignee(3)];
    const process = await given({ signees }, signups(signees));
    for (let round = 0; round < 30; round += 1) {
      await work();
      nowMs += 6 * 60 * 60 * 1000;
    }
    const count = (to: string) => sent.filter((mail) => mail.to === to).length;
    expect([1, 2, 3].map((number) => count(`thordur${number}@example.is`))).toEqual([1, 9, 1]);
    const ids = sent.filter(({ to }) => to === 'thordur2@example.is').map((mail) => mail.messageId);
    expect(new Set(ids).size).toBe(1);
    expect([...(await logOf(process))].sort()).toEqual([
      'SignupFailed',
      'SignupSent',
      'SignupSent',
    ]);
    expect((await messagesOf(process)).map(({ state }) => state).sort()).toEqual([
      'failed',
      'sent',
      'sent',
    ]);
  });

  test('treats a rejection as final, and a missing or invalid address never reaches a transport', async () => {
    verdicts.set('thordur1@example.is', 'mail.refused');
    const { email: _email, ...without } = testSignee(2);
    const signees = [testSignee(1), without, testSignee(3, { email: 'a@b.is, c@d.is' })];
    const process = await given({ signees }, signups(signees));
    await work();
    expect(sent.map(({ to }) => to)).toEqual(['thordur1@example.is']);
    const codes = (await messagesOf(process)).map(({ state, lastErrorCode }) => [
      state,
      lastErrorCode,
    ]);
    expect(codes.sort()).toEqual([
      ['failed', 'mail.refused'],
      ['failed', 'mail.refused'],
      ['failed', 'message.email.missing'],
    ]);
    expect(await logOf(process)).toEqual(['SignupFailed', 'SignupFailed', 'SignupFailed']);
  });

  test('killed between acceptance and commit repeats the same mail and writes one log row', async () => {
    const process = await given({}, []);
    await queueOne(process);
    const [job] = await claim();
    const broken = ports();
    const died = deliverMessage(job as Job, {
      ...broken,
      apply: async () => {
        throw new Error('killed');
      },
    });
    await expect(died).rejects.toThrow('killed');
    expect(await logOf(process)).toEqual([]);
    nowMs += 120_000;
    await work();
    expect(sent).toHaveLength(2);
    expect(sent[1]).toEqual(sent[0]);
    expect(await logOf(process)).toEqual(['SignupSent']);
  });

  test('writes nothing if the lease of the worker was taken over', async () => {
    const process = await given({}, []);
    await queueOne(process);
    const [late] = await claim();
    nowMs += 120_000;
    const [job] = await world.store.claimJobs({
      ...{ owner: 'other', kinds: ['message'], nowMs, leaseMs: 60_000, limit: 1 },
    });
    await deliverMessage(job as Job, ports());
    await expect(deliverMessage(late as Job, ports())).rejects.toMatchObject({
      code: 'process.conflict',
    });
    expect(await logOf(process)).toEqual(['SignupSent']);
  });

  test.each(['Email', 'Sms'] as const)(
    'by %s sends nothing if the worker stalled and another took the message',
    async (channel) => {
      const phone = { signatureType: 'Qualified', phoneNumber: '+3545550101' } as const;
      const process = await given({ signees: [testSignee(1, phone)] }, []);
      await queueOne(process, channel);
      const [late] = await claim();
      nowMs += 61_000;
      const taken = { owner: 'other', kinds: ['message'], leaseMs: 60_000, limit: 1 } as const;
      const [job] = await world.store.claimJobs({ ...taken, nowMs });
      await expect(deliverMessage(late as Job, ports())).rejects.toMatchObject({
        code: 'process.conflict',
      });
      expect([sent, texts]).toEqual([[], []]);
      await deliverMessage(job as Job, ports());
      expect(sent.length + texts.length).toBe(1);
    },
  );

  test('gives up a job that has crashed its workers too often', async () => {
    const process = await given({}, []);
    await queueOne(process);
    const [job] = await claim();
    const failure = await deliverMessage({ ...(job as Job), attempts: 21 }, ports());
    expect(failure).toEqual({ code: 'internal.unexpected', isFinal: true });
    expect(sent).toEqual([]);
    expect((await messagesOf(process))[0]).toMatchObject({ state: 'failed' });
  });

  describe('when no message can be sent', () => {
    test.each([
      'mail.configuration',
      'mail.unavailable',
      'network.offline',
      'config.invalid',
    ] as const)(
      'keeps the message pending with the reason and never gives it up: %s',
      async (code) => {
        verdicts.set('thordur1@example.is', code);
        const process = await given({ signees: [testSignee(1)] }, signups([testSignee(1)]));
        const waits: number[] = [];
        for (let round = 0; round < 60; round += 1) {
          const [job] = await claim();
          expect(await deliverMessage(job as Job, ports())).toMatchObject({ code, isFinal: false });
          const [message] = await messagesOf(process);
          const { runAtMs } = (await jobOf(message)) ?? { runAtMs: 0 };
          waits.push((runAtMs - nowMs) / 1000);
          nowMs = runAtMs;
        }
        expect([...waits.slice(0, 4), ...new Set(waits.slice(4))]).toEqual([
          30, 120, 600, 1800, 1800,
        ]);
        const [message] = await messagesOf(process);
        expect(message).toMatchObject({
          state: 'waiting',
          attempts: 60,
          heldAttempts: 60,
          heldBy: code,
          lastErrorCode: code,
          lastError: 'as the test wants it',
        });
        const held = () => world.store.read((unit) => unit.messages.held());
        const mine = { code, count: 1, sinceMs: message?.createdAtMs };
        expect((await held()).filter((each) => each.code === code)).toEqual([mine]);
        // Its own failures still have all their attempts.
        verdicts.set('thordur1@example.is', 'mail.failed');
        await work();
        const [again] = await messagesOf(process);
        expect(again).toMatchObject({ state: 'waiting', lastErrorCode: 'mail.failed' });
        expect(again).not.toHaveProperty('heldBy');
        expect(((await jobOf(again))?.runAtMs ?? 0) - nowMs).toBe(30_000);
        expect((await held()).filter((each) => each.code === code)).toEqual([]);
        nowMs += 30_000;
        verdicts.clear();
        await work();
        const [done] = await messagesOf(process);
        expect(done).toMatchObject({ state: 'sent', attempts: 62 });
        expect(done).not.toHaveProperty('lastError');
      },
    );

    test('retries a one-time code only while it is valid', async () => {
      verdicts.set('+3545550101', 'sms.configuration');
      const signee = testSignee(1, { phoneNumber: '+3545550101', signatureType: 'Simple' });
      const process = await given({ signees: [signee] }, []);
      const draft = { template: 'OneTimeCode', channel: 'Sms', signeeKey: signee.key } as const;
      const values = { code: '481516' };
      await world.store.write((unit) =>
        queueMessage(unit, { random }, process, draft, values, nowMs),
      );
      let rounds = 0;
      for (;;) {
        const [message] = await messagesOf(process);
        if (message?.state !== 'waiting') break;
        nowMs = (await jobOf(message))?.runAtMs ?? 0;
        await work();
        rounds += 1;
      }
      expect(rounds).toBeGreaterThan(5);
      expect((await messagesOf(process))[0]).toMatchObject({ state: 'canceled' });
    });
  });

  test('waits longer after each failure and clears the failure when sent', async () => {
    verdicts.set(`thordur1@example.is`, 'mail.failed');
    const process = await given({ signees: [testSignee(1)] }, signups([testSignee(1)]));
    const waits: number[] = [];
    for (let round = 0; round < 4; round += 1) {
      const [job] = await claim();
      expect(await deliverMessage(job as Job, ports())).toEqual({
        code: 'mail.failed',
        why: 'as the test wants it',
        isFinal: false,
      });
      const [message] = await messagesOf(process);
      expect(message).toMatchObject({
        state: 'waiting',
        attempts: round + 1,
        lastErrorCode: 'mail.failed',
      });
      const { runAtMs } = (await jobOf(message)) ?? { runAtMs: 0 };
      waits.push((runAtMs - nowMs) / 1000);
      nowMs = runAtMs;
    }
    expect(waits).toEqual([30, 120, 600, 1800]);
    verdicts.clear();
    await work();
    const [message] = await messagesOf(process);
    expect(message).toMatchObject({ state: 'sent', attempts: 5 });
    expect(message?.lastErrorCode).toBeUndefined();
  });

  test.each([
    ['cancelled', { type: 'cancel', by: 'owner@example.is' }],
    ['blocked', { type: 'block', by: 'owner@example.is' }],
  ] as const)('sends no invitation to a process that is %s meanwhile', async (_, command) => {
    const process = await given({}, []);
    await queueOne(process);
    await runCommand(
      { store: world.store, random, frontEnd: '', now: () => nowMs },
      process.key,
      command,
    );
    await work();
    expect(sent).toEqual([]);
    expect((await messagesOf(process)).map(({ state }) => state)).toEqual(['canceled']);
  });

  test('replaces an invitation to an address that has changed since', async () => {
    const process = await given({}, []);
    await queueOne(process);
    const [signee] = process.signees;
    await world.store.write((unit) =>
      unit.processes.save({
        ...process,
        rev: 2,
        signees: [{ ...(signee as (typeof process.signees)[0]), email: 'new@example.is' }],
      }),
    );
    await queueOne({
      ...process,
      signees: [{ ...(signee as (typeof process.signees)[0]), email: 'new@example.is' }],
    });
    await work();
    expect(sent.map(({ to }) => to)).toEqual(['new@example.is']);
  });
});

async function queueOne(
  process: SigningProcess,
  channel: Message['channel'] = 'Email',
): Promise<void> {
  const key = process.signees[0]?.key;
  await world.store.write((unit) =>
    queueMessages(
      unit,
      { random },
      process,
      [{ template: 'Signup', channel, ...(key === undefined ? {} : { signeeKey: key }) }],
      nowMs,
    ),
  );
}

describe('when a process is cancelled', () => {
  const cancel = (process: SigningProcess) =>
    runCommand({ store: world.store, random, frontEnd: '', now: () => nowMs }, process.key, {
      type: 'cancel',
      by: 'owner@example.is',
      reason: 'wrong annex',
    });

  test('invited signees who have not signed are notified, without link or reason', async () => {
    const signees = [
      testSignee(1),
      testSignee(2, { state: 'Signed' }),
      testSignee(3, { delivery: 'None' }),
      testSignee(4, { signatureType: 'Qualified', delivery: 'Sms', phoneNumber: '+3545550101' }),
    ].map((each) => ({ ...each, invitedAtMs: nowMs }));
    const asked = signees.map(({ key, delivery }) => {
      const channel = delivery === 'Sms' ? 'Sms' : 'Email';
      return { template: 'Signup', channel, signeeKey: key } as const;
    });
    const process = await given({ signees }, asked);
    await work();
    sent = [];
    texts = [];
    await cancel(process);
    await work();
    expect(sent.map(({ to, subject }) => [to, subject])).toEqual([
      ['thordur1@example.is', 'Undirritun afturkölluð – Prófun ehf.'],
    ]);
    expect(sent[0]?.text).toContain(process.fileName);
    expect(sent[0]?.text).not.toMatch(/https:|wrong annex/);
    expect(texts.map(({ text }) => text)).toEqual([
      'Prófun ehf. hefur afturkallað beiðni um undirritun þína.',
    ]);
    expect((await logOf(process)).slice(-3).sort()).toEqual([
      'Canceled',
      'Canceled:sent',
      'SMS:SENT',
    ]);
  });

  test('a signee whose invitation was not sent yet receives nothing', async () => {
    const signees = [{ ...testSignee(1), invitedAtMs: nowMs }];
    const process = await given({ signees }, signups(signees));
    await cancel(process);
    await work();
    expect(sent).toEqual([]);
    expect((await messagesOf(process)).map(({ state }) => state)).toEqual(['canceled', 'canceled']);
  });
});

describe('text messages', () => {
  const phone = { phoneNumber: '+354 555-0101' };
  const sms = (key: MessageDraft['signeeKey'], template: MessageDraft['template'] = 'Signup') =>
    ({ template, channel: 'Sms', ...(key === undefined ? {} : { signeeKey: key }) }) as const;

  test('contain the custom text for a Qualified signee', async () => {
    const signee = testSignee(1, {
      ...phone,
      signatureType: 'Qualified',
      customSmsText: 'Skrifaðu undir, takk',
    });
    const process = await given({ signees: [signee] }, [sms(signee.key)]);
    await work();
    expect(texts).toMatchObject([
      {
        to: '+3545550101',
        text: `Skrifaðu undir, takk https://sign.example/s/${process.key}/${signee.key}`,
      },
    ]);
    expect(await logOf(process)).toEqual(['SignupSent']);
  });

  test('may carry a one-time code to a Simple signee, and the code is erased after sending', async () => {
    const signee = testSignee(1, { ...phone, signatureType: 'Simple' });
    const process = await given({ signees: [signee] }, []);
    const queue = () =>
      world.store.write((unit) =>
        queueMessage(
          unit,
          { random },
          process,
          sms(signee.key, 'OneTimeCode'),
          { code: '481516' },
          nowMs,
        ),
      );
    const id = await queue();
    await work();
    expect(texts.map(({ text }) => text)).toEqual([expect.stringContaining('481516')]);
    expect(await messagesOf(process)).toMatchObject([{ id, state: 'sent', values: {} }]);
    expect(await logOf(process)).toEqual(['SMS:SENT']);
    await queue();
    nowMs += 10 * 60_000;
    await work();
    expect(texts).toHaveLength(1);
    expect((await messagesOf(process)).map(({ state, values }) => [state, values])).toEqual([
      ['sent', {}],
      ['canceled', {}],
    ]);
  });

  test('with a code from a crashed worker are sent in time and delay no other code', async () => {
    const signee = testSignee(1, { ...phone, signatureType: 'Simple' });
    const process = await given({ signees: [signee] }, []);
    const draft = sms(signee.key, 'OneTimeCode');
    await world.store.write(async (unit) => {
      for (const code of ['481516', '234200']) {
        await queueMessage(unit, { random }, process, draft, { code }, nowMs);
      }
    });
    const take = (owner: string) =>
      world.store.claimJobs({ ...messageTerms, owner, kinds: ['message'], nowMs });
    expect(await take('dead')).toHaveLength(1);
    const [second] = await take('alive');
    await deliverMessage(second as Job, ports());
    // A live worker renews its lease three times a minute.
    nowMs += 50_000;
    expect(await take('alive')).toEqual([]);
    nowMs += 10_000;
    const [first] = await take('alive');
    await deliverMessage(first as Job, ports());
    expect(texts.map(({ text }) => /\d{6}/.exec(text)?.[0]).sort()).toEqual(['234200', '481516']);
  });

  test.each([
    ['Simple', phone, 'Signup', 'message.delivery.not_allowed'],
    ['ClickToSign', phone, 'Signup', 'message.delivery.not_allowed'],
    ['Qualified', {}, 'Signup', 'message.phone.missing'],
    ['Qualified', {}, 'Reminder', 'reminder.phone.missing'],
    ['Qualified', { phoneNumber: '12' }, 'Signup', 'sms.refused'],
  ] as const)('to %s with %j fail: %s with %s', async (signatureType, contact, template, code) => {
    const signee = testSignee(1, { ...contact, signatureType });
    const process = await given({ signees: [signee] }, [sms(signee.key, template)]);
    await work();
    expect(texts).toEqual([]);
    expect((await messagesOf(process))[0]).toMatchObject({ state: 'failed', lastErrorCode: code });
    expect(await logOf(process)).toEqual([`${template}Failed`]);
  });
});

describe('when a process is completed', () => {
  const drafts = (process: Pick<SigningProcess, 'signees'>): MessageDraft[] => [
    ...process.signees.map(
      ({ key }) => ({ template: 'Confirmation', channel: 'Email', signeeKey: key }) as const,
    ),
    { template: 'SalesPerson', channel: 'Email', to: 'owner@example.is' },
    { template: 'Notification', channel: 'Email', to: 'archive@example.is' },
  ];
  const completed = async (changes: Partial<SigningProcess> = {}) => {
    const content = Buffer.from('%PDF-1.7 signed');
    const sha256 = await world.blobs.put(content);
    return {
      status: 'Completed',
      phase: 'Done',
      document: { sha256, lengthBytes: content.length },
      ...changes,
    } as const;
  };

  test('everyone gets the document once', async () => {
    const signees = [testSignee(1), testSignee(2, { email: 'THORDUR1@example.is' })];
    const changes = await completed({ signees, fileName: 'a/b:c.PDF' });
    const process = await given(changes, drafts({ signees }));
    await work();
    expect(sent.map(({ to }) => to)).toEqual([
      'thordur1@example.is',
      'owner@example.is',
      'archive@example.is',
    ]);
    for (const mail of sent) {
      expect(mail.attachments.map(({ fileName }) => fileName)).toEqual(['a b c.pdf']);
      expect(Buffer.from(mail.attachments[0]?.content ?? []).toString()).toBe('%PDF-1.7 signed');
    }
    expect(await logOf(process)).toEqual([
      'Confirmation:sent',
      'SalesPerson:sent',
      'Notification:sent',
    ]);
  });

  test('the evidence page is attached to the document unless a login is required', async () => {
    const signees = [testSignee(1)];
    const page = Buffer.from('%PDF-1.7 evidence');
    const document = { sha256: await world.blobs.put(page), lengthBytes: page.length };
    const about = { key: asKey('attachment', 'at1'), contentType: 'application/pdf', document };
    const attachments = [
      { ...about, fileName: 'Agreement-evidence.pdf', type: 'EvidencePage' as const },
      {
        ...{ ...about, fileName: 'Agreement-evidence-masked.pdf' },
        ...{ type: 'EvidencePage' as const, audience: 'signees' as const },
      },
      { ...about, fileName: 'annex.pdf', type: 'Unspecified' as const },
    ];
    await given(await completed({ signees, attachments }), drafts({ signees }));
    await work();
    const names = sent.map((mail) => mail.attachments.map(({ fileName }) => fileName));
    expect(names[0]).toHaveLength(2);
    expect(names[0]?.[1]).toBe('Agreement-evidence-masked.pdf');
    expect(names[1]?.[1]).toBe('Agreement-evidence.pdf');
    expect(names[1]).toHaveLength(2);
    sent = [];
    const large = { ...document, lengthBytes: 16 * 1024 * 1024 };
    const pages = [{ ...about, ...attachments[0], document: large } as (typeof attachments)[0]];
    await given(await completed({ signees, attachments: pages }), drafts({ signees }));
    await given(await completed({ signees, attachments, requiresAuth: true }), drafts({ signees }));
    await work();
    expect(sent.map((mail) => mail.attachments.length)).toEqual([1, 1, 1, 0, 2, 2]);
  });

  test('a signee who has to log in gets only a link', async () => {
    const signees = [testSignee(1)];
    await given(await completed({ signees, requiresAuth: true }), drafts({ signees }));
    await work();
    expect(sent.map(({ attachments }) => attachments.length)).toEqual([0, 1, 1]);
    expect(sent[0]?.text).not.toContain('Agreement');
    expect(sent[0]?.text).toContain('https://sign.example/s/');
  });

  test('a document that is too large is not attached', async () => {
    const signees = [testSignee(1)];
    const changes = await completed({ signees });
    const document = { ...changes.document, lengthBytes: 16 * 1024 * 1024 };
    await given({ ...changes, document }, drafts({ signees }));
    await work();
    expect(sent.map(({ attachments }) => attachments.length)).toEqual([0, 0, 0]);
  });

  test('a rejected blind copy is reported, and the mail is sent once', async () => {
    const signees = [testSignee(1)];
    const process = await given({ signees }, signups(signees));
    const copyFailure = new InnsigliError(
      'mail.refused',
      'the mail server returned 550 to RCPT TO',
    );
    const { mailer, ...rest } = ports();
    const send: typeof mailer.send = async (mail) => ({
      ...(await mailer.send(mail)),
      copyFailure,
    });
    const [job] = await claim();
    const failure = await deliverMessage(job as Job, { ...rest, mailer: { ...mailer, send } });
    expect(failure).toEqual({
      code: 'mail.refused',
      why: 'the blind copy was not sent: the mail server returned 550 to RCPT TO',
      isFinal: true,
    });
    expect((await messagesOf(process))[0]).toMatchObject({ state: 'sent' });
    expect(await claim()).toEqual([]);
  });

  test('a missing document delays the mail, which is never sent without it', async () => {
    const signees = [testSignee(1)];
    const changes = await completed({ signees });
    const document = { ...changes.document, sha256: 'f'.repeat(64) };
    const process = await given({ ...changes, document }, drafts({ signees }).slice(0, 1));
    await work();
    expect(sent).toEqual([]);
    expect((await messagesOf(process))[0]).toMatchObject({
      state: 'waiting',
      lastErrorCode: 'blob.missing',
    });
    await world.store.write((unit) => unit.processes.save({ ...process, rev: 2, purgedAtMs: 1 }));
    nowMs += 60_000;
    await work();
    expect((await messagesOf(process))[0]?.state).toBe('canceled');
  });

  test('the text of the company takes precedence, with its recipient and its choice of attachments', async () => {
    const id = await world.store.write((unit) =>
      unit.templates.add({
        flowKey: testFlow.key,
        templateType: 'Confirmation',
        language: 'Is',
        to: '{{customer.email}}',
        bcc: 'copy@example.is',
        subject: 'Takk {{customer.name}}',
        message: '<p>{{companyName}}: {{customer.Meta.caseId}}</p>',
        includeFiles: false,
        createdAtMs: testNowMs,
        updatedAtMs: testNowMs,
      }),
    );
    const signees = [testSignee(1), testSignee(2, { language: 'Hu' })];
    await given(
      await completed({ signees, meta: { caseId: '<4>' } }),
      drafts({ signees }).slice(0, 2),
    );
    await work();
    await world.store.write((unit) => unit.templates.remove(id));
    expect(sent[0]).toMatchObject({
      subject: 'Takk Þórður Ðagnýjarson 1',
      bcc: 'copy@example.is',
      attachments: [],
    });
    expect(sent[0]?.html).toContain(`<p>${testCompany.name}: &lt;4&gt;</p>`);
    expect(sent[1]?.subject).toContain('Az aláírás befejeződött');
    expect(sent[1]?.attachments).toHaveLength(1);
  });
});
