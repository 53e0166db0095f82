import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ProcessRequest } from '../../src/app/process/index.ts';
import { agreement, openTestService, type TestService } from './open-service.ts';

const click = { name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' } as const;
const simple = {
  ...click,
  name: 'S',
  phoneNumber: '+3545550101',
  signatureType: 'Simple',
} as const;
const qualified = { name: 'Q', phoneNumber: '6666666', signatureType: 'Qualified' } as const;

describe('a service without mail and SMS', () => {
  let it: TestService;
  const create = (...signees: readonly unknown[]) =>
    it.toolkit.processes.create({
      flowKey: it.flowKey,
      pdf: agreement,
      signees,
      user: 'owner@example.test',
    } as ProcessRequest);
  beforeAll(async () => {
    it = await openTestService({ INNSIGLI_MAIL_SERVER: 'none', INNSIGLI_SMS_GATEWAY: 'NONE' });
  }, 60_000);
  afterAll(() => it?.close());

  test.each([
    ['an invitation by mail', { ...click, delivery: 'Email' }, 'Email', 'signees[1].delivery'],
    ['an invitation by SMS', { ...qualified, delivery: 'Sms' }, 'Sms', 'signees[1].delivery'],
    ['a one-time code by SMS', simple, 'Sms', 'signees[1].signatureType'],
  ])('rejects %s', async (_, signee, channel, place) => {
    const refusal = {
      code: 'message.channel.none',
      message: expect.stringContaining(place),
      details: { channel },
    };
    await expect(
      create({ ...click, name: 'B', email: 'b@example.test' }, signee),
    ).rejects.toMatchObject(refusal);
    const { key } = await create(click);
    const adding = it.toolkit.processes.addSignee({
      key,
      signee: { ...signee, name: 'C' } as never,
      by: 'System',
    });
    await expect(adding).rejects.toMatchObject({ code: 'message.channel.none' });
  });

  test('accepts signees notified by the owner, and cancels its own messages without blocking', async () => {
    const { key, signees } = await create(click);
    const target = { processKey: key, signeeKey: signees[0]?.key ?? '' };
    const reminding = it.toolkit.reminders.remind(target, { delivery: 'Email' });
    await expect(reminding).rejects.toMatchObject({ code: 'message.channel.none' });
    await it.toolkit.signing.signByClick({ processKey: key, signeeKey: signees[0]?.key ?? '' });
    for (let round = 0; round < 4; round += 1) await it.service.work();
    expect(await it.toolkit.processes.show({ key })).toMatchObject({ status: 'Completed' });
    const messages = await it.toolkit.messages.list({ processKey: key });
    expect(messages.map(({ template, state }) => `${template} ${state}`).sort()).toEqual([
      'Confirmation canceled',
      'SalesPerson canceled',
    ]);
    expect(await it.service.held()).toEqual([]);
  }, 30_000);
});

test('only the disabled channel is rejected', async () => {
  const it = await openTestService({ INNSIGLI_SMS_GATEWAY: 'none' });
  try {
    const request = { flowKey: it.flowKey, pdf: agreement };
    const { key } = await it.toolkit.processes.create({
      ...request,
      signees: [{ ...click, delivery: 'Email' }],
    });
    await it.service.work();
    const [message] = await it.toolkit.messages.list({ processKey: key });
    expect(message?.state).toBe('sent');
    const asked = it.toolkit.processes.create({ ...request, signees: [simple] });
    await expect(asked).rejects.toMatchObject({ code: 'message.channel.none' });
  } finally {
    await it.close();
  }
}, 60_000);
