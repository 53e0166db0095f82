import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FlagSettings } from '../../../src/wire/config/layer.ts';
import { resolveConfig } from '../../../src/wire/config/resolve.ts';
import { developmentAccess } from '../../../src/wire/development.ts';
import { openSigner } from '../../../src/wire/parties/opened-parties.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { pem } from '../../support/openssl.ts';
import { makeTestPki } from '../../support/pki.ts';

const { der, privateKey } = makeTestPki().member('signer');
const folder = newTemporaryFolder('hints');

const write = (name: string, content: string | Buffer) =>
  writeFileSync(join(folder, name), content);
const encrypted = { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' } as const;
write('own.pem', pem('CERTIFICATE', der));
write('plain.pem', privateKey.export({ type: 'pkcs8', format: 'pem' }));
write('locked.pem', privateKey.export(encrypted));
// SEQUENCE { INTEGER 3 }: the start of a PKCS#12 file.
write('seal.p12', Buffer.from('3003020103', 'hex'));
write('pw', 'wrong\n');

const ownKey = { 'key.file': 'locked.pem', 'key.certificate': 'own.pem' };

test.each<[string, FlagSettings, string, RegExp]>([
  ['no password', ownKey, 'key.password.missing', /--password-file FILE/],
  [
    'a wrong password',
    { ...ownKey, 'key.passwordFile': 'pw' },
    'key.password.wrong',
    /^the first line of .*pw is the password, including spaces$/,
  ],
  ['PEM as PKCS#12', { 'key.p12': 'plain.pem' }, 'key.unreadable', /--key FILE --cert FILE/],
  ['certificates as PKCS#12', { 'key.p12': 'own.pem' }, 'key.unreadable', /--key FILE --cert/],
  [
    'PKCS#12 as PEM',
    { 'key.file': 'seal.p12', 'key.certificate': 'own.pem' },
    'key.unreadable',
    /--p12 FILE/,
  ],
])('the hint names the cause: %s', async (_, flags, code, hint) => {
  const { config } = resolveConfig({ flags, env: { HOME: folder }, cwd: folder });
  const io = { now: () => 0, random: randomBytes, warn: () => undefined };
  const opened = openSigner(config, {}, developmentAccess(config, io), io);
  await expect(opened).rejects.toMatchObject({ code, hint: expect.stringMatching(hint) });
});
