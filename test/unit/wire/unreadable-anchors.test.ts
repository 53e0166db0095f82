import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { verifyDocument } from '../../../src/index.ts';
import { loadCertificates } from '../../../src/wire/files/files.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { cmsBy, signedFile } from '../../support/hand-signed.ts';
import { makeTestPki } from '../../support/pki.ts';

const pki = makeTestPki();
const root = pki.member('root').der;
/** Different algorithms inside and outside: found among the anchors of real systems. */
const damaged = Buffer.from(root).map((octet, index) => (index === 30 ? octet ^ 0xff : octet));
const pem = (der: Uint8Array) =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE-----\n`;

const folder = newTemporaryFolder('anchors');
afterAll(() => rmSync(folder, { recursive: true }));
function written(name: string, content: string | Uint8Array): string {
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}
const good = written('good.der', root);
const bad = written('bad.der', damaged);
const bundle = written('bundle.pem', pem(damaged) + pem(root));
const text = written('text.pem', 'no certificate');

describe('an unreadable certificate', () => {
  test.each([
    ['next to others', [good, bad]],
    ['in a bundle', [bundle]],
  ])('%s is skipped with a warning', async (_, paths) => {
    const warnings: string[] = [];
    const found = await loadCertificates(paths, (message) => warnings.push(message));
    expect(found.map(({ der }) => Buffer.from(der).equals(root))).toEqual([true]);
    expect(warnings).toEqual([expect.stringMatching(/(bad\.der|bundle\.pem).*skipped/)]);
  });

  test.each([
    ['alone', [bad]],
    ['a file without a certificate', [good, text]],
  ])('%s is an error', async (_, paths) => {
    await expect(loadCertificates(paths, () => undefined)).rejects.toMatchObject({
      code: 'config.invalid',
    });
  });

  test('is an error in a chain', async () => {
    await expect(loadCertificates([good, bad])).rejects.toMatchObject({ code: 'config.invalid' });
  });

  test('is mentioned in the report of the library and hides no other anchor', async () => {
    const file = await signedFile(cmsBy(pki.member('signer')));
    const at = new Date(pki.nowMs);
    const report = await verifyDocument(file, { trust: [damaged, root], at });
    expect(report.signatures[0]).toMatchObject({ anchor: 'CN=root,C=IS' });
    expect(report.notJudged).toContain('trust anchors that cannot be read: 1');
    await expect(verifyDocument(file, { trust: [damaged], at })).rejects.toMatchObject({
      code: 'x509.invalid',
    });
  });
});
