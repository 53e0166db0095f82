import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { defined } from '../base/defined.ts';
import { developmentRootFile } from './config/paths.ts';
import type { ToolkitContext } from './parties/opened-parties.ts';
import type { FirstCompany, InitOutcome } from './toolkit.types.ts';

/** Creates the development trust and the first company unless they exist. */
export async function initialise(
  context: ToolkitContext,
  company: FirstCompany | undefined,
): Promise<InitOutcome> {
  const { config, development } = context;
  const folder = join(config.dataDir, 'trust');
  const before = new Set(await listFiles(folder));
  await development.use();
  development.announce();
  const after = await listFiles(folder);
  const made = company === undefined ? undefined : await makeCompany(context, company);
  return {
    dataDir: config.dataDir,
    created: after.filter((path) => !before.has(path)),
    existing: after.filter((path) => before.has(path)),
    rootCertificate: developmentRootFile(config.dataDir),
    ...defined({ company: made }),
  };
}

async function makeCompany(
  context: ToolkitContext,
  request: FirstCompany,
): Promise<InitOutcome['company']> {
  const { openService } = await import('./service/service.ts');
  const service = await openService(context);
  try {
    if ((await service.companies()).length > 0) return undefined;
    const { company, apiKey, webhookSignatureKey } = await service.createCompany(request);
    return { key: company.key, name: company.name, apiKey, webhookSignatureKey };
  } finally {
    await service.close();
  }
}

async function listFiles(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.sort().map((name) => join(folder, name));
}
