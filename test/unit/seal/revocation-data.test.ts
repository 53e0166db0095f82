import { describe, expect, test } from 'vitest';
import { der, oids } from '../../../src/formats/asn1/index.ts';
import { type RevocationSource, sealPdf, verifyDocument } from '../../../src/index.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture, sealOptions, signerOf } from '../../support/sealing.ts';
import { weakMember } from '../../support/weak-keys.ts';

const pki = makeTestPki();
const agreement = fixture('agreement.pdf');
const own = pki.member('signer').certificate;
const responding = { extendedKeyUsage: [oids.ocspSigning], ocspNoCheck: true };

/** The revocation source of the PKI with another response about the signer. */
function answering(ocsp: Uint8Array, more: Partial<RevocationSource> = {}): RevocationSource {
  return {
    ...more,
    find: async (certificate, issuer) =>
      Buffer.compare(certificate.der, own.der) === 0
        ? { ocsp: [ocsp], crls: [] }
        : pki.revocation.find(certificate, issuer),
  };
}

describe('revocation data of a seal at B-LTA', () => {
  test('is not requested for a short-term certificate (EN 319 412-1 §5.2.2)', async () => {
    const others = [{ name: oids.validityAssuredShortTerm, critical: false, value: der.nil() }];
    const short = pki.issue({ name: 'short', extensions: { others } });
    const revocation: RevocationSource = {
      find: async (certificate, issuer) => {
        if (Buffer.compare(certificate.der, short.der) === 0) throw new Error('asked');
        return pki.revocation.find(certificate, issuer);
      },
    };
    const signer = signerOf(short);
    const sealed = await sealPdf(agreement, sealOptions(pki, { signer, revocation }));
    const trust = [pki.member('root').der];
    const report = await verifyDocument(sealed.bytes, { trust, at: new Date(pki.nowMs) });
    expect(report.signatures[0]).toMatchObject({ indication: 'TOTAL-PASSED', level: 'B-LTA' });
  });

  test('of a weak responder is rejected, as in verification', async () => {
    const responder = weakMember(pki, 'an RSA key of 1024 bits', responding);
    const revocation = answering(pki.ocsp(own, { responder }));
    await expect(sealPdf(agreement, sealOptions(pki, { revocation }))).rejects.toMatchObject({
      code: 'revocation.missing',
      message: expect.stringMatching(/too weak/),
    });
  });

  test('supplied by the caller with status revoked takes precedence over a responder', async () => {
    const { thisUpdateMs } = { thisUpdateMs: pki.nowMs - 3_600_000 };
    const crls = [pki.crl(pki.member('ca'), { revoked: [pki.member('signer')], thisUpdateMs })];
    const revocation = answering(pki.ocsp(own), { atHand: { ocsp: [], crls } });
    await expect(sealPdf(agreement, sealOptions(pki, { revocation }))).rejects.toMatchObject({
      code: 'certificate.revoked',
    });
  });
});
