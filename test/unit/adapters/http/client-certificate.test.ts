import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openHttpClient } from '../../../../src/adapters/http/client.ts';
import { operatorGuard } from '../../../../src/adapters/http/guard.ts';
import { makeTestPki } from '../../../support/pki.ts';
import {
  chainPemOf,
  issueClient,
  issueServer,
  keyPemOf,
  pemOf,
  pkcs12Of,
  serveTls,
} from '../../../support/tls.ts';

const pki = makeTestPki({ nowMs: Date.now(), caKey: 'RSA-2048' });
const ca = pemOf(pki.member('root').der);
const member = issueClient(pki);
const passphrase = 'a phrase of the test';
const pem = { certificate: chainPemOf(member), key: keyPemOf(member) };

type Options = Parameters<typeof openHttpClient>[0];

function client(options: Partial<Options> = {}) {
  const made = openHttpClient({ guard: operatorGuard, connectMs: 2000, ca, ...options });
  onTestFinished(() => made.destroy());
  return made;
}

const get = { method: 'GET', headers: {}, timeoutMs: 2000, keptBytes: 100 } as const;

describe('a server that demands a client certificate', () => {
  test.each([
    ['PEM', pem],
    ['PEM with an encrypted key', { ...pem, key: keyPemOf(member, passphrase), passphrase }],
    ['PKCS #12', { pfx: pkcs12Of(member, passphrase), passphrase }],
  ])('gets the certificate in the form %s', async (_, clientCertificate) => {
    const { url, seen } = await serveTls(pki, (_, response) => void response.end('in'));
    const sent = client({ clientCertificate }).send({ ...get, url: new URL(url) });
    expect((await sent).body.toString()).toBe('in');
    expect(seen).toMatchObject([{ client: 'tls client', protocol: 'TLSv1.3' }]);
  });

  test('gets it through a proxy, and the proxy never sees it', async () => {
    const { url, seen } = await serveTls(pki, (_, response) => void response.end('in'));
    const heard: Buffer[] = [];
    const proxy = createServer().on('connect', (request, near) => {
      const [host, port] = (request.url ?? '').split(':');
      const far = connect(Number(port), host, () => {
        near.write('HTTP/1.1 200 OK\r\n\r\n');
        far.pipe(near);
        near.on('data', (part: Buffer) => heard.push(part)).pipe(far);
      });
      for (const socket of [near, far]) socket.on('error', () => undefined);
    });
    proxy.listen(0, '127.0.0.1');
    await once(proxy, 'listening');
    onTestFinished(() => void proxy.close());
    const { port } = proxy.address() as AddressInfo;
    const own = client({ clientCertificate: pem, proxy: new URL(`http://127.0.0.1:${port}`) });
    const answer = await own.send({ ...get, url: new URL(url) });
    expect(answer.body.toString()).toBe('in');
    expect(seen).toMatchObject([{ client: 'tls client' }]);
    expect(Buffer.concat(heard).includes('tls client')).toBe(false);
  });

  test('rejects a client without a certificate or with one of an unknown CA', async () => {
    const { url, seen } = await serveTls(pki, (_, response) => void response.end('in'));
    const other = makeTestPki({ nowMs: Date.now() });
    const stranger = issueClient(other, 'stranger');
    const foreign = { certificate: chainPemOf(stranger), key: keyPemOf(stranger) };
    for (const options of [{}, { clientCertificate: foreign }]) {
      const sent = client(options).send({ ...get, url: new URL(url) });
      await expect(sent).rejects.toMatchObject({ kind: 'connection' });
    }
    expect(seen).toEqual([]);
  });
});

describe('certificate authorities for TLS', () => {
  test('replace all others, including those of a PKCS #12 file', async () => {
    const elsewhere = makeTestPki({ nowMs: Date.now() });
    const { url, seen } = await serveTls(pki, (_, response) => void response.end('in'), {
      asks: false,
    });
    const other = pemOf(elsewhere.member('root').der);
    for (const clientCertificate of [pem, { pfx: pkcs12Of(member, passphrase), passphrase }]) {
      const sent = client({ ca: other, clientCertificate }).send({ ...get, url: new URL(url) });
      await expect(sent).rejects.toMatchObject({ kind: 'connection' });
    }
    expect(seen).toEqual([]);
  });

  test('reject a chain whose signatures were not made by them', async () => {
    // The server sends a forged issuer with the right name, issued by the given root.
    const elsewhere = makeTestPki({ nowMs: Date.now() });
    const root = elsewhere.member('root');
    const { subjectDer, extensions } = pki.member('ca').certificate;
    const impostor = elsewhere.issue({
      name: 'impostor',
      issuer: root,
      subjectDer,
      extensions: {
        basicConstraints: { ca: true },
        keyUsage: 1 << 5,
        subjectKeyId: extensions.subjectKeyId,
      },
    });
    const server = { ...issueServer(pki), chain: [impostor.der, root.der, root.der] };
    const served = await serveTls(pki, (_, response) => void response.end('in'), {
      server,
      asks: false,
    });
    const clientCertificate = { pfx: pkcs12Of(member, passphrase), passphrase };
    const sent = client({ ca: pemOf(root.der), clientCertificate }).send({
      ...get,
      url: new URL(served.url),
    });
    await expect(sent).rejects.toMatchObject({ kind: 'connection' });
    expect(served.seen).toEqual([]);
  });
});

describe('an unusable client certificate', () => {
  const pfx = pkcs12Of(member, passphrase);
  const damaged = Uint8Array.from(pfx, (byte, at) => (at === 40 ? byte ^ 1 : byte));
  test.each([
    ['a wrong passphrase', { pfx, passphrase: 'wrong' }, 'the passphrase is incorrect or missing'],
    ['no passphrase', { ...pem, key: keyPemOf(member, passphrase) }, 'the passphrase is incorrect'],
    [
      'the key of a different certificate',
      { ...pem, key: keyPemOf(pki.member('rsa')) },
      'the key belongs to a different certificate',
    ],
    ['invalid bytes', { pfx: damaged, passphrase }, 'cannot be used'],
    ['invalid text', { certificate: 'x', key: 'y' }, 'it cannot be read'],
  ])('is rejected without revealing a secret: %s', async (_, clientCertificate, words) => {
    const url = new URL('https://127.0.0.1:2/');
    const error = await client({ clientCertificate })
      .send({ ...get, url })
      .catch((reason: unknown) => reason as Error);
    expect(error).toMatchObject({ code: 'config.invalid' });
    expect((error as Error).message).toContain(words);
    expect((error as Error).message).not.toContain(passphrase);
  });
});
