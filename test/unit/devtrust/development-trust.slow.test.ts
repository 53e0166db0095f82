import { spawn } from 'node:child_process';
import { createHash, createPublicKey, randomBytes, X509Certificate } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type DevelopmentTrust,
  hasDevelopmentTrust,
  openDevelopmentTrust,
} from '../../../src/adapters/devtrust/index.ts';
import { createDigest } from '../../../src/base/bytes.ts';
import { der, oids } from '../../../src/formats/asn1/index.ts';
import {
  buildOcspRequest,
  describeName,
  type OcspCertificateId,
  parseCertificate,
  parseCrl,
  parseOcspResponse,
} from '../../../src/formats/x509/index.ts';
import { findPath } from '../../../src/trust/path.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { checkSigningPurpose, checkTimestampPurpose } from '../../../src/trust/purpose.ts';
import { checkRevocation } from '../../../src/trust/revocation/revocation.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { hasOpenssl, openssl, opensslNote, pem } from '../../support/openssl.ts';

const nowMs = Date.UTC(2026, 5, 1, 12, 0, 0, 500);
const folders: string[] = [];
const random = (count: number) => randomBytes(count);

function newFolder(): string {
  const folder = newTemporaryFolder('devtrust');
  folders.push(folder);
  return folder;
}

function open(directory: string, now = () => nowMs): Promise<DevelopmentTrust> {
  return openDevelopmentTrust({ directory, now, random });
}

let home: string;
let trust: DevelopmentTrust;
beforeAll(async () => {
  home = newFolder();
  trust = await open(home);
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

describe('the development trust', () => {
  test('is created once and then reopened', async () => {
    expect(await hasDevelopmentTrust(home)).toBe(true);
    const again = await open(home);
    expect(again.certificates).toEqual(trust.certificates);
    expect(again.seal('ec').privateKey.equals(trust.seal('ec').privateKey)).toBe(true);
  });

  test('states TEST ONLY in every name', () => {
    for (const der of trust.certificates) {
      const { subjectDer, issuerDer } = parseCertificate(der);
      expect(describeName(subjectDer)).toMatch(/TEST ONLY.*TEST ONLY/);
      expect(describeName(issuerDer)).toMatch(/TEST ONLY/);
    }
  });

  test('makes its keys readable only by the owner', () => {
    const folder = join(home, 'trust');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const keys = readdirSync(folder).filter((name) => name.endsWith('.key'));
    expect(keys).toHaveLength(6);
    for (const name of keys) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
      expect(readFileSync(join(folder, name), 'utf8')).toMatch(/^-----BEGIN PRIVATE KEY-----/);
    }
  });

  test.each(['rsa', 'ec', 'tsa'] as const)(
    '%s: has a matching key, chain, purpose and status',
    async (kind) => {
      const { certificate, chain, privateKey } = kind === 'tsa' ? trust.tsa() : trust.seal(kind);
      expect(new X509Certificate(certificate).checkPrivateKey(privateKey)).toBe(true);
      expect(createPublicKey(privateKey).asymmetricKeyType).toBe(kind === 'rsa' ? 'rsa' : 'ec');
      const pool = createCertificatePool([certificate, ...chain]);
      const [leaf, ca, root] = pool.all;
      if (leaf === undefined || ca === undefined || root === undefined) throw new Error('chain');
      const anchors = [root];
      expect(Buffer.from(root.der).equals(trust.rootCertificate)).toBe(true);
      expect(findPath({ certificate: leaf, pool, anchors, atMs: nowMs })).toMatchObject({
        valid: true,
      });
      const findings = kind === 'tsa' ? checkTimestampPurpose(leaf) : checkSigningPurpose(leaf);
      expect(findings).toEqual([]);
      const source = trust.revocationSource();
      for (const [subject, issuer, evidence] of [
        [leaf, ca, kind === 'tsa' ? 'ocsp' : 'crl'],
        [ca, root, 'crl'],
      ] as const) {
        const data = await source.find(subject, issuer);
        const verdict = checkRevocation({
          certificate: subject,
          issuer,
          data,
          pool,
          anchors,
          atMs: nowMs,
        });
        expect(verdict).toMatchObject({
          status: 'good',
          source: evidence,
          thisUpdateMs: nowMs - 500,
        });
      }
    },
  );

  test('returns nothing for certificates of others', async () => {
    const other = await open(newFolder());
    const leaf = parseCertificate(other.seal('ec').certificate);
    const ca = parseCertificate(other.seal('ec').chain[0] ?? new Uint8Array());
    const ours = parseCertificate(trust.certificates[1] ?? new Uint8Array());
    const source = trust.revocationSource();
    expect(await source.find(leaf, ca)).toEqual({ ocsp: [], crls: [] });
    expect(await source.find(leaf, ours)).toEqual({ ocsp: [], crls: [] });
  });

  test('renews a cached OCSP response after some minutes', async () => {
    let time = nowMs;
    const clocked = await open(home, () => time);
    const [rootDer, caDer] = clocked.certificates as [Uint8Array, Uint8Array];
    const tsaDer = clocked.tsa().certificate;
    const find = () =>
      clocked.revocationSource().find(parseCertificate(tsaDer), parseCertificate(caDer));
    const first = (await find()).ocsp[0];
    time += 60_000;
    expect((await find()).ocsp[0]).toBe(first);
    time += 600_000;
    expect((await find()).ocsp[0]).not.toBe(first);
    const crl = parseCrl(clocked.crl('root') ?? new Uint8Array());
    expect(crl.thisUpdateMs).toBe(Math.floor(time / 1000) * 1000);
    expect(Buffer.from(crl.issuerDer).equals(parseCertificate(rootDer).subjectDer)).toBe(true);
  });

  test('responds to external OCSP requests', async () => {
    const [, caDer, rsaDer] = trust.certificates as [Uint8Array, Uint8Array, Uint8Array];
    const [ca, rsa] = [parseCertificate(caDer), parseCertificate(rsaDer)];
    const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
    const id: OcspCertificateId = {
      digest: 'sha256',
      issuerNameHash: digest(ca.subjectDer),
      issuerKeyHash: digest(ca.publicKeyBits),
      serialNumber: rsa.serialNumber,
    };
    const nonce = Uint8Array.of(4, 2, 9, 9);
    const ids = [
      id,
      { ...id, serialNumber: Uint8Array.of(1) },
      { ...id, issuerKeyHash: id.issuerNameHash },
    ];
    const { basic } = parseOcspResponse(await trust.ocspAnswer(buildOcspRequest(ids, nonce)));
    expect(basic?.responses.map(({ status }) => status)).toEqual(['good', 'unknown', 'unknown']);
    expect(basic?.nonce).toEqual(nonce);
    expect(parseOcspResponse(await trust.ocspAnswer(Uint8Array.of(1)))).toEqual({
      status: 'malformedRequest',
    });
  });

  test.each([
    ['SHA-384', 'sha384'],
    ['SHAKE256, of 64 bytes', 'shake256'],
  ] as const)('recognises its certificates by %s', async (_, digest) => {
    const [, caDer, rsaDer] = trust.certificates as [Uint8Array, Uint8Array, Uint8Array];
    const [ca, rsa] = [parseCertificate(caDer), parseCertificate(rsaDer)];
    const id: OcspCertificateId = {
      digest,
      issuerNameHash: createDigest(digest).update(ca.subjectDer).digest(),
      issuerKeyHash: createDigest(digest).update(ca.publicKeyBits).digest(),
      serialNumber: rsa.serialNumber,
    };
    const { basic } = parseOcspResponse(await trust.ocspAnswer(buildOcspRequest([id])));
    expect(basic?.responses.map(({ status }) => status)).toEqual(['good']);
  });

  test('echoes the encoding of the digest algorithm in an OCSP request', async () => {
    const algorithm = der.sequence(der.oid(oids.sha512), der.nil());
    const id: OcspCertificateId = {
      digest: 'sha512',
      digestDer: algorithm,
      issuerNameHash: new Uint8Array(64),
      issuerKeyHash: new Uint8Array(64),
      serialNumber: Uint8Array.of(1),
    };
    const answer = await trust.ocspAnswer(buildOcspRequest([id]));
    expect(Buffer.from(answer).includes(Buffer.from(algorithm))).toBe(true);
  });

  test('provides CRLs and issuers by name', () => {
    expect(
      parseCertificate(trust.issuer('ca') ?? new Uint8Array()).extensions.basicConstraints?.ca,
    ).toBe(true);
    expect(trust.crl('ca')).toBeDefined();
    expect(trust.crl('nobody')).toBeUndefined();
    expect(trust.issuer('seal-rsa')).toBeUndefined();
  });

  test('puts the base address into the certificates', async () => {
    const at = await openDevelopmentTrust({
      directory: newFolder(),
      now: () => nowMs,
      random,
      baseUrl: 'http://10.0.0.1:9/t/',
    });
    const { extensions } = parseCertificate(at.tsa().certificate);
    const seal = parseCertificate(at.seal('rsa').certificate).extensions;
    // NSS distrusts a seal whose OCSP address does not respond.
    expect(seal).toMatchObject({ ocspUrls: [], crlUrls: ['http://10.0.0.1:9/t/crl/ca.crl'] });
    expect(extensions).toMatchObject({
      ocspUrls: ['http://10.0.0.1:9/t/ocsp'],
      caIssuerUrls: ['http://10.0.0.1:9/t/issuer/ca.cer'],
      crlUrls: ['http://10.0.0.1:9/t/crl/ca.crl'],
    });
  });
});

describe('the folder of the development trust', () => {
  test('is filled if it is empty', async () => {
    const directory = newFolder();
    mkdirSync(join(directory, 'trust'));
    expect(await hasDevelopmentTrust(directory)).toBe(false);
    expect((await open(directory)).certificates).toHaveLength(6);
  });

  test('is rejected if files are missing, with their names and a remedy', async () => {
    const directory = newFolder();
    await open(directory);
    rmSync(join(directory, 'trust', 'tsa.key'));
    await expect(open(directory)).rejects.toMatchObject({
      code: 'config.datadir.unusable',
      message: expect.stringMatching(/lacks tsa\.key/),
      hint: expect.stringMatching(/remove the folder/),
    });
  });

  test.each([
    ['rsa key', 'seal-rsa.key', (from: DevelopmentTrust) => from.seal('rsa').privateKey],
    ['rsa certificate', 'seal-rsa.pem', (from: DevelopmentTrust) => from.seal('rsa')],
    ['issuing CA', 'ca.pem', (from: DevelopmentTrust) => from.crl('ca')],
  ] as const)('is usable until its damaged %s is needed', async (_title, file, use) => {
    const directory = newFolder();
    await open(directory);
    writeFileSync(join(directory, 'trust', file), 'garbage');
    const again = await open(directory);
    expect(() => use(again)).toThrow(expect.objectContaining({ code: 'config.datadir.unusable' }));
    expect(again.seal('ec').certificate.length).toBeGreaterThan(100);
  });

  test('is cleaned of old leftovers of a killed run', async () => {
    const directory = newFolder();
    for (const name of ['.trust-new-old', '.trust-new-young']) {
      mkdirSync(join(directory, name));
      writeFileSync(join(directory, name, 'root.key'), 'x');
    }
    const yesterday = (nowMs - 86_400_000) / 1000;
    utimesSync(join(directory, '.trust-new-old'), yesterday, yesterday);
    utimesSync(join(directory, '.trust-new-young'), nowMs / 1000, nowMs / 1000);
    await open(directory);
    expect(readdirSync(directory).sort()).toEqual(['.trust-new-young', 'trust']);
  });

  test.skipIf(process.getuid?.() === 0)('must be writable', async () => {
    const directory = newFolder();
    chmodSync(directory, 0o500);
    await expect(open(directory)).rejects.toMatchObject({ code: 'config.datadir.unusable' });
  });

  test.skipIf(!existsSync('/proc/self'))('must be possible to create', async () => {
    const place = '/proc/innsigli/deep';
    await expect(open(place)).rejects.toMatchObject({
      code: 'config.datadir.unusable',
      message: expect.stringMatching(
        /cannot create the development trust: .*: no such file or folder \(ENOENT\)$/,
      ),
    });
  });

  test('must not be a file', async () => {
    const directory = newFolder();
    writeFileSync(join(directory, 'trust'), '');
    await expect(open(directory)).rejects.toMatchObject({ code: 'config.datadir.unusable' });
  });
});

describe('several concurrent openings', () => {
  test('create one trust within one process', async () => {
    const directory = newFolder();
    const [a, b, c] = await Promise.all([open(directory), open(directory), open(directory)]);
    expect(a.certificates).toEqual(b.certificates);
    expect(b.certificates).toEqual(c.certificates);
    expect(readdirSync(directory)).toEqual(['trust']);
  });

  test('create one trust across two processes', async () => {
    const directory = newFolder();
    const script = `
      import { randomBytes } from 'node:crypto';
      import { build } from 'esbuild';
      const { outputFiles } = await build({ entryPoints: [process.argv[1]], bundle: true, write: false, platform: 'node', format: 'esm' });
      const file = process.argv[2] + '-' + process.pid + '.mjs';
      const { writeFileSync, rmSync } = await import('node:fs');
      writeFileSync(file, outputFiles[0].contents);
      const { openDevelopmentTrust } = await import(file);
      rmSync(file);
      const trust = await openDevelopmentTrust({ directory: process.argv[3], now: () => ${nowMs}, random: (n) => randomBytes(n) });
      process.stdout.write(Buffer.from(trust.rootCertificate).toString('hex'));`;
    const entry = new URL('../../../src/adapters/devtrust/index.ts', import.meta.url).pathname;
    const root = new URL('../../../', import.meta.url).pathname;
    const bundle = join(root, 'node_modules', '.devtrust-race');
    const run = () =>
      new Promise<string>((resolve, reject) => {
        const child = spawn(
          process.execPath,
          ['--input-type=module', '-e', script, entry, bundle, directory],
          { cwd: root },
        );
        let text = '';
        let errors = '';
        child.stdout.on('data', (part) => {
          text += part;
        });
        child.stderr.on('data', (part) => {
          errors += part;
        });
        child.on('close', (code) => (code === 0 ? resolve(text) : reject(new Error(errors))));
      });
    const [one, two] = await Promise.all([run(), run()]);
    expect(one.length).toBeGreaterThan(200);
    expect(two).toBe(one);
    expect(readdirSync(directory)).toEqual(['trust']);
  });
});

describe.skipIf(!hasOpenssl)(`openssl${opensslNote}`, () => {
  const at = String(Math.floor(nowMs / 1000));

  test.each([2, 3, 4, 5])('verifies certificate %i of the trust with its CRLs', (index) => {
    const [root, ca] = trust.certificates as [Uint8Array, Uint8Array];
    const { text } = openssl(
      [
        'verify',
        '-x509_strict',
        '-crl_check_all',
        '-attime',
        at,
        '-purpose',
        'any',
        '-CAfile',
        '{root.pem}',
        '-untrusted',
        '{ca.pem}',
        '-CRLfile',
        '{crls.pem}',
        '{leaf.pem}',
      ],
      {
        'root.pem': pem('CERTIFICATE', root),
        'ca.pem': pem('CERTIFICATE', ca),
        'crls.pem': pem('X509 CRL', trust.crl('root') ?? ca, trust.crl('ca') ?? ca),
        'leaf.pem': pem('CERTIFICATE', trust.certificates[index] ?? ca),
      },
    );
    expect(text).toMatch(/: OK/);
  });

  test('accepts the purpose of the time-stamp authority', () => {
    const [root, ca] = trust.certificates as [Uint8Array, Uint8Array];
    const files = {
      'root.pem': pem('CERTIFICATE', root),
      'ca.pem': pem('CERTIFICATE', ca),
      'tsa.pem': pem('CERTIFICATE', trust.tsa().certificate),
    };
    const args = [
      'verify',
      '-attime',
      at,
      '-purpose',
      'timestampsign',
      '-CAfile',
      '{root.pem}',
      '-untrusted',
      '{ca.pem}',
      '{tsa.pem}',
    ];
    expect(openssl(args, files).text).toMatch(/: OK/);
  });

  test('accepts the OCSP response to its own request', async () => {
    const [root, ca] = trust.certificates as [Uint8Array, Uint8Array];
    const files = {
      'root.pem': pem('CERTIFICATE', root),
      'ca.pem': pem('CERTIFICATE', ca),
      'seal.pem': pem('CERTIFICATE', trust.seal('rsa').certificate),
    };
    const folder = newFolder();
    const request = join(folder, 'request.der');
    openssl(['ocsp', '-issuer', '{ca.pem}', '-cert', '{seal.pem}', '-reqout', request], files);
    const answer = await trust.ocspAnswer(readFileSync(request));
    const { text } = openssl(
      [
        'ocsp',
        '-issuer',
        '{ca.pem}',
        '-cert',
        '{seal.pem}',
        '-reqin',
        request,
        '-no_nonce',
        '-respin',
        '{answer.der}',
        '-CAfile',
        '{root.pem}',
        '-verify_other',
        '{ca.pem}',
        '-attime',
        at,
      ],
      { ...files, 'answer.der': answer },
    );
    expect(text).toMatch(/Response verify OK/);
    expect(text).not.toMatch(/Nonce Verify error/);
  });
});
