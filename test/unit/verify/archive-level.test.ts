import { describe, expect, test } from 'vitest';
import { oids } from '../../../src/formats/asn1/index.ts';
import { sealPdf, type VerificationReport } from '../../../src/index.ts';
import {
  cmsBy,
  signedFile,
  tokenBy,
  tsaExtensions,
  withStamp,
  withStore,
} from '../../support/hand-signed.ts';
import { makeTestPki, type TestMember } from '../../support/pki.ts';
import { fixture, sealOptions } from '../../support/sealing.ts';
import { verifyDocument } from '../../support/verify-document.ts';

const pki = makeTestPki();
const now = pki.nowMs;
const [signer, tsa] = [pki.member('signer'), pki.member('tsa')];
const otherTsa = pki.issue({ name: 'other tsa', extensions: tsaExtensions });
const token = (member: TestMember = tsa) => tokenBy(pki, member, now);
const stamp = (file: Uint8Array, member?: TestMember) => withStamp(file, token(member));
const signed = await signedFile(cmsBy(signer));
const stamped = await signedFile(cmsBy(signer, { stamp: token() }));

const answers = (...members: readonly TestMember[]) => ({
  certificates: [pki.member('ca').der],
  ocsp: members.map(({ certificate }) => pki.ocsp(certificate)),
  crls: [pki.crl(pki.member('root'))],
});
const everything = answers(signer, tsa);

async function levelOf(file: Uint8Array): Promise<string | undefined> {
  const report: VerificationReport = await verifyDocument(file, {
    trust: [pki.member('root').der],
    at: new Date(now),
  });
  expect(report.signatures[0]).toMatchObject({ kind: 'signature', intact: true });
  return report.signatures[0]?.level;
}

describe('B-LTA', () => {
  test('is the level of a seal made at B-LTA', async () => {
    const { bytes } = await sealPdf(fixture('agreement.pdf'), sealOptions(pki));
    expect(await levelOf(bytes)).toBe('B-LTA');
  });

  test('requires a document time-stamp over the validation data', async () => {
    expect(await levelOf(await stamp(withStore(stamped, everything)))).toBe('B-LTA');
  });

  test('is kept under a second document time-stamp without validation data for its authority', async () => {
    const first = await stamp(withStore(stamped, everything));
    expect(await levelOf(await stamp(first, otherTsa))).toBe('B-LTA');
  });
});

describe('without the proofs of B-LTA', () => {
  test.each<[string, string, () => Promise<Uint8Array> | Uint8Array]>([
    ['no time-stamp', 'B-B', () => signed],
    ['revocation data without a time-stamp', 'B-B', () => withStore(signed, everything)],
    ['a signature time-stamp alone', 'B-T', () => stamped],
    ['revocation data without a document time-stamp', 'B-LT', () => withStore(stamped, everything)],
    ['a document time-stamp without a security store', 'B-T', () => stamp(stamped)],
    [
      'a document time-stamp before the revocation data',
      'B-LT',
      async () => withStore(await stamp(stamped), everything),
    ],
    [
      'a document time-stamp over part of the revocation data',
      'B-LT',
      async () => withStore(await stamp(withStore(stamped, answers(signer))), everything),
    ],
    [
      'no revocation data for the authority',
      'B-T',
      () => stamp(withStore(stamped, answers(signer))),
    ],
    ['no revocation data for the signer', 'B-T', () => stamp(withStore(stamped, answers(tsa)))],
    ['an empty security store', 'B-T', () => stamp(withStore(stamped, {}))],
    [
      'certificates in place of revocation data',
      'B-T',
      () => stamp(withStore(stamped, { certificates: everything.certificates })),
    ],
    [
      'malformed revocation data',
      'B-T',
      () => stamp(withStore(stamped, { ocsp: [Buffer.of(0x30, 0)], crls: [Buffer.from('no')] })),
    ],
    [
      'revocation data by an unauthorised party',
      'B-T',
      () => {
        const { ocsp } = makeTestPki();
        const foreign = [signer, tsa].map(({ certificate }) => ocsp(certificate));
        return stamp(withStore(stamped, { ...everything, ocsp: foreign }));
      },
    ],
    [
      'a document time-stamp over different bytes',
      'B-LT',
      () => withStamp(withStore(stamped, everything), () => token()(Buffer.from('other'))),
    ],
    [
      'a document time-stamp by a key without that purpose',
      'B-LT',
      () => stamp(withStore(stamped, everything), pki.member('tlsServer')),
    ],
    [
      'a document time-stamp by an authority of several purposes',
      'B-LT',
      () => {
        const extendedKeyUsage = [oids.timeStamping, oids.ocspSigning];
        const extensions = { extendedKeyUsage, extendedKeyUsageCritical: true };
        return stamp(withStore(stamped, everything), pki.issue({ name: 'both', extensions }));
      },
    ],
  ])('%s yields %s', async (_, level, make) => {
    expect(await levelOf(await make())).toBe(level);
  });
});
