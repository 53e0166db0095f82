import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApi, type TestApi } from './support/open-api.ts';

// V8 collects young objects often, and old ones seldom. An answered request that is still
// referenced, even only by old garbage, costs time at each collection.
setFlagsFromString('--expose-gc');
const collect: (options: { type: 'minor' }) => void = runInNewContext('gc');

const ROUNDS = 40;
const CONNECTIONS = 4;
const REQUESTS = 10;
/** Bytes of old objects that an answered request may leave; a whole request has 4800 and more. */
const KEPT_BYTES_MAX = 3500;

let api: TestApi;
let port = 0;
let person = '';
const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
beforeAll(async () => {
  api = await openTestApi({ requestsPerCompany: 0 }, { INNSIGLI_SCREENING_PER_MINUTE: '1000000' });
  const { key: flowKey } = await api.toolkit.flows.create({
    name: 'Screening',
    type: 'PEP',
  } as never);
  const name = { firstName: 'Ragnheiður', lastName: 'Fjallmundardóttir' };
  person = JSON.stringify({ countryCode: 'IS', flowKey, ...name });
  await api.app.listen({ host: '127.0.0.1', port: 0 });
  ({ port } = api.app.server.address() as AddressInfo);
}, 60_000);
afterAll(async () => {
  agent.destroy();
  await api.close();
});

/** Sends one request; `pause` is awaited after half of the body. */
async function ask(path: string, body: string, pause?: () => Promise<void>): Promise<number> {
  const headers = { authorization: api.basic, 'content-type': 'application/json' };
  const length = { 'content-length': Buffer.byteLength(body) };
  const method = body === '' ? 'GET' : 'POST';
  const options = { host: '127.0.0.1', port, path, method, agent };
  const asked = request({ ...options, headers: { ...headers, ...length } });
  const status = new Promise<number>((resolve, reject) => {
    asked.on('error', reject).on('response', (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
  });
  asked.write(body.slice(0, 5));
  await pause?.();
  asked.end(body.slice(5));
  return status;
}

const oldBytes = () =>
  getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space')?.space_used_size ??
  0;

async function collected(): Promise<void> {
  await sleep(20);
  for (let times = 0; times < 3; times++) collect({ type: 'minor' });
}

test.each([
  ['public', '/healthz', '', 200],
  ['of a company', '/api/management/flow', '', 200],
  ['with a body', '/api/watchlist/person', '{"countryCode":"ISL"}', 400],
])(
  'answered requests are released from memory: %s',
  { timeout: 60_000 },
  async (_, path, body, status) => {
    const grown: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      // Tables and lists of pending requests age with this one.
      expect(await ask('/api/watchlist/person', person, collected)).toBe(200);
      await collected();
      const before = oldBytes();
      const connections = Array.from({ length: CONNECTIONS }, async () => {
        for (let number = 0; number < REQUESTS; number++) {
          expect(await ask(path, body)).toBe(status);
        }
      });
      await Promise.all(connections);
      await collected();
      grown.push((oldBytes() - before) / REQUESTS / CONNECTIONS);
    }
    // In early rounds code is compiled, and a full collection shrinks some tables.
    const [middle = 0] = grown
      .slice(ROUNDS / 2)
      .sort((a, b) => a - b)
      .slice(ROUNDS / 4);
    expect(middle).toBeLessThan(KEPT_BYTES_MAX);
  },
);
