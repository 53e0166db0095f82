import { expect, test } from 'vitest';
import { testFlow, testProcess } from '../../../support/store.ts';
import { openWebhookWorld } from './webhook-world.ts';

test('large documents are not all held in memory at the same time', async () => {
  const world = await openWebhookWorld();
  await world.webhooks.create({
    flowKey: testFlow.key,
    type: 'AllSigned',
    url: 'https://hook.example.is/in',
  });
  const bytes = 24 * 1024 * 1024;
  const held = { now: 0, most: 0 };
  world.answer(async ({ body }) => {
    held.now += body.length;
    held.most = Math.max(held.most, held.now);
    await new Promise((resolve) => setTimeout(resolve, 30));
    held.now -= body.length;
    return 200;
  });
  for (let number = 1; number <= 6; number++) {
    const sha256 = await world.stored.blobs.put(Buffer.alloc(bytes, number));
    const document = { sha256, lengthBytes: bytes };
    await world.record(testProcess(number, { document }), {
      type: 'AllSigned',
      withDocument: true,
    });
  }
  await world.deliver();
  expect(await world.webhooks.deliveries({ state: 'done' })).toHaveLength(6);
  expect(held.most).toBeLessThan((64 * 1024 * 1024 * 4) / 3 + 6 * 10_000);
  const last = world.posted.at(-1)?.body.toString('utf8') ?? '';
  const { SignedDocument } = JSON.parse(last).EventData;
  expect(Buffer.from(SignedDocument, 'base64').length).toBe(bytes);
}, 30_000);
