import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ApiApp, buildApi, type ServerOptions } from '../../../src/api/index.ts';
import { apiPorts } from '../../../src/wire/api-ports.ts';
import { resolveConfig } from '../../../src/wire/config-resolve.ts';
import type { Service, ServiceToolkit } from '../../../src/wire/service.types.ts';
import { openToolkit } from '../../../src/wire/toolkit.ts';
import './recorder.ts';

/** The interface over a service in a folder of its own. */
export interface TestApi {
  readonly app: ApiApp;
  readonly service: Service;
  readonly toolkit: ServiceToolkit;
  readonly flowKey: string;
  readonly webhookKey: string;
  /** The data directory. */
  readonly dataDir: string;
  /** Authorization header of the company. */
  readonly basic: string;
  /** The same of another company. */
  readonly foreign: string;
  pass(ms: number): void;
  close(): Promise<void>;
}

/** The document that these tests sign. */
export const agreement = readFileSync(
  new URL('../../../fixtures/pdf/agreement.pdf', import.meta.url),
);

/** Opens the interface with two companies; `settings` are variables of the environment. */
export async function openTestApi(
  options: ServerOptions = {},
  settings: Readonly<Record<string, string>> = {},
): Promise<TestApi> {
  const folder = mkdtempSync(join(tmpdir(), 'innsigli-api-'));
  let offsetMs = 0;
  const { config } = resolveConfig({
    flags: {},
    env: { HOME: folder, INNSIGLI_HOME: join(folder, 'data'), ...settings },
    cwd: folder,
  });
  const io = {
    now: () => Date.now() + offsetMs,
    random: (count: number) => randomBytes(count),
    warn: () => undefined,
  };
  const kit = openToolkit(config, io);
  const { company } = await kit.initialise({ name: 'Acme ehf.', user: 'owner@example.test' });
  if (company === undefined) throw new Error('there is a company already');
  const service = await kit.service();
  const other = await service.createCompany({ name: 'Other ehf.' });
  const toolkit = await service.open(company.key);
  const [flow] = await toolkit.flows.list();
  const app = await buildApi(apiPorts(kit, service, io, '0.0.0-test'), options);
  return {
    app,
    service,
    toolkit,
    flowKey: flow?.flowKey ?? '',
    dataDir: join(folder, 'data'),
    webhookKey: company.webhookSignatureKey,
    basic: basicOf(company.key, company.apiKey),
    foreign: basicOf(other.company.key, other.apiKey),
    pass: (ms) => {
      offsetMs += ms;
    },
    close: async () => {
      await app.close();
      await service.close();
      kit.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The value of an Authorization header. */
export function basicOf(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
