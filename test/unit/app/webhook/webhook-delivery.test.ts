import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test, vi } from 'vitest';
import type { Job } from '../../../../src/app/ports/index.ts';
import { deliverDueWebhooks, type WebhookPorts } from '../../../../src/app/webhook/index.ts';
import { InnsigliError } from '../../../../src/base/errors.ts';
import { testCompany, testFlow, testProcess, testSignee } from '../../../support/store.ts';
import { openWebhookWorld, type WebhookWorld } from './webhook-world.ts';

const url = 'https://hook.example.is/in';
const signed = { type: 'SignedDocument', withDocument: false } as const;
const allSigned = { type: 'AllSigned', withDocument: true } as const;
const minute = 60_000;

async function listening(world: WebhookWorld, changes: object = {}) {
  const request = { flowKey: testFlow.key, type: 'SignedDocument', url, ...changes };
  return (await world.webhooks.create(request)).webhook.id;
}

async function onlyDelivery(world: WebhookWorld) {
  const [only, ...others] = await world.webhooks.deliveries();
  expect(others).toEqual([]);
  if (only === undefined) throw new Error('a delivery was expected');
  return world.webhooks.delivery(only.id);
}

/** One attempt for a job claimed before. */
const deliverOne = (job: Job, ports: WebhookPorts) => {
  const jobs = [job];
  const leases = {
    claim: async () => jobs.splice(0),
    forget: () => undefined,
    giveBack: async () => undefined,
    settle: async () => undefined,
  };
  return deliverDueWebhooks(ports, { owner: 'first', limit: 1, leases });
};

test('documents waiting for memory are delivered once, by the worker that holds the job', async () => {
  const world = await openWebhookWorld();
  await listening(world, { type: 'AllSigned' });
  const content = Buffer.from('%PDF-1.7 skjal');
  const document = { sha256: await world.stored.blobs.put(content), lengthBytes: content.length };
  Object.assign(world.stored.blobs, { sizeOf: async () => 50 * 1024 * 1024 });
  for (let at = 1; at <= 14; at++) await world.record(testProcess(at, { document }), allSigned);
  world.answer(async () => {
    world.pass(9900);
    return new Promise<number>((answer) => setTimeout(() => answer(200), 30));
  });
  let isOver = false;
  const one = world.deliver('one').finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    await world.deliver('two');
  }
  await one;
  // On a busy machine some were postponed.
  world.pass(minute);
  await world.deliver('two');
  const ids = world.posted.map(({ headers }) => headers['webhook-id']);
  expect([ids.length, new Set(ids).size]).toEqual([14, 14]);
}, 30_000);

test('results that arrive during a write share the next transaction', async () => {
  const world = await openWebhookWorld();
  await listening(world);
  for (let at = 1; at <= 3; at++) await world.record(testProcess(at), signed);
  const answers: ((status: number) => void)[] = [];
  world.answer((_, number) => {
    return number === 1 ? 200 : new Promise<number>((answer) => void answers.push(answer));
  });
  const { store } = world.stored;
  const write = store.write.bind(store);
  let writes = 0;
  const writeFirst: typeof write = async (work) => {
    const isFirst = ++writes === 1;
    if (isFirst) answers[0]?.(200);
    const result = await write(work);
    // Soon after the first ones: without waiting, the others would be written by then.
    setImmediate(() => answers[1]?.(200));
    return result;
  };
  Object.assign(store, { write: writeFirst });
  expect([await world.deliver(), writes]).toEqual([3, 2]);
});

test('a failed attempt is reported with webhook, cause and whether another follows', async () => {
  const world = await openWebhookWorld();
  const id = await listening(world);
  await world.record(testProcess(1), signed);
  const refused = new InnsigliError('network.failed', 'hook.example.is: ECONNREFUSED');
  const answers = [502, refused, 500, 200];
  world.answer((_, number) => answers[number - 1] ?? 200);
  const told: unknown[] = [];
  const deliver = () =>
    deliverDueWebhooks(world.ports, {
      owner: 'worker',
      limit: 8,
      missed: ({ ref }, failure) => void told.push([ref, failure]),
    });
  for (let tries = 0; tries < 3; tries++) {
    await deliver();
    world.pass(minute);
  }
  const { delivery } = await onlyDelivery(world);
  const failure = (why: string, isFinal: boolean) => [
    delivery.id,
    { code: 'network.failed', why: `webhook ${id}: ${why}`, isFinal },
  ];
  expect(told).toEqual([
    failure('status 502', false),
    failure('hook.example.is: ECONNREFUSED', false),
    failure('status 500', true),
  ]);
  await world.webhooks.replay({ deliveryId: delivery.id });
  expect([await deliver(), told.length]).toEqual([1, 3]);
});

describe('recording', () => {
  test('writes nothing without an active webhook, and seq continues without gaps', async () => {
    const world = await openWebhookWorld();
    const id = await listening(world);
    const off = await listening(world, { isActive: false });
    const process = testProcess(1);
    await world.record(process, { type: 'Created', withDocument: false });
    await world.record(process, signed, { type: 'Blocked', withDocument: false }, signed);
    await world.record(process, signed);
    const found = await world.webhooks.deliveries({ processKey: process.key });
    expect(
      found.map(({ webhookId, eventType, seq }) => [webhookId, eventType, seq]).sort(),
    ).toEqual([1, 2, 3].map((seq) => [id, 'SignedDocument', seq]));
    expect(await world.webhooks.deliveries({ webhookId: off })).toEqual([]);
  });

  test('freezes the body: bytes, id, GUID and signature stay the same in every attempt and replay', async () => {
    const world = await openWebhookWorld();
    const id = await listening(world, { type: 'AllSigned' });
    const content = Buffer.from('%PDF-1.7 þetta er skjal'.repeat(999));
    const sha256 = await world.stored.blobs.put(content);
    const document = { sha256, lengthBytes: content.length };
    await world.record(testProcess(1, { document, meta: { 'kEY-1': 'ó' } }), allSigned);
    world.answer((_, number) => (number < 3 ? 500 : 200));
    for (let tries = 0; tries < 3; tries++) {
      await world.deliver();
      world.pass(minute);
    }
    const { delivery } = await onlyDelivery(world);
    expect(delivery).toMatchObject({ state: 'done', attempts: 3, lastStatus: 200 });
    await world.webhooks.update(id, { url: 'https://other.example.is/' });
    await world.webhooks.replay({ deliveryId: delivery.id });
    await world.deliver();
    expect(world.posted.length).toBe(4);
    const [first] = world.posted;
    for (const [index, { body, headers }] of world.posted.entries()) {
      expect(body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
      expect(headers['webhook-id']).toBe(first?.headers['webhook-id']);
      expect(headers['webhook-attempt']).toBe(String(index + 1));
    }
    expect(world.posted[3]?.url).toBe('https://other.example.is/');
    expect(new Set(world.posted.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(4);
    const payload = JSON.parse(first?.body.toString('utf8') ?? '');
    expect(payload.Id).toBe(first?.headers['webhook-id']);
    expect(Buffer.from(payload.EventData.SignedDocument, 'base64').equals(content)).toBe(true);
    expect(payload.EventData.Meta).toEqual({ 'kEY-1': 'ó' });
    const kept = await world.webhooks.deliveryBody(delivery.id);
    expect(Buffer.from(kept).equals(first?.body ?? Buffer.alloc(0))).toBe(true);
  });

  test('both signatures verify, by the reference library and by the published rule', async () => {
    const world = await openWebhookWorld();
    const { webhook, secret } = await world.webhooks.create({
      flowKey: testFlow.key,
      type: 'SignedDocument',
      url,
    });
    const { secret: newer } = await world.webhooks.rotateSecret(webhook.id);
    await world.record(testProcess(1), signed);
    await world.deliver();
    const [{ headers, body }] = world.posted as [(typeof world.posted)[0]];
    vi.useFakeTimers({ now: world.now() });
    for (const each of [secret, newer]) {
      expect(() => new Webhook(each).verify(body.toString('utf8'), { ...headers })).not.toThrow();
    }
    vi.useRealTimers();
    const key = await world.stored.store.read((unit) =>
      unit.companies.webhookSignatureKey(testCompany.key),
    );
    // The published rule, without any code of ours: the time is taken from SignedData.
    const { EventSignature: found, Id } = JSON.parse(body.toString('utf8'));
    const mac = createHmac('sha256', Buffer.from(key ?? '', 'utf8')).update(
      found.SignedData,
      'utf8',
    );
    expect(found.Signature).toBe(mac.digest('base64'));
    expect(found.SignedData.endsWith(found.Guid)).toBe(true);
    expect(found.Guid.replaceAll('-', '')).toBe(Id);
    const ticks = BigInt(found.SignedData.slice(0, -found.Guid.length));
    expect(Number((ticks - 621355968000000000n) / 10000n)).toBe(world.now());
    expect(body.toString('utf8')).toContain(`"TimeStamp":${ticks},`);
  });

  test('a transaction that is rolled back leaves no event and no job', async () => {
    const world = await openWebhookWorld();
    await listening(world);
    await world.record(testProcess(1));
    const failing = world.stored.store.write(async (unit) => {
      const process = await unit.processes.lock(testProcess(1).key);
      if (process === undefined) return;
      const { recordEvents } = await import('../../../../src/app/webhook/index.ts');
      await recordEvents(unit, world.ports, process, [signed], world.now());
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(await world.deliver()).toBe(0);
    expect(await world.webhooks.deliveries()).toEqual([]);
  });
});

describe('delivering', () => {
  test.each([
    ['500 three times', [500, 500, 500], 'dead', [0, 10_000, 60_000]],
    ['500, then 200', [500, 200], 'done', [0, 10_000]],
    ['406 at once', [406], 'dead', [0]],
    ['204 is not 200', [204, 204, 204], 'dead', [0, 10_000, 60_000]],
    ['a redirection', [302, 200], 'done', [0, 10_000]],
    ['no network, then 200', ['network.failed', 200], 'done', [0, 10_000]],
    ['blocked three times', Array(3).fill('network.blocked'), 'dead', [0, 10_000, 60_000]],
  ] as [string, (number | 'network.failed')[], string, number[]][])(
    'ends a delivery in the expected state: %s',
    async (_, answers, state, waits) => {
      const world = await openWebhookWorld();
      await listening(world);
      await world.record(testProcess(1), signed);
      world.answer((_request, number) => {
        const answer = answers[number - 1] ?? 200;
        return typeof answer === 'number' ? answer : new InnsigliError(answer, 'no way');
      });
      const times: number[] = [];
      const beganAtMs = world.now();
      for (let second = 0; second < 200; second++) {
        const before = world.posted.length;
        await world.deliver();
        if (world.posted.length > before) times.push(world.now() - beganAtMs);
        world.pass(1000);
      }
      expect(times.map((each, index) => each - (times[index - 1] ?? 0))).toEqual(waits);
      const { delivery, attempts } = await onlyDelivery(world);
      expect(delivery).toMatchObject({ state, attempts: answers.length });
      expect(delivery.nextAtMs).toBeUndefined();
      expect(attempts.map((each) => each.status ?? each.errorCode)).toEqual(answers);
      const log = await world.stored.store.read((unit) => unit.activity.rows(testProcess(1).key));
      expect(log.map((row) => row.status)).toEqual([
        state === 'done' ? 'WebhookSent' : 'WebhookFailed',
      ]);
      expect(log[0]?.description).not.toContain('example.is');
      expect(log[0]?.description).toMatch(/^webhook \d+: [A-Z][A-Za-z]+, /);
    },
  );

  test('410 disables the webhook; pending deliveries become dead and can be replayed once enabled', async () => {
    const world = await openWebhookWorld();
    const id = await listening(world);
    await world.record(testProcess(1), signed);
    world.answer(() => 410);
    await world.deliver();
    expect(await world.webhooks.find(id)).toMatchObject({ isActive: false, disabledReason: '410' });
    await world.record(testProcess(2), signed);
    expect(await world.webhooks.deliveries()).toHaveLength(1);
    const replay = world.webhooks.replay({ webhookId: id });
    await expect(replay).rejects.toMatchObject({ code: 'webhook.inactive' });
    const open = await world.webhooks.update(id, { isActive: true });
    expect(open.disabledReason).toBeUndefined();
    world.answer(() => 200);
    expect(await world.webhooks.replay({ webhookId: id })).toHaveLength(1);
    await world.deliver();
    expect((await onlyDelivery(world)).delivery).toMatchObject({ state: 'done', attempts: 2 });
  });

  test('a webhook disabled, changed or removed between two attempts is used in its new state', async () => {
    const world = await openWebhookWorld();
    const [moved, off, gone] = [
      await listening(world),
      await listening(world),
      await listening(world),
    ];
    await world.record(testProcess(1), signed);
    world.answer(() => 500);
    await world.deliver();
    await world.webhooks.update(moved, { url: 'https://new.example.is/' });
    await world.webhooks.update(off, { isActive: false });
    await world.webhooks.delete(gone);
    world.answer(() => 200);
    world.pass(10_000);
    await world.deliver();
    expect(world.posted.slice(3).map((each) => each.url)).toEqual(['https://new.example.is/']);
    const states = new Map(
      (await world.webhooks.deliveries()).map((each) => [each.webhookId, each.state]),
    );
    expect([moved, off, gone].map((id) => states.get(id))).toEqual(['done', 'dead', 'canceled']);
  });

  test('honours Retry-After of a busy receiver up to twice the scheduled delay', async () => {
    const world = await openWebhookWorld();
    await listening(world);
    await world.record(testProcess(1), signed);
    world.answer(() => ({ status: 429, retryAfter: '3600', head: 'slow down' }));
    await world.deliver();
    const { delivery, attempts } = await onlyDelivery(world);
    expect(delivery.nextAtMs).toBe(world.now() + 20_000);
    expect(attempts[0]?.answerHead).toBe('slow down');
  });

  test('a worker that died after sending: the next one sends the same bytes with the same id', async () => {
    const world = await openWebhookWorld();
    await listening(world);
    await world.record(testProcess(1), signed);
    const nothing = new Error('killed');
    const dying = { ...world.ports, append: () => Promise.reject(nothing) };
    const [job] = await world.stored.store.claimJobs({
      owner: 'first',
      kinds: ['webhook'],
      nowMs: world.now(),
      leaseMs: minute,
      limit: 1,
    });
    if (job === undefined) throw new Error('a job was expected');
    await expect(deliverOne(job, dying)).rejects.toThrow('killed');
    expect((await onlyDelivery(world)).delivery.attempts).toBe(0);
    expect(await world.deliver('second')).toBe(0);
    world.pass(minute);
    expect(await world.deliver('second')).toBe(1);
    // The first worker resumes. Its lease is lost, so it writes nothing.
    await deliverOne(job, world.ports);
    const { delivery, attempts } = await onlyDelivery(world);
    expect(delivery).toMatchObject({ state: 'done', attempts: 1 });
    expect(attempts).toHaveLength(1);
    expect(world.posted).toHaveLength(2);
    expect(world.posted[0]?.body.equals(world.posted[1]?.body ?? Buffer.alloc(0))).toBe(true);
    expect(world.posted[0]?.headers['webhook-id']).toBe(world.posted[1]?.headers['webhook-id']);
  });

  test('the result is dropped if the lease was lost while sending', async () => {
    const world = await openWebhookWorld();
    await listening(world);
    await world.record(testProcess(1), signed);
    world.answer(async (_, number) => {
      if (number > 1) return 200;
      world.pass(10 * minute);
      await world.deliver('faster');
      return 500;
    });
    await world.deliver('slow');
    const { delivery, attempts } = await onlyDelivery(world);
    expect(delivery).toMatchObject({ state: 'done', attempts: 1, lastStatus: 200 });
    expect(attempts).toHaveLength(1);
  });

  test('a failing receiver is paused, probed and resumed', async () => {
    const world = await openWebhookWorld();
    const id = await listening(world);
    world.answer(() => 500);
    for (let number = 1; number <= 10; number++) await world.record(testProcess(number), signed);
    await world.deliver();
    expect(world.posted).toHaveLength(10);
    world.pass(10_000);
    await world.deliver();
    expect(world.posted).toHaveLength(10);
    expect(await world.webhooks.find(id)).toMatchObject({ failureCount: 10 });
    world.pass(minute);
    await world.deliver();
    expect(world.posted).toHaveLength(11);
    expect(await world.webhooks.find(id)).toMatchObject({ failureCount: 11 });
    world.answer(() => 200);
    world.pass(2 * minute);
    await world.deliver();
    world.pass(2 * minute);
    await world.deliver();
    expect(await world.webhooks.find(id)).toMatchObject({ failureCount: 0 });
    const states = (await world.webhooks.deliveries()).map((each) => each.state);
    expect(states.filter((state) => state === 'done')).toHaveLength(10);
    expect(world.posted).toHaveLength(21);
  });

  test('with isOrdered, an event waits for the previous one of its process only', async () => {
    const world = await openWebhookWorld();
    await listening(world, { isOrdered: true });
    await world.record(testProcess(1), signed, signed);
    await world.record(testProcess(2), signed);
    let failures = 0;
    world.answer(({ body }) => (body.includes(testProcess(1).key) && failures++ === 0 ? 500 : 200));
    const seen = () =>
      world.posted.map(({ body }) => JSON.parse(body.toString('utf8')).EventData.ProcessKey);
    await world.deliver();
    expect(seen().sort()).toEqual([testProcess(1).key, testProcess(2).key]);
    for (let second = 0; second < 30; second++) {
      world.pass(1000);
      await world.deliver();
    }
    const events = world.posted
      .filter(({ body }) => body.includes(testProcess(1).key))
      .map(({ headers }) => headers['webhook-id']);
    expect(events[0]).toBe(events[1]);
    expect(events).toHaveLength(3);
    expect(events[2]).not.toBe(events[1]);
  });

  test('offline, nothing is sent and no attempt is counted', async () => {
    const world = await openWebhookWorld();
    await listening(world);
    await world.record(testProcess(1), signed);
    world.answer(() => new InnsigliError('network.offline', 'no'));
    await world.deliver();
    expect((await onlyDelivery(world)).delivery).toMatchObject({ state: 'waiting', attempts: 0 });
    world.answer(() => 200);
    world.pass(minute);
    await world.deliver();
    expect((await onlyDelivery(world)).delivery).toMatchObject({ state: 'done', attempts: 1 });
  });

  test('waits for a missing document and finally ends the delivery, not the worker', async () => {
    const world = await openWebhookWorld();
    await listening(world, { type: 'AllSigned' });
    const document = { sha256: 'ab'.repeat(32), lengthBytes: 9 };
    await world.record(testProcess(1, { document }), allSigned);
    await world.deliver();
    expect((await onlyDelivery(world)).delivery).toMatchObject({ state: 'waiting', attempts: 0 });
    world.pass(3 * 24 * 60 * minute);
    await world.deliver();
    expect((await onlyDelivery(world)).delivery).toMatchObject({
      state: 'dead',
      attempts: 0,
      lastErrorCode: 'blob.missing',
    });
  });

  test('a result that cannot be written is retried and does not stop the rest', async () => {
    const world = await openWebhookWorld();
    await listening(world);
    for (let number = 1; number <= 5; number++) await world.record(testProcess(number), signed);
    const { deliverDueWebhooks } = await import('../../../../src/app/webhook/index.ts');
    const failed: string[] = [];
    const ports: typeof world.ports = {
      ...world.ports,
      append: (unit, own, all, nowMs) =>
        all.some(({ process }) => process.key === testProcess(3).key)
          ? Promise.reject(new InnsigliError('clock.back', 'no'))
          : world.ports.append(unit, own, all, nowMs),
    };
    await deliverDueWebhooks(ports, {
      owner: 'w',
      limit: 64,
      failed: (_, error) => void failed.push((error as InnsigliError).code),
    });
    expect(failed).toEqual(['clock.back']);
    const states = (await world.webhooks.deliveries()).map((each) => each.state).sort();
    expect(states).toEqual(['done', 'done', 'done', 'done', 'waiting']);
    world.pass(10_000);
    await world.deliver();
    expect((await world.webhooks.deliveries({ state: 'done' })).length).toBe(5);
  });
});

describe('many receivers', () => {
  const slowUrl = 'https://slow.example.is/in';
  const both = async (world: WebhookWorld) => {
    const slow = await listening(world, { url: slowUrl });
    const fast = await listening(world, { type: 'Created' });
    return { slow, fast };
  };
  const created = { type: 'Created', withDocument: false } as const;

  test('a slow receiver does not hold up the rest', async () => {
    const world = await openWebhookWorld();
    const { slow, fast } = await both(world);
    const most = { now: 0, ever: 0 };
    const ends: (() => void)[] = [];
    world.answer(({ url: to }) => {
      if (to !== slowUrl) return 200;
      most.now++;
      most.ever = Math.max(most.ever, most.now);
      return new Promise<number>((resolve) =>
        ends.push(() => {
          most.now--;
          resolve(200);
        }),
      );
    });
    for (let number = 1; number <= 100; number++) {
      await world.record(testProcess(number), ...Array(3).fill(signed));
    }
    for (let number = 1; number <= 20; number++) await world.record(testProcess(number), created);
    const delivering = world.deliver();
    await vi.waitFor(
      async () =>
        expect(await world.webhooks.deliveries({ webhookId: fast, state: 'done' })).toHaveLength(
          20,
        ),
      { timeout: 9000, interval: 100 },
    );
    expect(await world.webhooks.deliveries({ webhookId: slow, state: 'done' })).toEqual([]);
    expect(most.ever).toBeLessThanOrEqual(16);
    // Deliveries returned to the store do not count as attempts and are retried soon.
    const waiting = await world.webhooks.deliveries({ webhookId: slow, take: 1000 });
    expect(waiting.filter(({ attempts }) => attempts > 0)).toEqual([]);
    for (const { nextAtMs } of waiting) {
      expect((nextAtMs ?? 0) - world.now()).toBeLessThanOrEqual(60_000);
    }
    world.answer(() => 200);
    for (const end of ends) end();
    await delivering;
    world.pass(minute);
    await world.deliver();
    expect(
      await world.webhooks.deliveries({ webhookId: slow, state: 'done', take: 1000 }),
    ).toHaveLength(300);
  }, 20_000);
});

describe('after the clock was set back', () => {
  const years = 10 * 365 * 24 * 60 * minute;

  test('a delivery scheduled far in the future is sent now', async () => {
    const world = await openWebhookWorld();
    await listening(world);
    await world.record(testProcess(1), signed);
    world.answer(() => 500);
    world.pass(years);
    await world.deliver();
    world.pass(-years);
    world.answer(() => 200);
    await world.deliver();
    expect((await onlyDelivery(world)).delivery).toMatchObject({ state: 'done', attempts: 2 });
  });

  test('a delivery claimed by a dead worker is sent now', async () => {
    const world = await openWebhookWorld();
    await listening(world);
    await world.record(testProcess(1), signed);
    world.pass(years);
    await world.stored.store.claimJobs({
      owner: 'dead',
      kinds: ['webhook'],
      nowMs: world.now(),
      leaseMs: minute,
      limit: 1,
    });
    world.pass(-years);
    await world.deliver();
    expect((await onlyDelivery(world)).delivery.state).toBe('done');
  });

  test('a receiver that was paused is tried now', async () => {
    const world = await openWebhookWorld();
    const id = await listening(world);
    world.answer(() => 500);
    world.pass(years);
    for (let number = 1; number <= 12; number++) await world.record(testProcess(number), signed);
    await world.deliver();
    expect((await world.webhooks.find(id)).openUntilMs).toBeGreaterThan(world.now());
    world.pass(-years);
    world.answer(() => 200);
    for (let round = 0; round < 5; round++) {
      await world.deliver();
      world.pass(minute);
    }
    expect(await world.webhooks.deliveries({ state: 'done' })).toHaveLength(12);
    expect(await world.webhooks.find(id)).toMatchObject({ failureCount: 0 });
  });

  test('nothing is sent that cannot be logged in its process', async () => {
    const world = await openWebhookWorld();
    await listening(world);
    await world.record(testProcess(1), signed);
    world.pass(3 * 24 * 60 * minute);
    await world.deliver();
    world.pass(-2 * 24 * 60 * minute);
    await world.record(testProcess(1), signed);
    for (let round = 0; round < 5; round++) {
      await world.deliver();
      world.pass(minute);
    }
    expect(world.posted).toHaveLength(1);
    world.pass(2 * 24 * 60 * minute);
    await world.deliver();
    expect(world.posted).toHaveLength(2);
    expect(await world.webhooks.deliveries({ state: 'done' })).toHaveLength(2);
  });
});

test('GroupSigned contains the download links of every document of the sequence', async () => {
  const world = await openWebhookWorld();
  await listening(world, { type: 'GroupSigned' });
  const { asKey } = await import('../../../../src/domain/keys.ts');
  const sequenceKey = asKey('sequence', 'pg01');
  const [a, b] = [testProcess(1, { sequenceKey }), testProcess(2, { sequenceKey })];
  const place = (number: number) => ({
    processKey: testProcess(number).key,
    signeeKey: testSignee(number).key,
  });
  await world.stored.store.write(async (unit) => {
    await unit.processes.add(a);
    await unit.sequences.add({
      key: sequenceKey,
      companyKey: testCompany.key,
      rev: 1,
      user: 'owner@example.is',
      requiresAuth: false,
      signInOrder: false,
      processKeys: [a.key, b.key],
      persons: [
        {
          key: asKey('person', 'gs1'),
          order: 0,
          signingKeys: [place(1), place(2)],
        },
      ],
      createdAtMs: world.now(),
      isEndTold: true,
    });
  });
  await world.record(b, { type: 'GroupSigned', withDocument: false });
  await world.deliver();
  const { EventData: data } = JSON.parse(world.posted[0]?.body.toString('utf8') ?? '');
  expect(data.SequenceKey).toBe('pg01');
  expect(data.SignedDocumentDownloadUrls).toEqual(
    [1, 2].map((n) => `https://sign.example.is/${place(n).processKey}/${place(n).signeeKey}.pdf`),
  );
});
