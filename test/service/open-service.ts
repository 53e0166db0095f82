import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { ExportVerification } from '../../src/app/activity/index.ts';
import { resolveConfig } from '../../src/wire/config-resolve.ts';
import type { Service, ServiceToolkit } from '../../src/wire/service.types.ts';
import { openToolkit } from '../../src/wire/toolkit.ts';
import { ageContents } from '../support/store.ts';

/** A service in a folder of its own, with a clock that the test moves. */
export interface TestService {
  readonly folder: string;
  readonly service: Service;
  readonly toolkit: ServiceToolkit;
  readonly flowKey: string;
  /** Judges an export as somebody does who has nothing else. */
  verifyExport(text: string): Promise<ExportVerification>;
  /** Epoch milliseconds of the clock. */
  nowMs(): number;
  /** Moves the clocks of the host and of its disk. */
  pass(ms: number): void;
  close(): Promise<void>;
}

/** The document that these tests sign. */
export const agreement = readFileSync(new URL('../../fixtures/pdf/agreement.pdf', import.meta.url));

/** Opens a service with one company; `env` holds further settings. */
export async function openTestService(
  env: Readonly<Record<string, string>> = {},
): Promise<TestService> {
  const folder = mkdtempSync(join(tmpdir(), 'innsigli-service-'));
  let offsetMs = 0;
  const nowMs = () => Date.now() + offsetMs;
  const { config } = resolveConfig({
    flags: {},
    env: { HOME: folder, INNSIGLI_HOME: join(folder, 'data'), ...env },
    cwd: folder,
  });
  const io = { now: nowMs, random: (count: number) => randomBytes(count), warn: () => undefined };
  const kit = openToolkit(config, io);
  await kit.initialise({ name: 'Acme ehf.', user: 'owner@example.test' });
  const service = await kit.service();
  const toolkit = await service.open();
  const [flow] = await toolkit.flows.list();
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
    close: async () => {
      await service.close();
      kit.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
