import { afterEach, describe, expect, test } from 'vitest';
import { agreement, openTestService, type TestService } from './open-service.ts';

const carl = {
  name: 'Łucja Ödön',
  email: 'carl@example.test',
  signatureType: 'ClickToSign',
  delivery: 'Email',
} as const;

let it: TestService;
afterEach(() => it?.close());

const create = () =>
  it.toolkit.processes.create({
    flowKey: it.flowKey,
    pdf: agreement,
    fileName: 'agreement.pdf',
    signees: [carl],
    user: 'owner@example.test',
  });

describe('the worker reports failures', () => {
  test('an unreachable mail server: the message is queued, and can be retried by hand', async () => {
    it = await openTestService({ INNSIGLI_MAIL_SERVER: 'smtp://127.0.0.1:9?tls=none' });
    const { key } = await create();
    const { failed } = await it.toolkit.runDueJobs();
    expect(failed).toEqual([
      {
        kind: 'message',
        ref: expect.any(String),
        code: 'mail.unavailable',
        why: 'the mail server cannot be used at the moment: connection refused (ECONNREFUSED)',
        isFinal: false,
      },
    ]);
    const [message] = await it.toolkit.messages.list();
    expect(message).toMatchObject({ processKey: key, state: 'waiting', attempts: 1 });
    expect((await it.toolkit.runDueJobs()).failed).toEqual([]);
    await it.toolkit.messages.retry(message?.id ?? '');
    expect((await it.toolkit.runDueJobs()).failed).toHaveLength(1);
  }, 60_000);
});
