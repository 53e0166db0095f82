import { describe, expect, test } from 'vitest';
import { verifyDocument as verify } from '../../../../src/app/documents/verify-document.ts';
import { memorySource } from '../../../../src/base/bytes.ts';
import { der, oids } from '../../../../src/formats/asn1/index.ts';
import { buildAttribute } from '../../../../src/formats/cms/index.ts';
import type { CmsVerificationReport } from '../../../../src/verify/report/report.ts';
import { cadesBy, cadesContent, withAttributesOf, withParts } from '../../../support/cades.ts';
import { craftCms, crlsOf } from '../../../support/crafted-cms.ts';
import { tokenBy } from '../../../support/hand-signed.ts';
import { makeTestPki } from '../../../support/pki.ts';
import { fixture } from '../../../support/sealing.ts';

const pki = makeTestPki();
const signer = pki.member('signer');
const text = cadesContent.slice(0, cadesContent.lengthBytes);
const crls = crlsOf(pki);
const beside = [{ name: 'order.txt', content: text }];
const detached = await cadesBy(pki, 'B-LTA');

async function check(
  file: Uint8Array,
  files: readonly { name: string; content: Uint8Array }[] = [],
): Promise<CmsVerificationReport> {
  const report = await verify({
    revocation: 'ignore',
    source: memorySource(file),
    anchors: [pki.member('root').certificate],
    nowMs: pki.nowMs,
    detached: files,
  });
  if (report.format !== 'cms') throw new Error(`a report on ${report.format}`);
  return report;
}

const codesOf = ({ signatures }: CmsVerificationReport) =>
  signatures.flatMap(({ findings }) => findings.map(({ code }) => code));

const enveloping = (content: Uint8Array): Uint8Array =>
  withParts(detached, () => ({
    encapsulated: der.sequence(der.oid(oids.data), der.explicit(0, der.octetString(content))),
  }));

const pem = (label: string, bytes: Uint8Array): Buffer =>
  Buffer.from(
    `-----BEGIN ${label}-----\n${Buffer.from(bytes).toString('base64').replace(/.{64}/g, '$&\n')}` +
      `\n-----END ${label}-----\n`,
  );

describe('an enveloping CMS signature', () => {
  test('passes with its level and full coverage', async () => {
    expect(await check(enveloping(text))).toMatchObject({
      indication: 'TOTAL-PASSED',
      coverage: 'full',
      enveloping: true,
      signatures: [{ form: 'cades', level: 'B-LTA', intact: true }],
    });
  });

  test('over a PDF is verified as CMS, not as PDF', async () => {
    const pdf = fixture('agreement.pdf');
    const cms = craftCms({ content: pdf, embedded: pdf, signers: [{ signer }], crls });
    expect(Buffer.from(cms.subarray(0, 1024)).includes('%PDF-')).toBe(true);
    expect(await check(cms)).toMatchObject({ indication: 'TOTAL-PASSED', enveloping: true });
  });

  test('fails if a byte of its content was changed', async () => {
    const cms = Buffer.from(enveloping(text));
    cms.writeUInt8(0x5a, cms.indexOf(Buffer.from(text)) + 3);
    expect(await check(cms)).toMatchObject({
      indication: 'TOTAL-FAILED',
      coverage: 'none',
      signatures: [{ subIndication: 'HASH_FAILURE' }],
    });
  });

  test('reports a file beside it whose content differs', async () => {
    const report = await check(enveloping(text), [{ name: 'a', content: Buffer.from('other') }]);
    expect(report).toMatchObject({ indication: 'TOTAL-PASSED' });
    expect(codesOf(report)).toContain('signature.file.uncovered');
    expect(codesOf(await check(enveloping(text), beside))).not.toContain(
      'signature.file.uncovered',
    );
  });

  test.each([
    ['of indefinite length', (cms: Uint8Array) => indefinite(cms)],
    ['in PEM as CMS', (cms: Uint8Array) => pem('CMS', cms)],
    ['in PEM as PKCS7', (cms: Uint8Array) => pem('PKCS7', cms)],
  ])('%s passes too', async (_, write) => {
    expect(await check(write(enveloping(text)))).toMatchObject({ indication: 'TOTAL-PASSED' });
  });
});

/** The outermost element in BER with indefinite length. */
function indefinite(cms: Uint8Array): Uint8Array {
  const start = 2 + ((cms[1] as number) & 0x7f);
  return Buffer.concat([Buffer.of(0x30, 0x80), cms.subarray(start), Buffer.of(0, 0)]);
}

describe('a detached CMS signature', () => {
  test('passes with its content', async () => {
    expect(await check(detached, beside)).toMatchObject({
      indication: 'TOTAL-PASSED',
      coverage: 'full',
      enveloping: false,
      signatures: [{ level: 'B-LTA', references: [{ target: 'order.txt', status: 'valid' }] }],
    });
  });

  test('finds its content among several files and reports uncovered ones', async () => {
    const report = await check(detached, [{ name: 'b', content: Buffer.from('b') }, ...beside]);
    expect(report).toMatchObject({ indication: 'TOTAL-PASSED' });
    expect(codesOf(report)).toContain('signature.file.uncovered');
  });

  test('is INDETERMINATE without its content', async () => {
    const report = await check(detached);
    expect(report).toMatchObject({
      indication: 'INDETERMINATE',
      coverage: 'none',
      signatures: [{ subIndication: 'SIGNED_DATA_NOT_FOUND', intact: false, form: 'cades' }],
    });
    expect(report.signatures[0]?.signer?.subject).toContain('signer');
    expect(codesOf(report)).toContain('signature.content.missing');
  });

  test('fails with other content', async () => {
    const report = await check(detached, [{ name: 'a', content: Buffer.from('other') }]);
    expect(report).toMatchObject({ indication: 'TOTAL-FAILED' });
  });
});

test('each of several signers has a separate report', async () => {
  const signers = [{ signer }, { signer: pki.member('p384'), signingTimeMs: undefined }];
  const report = await check(craftCms({ content: text, embedded: text, signers, crls }));
  expect(report.signatures.map(({ indication }) => indication)).toEqual([
    'TOTAL-PASSED',
    'INDETERMINATE',
  ]);
  expect(report).toMatchObject({ indication: 'INDETERMINATE', coverage: 'full' });
});

test.each([
  ['countersignature', oids.counterSignature],
  ['CAdES-C-time-stamp', oids.cadesCTimeStamp],
])('a %s is reported but not verified', async (name, type) => {
  const value = buildAttribute(type, der.sequence(der.nil()));
  const file = withAttributesOf(enveloping(text), (list) => [...list, value]);
  const [report] = (await check(file)).signatures;
  expect(report).toMatchObject({ indication: 'TOTAL-PASSED' });
  expect(report?.findings.map(({ message }) => message).join()).toContain(name);
});

test('a time-stamp token in a separate file is verified over the file beside it', async () => {
  const token = tokenBy(pki, pki.member('tsa'), pki.nowMs - 1000)(text);
  expect(await check(token, beside)).toMatchObject({
    signatures: [{ kind: 'document-timestamp', form: 'timestamp', intact: true, trusted: true }],
  });
  expect(await check(token)).toMatchObject({
    signatures: [{ subIndication: 'SIGNED_DATA_NOT_FOUND' }],
  });
});

test('a CMS with certificates only is not a signature', async () => {
  const bundle = craftCms({ content: text, signers: [], certificates: [signer.der] });
  expect(await check(bundle)).toMatchObject({ signatures: [], indication: 'INDETERMINATE' });
});

test.each([
  ['the end of a line', '\r\n', 'TOTAL-PASSED'],
  ['other bytes', '\0', 'INDETERMINATE'],
  ['another document', 'Pay 999', 'INDETERMINATE'],
])('bytes after the signature: %s', async (_, rest, indication) => {
  const report = await check(Buffer.concat([enveloping(text), Buffer.from(rest)]));
  expect(report).toMatchObject({ indication });
  expect(codesOf(report)).toContain('signature.cms.trailing');
});

test.each([
  ['truncated', detached.subarray(0, 900)],
  ['in PEM without an end', pem('CMS', detached).subarray(0, 900)],
  ['in PEM with text after it', Buffer.concat([pem('CMS', detached), Buffer.from('x')])],
])('a file %s is rejected', async (_, file) => {
  await expect(check(file)).rejects.toMatchObject({ code: 'cms.invalid' });
});
