import { describe, expect, test } from 'vitest';
import type { XmlSignatureReport } from '../../../../src/verify/report/report.ts';
import { append, goodData, stamp, tokenOver, validationValues } from './extend-xml.ts';
import { certificateInfo, check, pki, type SignXmlParts, signXml } from './sign-xml.ts';

const signer = pki.member('signer');
const ca = pki.member('ca');
const host = ['<inv xmlns="urn:x"><sum>10</sum>', '</inv>'] as const;
const dayMs = 24 * 3_600_000;

const base = (parts: Partial<SignXmlParts> = {}) => {
  const member = parts.signer ?? signer;
  return signXml({ signer: member, host, keyInfo: certificateInfo(member, ca), ...parts });
};
const first = (text: string, nowMs = pki.nowMs): XmlSignatureReport => {
  const [report] = check(text, { nowMs });
  if (report === undefined) throw new Error('a report');
  return report;
};
const codes = ({ findings }: XmlSignatureReport) => findings.map(({ code }) => code);
const values = validationValues(goodData);

const t = stamp(base(), 'signature');
const lt = append(t, values);
const lta = stamp(lt, 'archive141');

describe('the level of a XAdES signature', () => {
  test.each([
    ['B-B', base(), []],
    ['B-T', t, ['signature']],
    ['B-LT', lt, ['signature']],
    ['B-LTA', lta, ['signature', 'archive']],
    ['B-LTA', stamp(lta, 'archive141'), ['signature', 'archive', 'archive']],
  ])('is %s with its proofs', (level, text, covers) => {
    const report = first(text);
    expect(report).toMatchObject({ indication: 'TOTAL-PASSED', level, trusted: true });
    expect(report.timestamps.map((each) => each.covers)).toEqual(covers);
    expect(report.timestamps.every(({ valid, trusted }) => valid && trusted)).toBe(true);
    expect(report.timeProved).toBe(level !== 'B-B');
  });

  const other = new Uint8Array(3);
  const less: readonly (readonly [string, string, string])[] = [
    ['a time-stamp over different data', 'B-B', stamp(base(), 'signature', { bytes: other })],
    [
      'a time-stamp of another signature',
      'B-B',
      append(base(), /<x:SignatureTimeStamp>.*<\/x:SignatureTimeStamp>/.exec(t)?.[0] ?? ''),
    ],
    [
      'no revocation data for the signer',
      'B-T',
      append(t, validationValues({ ...goodData, crls: [] })),
    ],
    [
      'no revocation data for the authority',
      'B-T',
      append(t, validationValues({ ...goodData, crls: goodData.crls.slice(1) })),
    ],
    [
      'revocation data after the archive time-stamp',
      'B-LT',
      append(stamp(t, 'archive141'), values),
    ],
    [
      'an archive time-stamp over different data',
      'B-LT',
      stamp(lt, 'archive141', { bytes: other }),
    ],
    [
      'a covered value that was changed',
      'B-LT',
      lta.replace('<x:CertificateValues>', '<x:CertificateValues Id="c">'),
    ],
    [
      'references of an older form',
      'B-T',
      append(t, `<x:CompleteCertificateRefs><x:CertRefs/></x:CompleteCertificateRefs>${values}`),
    ],
  ];
  test.each(less)('is lower without a proof, %s: %s', (_, level, text) => {
    expect(first(text)).toMatchObject({ indication: 'TOTAL-PASSED', intact: true, level });
  });

  test('is not raised to a baseline level by an archive time-stamp of the older form', () => {
    const report = first(stamp(lt, 'archive132'));
    expect(report.timestamps.at(-1)).toMatchObject({ covers: 'archive', valid: true });
    expect(report).not.toHaveProperty('level');
    expect(codes(report)).toContain('baseline.archive');
  });

  test('comes with verified time-stamps over references', () => {
    const refs = '<x:CompleteCertificateRefs><x:CertRefs/></x:CompleteCertificateRefs>';
    const report = first(stamp(stamp(append(t, refs), 'sigAndRefs'), 'refsOnly'));
    expect(report.timestamps.map(({ covers, valid }) => [covers, valid])).toEqual([
      ['signature', true],
      ['references', true],
      ['references', true],
    ]);
  });

  test('is not raised by a time-stamp over content', () => {
    // Canonical and without namespaces, so the bytes are known in advance.
    const content = '<inv><sum>10</sum></inv>';
    const stampOver = (bytes: string) => {
      const token = Buffer.from(tokenOver(Buffer.from(bytes))).toString('base64');
      return (
        '<x:AllDataObjectsTimeStamp>' +
        '<ds:CanonicalizationMethod Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"/>' +
        `<x:EncapsulatedTimeStamp>${token}</x:EncapsulatedTimeStamp></x:AllDataObjectsTimeStamp>`
      );
    };
    const bare = ['<inv><sum>10</sum>', '</inv>'] as const;
    const report = first(base({ host: bare, data: stampOver(content) }));
    expect(report).toMatchObject({ level: 'B-B', timeProved: false });
    expect(report.timestamps).toMatchObject([{ covers: 'content', valid: true, trusted: true }]);
    const wrong = first(base({ host: bare, data: stampOver('<inv/>') }));
    expect(wrong.timestamps).toMatchObject([{ covers: 'content', valid: false }]);
    expect(wrong).toMatchObject({ indication: 'TOTAL-PASSED', level: 'B-B' });
  });

  test('is not raised by an XML time-stamp or an empty one, which are reported', () => {
    const report = first(
      append(base(), '<x:SignatureTimeStamp><x:XMLTimeStamp/></x:SignatureTimeStamp>'),
    );
    expect(codes(report)).toContain('timestamp.unchecked');
    expect(report.level).toBe('B-B');
  });
});

describe('the proven time of a XAdES signature', () => {
  const later = pki.nowMs + 20 * dayMs;
  const short = pki.issue({ name: 'short', notAfterMs: pki.nowMs + 10 * dayMs });

  test('does not exist without a time-stamp: an expired certificate is out of bounds', () => {
    expect(first(base({ signer: short }), later)).toMatchObject({
      indication: 'INDETERMINATE',
      // Nothing shows that it was not revoked during its validity (EN 319 102-1 §5.2.6.4).
      subIndication: 'OUT_OF_BOUNDS_NO_POE',
      timeProved: false,
    });
  });

  test('is that of a time-stamp by a valid authority', () => {
    const text = append(stamp(base({ signer: short }), 'signature'), values);
    expect(first(text, later)).toMatchObject({
      indication: 'TOTAL-PASSED',
      timeProved: true,
      bestTime: new Date(pki.nowMs).toISOString(),
    });
  });

  test('after the revocation of the certificate gives REVOKED_NO_POE', () => {
    const revoked = pki.member('revoked');
    const text = append(stamp(base({ signer: revoked }), 'signature'), values);
    const report = first(text);
    expect(report).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'REVOKED_NO_POE',
      trusted: false,
    });
    expect(codes(report)).toContain('certificate.revoked');
  });

  test('before the revocation of the certificate lets the signature pass', () => {
    const revoked = pki.member('revoked');
    const timeMs = pki.nowMs - 10 * dayMs;
    const text = append(stamp(base({ signer: revoked }), 'signature', { timeMs }), values);
    const report = first(text);
    expect(report).toMatchObject({ indication: 'TOTAL-PASSED', timeProved: true });
    expect(codes(report)).toContain('certificate.revoked');
  });

  test('after the expiry of the certificate does not raise the level to B-T', () => {
    const expired = pki.member('expired');
    const report = first(stamp(base({ signer: expired }), 'signature'));
    expect(report).toMatchObject({ level: 'B-B', intact: true, trusted: false });
  });
});
