import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type MessageService, messageOperations } from '../../../src/app/message/index.ts';
import { bindOperations } from '../../../src/app/operation.ts';
import { asKey } from '../../../src/domain/keys.ts';
import type { Message } from '../../../src/domain/message/index.ts';
import { costlyTest } from '../../support/sample.ts';
import {
  openTestStore,
  type TestStore,
  testCompany,
  testNowMs,
  testProcess,
} from '../../support/store.ts';

const process = testProcess(1);
const nowMs = testNowMs + 60_000;

const message = (id: string, changes: Partial<Message> = {}): Message => ({
  id,
  companyKey: testCompany.key,
  processKey: process.key,
  template: 'Signup',
  channel: 'Email',
  to: 'a@example.is',
  includeUnsubscribe: false,
  values: { code: '123456' },
  state: 'waiting',
  attempts: 3,
  lastErrorCode: 'mail.failed',
  createdAtMs: testNowMs,
  ...changes,
});

let world: TestStore;
let messages: MessageService;

beforeEach(async () => {
  world = await openTestStore();
  messages = bindOperations(
    messageOperations,
    { store: world.store, now: () => nowMs },
    testCompany.key,
  );
  await world.store.write(async (unit) => {
    await unit.processes.add(process);
    await unit.messages.add(message('later'));
    await unit.messages.add(message('due'));
    await unit.messages.add(message('lost', { state: 'failed', attempts: 9 }));
    await unit.messages.add(message('code', { state: 'failed', template: 'OneTimeCode' }));
    await unit.messages.add(message('gone', { state: 'sent', createdAtMs: testNowMs + 1 }));
    await unit.messages.add(message('foreign', { companyKey: asKey('company', 'c9') }));
    await unit.jobs.put({ kind: 'message', ref: 'later', runAtMs: nowMs + 3_600_000 });
    await unit.jobs.put({ kind: 'message', ref: 'due', runAtMs: nowMs - 1 });
  });
});
afterEach(() => world.close());

const runAt = async (id: string) =>
  (await world.store.read((unit) => unit.jobs.find('message', id)))?.runAtMs;

describe('messages.list', () => {
  test('returns pending and failed messages with the next attempt and without secret values', async () => {
    const found = await messages.list();
    expect(found.map(({ id }) => id).sort()).toEqual(['code', 'due', 'later', 'lost']);
    expect(found.find(({ id }) => id === 'later')).toMatchObject({
      state: 'waiting',
      attempts: 3,
      lastErrorCode: 'mail.failed',
      nextAtMs: nowMs + 3_600_000,
    });
    expect(JSON.stringify(found)).not.toContain('123456');
  });

  test('returns all messages of a process, or the selected states', async () => {
    expect(await messages.list({ processKey: process.key })).toHaveLength(6);
    const sent = await messages.list({ states: ['sent'] });
    expect(sent.map(({ id }) => id)).toEqual(['gone']);
  });

  test.each([
    [{ processKey: 'sp0' }, 'process.not_found'],
    [{ take: 0 }, 'validation.error'],
    [{ take: 1001 }, 'validation.error'],
  ])('rejects %j with %s', async (query, code) => {
    await expect(messages.list(query)).rejects.toMatchObject({ code });
  });
});

describe('messages.retry', () => {
  test('makes a message due now and resets the attempts of one that was given up', async () => {
    expect(await messages.retry('later')).toMatchObject({ attempts: 3, nextAtMs: nowMs });
    expect(await runAt('later')).toBe(nowMs);
    const lost = await messages.retry('lost');
    expect(lost).toMatchObject({ state: 'waiting', attempts: 0, nextAtMs: nowMs });
    expect(lost).not.toHaveProperty('lastErrorCode');
    expect(await runAt('lost')).toBe(nowMs);
  });

  test('retries all failed messages and reports how many it left out', async () => {
    const { due, leftCount } = await messages.retryAll({ states: ['failed'] });
    expect(due.map(({ id }) => id)).toEqual(['lost']);
    expect(leftCount).toBe(1);
    expect(await runAt('lost')).toBe(nowMs);
    expect((await messages.retryAll({ states: ['failed', 'waiting'] })).due).toHaveLength(3);
  });

  test('retries the messages of one process', async () => {
    await world.store.write((unit) =>
      unit.messages.add(message('other', { state: 'failed', processKey: undefined as never })),
    );
    const { due } = await messages.retryAll({ states: ['failed'], processKey: process.key });
    expect(due.map(({ id }) => id)).toEqual(['lost']);
    const unknown = messages.retryAll({ states: ['failed'], processKey: 'sp0' });
    await expect(unknown).rejects.toMatchObject({ code: 'process.not_found' });
  });

  costlyTest('retries thousands of messages', async () => {
    await world.store.write(async (unit) => {
      for (let count = 0; count < 2500; count += 1) {
        const createdAtMs = testNowMs + (count % 3);
        await unit.messages.add(message(`m${count}`, { state: 'failed', createdAtMs }));
      }
    });
    const { due } = await messages.retryAll({ states: ['failed'] });
    expect(due).toHaveLength(2501);
    expect(new Set(due.map(({ id }) => id)).size).toBe(2501);
    expect(await messages.list({ states: ['failed'] })).toHaveLength(1);
  });

  test('does not reschedule a message that may be in delivery', async () => {
    await messages.retry('due');
    expect(await runAt('due')).toBe(nowMs - 1);
  });

  test.each([
    ['code', 'message.state.refused'],
    ['gone', 'message.state.refused'],
    ['foreign', 'message.not_found'],
    ['nothing', 'message.not_found'],
  ])('rejects %s with %s', async (id, code) => {
    await expect(messages.retry(id)).rejects.toMatchObject({ code });
  });
});
