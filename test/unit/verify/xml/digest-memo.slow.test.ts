import { describe, expect, test } from 'vitest';
import { createDigestMemo } from '../../../../src/verify/xml/references/digest-memo.ts';
import { certificateInfo, check, enveloped, exclusive, pki, signXml } from './sign-xml.ts';

const signer = pki.member('signer');
const keyInfo = certificateInfo(signer, pki.member('ca'));
const c14n = (uri: string, inside = '') =>
  `<ds:Transform Algorithm="${uri}">${inside}</ds:Transform>`;
const excC14n = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const c14n10 = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const prefixes = `<e:InclusiveNamespaces xmlns:e="${excC14n}" PrefixList="p"/>`;
const own = enveloped.replace(exclusive, '');

describe('memoised digests', () => {
  test('make 150 references to a document of 1 MB cost as much as one', () => {
    const references = Array.from({ length: 150 }, (_, i) => ({
      id: `r${i}`,
      uri: '',
      transforms: enveloped,
    }));
    const host = [`<a>${'<!---->'.repeat(150_000)}`, '</a>'] as const;
    const [report] = check(signXml({ signer, keyInfo, host, references }));
    expect(report).toMatchObject({ indication: 'TOTAL-PASSED', coverage: 'document' });
    expect(report?.references.filter(({ status }) => status === 'valid')).toHaveLength(151);
  });

  // References that differ in one respect only. Every digest is correct for its bytes.
  const host = ['<a xmlns="urn:a" xmlns:p="urn:p" Id="a"><!--c--><b Id="b"/>', '</a>'] as const;
  const references = [
    { id: 'r1', uri: '', transforms: enveloped },
    { id: 'r2', uri: '#xpointer(/)', transforms: enveloped },
    { id: 'r3', uri: '#xpointer(/)', transforms: own + c14n(`${excC14n}WithComments`) },
    { id: 'r4', uri: '', transforms: own + c14n(excC14n, prefixes) },
    { id: 'r5', uri: '', transforms: own + c14n(c14n10) },
    { id: 'r6', uri: '#a', transforms: enveloped },
    { id: 'r7', uri: '#b', transforms: exclusive },
    { id: 'r8', uri: '#b', transforms: c14n(c14n10) },
    { id: 'r9', uri: '#b', transforms: c14n(c14n10) + exclusive },
    { id: 'r10', uri: '#b', transforms: '' },
  ];

  test('are correct whatever was digested before', () => {
    const both = [...references, ...references.map((each) => ({ ...each, id: `${each.id}b` }))];
    const text = signXml({ signer, keyInfo, host, references: both });
    const [plain] = check(text);
    const [kept] = check(text, { includeSignedData: true });
    expect(plain?.indication).toBe('TOTAL-PASSED');
    const withoutOctets = kept?.references.map(({ bytes: _, ...rest }) => rest);
    expect(withoutOctets).toEqual(plain?.references);
    expect(kept?.references.every(({ bytes }) => (bytes?.length ?? 0) > 0)).toBe(true);
  });

  test.each(references)(
    'do not hide an incorrect digest after a correct one: $uri $id',
    (reference) => {
      const wrong = { ...reference, id: 'w', digestValue: Buffer.alloc(32, 1).toString('base64') };
      const text = signXml({ signer, keyInfo, host, references: [reference, wrong] });
      const statuses = check(text)[0]?.references.map(({ status }) => status);
      expect(statuses).toEqual(['valid', 'changed', 'valid']);
    },
  );
});

test('the memo drops the oldest entries and stores no long names', () => {
  const memo = createDigestMemo();
  const made = { value: new Uint8Array(32), lengthBytes: 1 };
  memo.keep('sha256', 'x'.repeat(5000), made);
  expect(memo.find('sha256', 'x'.repeat(5000))).toBeUndefined();
  for (let i = 0; i < 300; i++) memo.keep('sha256', `${i}`, made);
  expect(memo.find('sha256', '299')).toBe(made);
  expect(memo.find('sha512', '299')).toBeUndefined();
  expect(memo.find('sha256', '0')).toBeUndefined();
});
