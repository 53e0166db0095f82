import { randomBytes } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ExportVerification } from '../../src/app/activity/index.ts';
import type { CompanyService } from '../../src/app/company-service.ts';
import { resolveConfig } from '../../src/wire/config/resolve.ts';
import type { Service } from '../../src/wire/service/service.types.ts';
import { openToolkit } from '../../src/wire/toolkit.ts';
import type { Toolkit } from '../../src/wire/toolkit.types.ts';
import { withDeclaredCodes } from '../support/declared-codes.ts';
import { newTemporaryFolder } from '../support/folders.ts';
import { prepared } from '../support/prepared.ts';
import { ageContents } from '../support/store.ts';

/** A service in a separate folder, with an adjustable clock. */
export interface TestService {
  readonly folder: string;
  readonly service: Service;
  readonly toolkit: CompanyService;
  readonly flowKey: string;
  /** Verifies an export without any other data. */
  verifyExport(text: string): Promise<ExportVerification>;
  /** Epoch milliseconds of the clock. */
  nowMs(): number;
  /** Advances the clocks of the host and of its disk. */
  pass(ms: number): void;
  /** Closes it and keeps the folder. */
  stop(): Promise<void>;
  /** Closes it and removes the folder. */
  close(): Promise<void>;
}

const hourMs = 3_600_000;
/** A day is anchored an hour after its end: no test starts in the first hours of a day. */
const aheadMs = Date.now() % (24 * hourMs) < 2 * hourMs ? 2 * hourMs : 0;

/** The document that these tests sign. */
export const agreement = readFileSync(new URL('../../fixtures/pdf/agreement.pdf', import.meta.url));

/** Opens a service with one company; `env` contains further settings. */
export async function openTestService(
  env: Readonly<Record<string, string>> = {},
): Promise<TestService> {
  // Rows in an external database are not copied.
  const isElsewhere = env['INNSIGLI_DATABASE'] !== undefined;
  const folder = isElsewhere ? await newFolder(env) : (await copiedFolder()).folder;
  return openIn(folder, env);
}

/** Returns copies of a service, with its clock, in which `story` has run once. */
export function preparedService<Facts>(
  story: (it: TestService) => Promise<Facts>,
): () => Promise<{ readonly it: TestService; readonly facts: Facts }> {
  const copied = prepared('story', async (folder) => {
    await makeCompany(folder, {});
    const it = await openIn(folder, {});
    const facts = await story(it);
    const offsetMs = it.nowMs() - Date.now();
    await it.stop();
    return { facts, offsetMs };
  });
  return async () => {
    const { folder, facts } = await copied();
    return { it: await openIn(folder, {}, facts.offsetMs), facts: facts.facts };
  };
}

async function openIn(
  folder: string,
  env: Readonly<Record<string, string>>,
  startMs = aheadMs,
): Promise<TestService> {
  let offsetMs = startMs;
  const nowMs = () => Date.now() + offsetMs;
  const kit = kitIn(folder, env, nowMs);
  const service = await kit.service();
  const toolkit = withDeclaredCodes(await service.open());
  const [flow] = await toolkit.flows.list();
  const stop = async () => {
    await service.close();
    kit.close();
  };
  return {
    folder,
    service,
    toolkit,
    flowKey: flow?.flowKey ?? '',
    nowMs,
    verifyExport: (text) => kit.verifyLogExport(Readable.from([Buffer.from(text)])),
    pass: (ms) => {
      offsetMs += ms;
      ageContents(join(folder, 'data'), ms);
    },
    stop,
    close: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const copiedFolder = prepared('service', (folder) => makeCompany(folder, {}));

async function newFolder(env: Readonly<Record<string, string>>): Promise<string> {
  const folder = newTemporaryFolder('service');
  await makeCompany(folder, env);
  return folder;
}

async function makeCompany(folder: string, env: Readonly<Record<string, string>>): Promise<void> {
  const kit = kitIn(folder, env, () => Date.now() + aheadMs);
  await kit.initialise({ name: 'Acme ehf.', user: 'owner@example.test' });
  kit.close();
}

function kitIn(folder: string, env: Readonly<Record<string, string>>, now: () => number): Toolkit {
  const { config } = resolveConfig({
    flags: {},
    env: { HOME: folder, INNSIGLI_HOME: join(folder, 'data'), ...env },
    cwd: folder,
  });
  const random = (count: number) => randomBytes(count);
  return openToolkit(config, { now, leaseNow: now, random, warn: () => undefined });
}
