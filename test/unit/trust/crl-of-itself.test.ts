import { expect, test } from 'vitest';
import { buildName, keyUsageBits } from '../../../src/formats/x509/index.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { checkRevocation } from '../../../src/trust/revocation/revocation.ts';
import { makeTestPki, type TestMember } from '../../support/pki.ts';

const pki = makeTestPki();
const root = pki.member('root');
const subjectDer = buildName({ countryName: 'IS', commonName: 'Rolled over' });
const extensions = {
  basicConstraints: { ca: true },
  keyUsage: keyUsageBits.keyCertSign | keyUsageBits.cRLSign,
};
const old = pki.issue({ name: 'old key', issuer: root, subjectDer, extensions });
const rolled = pki.issue({ name: 'new key', issuer: old, subjectDer, extensions });
const leaf = pki.issue({ name: 'leaf', issuer: rolled });

function status(of: TestMember, issuer: TestMember, ...signers: readonly TestMember[]) {
  return checkRevocation({
    certificate: of.certificate,
    issuer: issuer.certificate,
    data: { ocsp: [], crls: signers.map((signer) => pki.crl(signer)) },
    pool: createCertificatePool([old.der, rolled.der]),
    anchors: [root.certificate],
    atMs: pki.nowMs,
  });
}

test('a CRL does not prove the good status of the certificate whose key signed it', () => {
  const { status: own, message } = status(rolled, old, rolled);
  expect(own).toBe('unknown');
  expect(message).toContain('with the key of the certificate in question');
});

test.each<[string, TestMember, TestMember, TestMember]>([
  ['a certificate issued by the new key', leaf, rolled, rolled],
  ['the new key, signed by the old one', rolled, old, old],
  ['a certificate of the new key, signed by the old one', leaf, rolled, old],
])('a CRL proves the good status of %s', (_, of, issuer, signer) => {
  expect(status(of, issuer, signer, pki.member('root')).status).toBe('good');
});
