import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limits } from '../../../src/base/limits.ts';
import { loadCertificates } from '../../../src/wire/files/files.ts';
import { loadValidationData } from '../../../src/wire/files/validation-files.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { makeTestPki } from '../../support/pki.ts';

const der = makeTestPki().member('root').der;
const base64 = Buffer.from(der).toString('base64');
const root = () => `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`;
const damaged = '-----BEGIN CERTIFICATE-----\nMAAA\n-----END CERTIFICATE-----\n';
const tinyCrl = '-----BEGIN X509 CRL-----\nAAAA\n-----END X509 CRL-----\n';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = newTemporaryFolder('given');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test.each([tinyCrl, damaged])('too many blocks in a file are rejected: %j', async (block) => {
  const folder = folderWith({ 'many.pem': block.repeat(limits.givenObjects + 1) });
  const refusal = { code: 'limit.exceeded', hint: expect.stringContaining('authorities') };
  await expect(loadValidationData([join(folder, 'many.pem')])).rejects.toMatchObject(refusal);
});

test.each([loadValidationData, loadCertificates])(
  'blocks of all files are counted together: %o',
  async (load) => {
    const half = root().repeat(limits.givenObjects / 2 + 1);
    const folder = folderWith({ 'a.pem': half, 'b.pem': half });
    await expect(load([folder])).rejects.toMatchObject({ code: 'limit.exceeded' });
    expect(await load([join(folder, 'a.pem')])).toBeDefined();
  },
  60_000,
);

test('the total size of a folder is limited', async () => {
  const folder = folderWith({});
  mkdirSync(join(folder, 'all'));
  const text = root().padEnd(15 * 1024 * 1024, ' ');
  for (let index = 0; index < 18; index += 1) {
    writeFileSync(join(folder, 'all', `${index}.pem`), text);
  }
  await expect(loadValidationData([join(folder, 'all')])).rejects.toMatchObject({
    code: 'limit.exceeded',
    message: expect.stringContaining(`${limits.givenFilesBytes} bytes`),
  });
}, 60_000);

test('a folder without a matching file names the file types', async () => {
  const folder = folderWith({ 'note.txt': 'x' });
  const message = expect.stringContaining('no .pem, .crt, .cer, .der, .crl, .ocsp or .ors file');
  await expect(loadValidationData([folder])).rejects.toMatchObject({ message });
});

test('a damaged block is reported with its number', async () => {
  const folder = folderWith({ 'a.pem': root() + damaged, 'b.pem': `${root()}${tinyCrl}` });
  const refused = (name: string) => expect(loadValidationData([join(folder, name)])).rejects;
  const code = 'config.invalid';
  const block = (text: string) => ({ code, message: expect.stringContaining(text) });
  await refused('a.pem').toMatchObject(block('a.pem: block 2 is a damaged certificate'));
  await refused('b.pem').toMatchObject(block('b.pem: block 2 is a damaged CRL'));
});
