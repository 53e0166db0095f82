import { describe, expect, test } from 'vitest';
import { augmentCms } from '../../../src/app/documents/cms/augment-cms.ts';
import { planArchive } from '../../../src/app/documents/plan/plan-archive.ts';
import { memorySource, wholeBytes } from '../../../src/base/bytes.ts';
import { der, oids } from '../../../src/formats/asn1/index.ts';
import {
  buildAttribute,
  joinSignedData,
  splitSignedData,
  writeCmsFile,
} from '../../../src/formats/cms/index.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { verifyCmsFile } from '../../../src/verify/cades/index.ts';
import { cadesBy, cadesContent, withAttributesOf, withParts } from '../../support/cades.ts';
import { containerPorts } from '../../support/containers.ts';
import { craftCms, withoutType } from '../../support/crafted-cms.ts';
import { dayMs, tokenBy } from '../../support/hand-signed.ts';
import { makeTestPki } from '../../support/pki.ts';
import { anyStatus } from '../../support/verify-document.ts';

const pki = makeTestPki();
const ports = containerPorts(pki);
const content = wholeBytes(cadesContent);
const beside = [{ name: 'content.txt', content }];
const levels = ['B-B', 'B-T', 'B-LT', 'B-LTA'] as const;

/** The signature enclosing its content. */
const enveloping = (signature: Uint8Array, string = der.octetString(content)) =>
  withParts(signature, () => ({
    encapsulated: der.sequence(der.oid(oids.data), der.explicit(0, string)),
  }));

/** The content as a constructed OCTET STRING of indefinite length. */
const inPieces = Buffer.concat([
  Buffer.of(0x24, 0x80),
  der.octetString(content.subarray(0, 5)),
  der.octetString(content.subarray(5)),
  Buffer.of(0, 0),
]);

const pem = Buffer.from('-----BEGIN CMS-----\n');
const forms: Readonly<Record<string, (signature: Uint8Array) => Uint8Array>> = {
  detached: (signature) => signature,
  attached: (signature) => enveloping(signature),
  'in pieces': (signature) => enveloping(signature, inPieces),
  PEM: (signature) => writeCmsFile(enveloping(signature), pem),
};

const verify = (file: Uint8Array) =>
  verifyCmsFile(file, beside, {
    anchors: [pki.member('root').certificate],
    pool: createCertificatePool([]),
    nowMs: pki.nowMs,
    revocation: anyStatus,
  });
const codeOf = (file: Uint8Array, given = ports, files = beside) =>
  augmentCms(file, given, files).then(
    () => 'done',
    ({ code }) => code,
  );

describe('augmentCms', () => {
  test.each(Object.keys(forms).flatMap((form) => levels.map((level) => ({ form, level }))))(
    'augments a $form signature from $level to B-LTA, and renews it',
    async ({ form, level }) => {
      const given = forms[form]?.(await cadesBy(pki, level)) as Uint8Array;
      let bytes = given;
      for (const round of [0, 1]) {
        const archived = await augmentCms(bytes, ports, beside);
        expect(archived).toMatchObject({ level: 'B-LTA', warnings: [] });
        expect(archived.report).toMatchObject({ format: 'cms', indication: 'TOTAL-PASSED' });
        const [report] = archived.report.signatures;
        const archives = report?.timestamps.filter(({ covers }) => covers === 'archive');
        expect(archives?.length).toBe(round + (level === 'B-LTA' ? 2 : 1));
        expect(report?.timestamps.filter(({ covers }) => covers === 'signature').length).toBe(1);
        expect(verify(archived.bytes)).toEqual(archived.report);
        bytes = archived.bytes;
      }
      expect(bytes[0]).toBe(given[0]);
    },
  );

  test('leaves the signed fields and the encapsulated content unchanged', async () => {
    const before = enveloping(await cadesBy(pki, 'B-B'), inPieces);
    const { bytes } = await augmentCms(before, ports);
    const [old, made] = [splitSignedData(before), splitSignedData(bytes)];
    expect(made.encapsulated).toEqual(old.encapsulated);
    expect(made.signers[0]?.fields).toEqual(old.signers[0]?.fields);
  });

  test('augments every signer to B-LTA, even if only one has a time-stamp', async () => {
    const [first, second] = [
      await cadesBy(pki, 'B-T'),
      await cadesBy(pki, 'B-B', pki.member('rsa')),
    ];
    const [a, b] = [splitSignedData(first), splitSignedData(second)];
    const both = joinSignedData({
      ...a,
      digestAlgorithms: a.digestAlgorithms,
      certificates: [...a.certificates, ...b.certificates],
      signers: [...a.signers, ...b.signers],
    });
    const { report, level } = await augmentCms(both, ports, beside);
    expect(level).toBe('B-LTA');
    expect(report.signatures.map((each) => each.level)).toEqual(['B-LTA', 'B-LTA']);
  });

  test('archives a plain CMS signature without claiming a baseline level', async () => {
    const signer = pki.member('signer');
    const attributes = (usual: readonly Uint8Array[]) =>
      withoutType(usual, oids.signingCertificateV2);
    const plain = craftCms({ content, embedded: content, signers: [{ signer, attributes }] });
    const archived = await augmentCms(plain, ports);
    expect(archived.level).toBeUndefined();
    expect(archived.warnings).toEqual([
      expect.stringContaining('archiving does not change that'),
      expect.stringContaining('meets no baseline profile'),
    ]);
    const [report] = archived.report.signatures;
    expect(report?.timestamps.map(({ covers }) => covers)).toEqual(['signature', 'archive']);
  });
});

describe('augmentCms refuses', async () => {
  const basic = await cadesBy(pki, 'B-B');
  const archived = await cadesBy(pki, 'B-LTA');
  const token = tokenBy(pki, pki.member('tsa'), pki.nowMs - dayMs)(content);
  const older = (type: string) =>
    withAttributesOf(archived, (all) => [...all, buildAttribute(type, token)]);
  const broken = withAttributesOf(archived, (all) =>
    all.map((attribute) => {
      const name = Buffer.from(der.oid(oids.archiveTimeStampV3));
      if (!Buffer.from(attribute).includes(name)) return attribute;
      const changed = Buffer.from(attribute);
      const at = changed.lastIndexOf(Buffer.from(der.oid(oids.atsHashIndexV3))) + 40;
      changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
      return new Uint8Array(changed);
    }),
  );
  const byExpired = await cadesBy(makeTestPki({ nowMs: pki.nowMs }), 'B-B').catch(() => basic);

  test.each([
    ['without its content', basic, 'cms.content.missing', []],
    ['with different content', basic, 'cms.signature.broken', [{ name: 'x', content: pem }]],
    ['that is a time-stamp token', token, 'cms.signature.none', beside],
    ['with bytes after it', Buffer.concat([basic, Buffer.of(0)]), 'cms.invalid', beside],
    ['with a broken archive time-stamp', broken, 'archive.timestamp.broken', beside],
    [
      'with an archive-time-stamp-v2',
      older(oids.archiveTimeStampV2),
      'archive.form.unsupported',
      beside,
    ],
    [
      'with an archive-time-stamp',
      older(oids.archiveTimeStamp),
      'archive.form.unsupported',
      beside,
    ],
    ['of an untrusted signer', byExpired, 'certificate.untrusted', beside],
  ])('a file %s, with a specific code', async (_, file, code, files) => {
    expect(await codeOf(file, ports, files)).toBe(code);
  });

  test('a signature without a revocation source, revocation data or a time-stamp authority', async () => {
    const { revocation: _r, ...deaf } = ports;
    expect(await codeOf(basic, deaf)).toBe('revocation.missing');
    const empty = { find: async () => ({ ocsp: [], crls: [] }) };
    expect(await codeOf(basic, { ...ports, revocation: empty })).toBe('revocation.missing');
    // The level cannot be chosen.
    const silent = augmentCms(basic, { ...ports, revocation: empty });
    await expect(silent).rejects.toMatchObject({ hint: expect.stringMatching(/FILE$/) });
    const { authority: _a, ...timeless } = ports;
    expect(await codeOf(basic, timeless)).toBe('tsa.missing');
  });

  test('a certificate that expired before a proven time', async () => {
    const expired = await cadesBy(pki, 'B-B', pki.member('expired'));
    expect(await codeOf(expired)).toBe('certificate.expired');
  });

  test('a self-signed trust anchor that expired, without a proven time', async () => {
    const expired = pki.member('expired');
    const trusting = { ...ports, anchors: [...ports.anchors, expired.certificate] };
    const signature = await cadesBy(pki, 'B-B', expired);
    expect(await codeOf(signature, trusting)).toBe('certificate.expired');
    const plan = planArchive(memorySource(signature), trusting, { detached: beside });
    expect(plan).toMatchObject({
      possible: false,
      signatures: [{ problems: [{ code: 'certificate.expired' }] }],
    });
  });

  test('a signature by a revoked signer', async () => {
    const revoked = await cadesBy(pki, 'B-B', pki.member('revoked'));
    expect(await codeOf(revoked)).toBe('certificate.revoked');
  });
});
