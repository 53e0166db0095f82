import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ResolvedConfig } from './config.ts';
import type { DevelopmentAccess } from './development.ts';
import type { InitOutcome } from './toolkit.types.ts';

/** Makes the development trust unless it is there, and says which files exist. */
export async function initialise(
  config: ResolvedConfig,
  development: DevelopmentAccess,
): Promise<InitOutcome> {
  const folder = join(config.dataDir, 'trust');
  const before = new Set(await listFiles(folder));
  await development.use();
  development.announce();
  const after = await listFiles(folder);
  return {
    dataDir: config.dataDir,
    created: after.filter((path) => !before.has(path)),
    existing: after.filter((path) => before.has(path)),
    rootCertificate: join(folder, 'root.pem'),
  };
}

async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.sort().map((name) => join(folder, name));
}
