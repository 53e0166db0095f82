import { describe, expect, onTestFinished, test } from 'vitest';
import { openWebhookReceiver, webhookTransport } from '../../../../src/adapters/delivery/index.ts';
import { bindOperations } from '../../../../src/app/operation.ts';
import type { HeardEvent } from '../../../../src/app/webhook/index.ts';
import { webhookOperations } from '../../../../src/app/webhook/webhook-service.ts';
import { asKey } from '../../../../src/domain/keys.ts';
import { testCompany, testFlow, testProcess } from '../../../support/store.ts';
import { openWebhookWorld } from './webhook-world.ts';

const url = 'https://hook.example.is/in';
const flowKey = testFlow.key;
const signed = { type: 'SignedDocument', withDocument: false } as const;

describe('registering webhooks', () => {
  test.each([
    ['NotSet', { type: 'NotSet' }, 'validation.error'],
    ['an unknown type', { type: 'Signed' }, 'validation.error'],
    ['an unknown flow', { flowKey: asKey('flow', 'nope') }, 'flow.not_found'],
    ['no URL', { url: 'hook' }, 'webhook.url.invalid'],
    ['http', { url: 'http://example.is/' }, undefined],
    ['http to an IP address', { url: 'http://8.8.8.8/' }, 'webhook.url.invalid'],
    ['another scheme', { url: 'ftp://example.is/' }, 'webhook.url.invalid'],
    ['metadata', { url: 'https://169.254.169.254/' }, 'webhook.url.invalid'],
    ['a decimal address', { url: 'https://167772161/' }, 'webhook.url.invalid'],
    ['credentials', { url: 'https://me:pw@example.is/' }, 'webhook.url.invalid'],
    [
      'a URL that is too long',
      { url: `https://example.is/${'a'.repeat(2100)}` },
      'webhook.url.invalid',
    ],
    ['a weak secret', { secret: 'whsec_AAAA' }, 'validation.error'],
    ['a type in another case', { type: 'allsigned' }, undefined],
    ['this machine, in development', { url: 'http://127.0.0.1:9000/x' }, undefined],
  ])('validates %s: %j', async (_, changes, code) => {
    const { webhooks } = await openWebhookWorld();
    const made = webhooks.create({ flowKey, type: 'AllSigned', url, ...changes });
    if (code === undefined)
      expect((await made).webhook).toMatchObject({ type: 'AllSigned', failureCount: 0 });
    else await expect(made).rejects.toMatchObject({ code });
  });

  test('hints at the missing scheme of an address, not at networks', async () => {
    const { webhooks } = await openWebhookWorld();
    const made = webhooks.create({ flowKey, type: 'AllSigned', url: 'hook.example.is/in' });
    await expect(made).rejects.toMatchObject({ hint: expect.stringContaining('https://') });
    await expect(made).rejects.not.toMatchObject({ hint: expect.stringContaining('NETWORKS') });
  });

  test('lists by flow and type, hides secrets and separates companies', async () => {
    const { webhooks, ports } = await openWebhookWorld();
    const { secret, webhook } = await webhooks.create({ flowKey, type: 'AllSigned', url });
    const { id } = webhook;
    await webhooks.create({ flowKey, type: 'Created', url, schedule: 'extended', isOrdered: true });
    expect(await webhooks.list()).toHaveLength(2);
    const [found] = await webhooks.list({ flowKey, type: 'created' });
    expect(found).toMatchObject({ schedule: 'extended', isOrdered: true, secretCount: 1 });
    expect(JSON.stringify(await webhooks.list())).not.toContain('whsec_');
    expect(await webhooks.secrets(id)).toEqual([secret]);
    const other = bindOperations(webhookOperations, ports, asKey('company', 'other'));
    expect(await other.list()).toEqual([]);
    for (const ask of [
      () => other.find(id),
      () => other.secrets(id),
      () => other.update(id, { isActive: false }),
      () => other.delete(id),
      () => other.ping(id),
      () => other.replay({ webhookId: id }),
      () => other.deliveries({ webhookId: id }),
      () => webhooks.find(99),
    ]) {
      await expect(ask()).rejects.toMatchObject({ code: 'webhook.not_found' });
    }
  });

  test('keeps the old secret until it is dropped, and never more than two', async () => {
    const { webhooks } = await openWebhookWorld();
    const made = await webhooks.create({ flowKey, type: 'AllSigned', url });
    const { secret: first, webhook: before } = made;
    const { id } = before;
    const { secret: second } = await webhooks.rotateSecret(id);
    expect(await webhooks.secrets(id)).toEqual([second, first]);
    const { secret: third, webhook } = await webhooks.rotateSecret(id);
    expect(webhook.secretCount).toBe(2);
    expect((await webhooks.dropOldSecrets(id)).secretCount).toBe(1);
    expect(await webhooks.secrets(id)).toEqual([third]);
  });

  test('hides deliveries of another company and limits take', async () => {
    const world = await openWebhookWorld();
    await world.webhooks.create({ flowKey, type: 'SignedDocument', url });
    await world.record(testProcess(1), signed);
    const [one] = await world.webhooks.deliveries();
    const other = bindOperations(webhookOperations, world.ports, asKey('company', 'other'));
    const id = one?.id ?? '';
    for (const ask of [
      () => other.delivery(id),
      () => other.deliveryBody(id),
      () => other.replay({ deliveryId: id }),
      () => world.webhooks.delivery('wd00'),
    ]) {
      await expect(ask()).rejects.toMatchObject({ code: 'webhook.not_found' });
    }
    for (const take of [0, 1001, 1.5]) {
      await expect(world.webhooks.deliveries({ take })).rejects.toMatchObject({
        code: 'validation.error',
      });
    }
  });
});

test('replay retries all dead deliveries since a time and keeps their attempts', async () => {
  const world = await openWebhookWorld();
  const { webhook } = await world.webhooks.create({ flowKey, type: 'SignedDocument', url });
  world.answer(() => 406);
  await world.record(testProcess(1), signed);
  await world.deliver();
  world.pass(3_600_000);
  const sinceMs = world.now();
  for (const number of [2, 3, 4]) await world.record(testProcess(number), signed);
  await world.deliver();
  world.answer(() => 500);
  expect(await world.webhooks.replay({ webhookId: webhook.id, sinceMs })).toHaveLength(3);
  for (let count = 0; count < 3; count++) {
    await world.deliver();
    world.pass(200_000);
  }
  const dead = await world.webhooks.deliveries({ state: 'dead' });
  expect(dead.map(({ attempts }) => attempts).sort()).toEqual([1, 4, 4, 4]);
  const [newest] = dead;
  const { attempts } = await world.webhooks.delivery(newest?.id ?? '');
  expect(attempts.map(({ number }) => number)).toEqual([1, 2, 3, 4]);
});

describe('testing receivers', () => {
  test('trigger delivers a synthetic event and reports the result', async () => {
    const world = await openWebhookWorld();
    const none = world.webhooks.trigger({ type: 'AllSigned', flowKey });
    await expect(none).rejects.toMatchObject({ code: 'webhook.not_found' });
    const { webhook } = await world.webhooks.create({ flowKey, type: 'AllSigned', url });
    await world.webhooks.create({ flowKey, type: 'Created', url, isActive: false });
    const off = world.webhooks.trigger({ type: 'Created', flowKey });
    await expect(off).rejects.toMatchObject({ code: 'webhook.inactive' });
    const [done] = await world.webhooks.trigger({ type: 'allSigned', flowKey });
    expect(done).toMatchObject({ state: 'done', attempts: 1, eventType: 'AllSigned' });
    const payload = JSON.parse(world.posted[0]?.body.toString('utf8') ?? '');
    expect(payload.EventData).toMatchObject({ EventType: 2, Meta: { test: 'true' } });
    const pdf = Buffer.from(payload.EventData.SignedDocument, 'base64').toString('latin1');
    expect(pdf.startsWith('%PDF-')).toBe(true);
    world.answer(() => 500);
    const again = { type: 'Canceled', flowKey, webhookId: webhook.id } as const;
    const [waiting] = await world.webhooks.trigger(again);
    expect(waiting).toMatchObject({ state: 'waiting', attempts: 1, lastStatus: 500 });
  });

  test('trigger does not send deliveries due for other webhooks', async () => {
    const world = await openWebhookWorld();
    const other = 'https://other.example.is/hook';
    await world.webhooks.create({ flowKey, type: 'Created', url: other });
    await world.record(testProcess(1), { type: 'Created', withDocument: false });
    await world.webhooks.create({ flowKey, type: 'AllSigned', url });
    const [done] = await world.webhooks.trigger({ type: 'AllSigned', flowKey });
    expect(done).toMatchObject({ state: 'done', attempts: 1 });
    expect(world.posted.map((request) => request.url)).toEqual([url]);
    const waiting = await world.webhooks.deliveries({ state: 'waiting' });
    expect(waiting).toMatchObject([{ attempts: 0, eventType: 'Created', seq: 1 }]);
    await world.deliver();
    expect(world.posted.map((request) => request.url)).toEqual([url, other]);
  });

  test('listing deliveries reads their events once and decrypts none', async () => {
    const world = await openWebhookWorld();
    await world.webhooks.create({ flowKey, type: 'Created', url });
    for (const number of [1, 2, 3]) {
      await world.record(testProcess(number), { type: 'Created', withDocument: false });
    }
    const opened: string[] = [];
    const { vault } = world.stored;
    const { decrypt } = vault;
    onTestFinished(() => void Object.assign(vault, { decrypt }));
    Object.assign(vault, {
      decrypt: (sealed: string, context: string) => {
        opened.push(context);
        return decrypt(sealed, context);
      },
    });
    const listed = await world.webhooks.deliveries();
    expect(listed.map(({ eventType, seq }) => [eventType, seq])).toEqual([
      ['Created', 1],
      ['Created', 1],
      ['Created', 1],
    ]);
    expect(opened).toEqual([]);
  });

  test('ping stores nothing and reaches a disabled webhook', async () => {
    const world = await openWebhookWorld();
    const asked = { flowKey, type: 'Reminder', url, isActive: false } as const;
    const { id } = (await world.webhooks.create(asked)).webhook;
    expect(await world.webhooks.ping(id)).toMatchObject({ isAccepted: true, status: 200 });
    world.answer(() => 500);
    expect(await world.webhooks.ping(id)).toMatchObject({ isAccepted: false, status: 500 });
    expect(await world.webhooks.deliveries()).toEqual([]);
    expect(await world.webhooks.find(id)).toMatchObject({ failureCount: 0 });
  });

  test('listen registers, verifies, forwards and removes its registration', async () => {
    const transport = webhookTransport({ allowNetworks: [], allowLoopback: true, offline: false });
    onTestFinished(() => transport.close());
    const world = await openWebhookWorld({
      transport,
      forwarder: transport,
      openReceiver: openWebhookReceiver,
    });
    const forwarded: number[] = [];
    const target = await openWebhookReceiver({
      host: '127.0.0.1',
      port: 0,
      bodyBytesMax: 1e6,
      handle: async ({ body }) => {
        forwarded.push(body.length);
        return forwarded.length === 1 ? 200 : 503;
      },
    });
    onTestFinished(() => target.close());
    const heard: HeardEvent[] = [];
    const listener = await world.webhooks.listen(
      { host: '127.0.0.1', port: 0, flowKey, types: ['AllSigned'], forwardTo: target.url },
      (event) => void heard.push(event),
    );
    expect(listener.webhookIds).toHaveLength(1);
    await world.webhooks.trigger({ type: 'AllSigned', flowKey });
    const [second] = await world.webhooks.trigger({ type: 'AllSigned', flowKey });
    expect(second).toMatchObject({ state: 'waiting', lastStatus: 503 });
    const forged = { method: 'POST', body: '{"Id":"x"}', headers: { 'webhook-id': 'x' } };
    expect((await fetch(listener.url, forged)).status).toBe(401);
    expect(heard.map((each) => [each.verification.isValid, each.type, each.answered])).toEqual([
      [true, 'AllSigned', 200],
      [true, 'AllSigned', 503],
      [false, undefined, 401],
    ]);
    expect(forwarded).toHaveLength(2);
    expect(JSON.stringify(heard[0]?.payload)).toContain('bytes)');
    await listener.close();
    expect(await world.webhooks.list()).toEqual([]);
    await expect(fetch(listener.url, forged)).rejects.toThrow();
  });

  test('listen for an unknown flow leaves nothing open', async () => {
    const world = await openWebhookWorld({ openReceiver: openWebhookReceiver });
    const request = { host: '127.0.0.1', port: 0, flowKey: asKey('flow', 'nope') };
    await expect(world.webhooks.listen(request, () => undefined)).rejects.toMatchObject({
      code: 'flow.not_found',
    });
    expect(await world.webhooks.list()).toEqual([]);
    expect(testCompany.key).not.toBe('nope');
  });
});
