import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import type { SignatureAlgorithm } from '../../../src/formats/x509/index.ts';
import { verifyDocument } from '../../../src/index.ts';
import { verifySignature } from '../../../src/trust/signature.ts';
import { cmsBy, keyHolder, signedFile } from '../../support/hand-signed.ts';
import { makeTestPki, type TestMember } from '../../support/pki.ts';

const pki = makeTestPki();
const trust = [pki.member('root').der];
const dsaPair = generateKeyPairSync('dsa', { modulusLength: 2048, divisorLength: 256 });
const dsa: SignatureAlgorithm = { scheme: 'dsa', digest: 'sha256' };

/** Their digests can be computed; whether they still prove anything is a separate question. */
const members: readonly (readonly [string, TestMember])[] = [
  ['DSA', pki.issue({ name: 'dsa', keyOf: keyHolder(dsaPair.privateKey, dsa) })],
  ...(['md5', 'ripemd160', 'sha3-224'] as const).map((digest) => {
    const member = pki.member('rsa');
    return [
      `RSA with ${digest}`,
      { ...member, algorithm: { scheme: 'rsa-pkcs1', digest } },
    ] as const;
  }),
].map(([name, member]) => [name as string, member as TestMember] as const);

test.each(members)('a signature by %s is intact, and fails if a byte changes', async (_, by) => {
  const file = await signedFile(cmsBy(by));
  const at = new Date(pki.nowMs);
  const { signatures } = await verifyDocument(file, { trust, at });
  expect(signatures[0]?.intact).toBe(true);
  const changed = Uint8Array.from(file);
  changed[20] = (changed[20] as number) ^ 1;
  const after = await verifyDocument(changed, { trust, at });
  expect(after.signatures[0]).toMatchObject({ intact: false, indication: 'TOTAL-FAILED' });
});

test('an ECDSA value is verified as r and s only if the algorithm is plain ECDSA', () => {
  const { privateKey, certificate } = pki.member('signer');
  const data = Buffer.from('signed');
  const plain = sign('sha256', data, { key: privateKey, dsaEncoding: 'ieee-p1363' });
  const wrapped = sign('sha256', data, privateKey);
  const algorithm = { scheme: 'plain-ecdsa', digest: 'sha256' } as const;
  expect(verifySignature(algorithm, certificate, data, plain)).toBe(true);
  expect(verifySignature(algorithm, certificate, data, wrapped)).toBe(false);
  expect(verifySignature({ ...algorithm, scheme: 'ecdsa' }, certificate, data, plain)).toBe(false);
});
