import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildOcspFailure, keyUsageBits } from '../../../src/formats/x509/index.ts';
import {
  augmentContainer,
  augmentPdf,
  augmentXml,
  httpRevocationSource,
  type InnsigliError,
  type SealContainerOptions,
  type SealPdfOptions,
  sealContainer,
  sealPdf,
  sealXml,
} from '../../../src/index.ts';
import { collectValidationData } from '../../../src/seal/validation-data.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { makeTestPki, type TestMember } from '../../support/pki.ts';
import { sampleOf } from '../../support/sample.ts';
import { fixture, sealOptions, signerOf } from '../../support/sealing.ts';

const pki = makeTestPki();
const DAY_MS = 86_400_000;
const old = pki.nowMs - 20 * DAY_MS;

let server: Server;
let base = '';
/** An address where no server listens. */
let dead = '';
const answers = new Map<string, Uint8Array>();

beforeAll(async () => {
  server = createServer((request, response) => {
    const body = answers.get(request.url ?? '');
    response.statusCode = body === undefined ? 404 : 200;
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const gone = createServer();
  await new Promise<void>((resolve) => gone.listen(0, '127.0.0.1', resolve));
  dead = `http://127.0.0.1:${(gone.address() as AddressInfo).port}/dead`;
  await new Promise((resolve) => gone.close(resolve));
});
afterAll(() => server.close());

/** A signer whose certificate contains these addresses. */
function leaf(name: string, ocsp: string[], crl: string[], issuer?: TestMember): TestMember {
  const extensions = { ocspUrls: ocsp, crlUrls: crl };
  return pki.issue({ name, extensions, ...(issuer === undefined ? {} : { issuer }) });
}

const stranger = makeTestPki();

interface Case {
  readonly certificates?: () => readonly Uint8Array[];
  readonly signer: () => TestMember;
  readonly network?: { readonly offline?: boolean; readonly allowPrivateAddresses?: boolean };
  readonly code: string;
  readonly message: RegExp;
  readonly details?: object;
  readonly hint: RegExp;
  /** Names and messages of the attempts. */
  readonly tried: readonly (readonly [RegExp, RegExp])[];
}

const byHand = /pass it with --validation-data FILE/;
const ofLeaf = (name: string) => ({ certificate: name, missing: 'revocation data' });

const cases: Readonly<Record<string, Case>> = {
  'no address': {
    signer: () => leaf('Nowhere', [], []),
    code: 'revocation.missing',
    message: /^no usable OCSP response or CRL for "Nowhere": it has no OCSP or CRL address$/,
    details: { ...ofLeaf('Nowhere'), issuer: 'ca' },
    hint: /^get a CRL of "ca" and pass it with --validation-data FILE/,
    tried: [],
  },
  'dead host': {
    signer: () => leaf('Dead', [dead], [`${dead}.crl`]),
    code: 'network.failed',
    message: /"Dead": .*ECONNREFUSED/,
    details: {
      ...ofLeaf('Dead'),
      addresses: expect.stringMatching(/^http:\S+\/dead http:\S+\/dead\.crl$/),
    },
    hint: /^retry .* get a CRL of "ca" from http:\S+\/dead\.crl and pass it/,
    tried: [
      [/^OCSP http:\S+\/dead$/, /ECONNREFUSED/],
      [/^CRL http:\S+\/dead\.crl$/, /ECONNREFUSED/],
    ],
  },
  offline: {
    signer: () => leaf('Offline', [dead], []),
    network: { offline: true },
    code: 'network.offline',
    message: /"Offline": .*--offline is set/,
    hint: /^run without --offline, or get an OCSP response and pass it/,
    tried: [[/^OCSP /, /--offline/]],
  },
  'an address that may not be contacted': {
    signer: () => leaf('Inner', [], [dead]),
    network: { allowPrivateAddresses: false },
    code: 'network.blocked',
    message: /"Inner": .*not a public address/,
    hint: /allowPrivateAddresses.*; or get a CRL of "ca"/,
    tried: [[/^CRL /, /not a public address/]],
  },
  'the responder refuses': {
    signer: () => {
      answers.set('/refuses', buildOcspFailure('unauthorized'));
      return leaf('Refused', [`${base}/refuses`], [`${base}/none.crl`]);
    },
    code: 'network.failed',
    message: /"Refused": .*404/,
    hint: byHand,
    tried: [
      [/^OCSP .*\/refuses$/, /unauthorized/],
      [/^CRL .*\/none\.crl$/, /404/],
    ],
  },
  'wrong issuer of the answer': {
    signer: () => {
      answers.set('/wrong.crl', pki.crl(pki.member('root')));
      return leaf('Wrong', [], [`${base}/wrong.crl`]);
    },
    code: 'revocation.missing',
    message: /"Wrong": no revocation data covers this certificate$/,
    hint: byHand,
    tried: [[/^CRL .*\/wrong\.crl$/, /^it responded: no revocation data covers/]],
  },
  'expired CRL': {
    signer: () => {
      const times = { thisUpdateMs: old, nextUpdateMs: old + DAY_MS };
      answers.set('/old.crl', pki.crl(pki.member('ca'), times));
      return leaf('Old', [], [`${base}/old.crl`]);
    },
    code: 'revocation.missing',
    message: /"Old": .*the CRL is stale: it was valid until/,
    hint: byHand,
    tried: [[/^CRL .*\/old\.crl$/, /stale/]],
  },
  'stale OCSP answer': {
    signer: () => {
      const signer = leaf('Stale', [`${base}/stale`], []);
      const times = { thisUpdateMs: old, nextUpdateMs: old + DAY_MS };
      answers.set('/stale', pki.ocsp(signer.certificate, times));
      return signer;
    },
    code: 'revocation.missing',
    message: /"Stale": .*the OCSP response is stale/,
    hint: /get an OCSP response and pass it/,
    tried: [[/^OCSP .*\/stale$/, /stale/]],
  },
  garbage: {
    signer: () => {
      answers.set('/garbage', Buffer.from('<html>'));
      return leaf('Garbage', [`${base}/garbage`], []);
    },
    code: 'revocation.missing',
    message: /"Garbage": /,
    hint: byHand,
    tried: [[/^OCSP .*\/garbage$/, /./]],
  },
  'unknown issuer': {
    signer: () => {
      const ca = pki.issue({
        name: 'Lost CA',
        issuer: pki.member('root'),
        extensions: { basicConstraints: { ca: true }, keyUsage: keyUsageBits.keyCertSign },
      });
      const extensions = { caIssuerUrls: ['http://ca.example/lost.cer'] };
      return { ...pki.issue({ name: 'Orphan', issuer: ca, extensions }), chain: [] };
    },
    code: 'certificate.untrusted',
    message: /no path for "Orphan": the issuer .*Lost CA/,
    details: { missing: 'issuer certificate', issuer: 'Lost CA' },
    hint: /the certificate of "Lost CA" is missing: download it from http:\/\/ca\.example\/lost\.cer and pass it with --validation-data FILE/,
    tried: [[/^issuer http:\/\/ca\.example\/lost\.cer$/, /not contacted/]],
  },
  'an issuer of the same name with another key': {
    signer: () => makeTestPki().member('signer'),
    code: 'certificate.untrusted',
    message: /no certificate of "CN=root,C=IS" links/,
    details: { missing: 'issuer certificate', issuer: 'root' },
    hint: /the certificate of "root" is missing: .*, or pass its root with --trust FILE$/,
    tried: [[/^issuer http:\S+\/issuer\/root\.cer$/, /not contacted/]],
  },
  'unknown root': {
    signer: () => stranger.member('signer'),
    certificates: () => [stranger.member('root').der],
    code: 'certificate.untrusted',
    message: /self-issued and not a trust anchor/,
    details: { missing: 'trust anchor' },
    hint: /^if you trust "root", pass its certificate with --trust FILE: .*--write-report report\.xml writes/,
    tried: [],
  },
};

type Options = Omit<SealPdfOptions, 'visible'>;

/** A format: its seal at B-B and its augmentation. */
interface Format {
  readonly seal: (options: Options) => Promise<Uint8Array>;
  readonly augment: (bytes: Uint8Array, options: Options) => Promise<unknown>;
}

const xml = Buffer.from('<invoice><total>10</total></invoice>');

function container(changes: Pick<SealContainerOptions, 'container' | 'format'>): Format {
  const files = [{ name: 'a.txt', content: xml }];
  return {
    seal: async (options) => (await sealContainer(files, { ...options, ...changes })).bytes,
    augment: augmentContainer,
  };
}

const formats: Readonly<Record<string, Format>> = {
  PDF: {
    seal: async (options) => (await sealPdf(fixture('agreement.pdf'), options)).bytes,
    augment: augmentPdf,
  },
  XML: {
    seal: async (options) => (await sealXml(xml, options)).bytes,
    augment: augmentXml,
  },
  'ASiC-E with XAdES': container({ container: 'asic-e', format: 'xades' }),
  'ASiC-E with CAdES': container({ container: 'asic-e', format: 'cades' }),
  'ASiC-S with XAdES': container({ container: 'asic-s', format: 'xades' }),
  'ASiC-S with CAdES': container({ container: 'asic-s', format: 'cades' }),
};

async function failureOf(
  format: Format,
  { signer, certificates, network = {} }: Case,
): Promise<InnsigliError> {
  const options = { timeoutMs: 2_000, allowPrivateAddresses: true, ...network };
  const own = sealOptions(pki, { level: 'B-B', signer: signerOf(signer()) });
  const bytes = await format.seal(own);
  // The other certificates have their data, so that only one is missing.
  const revocation = {
    find: async (...question: Parameters<typeof pki.revocation.find>) => {
      const names = ['ca', 'tsa', 'ocsp'].map((name) => pki.member(name as 'ca').certificate);
      const isOther = names.some(({ der }) => Buffer.compare(der, question[0].der) === 0);
      const source = isOther ? pki.revocation : httpRevocationSource(options);
      return source.find(...question);
    },
  };
  const more = certificates === undefined ? {} : { certificates: certificates() };
  return format.augment(bytes, sealOptions(pki, { revocation, ...more })).then(
    () => {
      throw new Error('it was archived');
    },
    (error: InnsigliError) => error,
  );
}

describe.each(Object.entries(formats))('archiving %s without validation data', (_, format) => {
  test.each(sampleOf(Object.keys(cases), 3))(
    'names the missing data and how to supply it: %s',
    async (name) => {
      const expected = cases[name] as Case;
      const { code, message, details, hint = '', findings } = await failureOf(format, expected);
      expect({ code, message }).toEqual({
        code: expected.code,
        message: expect.stringMatching(expected.message),
      });
      if (expected.details !== undefined) expect(details).toMatchObject(expected.details);
      expect(hint).toMatch(expected.hint);
      expect(findings).toHaveLength(expected.tried.length);
      for (const [index, [who, why]] of expected.tried.entries()) {
        expect(findings[index]?.name).toMatch(who);
        expect(findings[index]?.message).toMatch(why);
      }
    },
  );
});

describe('supplied validation data', () => {
  test.each(Object.entries(formats))('is used for %s if no address responds', async (_, format) => {
    const signer = leaf('Given', [dead], []);
    const bytes = await format.seal(sealOptions(pki, { level: 'B-B', signer: signerOf(signer) }));
    const http = httpRevocationSource({ timeoutMs: 2_000, allowPrivateAddresses: true });
    const find: typeof http.find = (certificate, issuer) =>
      Buffer.compare(certificate.der, signer.der) === 0
        ? http.find(certificate, issuer)
        : pki.revocation.find(certificate, issuer);
    const archive = (crls: readonly Uint8Array[]) =>
      format.augment(bytes, sealOptions(pki, { revocation: { find, atHand: { ocsp: [], crls } } }));
    await expect(archive([])).rejects.toMatchObject({ code: 'network.failed' });
    await expect(archive([pki.crl()])).resolves.toBeDefined();
  });

  test.each([
    ['a CRL', () => ({ ocsp: [], crls: [pki.crl()] })],
    ['an OCSP response', (der: TestMember) => ({ ocsp: [pki.ocsp(der.certificate)], crls: [] })],
  ])('with %s is used if no address responds', async (_, give) => {
    const signer = leaf('Given', [dead], []);
    const find = httpRevocationSource({ timeoutMs: 2_000, allowPrivateAddresses: true }).find;
    const pool = createCertificatePool([...signer.chain]);
    const anchors = [pki.member('ca').certificate];
    const subjects = [{ certificate: signer.certificate, atMs: pki.nowMs + 1 }];
    const context = { anchors, pool, nowMs: pki.nowMs + 1 };
    const atHand = give(signer);
    const data = await collectValidationData(subjects, {
      ...context,
      revocation: { find, atHand },
    });
    expect({ ocsp: data.ocsp, crls: data.crls }).toEqual(atHand);
    await expect(
      collectValidationData(subjects, { ...context, revocation: { find } }),
    ).rejects.toMatchObject({ code: 'network.failed' });
  });
});
