import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type FetchOptions,
  inquiringRevocationSource,
} from '../../../src/adapters/revocation/index.ts';
import { verifyDocument } from '../../../src/app/documents/verify-document.ts';
import { memorySource } from '../../../src/base/bytes.ts';
import { der } from '../../../src/formats/asn1/index.ts';
import { parseOcspRequest } from '../../../src/formats/x509/index.ts';
import { cmsBy, signedFile } from '../../support/hand-signed.ts';
import { makeTestPki, type TestMember, type TestPki } from '../../support/pki.ts';
import { costlyTest } from '../../support/sample.ts';

/** How the test server responds to an OCSP request, and to a request for a CRL. */
type Act = (response: ServerResponse, nonce: Uint8Array | undefined) => void;

let server: Server;
let pki: TestPki;
let signer: TestMember;
let file: Uint8Array;
let onOcsp: Act;
let onCrl: (response: ServerResponse, name: string) => void;
const paths: string[] = [];

beforeAll(async () => {
  server = createServer((request, response) => {
    const path = request.url ?? '';
    paths.push(path);
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (!path.startsWith('/ocsp')) return onCrl(response, path);
      onOcsp(response, parseOcspRequest(Buffer.concat(parts)).nonce);
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  pki = makeTestPki({ baseUrl: `http://127.0.0.1:${port}` });
  signer = pki.member('signer');
  file = await signedFile(cmsBy(signer));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  paths.length = 0;
  onOcsp = answer();
  onCrl = crl();
});

const answer =
  (status: 'good' | 'revoked' | 'unknown' = 'good'): Act =>
  (response, nonce) =>
    response.end(pki.ocsp(signer.certificate, { status, ...(nonce && { nonce }) }));
const crl = () => (response: ServerResponse, name: string) =>
  response.end(pki.crl(pki.member(name.includes('root') ? 'root' : 'ca')));
const silent: Act = () => undefined;
const huge: Act = (response) => {
  const piece = Buffer.alloc(1 << 20);
  const write = () => {
    while (!response.destroyed && response.write(piece));
  };
  response.on('drain', write);
  write();
};
const redirect =
  (target: string): Act =>
  (response) => {
    response.writeHead(307, { location: target }).end();
  };

async function verify(more: Partial<FetchOptions> = {}, totalMs = 5000) {
  const fetching = { timeoutMs: 400, allowPrivateAddresses: true, ...more };
  const report = await verifyDocument({
    source: memorySource(file),
    anchors: [pki.member('root').certificate],
    nowMs: pki.nowMs,
    revocation: 'online',
    revocationSource: inquiringRevocationSource(fetching, { totalMs }),
  });
  const { indication, subIndication } = report.signatures[0] ?? {};
  const { mode, asked = [] } = report.revocation ?? {};
  const said = asked.map(({ source, answered, message = '' }) => {
    return `${source.replace(/:\d+/, '')}: ${answered ? 'answered' : message}`;
  });
  return { indication, subIndication, mode, said };
}

const passed = { indication: 'TOTAL-PASSED', mode: 'online' } as const;
const open = { indication: 'INDETERMINATE', subIndication: 'TRY_LATER', mode: 'online' } as const;
const atOcsp = 'OCSP http://127.0.0.1/ocsp';
const atCrl = 'CRL http://127.0.0.1/crl/ca.crl';
const noCrl = (response: ServerResponse) => response.writeHead(404).end();

describe('online verification', () => {
  test('accepts a good OCSP response with a nonce and lists the request in the report', async () => {
    let sent: Uint8Array | undefined;
    onOcsp = (response, nonce) => {
      sent = nonce;
      answer()(response, nonce);
    };
    const found = await verify();
    expect(found).toMatchObject(passed);
    expect(sent).toHaveLength(34);
    expect(found.said).toEqual(expect.arrayContaining([`${atOcsp}: answered`]));
  });

  test('accepts a cached OCSP response without a nonce', async () => {
    onOcsp = (response) => response.end(pki.ocsp(signer.certificate));
    expect(await verify()).toMatchObject(passed);
  });

  test('reports a revoked certificate as REVOKED_NO_POE', async () => {
    onOcsp = answer('revoked');
    expect(await verify()).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'REVOKED_NO_POE',
    });
  });

  costlyTest.each<[string, Act, RegExp]>([
    [
      'an incorrect nonce',
      (r) => answer()(r, der.octetString(Buffer.alloc(32))),
      /a different nonce/,
    ],
    ['a responder with status unknown', answer('unknown'), /does not know/],
    ['silence', silent, /no response within \d+ ms/],
    ['an endless response', huge, /./],
    ['an unsupported address', redirect('http://169.254.169.254/latest'), /must not be contacted/],
    ['a file', redirect('file:///etc/passwd'), /expected http or https/],
    ['an error', (response) => response.writeHead(500).end(), /found 500/],
    ['garbage', (response) => response.end('<html>'), /not an OCSP/],
  ])('%s: the CRL is asked instead', async (_title, act, why) => {
    onOcsp = act;
    const found = await verify();
    expect(found.said.find((line) => line.startsWith(atOcsp))).toMatch(why);
    expect(found).toMatchObject(passed);
    expect(found.said).toContain(`${atCrl}: answered`);
    onCrl = noCrl;
    expect(await verify()).toMatchObject(open);
  });

  test('falls back to the CRL if the OCSP response has an invalid signature', async () => {
    onOcsp = (response) =>
      response.end(pki.ocsp(signer.certificate, { sign: () => new Uint8Array(70) }));
    const found = await verify();
    expect(found).toMatchObject(passed);
    expect(found.said).toEqual(
      expect.arrayContaining([`${atOcsp}: answered`, `${atCrl}: answered`]),
    );
  });

  test('contacts private addresses only if the configuration allows it', async () => {
    const found = await verify({ allowPrivateAddresses: false });
    expect(found).toMatchObject(open);
    expect(found.said.join()).toMatch(/must not be contacted/);
    expect(paths).toEqual([]);
  });

  test('sends no request when offline', async () => {
    const found = await verify({ offline: true });
    expect(found).toMatchObject(open);
    expect(found.said.join()).toMatch(/--offline is set/);
    expect(paths).toEqual([]);
  });

  test('stops at the overall time limit for all requests', async () => {
    onOcsp = silent;
    onCrl = () => undefined;
    const start = performance.now();
    const found = await verify({ timeoutMs: 10_000 }, 500);
    expect(found).toMatchObject(open);
    expect(found.said.join()).toMatch(/time limit for all requests/);
    expect(performance.now() - start).toBeLessThan(3000);
  });
});

test('an unreachable server leaves the revocation status undetermined', async () => {
  const dead = createServer();
  await new Promise<void>((done) => dead.listen(0, '127.0.0.1', done));
  const { port } = dead.address() as AddressInfo;
  await new Promise((done) => dead.close(done));
  const away = makeTestPki({ baseUrl: `http://127.0.0.1:${port}` });
  const report = await verifyDocument({
    source: memorySource(await signedFile(cmsBy(away.member('signer')))),
    anchors: [away.member('root').certificate],
    nowMs: away.nowMs,
    revocation: 'online',
    revocationSource: inquiringRevocationSource(
      { timeoutMs: 400, allowPrivateAddresses: true },
      { totalMs: 3000 },
    ),
  });
  expect(report.signatures[0]).toMatchObject({ subIndication: 'TRY_LATER' });
  expect(report.revocation?.asked.every(({ answered }) => !answered)).toBe(true);
});

test('CRLs are cached for the next document', async () => {
  const crlCache = new Map();
  for (let i = 0; i < 2; i++) {
    await verifyDocument({
      source: memorySource(file),
      anchors: [pki.member('root').certificate],
      nowMs: pki.nowMs,
      revocation: 'online',
      revocationSource: inquiringRevocationSource(
        { timeoutMs: 400, allowPrivateAddresses: true },
        { totalMs: 3000, crlCache },
      ),
    });
  }
  expect(paths.filter((path) => path.startsWith('/crl/root')).length).toBe(1);
  expect(paths.filter((path) => path === '/ocsp').length).toBeGreaterThanOrEqual(2);
});
