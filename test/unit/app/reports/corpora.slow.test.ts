import { execFile } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { isInnsigliError } from '../../../../src/base/errors.ts';
import { renderReport, type VerificationReport, verifyDocument } from '../../../../src/index.ts';
import { faultsOf } from '../../../cli/support/json-output.ts';
import { newTemporaryFolder } from '../../../support/folders.ts';

const corpora = resolve('../shared/corpora');
const judge = resolve('../shared/tools/judge');
const manifest = join(corpora, 'manifest.tsv');
const isThere = existsSync(manifest);
if (!isThere) console.warn('reports on the corpora: skipped, ../shared/corpora is absent');

/** Every file that can be verified, signed or not. */
function files(): readonly string[] {
  const rows = readFileSync(manifest, 'utf8')
    .split('\n')
    .map((line) => line.split('\t'));
  return rows
    .filter(([, what = '']) => /^(?:pdf|xml|cms|container)/.test(what))
    .map(([path = '']) => join(corpora, path))
    .filter((path) => existsSync(path));
}

/** The report. Undefined if verification failed with an error code; other errors are thrown. */
async function reportOn(content: Uint8Array): Promise<VerificationReport | undefined> {
  try {
    return await verifyDocument(content, { trust: [], at: new Date('2026-06-01T00:00:00Z') });
  } catch (error) {
    if (isInnsigliError(error)) return undefined;
    throw error;
  }
}

async function faultsOfXml(names: readonly string[]): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)(judge, ['etsi-report', ...names], {
    maxBuffer: 1 << 26,
  });
  const answers = stdout.trim().split('\n');
  expect(answers).toHaveLength(names.length);
  return answers.filter((line) => JSON.parse(line).valid !== true);
}

test.runIf(isThere)(
  'the report on every file of the corpora matches the published JSON and XML schemas',
  { timeout: 1_200_000 },
  async () => {
    const folder = newTemporaryFolder('corpora');
    try {
      const faults: string[] = [];
      const names: string[] = [];
      for (const [index, file] of files().entries()) {
        const content = readFileSync(file);
        const report = await reportOn(content);
        if (report === undefined) continue;
        const json = JSON.parse(JSON.stringify(report));
        faults.push(...faultsOf('verification-report', json).map((each) => `${file}: ${each}`));
        const name = join(folder, `${index}.xml`);
        writeFileSync(name, await renderReport(report, { format: 'xml' }));
        names.push(name);
      }
      expect(faults).toEqual([]);
      expect(names.length).toBeGreaterThan(700);
      if (existsSync(judge)) expect(await faultsOfXml(names)).toEqual([]);
      else console.warn('the schema of TS 119 102-2: skipped, ../shared/tools/judge is absent');
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  },
);
