import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  combinedRevocationSource,
  httpRevocationSource,
  staticRevocationSource,
} from '../../../src/adapters/revocation/index.ts';
import { InnsigliError } from '../../../src/base/errors.ts';
import { mayFetch } from '../../../src/base/network/address-policy.ts';
import { buildOcspFailure, parseOcspRequest } from '../../../src/formats/x509/index.ts';
import { pem } from '../../support/openssl.ts';
import { makeTestPki, type TestRequest } from '../../support/pki.ts';

const pki = makeTestPki();
const ca = pki.member('ca');
const signer = pki.member('signer');
const options = { timeoutMs: 2000, allowPrivateAddresses: true, offline: false };

let server: Server;
let base: string;
const asked: string[] = [];
const agents = new Set<string | undefined>();

const bodies: Record<string, () => Uint8Array | string> = {
  '/crl': () => pki.crl(),
  '/crl.pem': () => pem('X509 CRL', pki.crl()),
  '/garbage': () => 'garbage',
  '/empty': () => '',
  '/large': () => new Uint8Array(100_000),
  '/ocsp-later': () => buildOcspFailure('tryLater'),
  '/ocsp-unknown': () => pki.ocsp(signer.certificate, { status: 'unknown' }),
};
const redirects: Record<string, string> = {
  '/to-crl': '/crl',
  '/to-file': 'file:///etc/passwd',
  '/to-metadata': 'http://169.254.169.254/latest/meta-data/',
  '/to-redis': 'http://127.0.0.1:6379/',
  '/round': '/round',
};

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '';
  asked.push(`${request.method} ${path}`);
  agents.add(request.headers['user-agent']);
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  if (path === '/ocsp') {
    const valid =
      request.headers['content-type'] === 'application/ocsp-request' &&
      parseOcspRequest(Buffer.concat(parts)).certificateIds.length === 1;
    response.writeHead(valid ? 200 : 400).end(pki.ocsp(signer.certificate));
  } else if (path in redirects) {
    response.writeHead(302, { location: redirects[path] }).end();
  } else if (path === '/upgrade') {
    response.socket?.write(
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n',
    );
  } else if (path in bodies) response.writeHead(200).end(bodies[path]?.());
  else if (path === '/slow') response.writeHead(200).write('x');
  else response.writeHead(500).end('no');
}

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function leafWith(addresses: { ocsp?: string[]; crl?: string[] }) {
  const absolute = (path: string) => (path.startsWith('/') ? `${base}${path}` : path);
  const extensions: TestRequest['extensions'] = {
    ocspUrls: (addresses.ocsp ?? []).map(absolute),
    crlUrls: (addresses.crl ?? []).map(absolute),
  };
  // The serial number of the signer, for which the server responds.
  return {
    ...pki.issue({ name: 'leaf', extensions }).certificate,
    serialNumber: signer.certificate.serialNumber,
  };
}

describe('internal addresses', () => {
  test.each([
    ['link-local', 'http://169.254.1.1/'],
    ['metadata', 'http://169.254.169.254/latest/meta-data/'],
    ['metadata, decimal', 'http://2852039166/'],
    ['metadata, mapped', 'http://[::ffff:169.254.169.254]/'],
    ['metadata by NAT64', 'http://[64:ff9b::a9fe:a9fe]/'],
    ['metadata by 6to4', 'http://[2002:a9fe:a9fe::]/'],
    ['metadata of Amazon, version 6', 'http://[fd00:ec2::254]/'],
    ['metadata of Google, version 6', 'http://[fd20:ce::254]/'],
    ['metadata of Alibaba', 'http://100.100.100.200/'],
    ['wire server of Azure', 'http://168.63.129.16/'],
    ['link-local, version 6', 'http://[fe80::1]/'],
    ['unspecified', 'http://0.0.0.0/'],
    ['unspecified, version 6', 'http://[::]/'],
    ['everybody', 'http://255.255.255.255/'],
    ['multicast', 'http://224.0.0.1/'],
    ['by a redirection', '/to-metadata'],
    ['a database', 'http://127.0.0.1:6379/'],
    ['a database by a redirection', '/to-redis'],
    ['the mail server of this machine', 'http://127.0.0.1:25/'],
  ])('are never contacted, even if private addresses are allowed: %s', async (_what, url) => {
    const requests = { allowPrivateAddresses: true, timeoutMs: 1500 };
    const find = httpRevocationSource(requests).find(leafWith({ crl: [url] }), ca.certificate);
    await expect(find).rejects.toMatchObject({ code: 'network.blocked' });
  });
});

describe('the HTTP revocation source', () => {
  const find = (addresses: Parameters<typeof leafWith>[0], requests = {}) =>
    httpRevocationSource({ ...options, ...requests }).find(leafWith(addresses), ca.certificate);

  test('sends a User-Agent in every request, even after a redirect', async () => {
    agents.clear();
    await find({ ocsp: ['/ocsp'] });
    await find({ crl: ['/to-crl'] });
    expect([...agents]).toEqual(['innsigli']);
  });

  test('asks OCSP first and then needs no CRL', async () => {
    asked.length = 0;
    const data = await find({ ocsp: ['/ocsp'], crl: ['/crl'] });
    expect(data.ocsp).toHaveLength(1);
    expect(data.crls).toHaveLength(0);
    expect(asked).toEqual(['POST /ocsp']);
  });

  test.each([
    ['responds with an error', '/nothing'],
    ['responds with garbage', '/garbage'],
    ['sends no data', '/empty'],
    ['responds tryLater', '/ocsp-later'],
    ['has no status for the certificate', '/ocsp-unknown'],
    ['does not listen', 'http://127.0.0.1:2/'],
    ['has no web address', 'ldap://127.0.0.1/x'],
  ])('uses the CRL if the responder %s', async (_title, url) => {
    expect(await find({ ocsp: [url], crl: ['/nothing', '/crl'] })).toMatchObject({
      ocsp: [],
      crls: [{}],
    });
  });

  test('reads a CRL in PEM and follows redirects', async () => {
    const [direct] = (await find({ crl: ['/crl.pem'] })).crls;
    expect(Buffer.from(direct ?? []).subarray(0, 1)).toEqual(Buffer.of(0x30));
    expect((await find({ crl: ['/to-crl'] })).crls).toHaveLength(1);
  });

  test.each<[string, string, object, string]>([
    ['an error status', '/nothing', {}, 'network.failed'],
    ['garbage', '/garbage', {}, 'x509.invalid'],
    ['too many redirections', '/round', {}, 'network.failed'],
    ['a redirection to a file', '/to-file', {}, 'network.blocked'],
    [
      'a response that is too long',
      '/large',
      { fetchLimits: { responseBytes: 50_000 } },
      'network.failed',
    ],
    ['an endless response', '/slow', { timeoutMs: 150 }, 'network.failed'],
    ['credentials in the address', 'http://u:p@127.0.0.1/', {}, 'network.blocked'],
    ['a private address', '/crl', { allowPrivateAddresses: false }, 'network.blocked'],
    ['a private name', 'http://localhost:1/', { allowPrivateAddresses: false }, 'network.blocked'],
    [
      'a private address in disguise',
      'http://2130706433/',
      { allowPrivateAddresses: false },
      'network.blocked',
    ],
    [
      'a wrapped private address',
      'http://[::ffff:127.0.0.1]/',
      { allowPrivateAddresses: false },
      'network.blocked',
    ],
    ['a response that switches protocols', '/upgrade', {}, 'network.failed'],
    ['being offline', '/crl', { offline: true }, 'network.offline'],
  ])('fails on %s', async (_title, url, requests, code) => {
    await expect(find({ crl: [url] }, requests)).rejects.toMatchObject({ code });
  });

  test('never contacts a private address that is not allowed', async () => {
    asked.length = 0;
    await expect(
      find({ ocsp: ['/ocsp'], crl: ['/crl'] }, { allowPrivateAddresses: false }),
    ).rejects.toBeInstanceOf(InnsigliError);
    expect(asked).toEqual([]);
  });

  test('returns nothing for a certificate without addresses, even offline', async () => {
    expect(await find({}, { offline: true })).toEqual({ ocsp: [], crls: [] });
    const message = 'only http and https addresses are supported';
    const asked = [{ name: 'CRL ldap://x/y', message }];
    expect(await find({ crl: ['ldap://x/y'] })).toEqual({ ocsp: [], crls: [], asked });
  });

  test('skips unsupported addresses and asks the rest', async () => {
    const others = ['ldap://a/a', 'ldap://b/b', 'ldap://c/c', 'ldap://d/d'];
    expect((await find({ crl: [...others, '/crl'] })).crls).toHaveLength(1);
  });
});

describe('combined revocation sources', () => {
  const data = { ocsp: [], crls: [pki.crl()] };
  const failing = {
    find: async () => {
      throw new InnsigliError('network.failed', 'down');
    },
  };
  const ask = (...sources: Parameters<typeof combinedRevocationSource>[0][number][]) =>
    combinedRevocationSource(sources).find(signer.certificate, ca.certificate);

  test('return the data of the first one that has any', async () => {
    const empty = staticRevocationSource({ ocsp: [], crls: [] });
    expect(await ask(empty, failing, staticRevocationSource(data))).toEqual(data);
    expect(await ask(empty)).toEqual({ ocsp: [], crls: [] });
    await expect(ask(empty, failing)).rejects.toMatchObject({ code: 'network.failed' });
  });
});

test.each<[string, boolean]>([
  ['8.8.8.8', true],
  ['172.15.0.1', true],
  ['2606:4700::1', true],
  ['0.0.0.0', false],
  ['10.1.2.3', false],
  ['100.64.0.1', false],
  ['127.9.9.9', false],
  ['169.254.169.254', false],
  ['172.31.0.1', false],
  ['192.168.0.1', false],
  ['198.19.0.1', false],
  ['224.0.0.1', false],
  ['255.255.255.255', false],
  ['::', false],
  ['::1', false],
  ['::ffff:8.8.8.8', false],
  ['64:ff9b::7f00:1', false],
  ['2002:7f00:1::', false],
  ['2001::1', false],
  ['fc00::1', false],
  ['fe80::1', false],
  ['fe80::1%eth0', false],
  ['fd00:ec2::254', false],
  ['ff02::1', false],
  ['not an address', false],
])('the address %s is public: %s', (address, expected) => {
  expect(mayFetch(address, false)).toBe(expected);
});
