import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '../../src/adapters/store/index.ts';
import { resolveConfig } from '../../src/wire/config/resolve.ts';
import { openToolkit } from '../../src/wire/toolkit.ts';
import type { Diagnosis, Toolkit } from '../../src/wire/toolkit.types.ts';
import { newTemporaryFolder } from '../support/folders.ts';
import { ageContents, testVault } from '../support/store.ts';

/** A host of a service: a data directory with a toolkit, and an adjustable clock. */
export interface TestHost {
  readonly dataDir: string;
  readonly kit: Toolkit;
  /** Advances the clocks of the host and of its disk. */
  pass(ms: number): void;
  nowMs(): number;
  /** The result of one check of `doctor`. */
  check(name: string): Promise<Diagnosis | undefined>;
}

/** A separate folder for one test. */
export function newFolder(): { readonly path: string; remove(): void } {
  const path = newTemporaryFolder('host');
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** A host with a data directory; nothing is opened yet. */
export function testHost(dataDir: string, env: Readonly<Record<string, string>> = {}): TestHost {
  let offsetMs = 0;
  const nowMs = () => Date.now() + offsetMs;
  const { config } = resolveConfig({
    flags: {},
    env: { HOME: dataDir, INNSIGLI_HOME: dataDir, ...env },
    cwd: tmpdir(),
  });
  const random = (count: number) => randomBytes(count);
  const kit = openToolkit(config, { now: nowMs, leaseNow: nowMs, random, warn: () => undefined });
  return {
    dataDir,
    kit,
    nowMs,
    pass: (ms) => {
      offsetMs += ms;
      ageContents(dataDir, ms);
    },
    check: async (name) => (await kit.diagnose()).find((each) => each.name === name),
  };
}

/** The code with which opening the service is refused. Empty if it opens. */
export async function refusalOf({ kit }: TestHost): Promise<string> {
  try {
    await (await kit.service()).close();
    return '';
  } catch (error) {
    return (error as { readonly code: string }).code;
  }
}

/** Puts a database into an unused data directory. */
export async function putEmptyDatabase({ dataDir, nowMs }: TestHost): Promise<void> {
  const path = join(dataDir, 'innsigli.db');
  await (await openSqliteStore({ path, vault: testVault, now: nowMs })).close();
}
