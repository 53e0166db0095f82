import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type ApiApp, buildApi, type ServerOptions } from '../../../src/api/index.ts';
import type { CompanyService } from '../../../src/app/company-service.ts';
import type { DocumentTexts } from '../../../src/app/ports/index.ts';
import { resolveConfig } from '../../../src/wire/config/resolve.ts';
import { apiPorts } from '../../../src/wire/serve/api-ports.ts';
import type { Service } from '../../../src/wire/service/service.types.ts';
import { openToolkit } from '../../../src/wire/toolkit.ts';
import { withDeclaredCodes } from '../../support/declared-codes.ts';
import { prepared } from '../../support/prepared.ts';
import './recorder.ts';
import { newTemporaryFolder } from '../../support/folders.ts';

/** The API of a service in a separate folder. */
export interface TestApi {
  readonly app: ApiApp;
  readonly service: Service;
  readonly toolkit: CompanyService;
  readonly flowKey: string;
  readonly webhookKey: string;
  /** The data directory. */
  readonly dataDir: string;
  /** Authorization header of the company. */
  readonly basic: string;
  /** The header of another company. */
  readonly foreign: string;
  pass(ms: number): void;
  /** From now on the clock advances only by {@link pass}. */
  stopClock(): void;
  close(): Promise<void>;
}

/** The document that these tests sign. */
export const agreement = readFileSync(
  new URL('../../../fixtures/pdf/agreement.pdf', import.meta.url),
);

interface Opened {
  readonly options?: ServerOptions;
  readonly settings?: Readonly<Record<string, string>>;
  readonly texts?: DocumentTexts | undefined;
}

/**
 * Opens the API with two companies. `settings` are environment variables; `texts` replaces the
 * thread that extracts text, which fast tests may not start.
 */
export async function openTestApi(
  options: ServerOptions = {},
  settings: Readonly<Record<string, string>> = {},
  texts?: DocumentTexts,
): Promise<TestApi> {
  // Rows in an external database are not copied.
  const isElsewhere = settings['INNSIGLI_DATABASE'] !== undefined;
  const { folder, facts } = await (isElsewhere ? newFolder(settings) : copiedFolder());
  const api = await openIn(folder, facts, { options, settings, texts });
  const close = () => api.close().then(() => rmSync(folder, { recursive: true, force: true }));
  return { ...api, close };
}

/** A second service with `settings` on the data directory of `api`, to be closed before it. */
export function openBeside(
  { dataDir, toolkit, webhookKey, basic, foreign }: TestApi,
  settings: Readonly<Record<string, string>>,
): Promise<TestApi> {
  const facts = { companyKey: toolkit.company.key, webhookKey, basic, foreign };
  return openIn(dirname(dataDir), facts, { settings });
}

async function openIn(
  folder: string,
  facts: Awaited<ReturnType<typeof makeCompanies>>,
  { options = {}, settings = {}, texts }: Opened,
): Promise<TestApi> {
  let offsetMs = 0;
  let stoppedMs: number | undefined;
  const now = () => (stoppedMs ?? Date.now()) + offsetMs;
  const io = { now, leaseNow: now, random, warn: () => undefined };
  const kit = openToolkit(configIn(folder, settings), io);
  const service = await kit.service();
  const toolkit = withDeclaredCodes(await service.open(facts.companyKey));
  const [flow] = await toolkit.flows.list();
  const ports = apiPorts(kit, service, io, '0.0.0-test', undefined, texts);
  const app = await buildApi(ports, options);
  return {
    app,
    service,
    toolkit,
    flowKey: flow?.flowKey ?? '',
    dataDir: join(folder, 'data'),
    webhookKey: facts.webhookKey,
    basic: facts.basic,
    foreign: facts.foreign,
    pass: (ms) => {
      offsetMs += ms;
    },
    stopClock: () => {
      stoppedMs = Date.now();
    },
    close: async () => {
      await app.close();
      await service.close();
      kit.close();
    },
  };
}

const copiedFolder = prepared('api', (folder) => makeCompanies(folder, {}));

async function newFolder(settings: Readonly<Record<string, string>>) {
  const folder = newTemporaryFolder('api');
  return { folder, facts: await makeCompanies(folder, settings) };
}

async function makeCompanies(folder: string, settings: Readonly<Record<string, string>>) {
  const io = { now: () => Date.now(), random, warn: () => undefined };
  const kit = openToolkit(configIn(folder, settings), io);
  const { company } = await kit.initialise({ name: 'Acme ehf.', user: 'owner@example.test' });
  if (company === undefined) throw new Error('there is a company already');
  const service = await kit.service();
  const other = await service.createCompany({ name: 'Other ehf.' });
  await service.close();
  kit.close();
  return {
    companyKey: company.key,
    webhookKey: company.webhookSignatureKey,
    basic: basicOf(company.key, company.apiKey),
    foreign: basicOf(other.company.key, other.apiKey),
  };
}

function configIn(folder: string, settings: Readonly<Record<string, string>>) {
  const env = { HOME: folder, INNSIGLI_HOME: join(folder, 'data'), ...settings };
  return resolveConfig({ flags: {}, env, cwd: folder }).config;
}

function random(count: number): Uint8Array {
  return randomBytes(count);
}

/** The value of an Authorization header. */
export function basicOf(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
