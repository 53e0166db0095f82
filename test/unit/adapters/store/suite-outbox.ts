import { expect, test } from 'vitest';
import { asKey } from '../../../../src/domain/keys.ts';
import type { EmailTemplate, Message } from '../../../../src/domain/message/message.ts';
import type { Challenge } from '../../../../src/domain/signing/one-time-code.ts';
import type {
  Webhook,
  WebhookDelivery,
  WebhookEvent,
} from '../../../../src/domain/webhook/webhook.ts';
import { testCompany, testFlow, testNowMs, testProcess } from '../../../support/store.ts';
import { type NewPlace, withStore } from './store-place.ts';

const webhook: Omit<Webhook, 'id'> = {
  companyKey: testCompany.key,
  flowKey: testFlow.key,
  type: 'Completed',
  url: 'https://example.is/hook',
  isActive: true,
  schedule: 'published',
  secrets: ['whsec_one', 'whsec_two'],
  isOrdered: false,
  createdAtMs: 1,
  updatedAtMs: 1,
  failureCount: 0,
};

const eventOf = (seq: number, changes: Partial<WebhookEvent> = {}): WebhookEvent => ({
  id: `event${seq}`,
  companyKey: testCompany.key,
  flowKey: testFlow.key,
  processKey: testProcess(1).key,
  seq,
  type: 'Completed',
  body: ['{"Ssn":"1201743399","File":"', '"}'],
  createdAtMs: testNowMs,
  ...changes,
});

const deliveryOf = (number: number, changes: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  id: `d${number}`,
  eventId: 'event1',
  webhookId: 1,
  processKey: testProcess(1).key,
  state: 'waiting',
  attempts: 0,
  attemptsBefore: 0,
  nextAtMs: 5,
  createdAtMs: number,
  updatedAtMs: number,
  ...changes,
});

/** Webhooks, messages, templates and challenges. */
export function outboxCases(newPlace: NewPlace): void {
  test('webhooks are stored with their secrets', () =>
    withStore(newPlace, async (store) => {
      const [first = 0, second = 0] = await store.write(async ({ webhooks }) => [
        await webhooks.add(webhook),
        await webhooks.add({ ...webhook, secrets: [], disabledReason: '410' }),
      ]);
      expect(second).toBeGreaterThan(first);
      await store.write(async ({ webhooks }) => {
        expect(await webhooks.lock(first)).toEqual({ ...webhook, id: first });
        await webhooks.save({ ...webhook, id: first, isActive: false, secrets: ['whsec_new'] });
        expect(await webhooks.remove(second)).toBe(true);
        expect(await webhooks.remove(second)).toBe(false);
      });
      const third = await store.write(({ webhooks }) => webhooks.add(webhook));
      expect([first, second]).not.toContain(third);
      await store.read(async ({ webhooks }) => {
        const saved = { ...webhook, id: first, isActive: false, secrets: ['whsec_new'] };
        expect(await webhooks.find(first)).toEqual(saved);
        expect(await webhooks.find(second)).toBeUndefined();
        expect(await webhooks.forFlow(testFlow.key)).toEqual([saved, { ...webhook, id: third }]);
      });
    }));

  test('events, deliveries and attempts are stored', () =>
    withStore(newPlace, async (store) => {
      const attempt = { deliveryId: 'd1', number: 1, atMs: 7, durationMs: 3, status: 500 };
      const { processKey: _, ...lonely } = deliveryOf(3);
      const { processKey: __, ...event } = eventOf(3, { documentSha256: 'ee'.repeat(32) });
      await store.write(async ({ webhooks }) => {
        await webhooks.add(webhook);
        for (const each of [eventOf(1), eventOf(2), event]) await webhooks.addEvent(each);
        for (const each of [deliveryOf(1), deliveryOf(2, { eventId: 'event2' }), lonely]) {
          await webhooks.addDelivery(each);
        }
        const { nextAtMs: ___, ...done } = deliveryOf(1, {
          state: 'done',
          attempts: 1,
          lastStatus: 500,
        });
        await webhooks.saveDelivery(done);
        const next = { ...attempt, number: 2, errorCode: 'network.failed' };
        await webhooks.saveDeliveries([], [attempt, next]);
      });
      await store.read(async ({ webhooks }) => {
        expect(await webhooks.findEvent('event1')).toEqual(eventOf(1));
        expect(await webhooks.findEvent('event3')).toEqual(event);
        expect(await webhooks.findEvent('none')).toBeUndefined();
        const { type, seq } = eventOf(1);
        const heads = await webhooks.eventHeads(['event1', 'none']);
        expect([...heads]).toEqual([['event1', { type, seq }]]);
        expect(await webhooks.eventCount(testProcess(1).key)).toBe(2);
        expect(await webhooks.findDelivery('d1')).toMatchObject({ state: 'done', lastStatus: 500 });
        expect(await webhooks.findDelivery('d3')).toEqual(lonely);
        expect(await webhooks.attempts('d1')).toEqual([
          attempt,
          { ...attempt, number: 2, errorCode: 'network.failed' },
        ]);
        const ids = async (filter: object) =>
          (await webhooks.deliveries({ companyKey: testCompany.key, take: 9, ...filter })).map(
            ({ id }) => id,
          );
        expect(await ids({})).toEqual(['d3', 'd2', 'd1']);
        expect(await ids({ take: 2 })).toEqual(['d3', 'd2']);
        expect(await ids({ state: 'waiting' })).toEqual(['d3', 'd2']);
        expect(await ids({ processKey: testProcess(1).key })).toEqual(['d2', 'd1']);
        expect(await ids({ webhookId: 1, state: 'done' })).toEqual(['d1']);
        expect(await ids({ webhookId: 2 })).toEqual([]);
        expect(await ids({ sinceMs: 2 })).toEqual(['d3', 'd2']);
        expect(await ids({ companyKey: asKey('company', 'none') })).toEqual([]);
      });
    }));

  test('removing a webhook cancels its pending deliveries and their jobs', () =>
    withStore(newPlace, async (store) => {
      await store.write(async ({ webhooks, jobs }) => {
        const webhookId = await webhooks.add(webhook);
        await webhooks.addEvent(eventOf(1));
        await webhooks.addDelivery(deliveryOf(1, { webhookId }));
        await webhooks.addDelivery(deliveryOf(2, { webhookId, state: 'dead' }));
        await webhooks.addDelivery(deliveryOf(3, { webhookId: webhookId - 1 }));
        for (const ref of ['d1', 'd3']) await jobs.put({ kind: 'webhook', ref, runAtMs: 1 });
        await webhooks.remove(webhookId);
        const states = [1, 2, 3].map(async (n) => (await webhooks.findDelivery(`d${n}`))?.state);
        expect(await Promise.all(states)).toEqual(['canceled', 'dead', 'waiting']);
        expect(await jobs.find('webhook', 'd1')).toBeUndefined();
        expect(await jobs.find('webhook', 'd3')).toBeDefined();
      });
    }));

  test('an event number is used once', () =>
    withStore(newPlace, async (store) => {
      await store.write(({ webhooks }) => webhooks.addEvent(eventOf(1)));
      const again = store.write(({ webhooks }) => webhooks.addEvent(eventOf(1, { id: 'other' })));
      await expect(again).rejects.toMatchObject({ code: 'internal.unexpected' });
    }));

  test('messages and templates are stored', () =>
    withStore(newPlace, async (store) => {
      const message: Message = {
        id: 'm1',
        companyKey: testCompany.key,
        processKey: testProcess(1).key,
        template: 'OneTimeCode',
        channel: 'Sms',
        to: '+3545550000',
        includeUnsubscribe: false,
        values: { code: '123456' },
        state: 'waiting',
        attempts: 0,
        createdAtMs: 1,
      };
      const { processKey: _, ...lonely } = { ...message, id: 'm2', values: {} };
      const template: Omit<EmailTemplate, 'id'> = {
        flowKey: testFlow.key,
        templateType: 'Signup',
        language: 'Is',
        to: '{{customer.email}}',
        bcc: '',
        subject: 'S',
        message: '<p>',
        includeFiles: false,
        createdAtMs: 1,
        updatedAtMs: 1,
      };
      const [first, second] = await store.write(async ({ messages, templates }) => {
        await messages.add(message);
        await messages.add(lonely);
        await messages.save({ ...message, state: 'sent', values: {}, sentAtMs: 4 });
        const ids = [await templates.add(template), await templates.add(template)] as const;
        expect(ids[1]).toBeGreaterThan(ids[0]);
        await templates.save({ ...template, id: ids[0], subject: 'T' });
        const removed = [await templates.remove(ids[1]), await templates.remove(ids[1])];
        expect(removed).toEqual([true, false]);
        return ids;
      });
      await store.read(async ({ messages, templates }) => {
        const sent = { ...message, state: 'sent' as const, values: {}, sentAtMs: 4 };
        expect(await messages.find('m1')).toEqual(sent);
        expect(await messages.find('m2')).toEqual(lonely);
        expect(await messages.ofProcess(testProcess(1).key)).toEqual([sent]);
        const { key: companyKey } = testCompany;
        const list = (...states: Message['state'][]) =>
          messages.list({ companyKey, states, take: 5 });
        expect(await list('waiting', 'failed')).toEqual([lonely]);
        expect(await list('sent')).toEqual([sent]);
        const foreign = {
          companyKey: asKey('company', 'none'),
          states: ['sent'] as const,
          take: 5,
        };
        expect(await messages.list(foreign)).toEqual([]);
        expect(await templates.forFlow(testFlow.key)).toEqual([
          { ...template, id: first, subject: 'T' },
        ]);
        expect(await templates.find(second)).toBeUndefined();
      });
    }));

  test('challenges are stored', () =>
    withStore(newPlace, async (store) => {
      const challenge: Challenge = {
        token: 't1',
        kind: 'code',
        processKey: testProcess(1).key,
        signeeKey: testProcess(1).signees[0]?.key as Challenge['signeeKey'],
        tries: 0,
        createdAtMs: 1,
        expiresAtMs: 100,
        state: 'waiting',
      };
      await store.write(async ({ challenges }) => {
        await challenges.add(challenge);
        await challenges.add({ ...challenge, token: 't2', expiresAtMs: 50 });
        await challenges.save({ ...challenge, tries: 2 });
        expect(await challenges.find('t')).toBeUndefined();
        expect(await challenges.removeExpired(100)).toBe(1);
        expect(await challenges.find('t1')).toEqual({ ...challenge, tries: 2 });
        expect(await challenges.find('t2')).toBeUndefined();
      });
    }));
}
