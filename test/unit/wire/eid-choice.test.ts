import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { IdentityProvider } from '../../../src/app/ports/index.ts';
import { openProviders, readEidFile } from '../../../src/wire/eid/index.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { makeTestPki } from '../../support/pki.ts';
import { testVault } from '../../support/store.ts';

const folder = newTemporaryFolder('eid-choice');
const file = join(folder, 'eid.json');
writeFileSync(join(folder, 'secret'), 'not-a-real-secret\n');

const simulator = { name: 'simulator', isSimulated: true } as unknown as IdentityProvider;
const oidc = (more: object = {}) => ({
  ...{ driver: 'oidc', issuer: 'https://login.example.is', clientId: 'innsigli' },
  clientAuthentication: { method: 'client_secret_basic', secretFile: 'secret' },
  ...more,
});

async function open(content: object, production = false) {
  writeFileSync(file, JSON.stringify(content));
  const io = { now: Date.now, random: () => new Uint8Array(16) };
  const context = { config: { production, offline: true }, io };
  const opened = await openProviders(
    context as unknown as Parameters<typeof openProviders>[0],
    testVault,
    readEidFile(file),
    () => simulator,
  );
  await opened.close();
  return opened;
}

test.each(['Sim', 'eid-dk'] as const)(
  '%s set to "none" by a company has no provider for that company',
  async (method) => {
    const company = { companies: { c1: { [method]: 'none' } } };
    const opened = await open({ providers: { a: oidc() }, methods: { [method]: 'a' }, ...company });
    expect(opened.choose(method, {}).name).toBe('a');
    const none = opened.choose(method, { companyKey: 'c1' });
    expect(none.isSimulated).toBe(false);
    const request = { purpose: 'auth', channel: 'App', loginHint: '', text: '' } as const;
    await expect(none.start({ ...request, includeVerificationCode: false })).rejects.toMatchObject({
      code: method === 'Sim' ? 'authentication.error.idp.start' : 'eid.provider.error',
    });
  },
);

test.each(['simulator', 'none', 'none eid-se', 'two words', '', '__proto__', 'x'.repeat(65)])(
  'the provider name "%s" is rejected, because sessions could be confused',
  async (name) => {
    const content = JSON.parse(`{"providers":{${JSON.stringify(name)}:{}}}`) as {
      providers: Record<string, object>;
    };
    Object.defineProperty(content.providers, name, { value: oidc(), enumerable: true });
    await expect(open(content)).rejects.toMatchObject({ code: 'config.invalid' });
  },
);

test.each([
  [{ certificateFile: 'rp.pem' }],
  [{ keyFile: 'rp.key' }],
  [{ pfxFile: 'rp.p12', keyFile: 'rp.key' }],
  [{ pfxFile: 'rp.p12', certificateFile: 'rp.pem', keyFile: 'rp.key' }],
  [{ passphraseFile: 'secret' }],
])('a transport with half a client certificate is rejected: %o', async (transport) => {
  const content = { providers: { a: oidc({ transport }) } };
  await expect(open(content)).rejects.toMatchObject({
    code: 'config.invalid',
    message: expect.stringContaining('$.providers.a.transport') as string,
  });
});

test('a CSC API provider accepts the padding of RSA signatures as an option', async () => {
  writeFileSync(join(folder, 'root.der'), makeTestPki().member('root').der);
  const csc = {
    ...{
      driver: 'csc',
      url: 'https://csc.example.is/csc/v2',
      version: '2.0',
      clientId: 'innsigli',
    },
    ...{ clientSecretFile: 'secret', redirectUri: 'https://sign.example.is/return' },
    ...{ anchors: ['root.der'], rsaPadding: 'pss' },
  };
  const opened = await open({ providers: { a: csc }, methods: { 'eid-dk': 'a' } });
  expect(opened.choose('eid-dk', {}).name).toBe('a');
});

test.each<[string, string | undefined, string]>([
  ['is missing', undefined, 'cannot be read: no such file or folder (ENOENT)'],
  ['is no JSON', 'hello', 'expected JSON, found other text'],
  ['is too large', ' '.repeat(1024 * 1024 + 1), 'expected at most 1048576 bytes, found 1048577'],
])('a file of providers that %s is rejected with the reason', (_, content, reason) => {
  const path = join(newTemporaryFolder('eid-file'), 'providers.json');
  if (content !== undefined) writeFileSync(path, content);
  const message = expect.stringContaining(reason);
  expect(() => readEidFile(path)).toThrow(expect.objectContaining({ message }));
});
