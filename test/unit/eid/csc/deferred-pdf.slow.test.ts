import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { loadFonts } from '../../../../src/wire/fonts.ts';
import { fixtureRequest, passPorts, sealDeferred } from '../../../support/eid/csc/deferred-pdf.ts';
import type { PassPorts } from '../../../support/eid/csc/two-pass-seal.ts';
import { newTemporaryFolder } from '../../../support/folders.ts';

const hasPdfsig = spawnSync('pdfsig', ['-v']).status === 0;
if (!hasPdfsig) console.warn('deferred PDF signatures: skipped, pdfsig is not installed');

let folder: string;
beforeAll(() => {
  folder = newTemporaryFolder('deferred');
});

const ecdsa = { scheme: 'ecdsa', digest: 'sha256' } as const;
const rsa = { scheme: 'rsa-pkcs1', digest: 'sha256' } as const;
const pss = { scheme: 'rsa-pss', digest: 'sha256', saltLengthBytes: 32 } as const;

test.runIf(hasPdfsig).each([
  ['agreement.pdf', { key: 'P-256' }, ecdsa, {}],
  ['agreement.pdf', {}, rsa, { level: 'B-T' }],
  ['object-streams.pdf', { driver: { rsaPadding: 'pss' } }, pss, {}],
  ['encrypted.pdf', { key: 'P-256' }, ecdsa, { password: 'fixture' }],
  [
    'form-with-empty-signature-field.pdf',
    { key: 'P-256' },
    ecdsa,
    { level: 'B-LTA', field: 'Approval' },
  ],
  ['agreement.pdf', { key: 'P-256' }, ecdsa, { visible: { page: 1, qr: true } }],
] as const)('pdfsig accepts %s, signed in two passes: %j %j %j', async (...row) => {
  const [file, options, algorithm, changes] = row;
  const ports: PassPorts = () => ({ ...passPorts()(), fonts: loadFonts });
  const sealed = await sealDeferred(fixtureRequest(file, changes), options, algorithm, ports);
  const path = join(folder, 'sealed.pdf');
  writeFileSync(path, sealed.bytes);
  const password = 'password' in changes ? ['-upw', changes.password] : [];
  const { stdout } = spawnSync('pdfsig', ['-nocert', ...password, path], { encoding: 'utf8' });
  const blocks = stdout.split(/^Signature #\d+:/m);
  const ours = blocks.find((block) => block.includes(`Field Name: ${sealed.field}\n`)) ?? '';
  expect(ours).toContain('Signature Validation: Signature is Valid.');
  expect(ours).toMatch(/Signer Certificate Common Name: Anna Björk Prófsdóttir/);
});
