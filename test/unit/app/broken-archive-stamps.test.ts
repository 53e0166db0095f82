import { describe, expect, test } from 'vitest';
import { augmentContainer } from '../../../src/app/documents/container/augment-container.ts';
import { augmentXml } from '../../../src/app/documents/xml/augment-xml.ts';
import { sealXml } from '../../../src/app/documents/xml/seal-xml.ts';
import { der, oids } from '../../../src/formats/asn1/index.ts';
import { parseXml } from '../../../src/formats/xml/index.ts';
import type { VerificationReport } from '../../../src/verify/report/report.ts';
import { verifyXmlDocument } from '../../../src/verify/xml/index.ts';
import {
  containerBy,
  containerPorts,
  contentOf,
  fileOf,
  judgeContainer,
  withFiles,
  withText,
} from '../../support/containers.ts';
import { makeTestPki } from '../../support/pki.ts';

const pki = makeTestPki();
const ports = containerPorts(pki);
const anchors = [pki.member('root').certificate];

/** The text with one changed byte near the end of its last time-stamp token. */
function breakLastToken(text: string): string {
  const end = text.lastIndexOf('</xades:EncapsulatedTimeStamp>');
  const start = text.lastIndexOf('>', end - 1) + 1;
  const token = Buffer.from(text.slice(start, end), 'base64');
  token.writeUInt8(token.readUInt8(token.length - 20) ^ 1, token.length - 20);
  return text.slice(0, start) + token.toString('base64') + text.slice(end);
}

/** The bytes with one changed byte, `behind` bytes after the last occurrence of the mark. */
function flipped(bytes: Uint8Array, mark: Buffer, behind: number): Uint8Array {
  const changed = Buffer.from(bytes);
  const at = changed.lastIndexOf(mark) + behind;
  changed.writeUInt8(changed.readUInt8(at) ^ 1, at);
  return new Uint8Array(changed);
}

const options = { level: 'B-LTA' } as const;
const timestampFile = 'META-INF/timestamp001.tst';
const archiveManifest = 'META-INF/ASiCArchiveManifest.xml';
const simpleSignature = 'META-INF/signature.p7s';
const xadesE = await containerBy(pki, { ...options, format: 'xades' });
const xadesS = await containerBy(pki, { ...options, format: 'xades', container: 'asic-s' });
const cadesE = await containerBy(pki, { ...options, format: 'cades' });
const cadesS = await containerBy(pki, { ...options, format: 'cades', container: 'asic-s' });
const hashIndex = Buffer.from(der.oid(oids.atsHashIndexV3));

const request = { packaging: 'enveloped', source: fileOf('a', '<a/>').content, level: 'B-LTA' };
const sealedXml = (await sealXml(request as Parameters<typeof sealXml>[0], ports)).bytes;
const brokenXml = Buffer.from(breakLastToken(Buffer.from(sealedXml).toString()));

const containers: readonly (readonly [string, Uint8Array])[] = [
  ['XAdES in ASiC-E', withText(xadesE, 'META-INF/signatures001.xml', breakLastToken)],
  ['XAdES in ASiC-S', withText(xadesS, 'META-INF/signatures.xml', breakLastToken)],
  [
    'CAdES in ASiC-S',
    withFiles(cadesS, {
      [simpleSignature]: flipped(contentOf(cadesS, simpleSignature), hashIndex, 40),
    }),
  ],
  [
    'CAdES in ASiC-E, the token',
    withFiles(cadesE, {
      [timestampFile]: flipped(contentOf(cadesE, timestampFile), Buffer.of(), -20),
    }),
  ],
  [
    'CAdES in ASiC-E, the manifest',
    withText(cadesE, archiveManifest, (text) => text.replace('text/plain', 'text/html')),
  ],
];

const checkXml = (bytes: Uint8Array) =>
  verifyXmlDocument(parseXml(bytes), { anchors, nowMs: pki.nowMs });

const reports: readonly (readonly [string, VerificationReport])[] = [
  ['XAdES', checkXml(brokenXml)],
  ...containers.map(([name, bytes]) => [name, judgeContainer(pki, bytes)] as const),
];

describe('a broken archive time-stamp', () => {
  test.each(reports)('%s: the signature still passes, one level lower', (_, report) => {
    const [signature] = report.signatures;
    expect(report).toMatchObject({ indication: 'TOTAL-PASSED', coverage: 'full' });
    expect(signature).toMatchObject({ indication: 'TOTAL-PASSED', level: 'B-LT' });
    expect(signature?.findings).toEqual([
      {
        code: expect.stringMatching(/^tsa\.(?:imprint\.mismatch|signature\.invalid)$/),
        severity: 'warning',
        message: expect.stringMatching(/^archive time-stamp/),
      },
    ]);
  });

  test.each(containers)('%s: no further archive time-stamp is added over it', async (_, bytes) => {
    await expect(augmentContainer(bytes, ports)).rejects.toMatchObject({
      code: 'archive.timestamp.broken',
      hint: expect.stringContaining('undamaged copy'),
    });
  });

  test('XAdES: no further archive time-stamp is added over it', async () => {
    await expect(augmentXml(brokenXml, ports)).rejects.toMatchObject({
      code: 'archive.timestamp.broken',
    });
  });

  test('alone does not pass in a container without a signature', () => {
    const lonely = withFiles(cadesE, { 'META-INF/signature001.p7s': undefined });
    expect(judgeContainer(pki, lonely).indication).not.toBe('TOTAL-PASSED');
  });
});
