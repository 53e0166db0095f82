/** The worker does all kinds of jobs concurrently: none waits for another. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWebhookReceiver } from '../../src/adapters/delivery/index.ts';
import { asKey } from '../../src/domain/keys.ts';
import { agreement, openTestService, type TestService } from './open-service.ts';

describe('an endless flood of webhooks', () => {
  let it: TestService;
  beforeEach(async () => {
    it = await openTestService();
  }, 60_000);
  afterEach(() => it.close());

  const mails = () => {
    const folder = join(it.folder, 'data', 'outbox', 'mail');
    return readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  };
  const create = (email: string) =>
    it.toolkit.processes.create({
      flowKey: it.flowKey,
      pdf: agreement,
      signees: [{ name: 'Anna', email, signatureType: 'ClickToSign', delivery: 'Email' }],
    });

  test('does not hold up mail and sealing', async () => {
    const most = 400;
    let heard = 0;
    let late: Promise<string> | undefined;
    const askSomebody = async () => {
      const { key, signees } = await create('late@example.test');
      await it.toolkit.signing.signByClick({ processKey: key, signeeKey: signees[0]?.key ?? '' });
      return key;
    };
    const receiver = await openWebhookReceiver({
      host: '127.0.0.1',
      port: 0,
      bodyBytesMax: 1_000_000,
      async handle() {
        heard++;
        await new Promise((resolve) => setTimeout(resolve, 10));
        // During the flood a person is asked to sign, and signs.
        late ??= askSomebody();
        const { status } = await it.toolkit.processes.show({ key: await late });
        if (status === 'Completed' || heard >= most) return 200;
        // Each delivery triggers another one until that is done.
        const [again] = await it.toolkit.webhooks.deliveries({ state: 'done', take: 1 });
        if (again !== undefined) await it.toolkit.webhooks.replay({ deliveryId: again.id });
        return 200;
      },
    });
    await it.toolkit.webhooks.create({
      flowKey: asKey('flow', it.flowKey),
      type: 'Created',
      url: receiver.url,
    });
    for (let number = 0; number < 20; number++) await create('early@example.test');
    await it.toolkit.runDueJobs(['message']);
    expect((await it.toolkit.runDueJobs()).failed).toEqual([]);
    await receiver.close();
    expect(heard).toBeGreaterThan(10);
    expect(heard).toBeLessThan(most);
    expect(await it.toolkit.processes.show({ key: (await late) ?? '' })).toMatchObject({
      status: 'Completed',
    });
    expect(mails().filter((mail) => mail.includes('late@example.test')).length).toBeGreaterThan(0);
  }, 60_000);
});
