import { randomBytes } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CompanyService } from '../../../src/app/company-service.ts';
import type { SearchThreads } from '../../../src/app/screening/index.ts';
import { resolveConfig } from '../../../src/wire/config/resolve.ts';
import { apiPorts } from '../../../src/wire/serve/api-ports.ts';
import { openPlainClients } from '../../../src/wire/serve/plain-clients.ts';
import { startWarmUp } from '../../../src/wire/serve/warm-up.ts';
import type { Service } from '../../../src/wire/service/service.types.ts';
import { openToolkit } from '../../../src/wire/toolkit.ts';
import type { Toolkit } from '../../../src/wire/toolkit.types.ts';
import { newTemporaryFolder } from '../../support/folders.ts';

// It stands still: on a busy machine the time of a warm-up would be over.
const nowMs = Date.now();
const io = { now: () => nowMs, random: (count: number) => randomBytes(count) };
const PER_MINUTE = 5;

let toolkit: Toolkit;
let service: Service;
let company: CompanyService;
let searched: string[] = [];
beforeEach(async () => {
  const folder = newTemporaryFolder('warm-up');
  searched = [];
  const env = {
    HOME: folder,
    INNSIGLI_HOME: join(folder, 'data'),
    INNSIGLI_SCREENING_PER_MINUTE: String(PER_MINUTE),
  };
  const { config } = resolveConfig({ flags: {}, env, cwd: folder });
  toolkit = openToolkit(config, { ...io, warn: () => undefined });
  service = await toolkit.service({ searchThreads });
  const made = await service.createCompany({ name: 'Prófun ehf.', user: 'owner@example.is' });
  company = await service.open(made.company.key);
  await company.flows.create({ name: 'Screening', type: 'PEP' });
});
afterEach(async () => {
  await service.close();
  toolkit.close();
});

/** Threads that leave each search to the one who asks. */
const searchThreads: SearchThreads = {
  begin: () => undefined,
  share: (bytes) => bytes,
  async search(_, { originalName = '' }) {
    searched.push(originalName);
    return undefined;
  },
};

async function importPersons(count: number): Promise<void> {
  const rows = Array.from({ length: count }, () => 'PEP,Karel,Dvorsky');
  const content = Buffer.from(['category,first_name,last_name', ...rows].join('\n'));
  await company.screening.importList({ list: 'own', files: [{ name: 'own.csv', content }] });
}

function warmUp(failed = (_: string, error: unknown) => expect.unreachable(String(error))) {
  return startWarmUp(service, apiPorts(toolkit, service, io, '1.2.3'), failed);
}

test('a warm-up screens as for clients, and nothing of it stays', async () => {
  await importPersons(40);
  expect(await warmUp().ended).toBe(40);
  expect(searched).toHaveLength(40);
  expect(await company.screening.list()).toEqual([]);
  // Neither the chain nor the quota knows of it.
  for (let seq = 1; seq <= PER_MINUTE; seq++) {
    const { id } = await company.screening.screen({ originalName: 'Karel Dvorsky' });
    expect((await company.screening.list()).at(-1)).toMatchObject({ id, seq });
  }
});

test('a company whose screenings fail is told of', async () => {
  await importPersons(40);
  const failures: string[] = [];
  const busy = { ...service, rehearsed: async () => undefined };
  const ports = apiPorts(toolkit, service, io, '1.2.3');
  const running = startWarmUp(busy, ports, (key, error) => failures.push(`${key} ${error}`));
  expect(await running.ended).toBe(0);
  expect(failures).toEqual([expect.stringContaining(`${company.company.key} Error: 401 {`)]);
});

test('it can be stopped', async () => {
  await importPersons(1000);
  const running = warmUp();
  await expect.poll(() => searched.length, { timeout: 30_000 }).toBeGreaterThan(3);
  await running.stop();
  expect(await running.ended).toBe(searched.length);
  expect(searched.length).toBeLessThan(1000);
});

test('a connection that ends before its response is an error', async () => {
  const server = createServer((socket) => socket.on('data', () => socket.end('HTTP/1.1 200 OK')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as { port: number };
  const clients = openPlainClients(port);
  const request = { path: '/', authorization: 'Basic eA==', body: '{}' };
  await expect(clients.post(request)).rejects.toThrow('the connection ended');
  clients.close();
  server.close();
});
