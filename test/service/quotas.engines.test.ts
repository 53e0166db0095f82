import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { QuotaName } from '../../src/domain/company.ts';
import { describeOnEngines } from './on-engines.ts';
import { agreement, type TestService } from './open-service.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const clicker = { name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' } as const;

describeOnEngines('quotas of a company', (opened) => {
  let it: TestService;
  beforeEach(() => {
    it = opened();
  });
  afterEach(async () => {
    const names = (await it.toolkit.quotas()).map(({ name }) => [name, null]);
    await it.toolkit.setQuotas(Object.fromEntries(names));
  });
  const create = (changes: object = {}) =>
    it.toolkit.processes.create({
      ...{ flowKey: it.flowKey, pdf: agreement, fileName: 'a.pdf', signees: [clicker] },
      ...changes,
    });
  const used = async (name: QuotaName) =>
    (await it.toolkit.quotas()).find((each) => each.name === name)?.used ?? 0;

  test('stored bytes count a document from its first revision to its purge', async () => {
    const before = await used('storedBytes');
    const content = Buffer.alloc(1000, 1);
    const { key, signees } = await create({ attachments: [{ fileName: 'a.bin', content }] });
    expect(await used('storedBytes')).toBe(before + agreement.length + 1000);
    await it.toolkit.signing.signByClick({ processKey: key, signeeKey: signees[0]?.key ?? '' });
    await it.toolkit.runDueJobs();
    const process = await it.toolkit.processes.show({ key });
    expect(process.status).toBe('Completed');
    const lengths = [
      process.original,
      process.document,
      ...process.attachments.map((a) => a.document),
    ];
    const least = lengths.reduce((sum, each) => sum + (each?.lengthBytes ?? 0), 0);
    expect(await used('storedBytes')).toBeGreaterThanOrEqual(before + least);
    it.pass(2 * HOUR);
    await it.toolkit.processes.purge({ key, by: 'System' });
    expect(await used('storedBytes')).toBe(before);
  }, 60_000);

  test.each([
    ['processes', 'quota.processes.exceeded', {}],
    [
      'attachments',
      'quota.attachments.exceeded',
      { attachments: [{ fileName: 'a', content: Buffer.from('a') }] },
    ],
  ] as const)(
    '%s per day',
    async (name, code, changes) => {
      await it.toolkit.setQuotas({ [name]: (await used(name)) + 1 });
      await create(changes);
      const before = await it.toolkit.processes.count();
      const error = await create(changes).catch((each: unknown) => each);
      expect(error).toMatchObject({ code });
      const { retryAfterSeconds } = (error as { details: { retryAfterSeconds: number } }).details;
      expect(retryAfterSeconds).toBeGreaterThan(0);
      expect(retryAfterSeconds).toBeLessThanOrEqual(DAY / 1000);
      expect(await it.toolkit.processes.count()).toBe(before);
      it.pass(retryAfterSeconds * 1000);
      await create(changes);
    },
    60_000,
  );

  test('documents of a sequence count individually, and all or none are created', async () => {
    const before = await it.toolkit.processes.count();
    await it.toolkit.setQuotas({ processes: (await used('processes')) + 1 });
    const one = { flowKey: it.flowKey, pdf: agreement, fileName: 'a.pdf', signees: [clicker] };
    const request = { user: 'owner@example.test', processes: [one, one] };
    await expect(it.toolkit.processes.createSequence(request)).rejects.toMatchObject({
      code: 'quota.processes.exceeded',
    });
    expect(await it.toolkit.processes.count()).toBe(before);
  }, 60_000);

  test('above the storage quota new documents are rejected, and running ones are completed', async () => {
    const { key, signees } = await create();
    await it.toolkit.setQuotas({ storedBytes: await used('storedBytes') });
    await expect(create()).rejects.toMatchObject({ code: 'quota.storage.exceeded' });
    await it.toolkit.signing.signByClick({ processKey: key, signeeKey: signees[0]?.key ?? '' });
    await it.toolkit.runDueJobs();
    expect((await it.toolkit.processes.show({ key })).status).toBe('Completed');
  }, 60_000);

  test('mails per address and day; other addresses and the next day are unaffected', async () => {
    await it.toolkit.setQuotas({ mailsPerRecipient: 2 });
    const invite = async (email: string) => {
      const { key } = await create({ signees: [{ ...clicker, email, delivery: 'Email' }] });
      await it.toolkit.runDueJobs(['message']);
      const [message] = await it.toolkit.messages.list({ processKey: key });
      return [message?.state, message?.lastErrorCode ?? ''];
    };
    const victim = 'victim@example.test';
    expect(await invite(victim)).toEqual(['sent', '']);
    expect(await invite('Victim@Example.test')).toEqual(['sent', '']);
    expect(await invite(victim)).toEqual(['failed', 'quota.mails.exceeded']);
    expect(await invite('b@example.test')).toEqual(['sent', '']);
    it.pass(DAY);
    expect(await invite(victim)).toEqual(['sent', '']);
  }, 60_000);

  test('mails caused by links do not use up the quota of the company', async () => {
    await it.toolkit.setQuotas({ mailsPerRecipient: 2 });
    const before = await used('mailsPerRecipient');
    const email = 'loved@example.test';
    const signee = (name: string) => ({ ...clicker, name, email, delivery: 'Email' as const });
    const states = [];
    for (let at = 0; at < 3; at += 1) {
      const { key } = await create();
      for (const name of ['Mal A', 'Mal B', 'Mal C', 'Mal D']) {
        await it.toolkit.processes.addSignee({
          key,
          signee: signee(name),
          by: 'System',
          from: 'place',
        });
      }
      await it.toolkit.runDueJobs(['message']);
      states.push(
        ...(await it.toolkit.messages.list({ processKey: key })).map((each) => each.state),
      );
    }
    expect(states.filter((state) => state === 'sent')).toHaveLength(10);
    expect(states.filter((state) => state === 'failed')).toHaveLength(2);
    const { key } = await create({ signees: [signee('Vic Tim')] });
    await it.toolkit.runDueJobs(['message']);
    expect((await it.toolkit.messages.list({ processKey: key }))[0]?.state).toBe('sent');
    expect(await used('mailsPerRecipient')).toBe(before + 1);
  }, 60_000);

  test('idempotency keys', async () => {
    const { idempotency: repeats } = it.service;
    const { key } = it.toolkit.company;
    await it.toolkit.setQuotas({ namedRequests: (await used('namedRequests')) + 1 });
    const begin = (name: string) => repeats.begin(key, name, { sha256: name });
    const first = await begin('first');
    expect(first).toHaveProperty('drop');
    if (typeof first !== 'string') await first.drop();
    await expect(begin('second')).rejects.toMatchObject({ code: 'quota.requests.exceeded' });
  }, 60_000);

  test('accept only whole numbers', async () => {
    const refused = { code: 'validation.error' };
    for (const change of [{ processes: -1 }, { processes: 1.5 }, { other: 1 }]) {
      await expect(it.toolkit.setQuotas(change)).rejects.toMatchObject(refused);
    }
    await it.toolkit.setQuotas({ processes: 7, storedBytes: 8 });
    await it.toolkit.setQuotas({ processes: null });
    const most = (await it.toolkit.quotas()).map((each) => [each.name, each.most]);
    expect(Object.fromEntries(most)).toMatchObject({ processes: 20_000, storedBytes: 8 });
  });

  describe('IDs of webhooks and mail texts', () => {
    test('reveal nothing about other companies, and are ordered', async () => {
      const made: number[] = [];
      const other = await it.service.createCompany({ name: 'Other ehf.' });
      const foreign = await it.service.open(other.company.key);
      const [foreignFlow] = await foreign.flows.list();
      const webhook = (flowKey: string, toolkit = it.toolkit) =>
        toolkit.webhooks.create({
          flowKey,
          type: 'AllSigned',
          url: 'http://127.0.0.1:8099/',
        } as never);
      for (let at = 0; at < 4; at += 1) {
        made.push((await webhook(it.flowKey)).webhook.id);
        await webhook(foreignFlow?.flowKey ?? '', foreign);
      }
      const steps = made.slice(1).map((id, at) => id - (made[at] ?? 0));
      expect(steps.every((step) => step > 0)).toBe(true);
      // A global counter would yield 2 each time.
      expect(new Set(steps).size).toBeGreaterThan(1);
      expect(made[0]).toBeGreaterThan(4);
      expect(made.every((id) => id < 2 ** 31)).toBe(true);
      const listed = await it.toolkit.webhooks.list({ flowKey: it.flowKey } as never);
      expect(listed.map(({ id }) => id)).toEqual(made);
    }, 60_000);

    test('are ordered for mail texts, too', async () => {
      const put = (language: string) =>
        it.toolkit.templates.create({
          ...{ flowKey: it.flowKey, templateType: 'Notification', language },
          ...{ to: '{{customer.email}}', subject: 'Signed', message: '<p>Signed</p>' },
        });
      const [first, second] = [await put('En'), await put('Is')];
      expect(second.id).toBeGreaterThan(first.id);
      expect(first.id).toBeGreaterThan(4);
    }, 60_000);
  });
});
