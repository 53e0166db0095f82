import { createPrivateKey } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readTls } from '../../../src/wire/files/tls-files.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { makeTestPki } from '../../support/pki.ts';

const folder = newTemporaryFolder('tls-files');

const pki = makeTestPki();
const server = pki.member('tlsServer');
const pkcs8 = { type: 'pkcs8', format: 'pem' } as const;
const pem = (label: string, body: string) =>
  `-----BEGIN ${label}-----\n${body}\n-----END ${label}-----\n`;
const certificate = pem('CERTIFICATE', Buffer.from(server.der).toString('base64'));
const key = String(server.privateKey.export(pkcs8));
const encrypted = String(
  server.privateKey.export({ ...pkcs8, cipher: 'aes-256-cbc', passphrase: 's3cret' }),
);
const other = String(pki.member('signer').privateKey.export(pkcs8));

function read(keyText: string | undefined, certificateText: string, password?: string) {
  const write = (name: string, text: string | undefined) => {
    const path = join(folder, name);
    if (text === undefined) rmSync(path, { force: true });
    else writeFileSync(path, text);
    return path;
  };
  return readTls({
    keyFile: write('key.pem', keyText),
    certificateFile: write('cert.pem', certificateText),
    ...(password === undefined ? {} : { passwordFile: write('password', password) }),
  });
}

describe('TLS files', () => {
  test('are a key, encrypted or not, with its certificate', async () => {
    expect(await read(key, certificate)).toEqual({ key, cert: certificate });
    expect(await read(encrypted, certificate, 's3cret\n')).toMatchObject({ passphrase: 's3cret' });
    expect(await readTls(undefined)).toBeUndefined();
  });

  test.each([
    [
      'no key',
      undefined,
      certificate,
      undefined,
      /key\.pem cannot be read: no such file or folder/,
    ],
    ['text as key', 'hello', certificate, undefined, /key\.pem: expected a private key in PEM/],
    [
      'a truncated key',
      key.slice(0, 60),
      certificate,
      undefined,
      /key\.pem: expected a private key/,
    ],
    ['no password', encrypted, certificate, undefined, /key\.pem: expected the password/],
    [
      'a wrong password',
      encrypted,
      certificate,
      'x',
      /key\.pem: the password of this private key is incorrect/,
    ],
    ['text as certificate', key, 'hello', undefined, /cert\.pem: expected a certificate in PEM/],
    [
      'a truncated certificate',
      key,
      pem('CERTIFICATE', 'AAAA'),
      undefined,
      /cert\.pem: expected a certificate/,
    ],
    [
      'the certificate of a different key',
      other,
      certificate,
      undefined,
      /cert\.pem: .* of the key in/,
    ],
  ])(
    'are rejected with the reason: %s',
    async (_what, keyText, certificateText, password, message) => {
      await expect(read(keyText, certificateText, password)).rejects.toMatchObject({
        code: 'config.invalid',
        message: expect.stringMatching(message),
      });
    },
  );

  test('are rejected for a wrong password, even if its padding happens to be valid', async () => {
    const codeWith = (passphrase: string): unknown => {
      try {
        createPrivateKey({ key: encrypted, passphrase });
      } catch (error) {
        return (error as NodeJS.ErrnoException).code;
      }
      return undefined;
    };
    let wrong = 0;
    while (codeWith(`no${wrong}`) === 'ERR_OSSL_BAD_DECRYPT') wrong++;
    await expect(read(encrypted, certificate, `no${wrong}`)).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringContaining('the password of this private key is incorrect'),
    });
  });
});
