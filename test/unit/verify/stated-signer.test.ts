import { beforeAll, describe, expect, test } from 'vitest';
import { concatBytes } from '../../../src/base/bytes.ts';
import { buildName } from '../../../src/formats/x509/index.ts';
import { sealPdf } from '../../../src/index.ts';
import { describeSigner } from '../../../src/verify/signer-summary.ts';
import { makeTestPki, type TestMember, type TestPki } from '../../support/pki.ts';
import { fixture, sealOptions, signerOf } from '../../support/sealing.ts';
import { verifyDocument } from '../../support/verify-document.ts';

type Names = Parameters<typeof buildName>[0];
const legal: Names = {
  countryName: 'IS',
  organizationName: 'Acme ehf.',
  organizationIdentifier: 'NTRIS-6000101994',
  commonName: 'Seal of Acme',
};
const natural: Names = { countryName: 'IS', givenName: 'Jon', surname: 'Doe', commonName: 'Doe' };
const plain: Names = { countryName: 'IS', organizationName: 'Acme', commonName: 'DOE Jon' };
const alone: Names = { countryName: 'IS', commonName: 'Jon Doe' };

let pki: TestPki;
beforeAll(() => {
  pki = makeTestPki();
});

function memberOf(names: Names): TestMember {
  return pki.issue({ name: 'some', subjectDer: buildName(names), issuer: pki.member('ca') });
}

async function sealed(names: Names, name?: string): Promise<Uint8Array> {
  const options = sealOptions(pki, { signer: signerOf(memberOf(names)), level: 'B-T' });
  const request = name === undefined ? options : { ...options, name };
  return (await sealPdf(fixture('minimal.pdf'), request)).bytes;
}

async function signatureIn(bytes: Uint8Array, trust = [pki.member('root').der]) {
  const report = await verifyDocument(bytes, { trust, at: new Date(pki.nowMs) });
  if (report.format !== 'pdf') throw new Error('expected a PDF');
  return report.signatures[0];
}

describe('the stated signer', () => {
  test.each<[string, Names, string | undefined, string | undefined]>([
    ['a seal for a person', legal, ' Anna Jónsdóttir ', 'Anna Jónsdóttir'],
    ['a certificate with an unknown kind of holder', plain, 'Anna', 'Anna'],
    ['a certificate with a common name alone', alone, 'Anna', undefined],
    ['the common name in another order', plain, 'Jon Doe', undefined],
    ['the organisation', legal, 'ACME EHF', undefined],
    ['a person of a similar name', legal, 'Acme', 'Acme'],
    ['a certificate of a natural person', natural, 'Anna', undefined],
    ['no name', legal, undefined, undefined],
    ['a name without letters', legal, ' - ', undefined],
  ])(
    'is the claimed name where the certificate leaves it open: %s',
    async (_, names, name, expected) => {
      const signature = await signatureIn(await sealed(names, name));
      expect(signature?.indication).toBe('TOTAL-PASSED');
      expect(signature?.statedSigner).toBe(expected);
    },
  );

  test('is undefined without a path to an anchor or after a change', async () => {
    const bytes = await sealed(legal, 'Anna');
    expect((await signatureIn(bytes, []))?.statedSigner).toBeUndefined();
    const altered = Buffer.from(bytes);
    altered.write('/Name(Eva ', altered.indexOf('/Name('), 'latin1');
    const broken = await signatureIn(altered);
    expect(broken).toMatchObject({ indication: 'TOTAL-FAILED', name: 'Eva ' });
    expect(broken?.statedSigner).toBeUndefined();
  });

  test('is undefined if a later update rewrites the dictionary with another name', async () => {
    const bytes = await sealed(legal, 'Anna');
    const text = Buffer.from(bytes).toString('latin1');
    const start =
      text.lastIndexOf('\n', text.lastIndexOf(' 0 obj', text.indexOf('/Name(Anna'))) + 1;
    const end = text.indexOf('endobj', start) + 'endobj'.length;
    const number = Number.parseInt(text.slice(start), 10);
    const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(text)?.[1];
    const root = /\/Root (\d+ 0 R)/.exec(text)?.[1];
    const object = text.slice(start, end).replace('/Name(Anna', '/Name(Eva ');
    const at = bytes.length + 1;
    const xref = `xref\n${number} 1\n${String(at).padStart(10, '0')} 00000 n \n`;
    const trailer = `trailer\n<</Size 99 /Root ${root} /Prev ${previous}>>`;
    const update = `\n${object}\n${xref}${trailer}\nstartxref\n${at + object.length + 1}\n%%EOF\n`;
    const signature = await signatureIn(concatBytes([bytes, Buffer.from(update, 'latin1')]));
    expect(signature?.name).toContain('Eva');
    expect(signature?.indication).not.toBe('TOTAL-PASSED');
    expect(signature?.statedSigner).toBeUndefined();
  });
});

describe('the kind of certificate holder', () => {
  test.each<[Names, string | undefined]>([
    [legal, 'legal-person'],
    [natural, 'natural-person'],
    [plain, undefined],
    // An employee is a natural person, even if the organisation has an identifier.
    [{ ...legal, givenName: 'Anna' }, 'natural-person'],
  ])('is derived from the subject: %j', (names, holder) => {
    expect(describeSigner(memberOf(names).certificate).holder).toBe(holder);
  });
});
