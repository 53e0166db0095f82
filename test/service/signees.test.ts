import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSmtpServer } from '../support/smtp-server.ts';
import { agreement, openTestService, type TestService } from './open-service.ts';

const eva = { name: 'Eva', email: 'eva@example.test', signatureType: 'ClickToSign' } as const;

describe('signees of a running process', () => {
  let it: TestService;
  const create = (more: object = {}) =>
    it.toolkit.processes.create({
      flowKey: it.flowKey,
      pdf: agreement,
      signees: [{ ...eva, delivery: 'Email' }],
      ...more,
    });
  const mails = () => readdirSync(join(it.folder, 'data', 'outbox', 'mail')).length;
  beforeAll(async () => {
    it = await openTestService();
  }, 60_000);
  afterAll(() => it?.close());

  test('an invitation can be sent again', async () => {
    const { key, signees } = await create();
    await it.toolkit.runDueJobs();
    const before = mails();
    await it.toolkit.processes.invite({
      key,
      signeeKey: signees[0]?.key ?? '',
      by: 'me@example.test',
    });
    await it.toolkit.runDueJobs();
    expect(mails()).toBe(before + 1);
  });

  test('a signee notified by the owner is not invited', async () => {
    const { key, signees } = await create({ signees: [eva] });
    const asked = it.toolkit.processes.invite({
      key,
      signeeKey: signees[0]?.key ?? '',
      by: 'System',
    });
    await expect(asked).rejects.toMatchObject({ code: 'validation.error' });
  });

  test('an undeliverable message is shown at the signee until one is sent', async () => {
    const smtp = await startSmtpServer({ refuse: { recipient: '450 4.2.0 not now' } });
    const server = `smtp://127.0.0.1:${smtp.port}?tls=none`;
    const down = await openTestService({ INNSIGLI_MAIL_SERVER: server });
    try {
      const { key } = await down.toolkit.processes.create({
        flowKey: down.flowKey,
        pdf: agreement,
        signees: [{ ...eva, delivery: 'Email' }],
      });
      for (let round = 0; round < 40; round += 1) {
        await down.toolkit.runDueJobs(['message']);
        down.pass(6 * 3_600_000);
        const { signees } = await down.toolkit.processes.show({ key });
        if (signees[0]?.undelivered !== undefined) break;
      }
      const { signees } = await down.toolkit.processes.show({ key });
      expect(signees[0]?.undelivered).toEqual({
        template: 'Signup',
        channel: 'Email',
        errorCode: 'mail.failed',
      });
    } finally {
      await down.close();
      await smtp.close();
    }
  }, 60_000);

  test('declining requires permission of the flow and a reason', async () => {
    const { signing, flows } = it.toolkit;
    const place = ({ key, signees }: Awaited<ReturnType<typeof create>>) => ({
      processKey: key,
      signeeKey: signees[0]?.key ?? '',
    });
    const strict = await create();
    await expect(signing.decline(place(strict), 'no')).rejects.toMatchObject({
      code: 'process.state.refused',
    });
    await flows.update(it.flowKey, { settings: { mayDecline: true } });
    const open = await create();
    await expect(signing.decline(place(open), ' ')).rejects.toMatchObject({
      code: 'validation.error',
    });
    const declined = await signing.decline(place(open), 'wrong sum');
    expect(declined).toMatchObject({ status: 'Canceled', reason: 'wrong sum' });
    const [log] = await it.toolkit.activity.list({
      fromMs: 0,
      toMs: it.nowMs() + 1000,
      take: 1,
      skip: 0,
      processKey: open.key,
    });
    const row = log?.activityLog.find(({ status }) => status === 'SigneeDeclined');
    expect(row?.description).toBe('wrong sum');
  });
});
