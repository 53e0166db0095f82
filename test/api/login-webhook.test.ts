import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { verifyEventSignature } from '../../src/domain/webhook/event-signature.ts';
import { type IdentityApi, openIdentityApi } from './support/identity.ts';

const DAY = 86_400_000;
/** A test person who always refuses. */
const CANCELS = '0100011';

let api: IdentityApi;
let receiver: Server;
const events: Record<string, Record<string, unknown>>[] = [];

beforeAll(async () => {
  api = await openIdentityApi();
  receiver = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    events.push(JSON.parse(Buffer.concat(parts).toString('utf8')));
    response.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  const headers = { authorization: api.basic };
  for (const type of ['Auth', 'Created']) {
    const made = await api.post(
      '/api/management/webhook',
      { flowKey: api.flowKey, type, url },
      headers,
    );
    expect(made.status).toBe(200);
  }
}, 60_000);
afterAll(async () => {
  receiver.close();
  await api.close();
});
beforeEach(() => {
  events.length = 0;
});

const start = async (phoneNumber: string) => {
  const body = { flowKey: api.flowKey, authenticationContextType: 'Sim', phoneNumber };
  return (await api.post('/api/auth/start', body)).body.authRequestId as string;
};
const poll = (authRequestId: string, more = {}) =>
  api.post('/api/auth/poll', { authRequestId, flowKey: api.flowKey, ...more });

test('a login at a flow notifies the webhook of the flow once', async () => {
  const token = await start('6666666');
  await api.service.work(['webhook']);
  expect(events).toEqual([]);
  api.answer();
  const { customer } = (await poll(token)).body;
  expect(customer.name).not.toBe('');
  await poll(token);
  await poll(token, { lookupType: 'Name' });
  await api.service.work(['webhook']);
  expect(events).toHaveLength(1);
  const [event] = events;
  expect(event?.['EventData']).toMatchObject({
    ProcessKey: null,
    CompanyKey: api.toolkit.company.key,
    FlowKey: api.flowKey,
    FlowName: 'Documents',
    EventType: 3,
    Signees: [],
    SignedDocument: null,
    Customer: {
      Name: customer.name,
      Ssn: '6000101994',
      PhoneNumber: customer.phoneNumber,
      Address: customer.address,
      City: customer.city,
      Token: customer.token,
      FlowKey: api.flowKey,
    },
  });
  const verdict = verifyEventSignature(event, { signatureKey: api.webhookKey, nowMs: Date.now() });
  expect(verdict.isValid).toBe(true);
});

test('concurrent polls notify the webhook only once', async () => {
  const token = await start('6666666');
  api.answer();
  await poll(token);
  api.answer();
  await Promise.all(['Name', 'NameAddress'].map((lookupType) => poll(token, { lookupType })));
  await api.service.work(['webhook']);
  expect(events).toHaveLength(1);
});

test('a failed login does not notify the webhook', async () => {
  const token = await start(CANCELS);
  api.answer();
  expect((await poll(token)).status).toBe(403);
  await api.service.work(['webhook']);
  expect(events).toEqual([]);
});

test('webhook deliveries of logins are deleted after 30 days', async () => {
  const count = async () => (await api.toolkit.webhooks.deliveries({})).length;
  expect(await count()).toBeGreaterThan(0);
  api.pass(31 * DAY);
  await api.service.work(['anchor']);
  expect(await count()).toBe(0);
}, 60_000);
