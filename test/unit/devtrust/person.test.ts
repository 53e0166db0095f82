import { randomBytes, X509Certificate } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import {
  type DevelopmentTrust,
  openDevelopmentTrust,
} from '../../../src/adapters/devtrust/index.ts';
import {
  buildOcspRequest,
  describeName,
  parseCertificate,
  parseOcspResponse,
} from '../../../src/formats/x509/index.ts';
import { findPath } from '../../../src/trust/path.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { checkSigningPurpose } from '../../../src/trust/purpose.ts';
import { checkRevocation } from '../../../src/trust/revocation/revocation.ts';
import { newTemporaryFolder } from '../../support/folders.ts';

const nowMs = Date.UTC(2026, 5, 1);
const directory = newTemporaryFolder('person');
const open = () =>
  openDevelopmentTrust({ directory, now: () => nowMs, random: (count) => randomBytes(count) });

let trust: DevelopmentTrust;
beforeAll(async () => {
  trust = await open();
});

test('a person gets a certificate with a path to the root and a revocation status', async () => {
  const request = { name: 'Þórður Łucja', serialNumber: 'PNOIS-6000101990' };
  const { certificate, chain, privateKey } = await trust.person(request);
  const leaf = parseCertificate(certificate);
  expect(describeName(leaf.subjectDer)).toBe(
    'serialNumber=PNOIS-6000101990,CN=Þórður Łucja,O=TEST ONLY - no legal value',
  );
  expect(new X509Certificate(certificate).checkPrivateKey(privateKey)).toBe(true);
  expect(checkSigningPurpose(leaf)).toEqual([]);
  const pool = createCertificatePool([certificate, ...chain]);
  const anchors = [parseCertificate(trust.rootCertificate)];
  expect(findPath({ certificate: leaf, pool, anchors, atMs: nowMs })).toMatchObject({
    valid: true,
  });
  const issuer = parseCertificate(chain[0] as Uint8Array);
  // Another process that opens the same trust responds too, although nothing was stored.
  const data = await (await open()).revocationSource().find(leaf, issuer);
  const question = { certificate: leaf, issuer, pool, anchors, nowMs, atMs: nowMs };
  expect(checkRevocation({ ...question, data }).status).toBe('good');
});

test('OCSP is good for an issued serial number and unknown for an invented one', async () => {
  const { certificate, chain } = await trust.person({ name: 'A', serialNumber: 'PNOIS-1' });
  const issuer = parseCertificate(chain[0] as Uint8Array);
  const { createHash } = await import('node:crypto');
  const sha1 = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest();
  const statusOf = async (serialNumber: Uint8Array) => {
    const id = {
      digest: 'sha1' as const,
      issuerNameHash: sha1(issuer.subjectDer),
      issuerKeyHash: sha1(issuer.publicKeyBits),
      serialNumber,
    };
    const answer = parseOcspResponse(await trust.ocspAnswer(buildOcspRequest([id])));
    return answer.basic?.responses[0]?.status;
  };
  const { serialNumber } = parseCertificate(certificate);
  expect(await statusOf(serialNumber)).toBe('good');
  const forged = Uint8Array.from(serialNumber);
  forged[15] = (forged[15] as number) ^ 1;
  expect(await statusOf(forged)).toBe('unknown');
});
