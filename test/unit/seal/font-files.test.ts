import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readFontFile } from '../../../src/adapters/appearance/font-files.ts';
import { newTemporaryFolder } from '../../support/folders.ts';

const folder = newTemporaryFolder('fonts');
afterAll(() => rmSync(folder, { recursive: true }));

test.each([
  ['package', 'reinstall the package'],
  ['clone', 'run npm run build to copy it'],
])('a %s without its fonts fails with a hint on how to fix it', async (name, hint) => {
  const root = join(folder, name);
  mkdirSync(name === 'clone' ? join(root, 'src') : root, { recursive: true });
  await expect(readFontFile(root, 'x.ttf')).rejects.toMatchObject({ code: 'font.invalid', hint });
});
