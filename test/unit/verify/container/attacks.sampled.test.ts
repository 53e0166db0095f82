import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { sealXml } from '../../../../src/app/documents/xml/seal-xml.ts';
import { isInnsigliError } from '../../../../src/base/errors.ts';
import { buildAsicManifest, buildXadesSignatures } from '../../../../src/formats/asic/index.ts';
import { parseXml } from '../../../../src/formats/xml/index.ts';
import { digestUri } from '../../../../src/formats/xmldsig/index.ts';
import { writeZip } from '../../../../src/formats/zip/index.ts';
import { signCades } from '../../../../src/seal/cades/index.ts';
import { digestOf } from '../../../../src/trust/signature.ts';
import type { ContainerVerificationReport } from '../../../../src/verify/report/report.ts';
import { cadesRequest } from '../../../support/cades.ts';
import {
  asKind,
  containerBy,
  containerPorts,
  contentOf,
  fileOf,
  filesOf,
  judgeContainer,
  withFiles,
  withText,
  xadesOver,
} from '../../../support/containers.ts';
import { makeTestPki } from '../../../support/pki.ts';
import { fc } from '../../../support/property.ts';
import { runs } from '../../../support/sample.ts';

const pki = makeTestPki();
const xadesE = await containerBy(pki);
const xadesS = await containerBy(pki, { container: 'asic-s' });
const cadesE = await containerBy(pki, { format: 'cades' });
const cadesS = await containerBy(pki, { format: 'cades', container: 'asic-s' });
const evil = Buffer.from('pay everything to Mallory\n');
const manifestName = 'META-INF/ASiCManifest001.xml';
const p7s = 'META-INF/signature001.p7s';

const check = (bytes: Uint8Array) => judgeContainer(pki, bytes);

/** An ASiCManifest for these files of the container, signed again by the member `signer`. */
async function signedManifest(
  container: Uint8Array,
  names: readonly string[],
  edit: (text: string) => string = (text) => text,
): Promise<Uint8Array> {
  const text = Buffer.from(
    buildAsicManifest({
      signature: { name: p7s, mimeType: 'application/pkcs7-signature' },
      dataObjects: names.map((name) => ({
        name,
        mimeType: undefined,
        digestMethod: digestUri('sha256'),
        digestValue: digestOf('sha256', contentOf(container, name)),
      })),
    }),
  ).toString();
  const manifest = Buffer.from(edit(text));
  const { signature } = await signCades(
    (digest) => digestOf(digest, manifest),
    cadesRequest(pki, pki.member('signer'), { level: 'B-B' }),
  );
  return withFiles(container, { [manifestName]: manifest, [p7s]: signature });
}

function verdictOf(report: ContainerVerificationReport, at = 0): string {
  const { indication, subIndication } = report.signatures[at] ?? {};
  return `${indication}/${subIndication ?? ''}`;
}

const changed = 'TOTAL-FAILED/HASH_FAILURE';
const missing = 'INDETERMINATE/SIGNED_DATA_NOT_FOUND';
const refused = 'TOTAL-FAILED/FORMAT_FAILURE';
const indeterminateTrust = 'INDETERMINATE/FORMAT_FAILURE';

describe('an unmodified container', () => {
  test.each([
    ['xades asic-e', xadesE],
    ['xades asic-s', xadesS],
    ['cades asic-e', cadesE],
    ['cades asic-s', cadesS],
  ])('%s passes and covers every file', (_, container) => {
    const report = check(container);
    expect(report.indication).toBe('TOTAL-PASSED');
    expect(report.files.length).toBeGreaterThan(0);
    expect(report.files.every(({ covered }) => covered)).toBe(true);
  });
});

describe('a data file', () => {
  test.each([
    ['xades asic-e', xadesE],
    ['xades asic-s', xadesS],
    ['cades asic-e', cadesE],
    ['cades asic-s', cadesS],
  ])('that was changed is not covered: %s', (_, container) => {
    const report = check(withFiles(container, { 'a.txt': evil }));
    expect(verdictOf(report)).toBe(changed);
    expect(report.signatures[0]).toMatchObject({ intact: false, trusted: false });
    expect(report.signatures[0]?.level).toBeUndefined();
    expect(report.files.map(({ covered }) => covered)).not.toContain(true);
  });

  test.each([
    ['xades', xadesE],
    ['cades', cadesE],
  ])('that was removed is missing: %s', (_, container) => {
    const report = check(withFiles(container, { 'a.txt': undefined }));
    expect(verdictOf(report)).toBe(missing);
    expect(report.signatures[0]?.references).toContainEqual(
      expect.objectContaining({ target: 'a.txt', status: 'missing' }),
    );
  });

  test.each([
    ['xades', 'a.txt', 'A.txt'],
    ['xades', 'd/é b.xml', 'd/e\u0301 b.xml'],
    ['cades', 'a.txt', 'A.txt'],
    ['cades', 'd/é b.xml', 'd/e\u0301 b.xml'],
  ])('renamed to a similar name is missing: %s, %s', (form, from, to) => {
    const report = check(withFiles(form === 'xades' ? xadesE : cadesE, { [from]: to }));
    expect(verdictOf(report)).toBe(missing);
    expect(report.files.find(({ name }) => name === to)?.covered).toBe(false);
  });

  test.each([
    ['xades', xadesE],
    ['cades', cadesE],
  ])('added to an ASiC-E container is reported: %s', (_, container) => {
    const report = check(withFiles(container, { 'evil.txt': evil }));
    expect(report.indication).toBe('TOTAL-PASSED');
    expect(report.signatures[0]?.findings).toContainEqual({
      code: 'container.file.uncovered',
      severity: 'warning',
      message: 'not covered by it: "evil.txt"',
    });
    expect(report.files.find(({ name }) => name === 'evil.txt')?.covered).toBe(false);
    expect(report.files.find(({ name }) => name === 'a.txt')?.covered).toBe(true);
  });

  test.each([
    ['xades', xadesS],
    ['cades', cadesS],
  ])('added to an ASiC-S container makes it INDETERMINATE: %s', (_, container) => {
    const report = check(withFiles(container, { '0evil.txt': evil }));
    expect(verdictOf(report)).toBe(indeterminateTrust);
    expect(report.signatures[0]?.findings.map(({ code }) => code)).toContain(
      'container.data.count',
    );
  });
});

describe('an ASiC manifest', () => {
  test('that was changed breaks its signature', () => {
    const edited = withText(cadesE, manifestName, (text) => text.replace('a.txt', 'z.txt'));
    expect(verdictOf(check(withFiles(edited, { 'z.txt': evil })))).toBe(changed);
  });

  test('is ambiguous beside another one for the same signature', () => {
    const second = Buffer.from(contentOf(cadesE, manifestName));
    const report = check(withFiles(cadesE, { 'META-INF/ASiCManifest002.xml': second }));
    expect(verdictOf(report)).toBe(indeterminateTrust);
    expect(report.signatures[0]?.findings[0]?.code).toBe('container.manifest.ambiguous');
  });

  test('that references another signature leaves the signature without a manifest', () => {
    const report = check(withFiles(cadesE, { [p7s]: 'META-INF/signature002.p7s' }));
    expect(verdictOf(report)).toBe(indeterminateTrust);
    expect(report.signatures[0]?.findings[0]?.code).toBe('container.manifest.missing');
  });

  test('that is not XML leaves the signature without a manifest', () => {
    const report = check(withFiles(cadesE, { [manifestName]: Buffer.from('<!DOCTYPE x><x/>') }));
    expect(verdictOf(report)).toBe(indeterminateTrust);
    expect(report.signatures[0]?.findings[0]?.message).toContain(manifestName);
  });

  test.each([['META-INF/manifest.xml'], [p7s], [manifestName], ['mimetype']])(
    'that lists %s is rejected',
    async (name) => {
      const report = check(
        await signedManifest(withFiles(cadesE, { 'META-INF/manifest.xml': evil }), ['a.txt', name]),
      );
      expect(verdictOf(report)).toBe(indeterminateTrust);
      expect(report.signatures[0]).toMatchObject({ intact: false });
      expect(report.files.some(({ covered }) => covered)).toBe(false);
    },
  );

  test.each([
    ['../a.txt', indeterminateTrust],
    ['%2e%2e/a.txt', indeterminateTrust],
    ['d/../a.txt', indeterminateTrust],
    ['d%2f..%2fa.txt', indeterminateTrust],
    ['file:///a.txt', indeterminateTrust],
    ['a.txt?x', indeterminateTrust],
    ['a.txt#x', indeterminateTrust],
    ['A.TXT', missing],
    ['a.txt%00', indeterminateTrust],
    ['.%5Ca.txt', indeterminateTrust],
  ])('with the URI %s covers nothing', async (uri, expected) => {
    const report = check(
      await signedManifest(cadesE, ['a.txt'], (text) => text.replace('"a.txt"', `"${uri}"`)),
    );
    expect(verdictOf(report)).toBe(expected);
    expect(report.files.some(({ covered }) => covered)).toBe(false);
  });

  test.each([
    ['sha1', 'INDETERMINATE/CRYPTO_CONSTRAINTS_FAILURE_NO_POE'],
    ['md5', 'INDETERMINATE/CRYPTO_CONSTRAINTS_FAILURE_NO_POE'],
  ] as const)('with %s makes the signature INDETERMINATE', async (digest, expected) => {
    const uri = {
      sha1: 'http://www.w3.org/2000/09/xmldsig#sha1',
      md5: 'http://www.w3.org/2001/04/xmldsig-more#md5',
    }[digest];
    const value = createHash(digest).update(contentOf(cadesE, 'a.txt')).digest('base64');
    const report = check(
      await signedManifest(cadesE, ['a.txt'], (text) =>
        text.replace(digestUri('sha256'), uri).replace(/DigestValue>[^<]+/, `DigestValue>${value}`),
      ),
    );
    expect(verdictOf(report)).toBe(expected);
  });
});

describe('a XAdES signature in a container', () => {
  const file = 'META-INF/signatures001.xml';

  test.each([
    ['META-INF/signatures001.xml', refused],
    ['META-INF/x.xml', refused],
    ['../a.txt', refused],
    ['%2e%2e/a.txt', refused],
    ['d/./a.txt', refused],
    ['d%2f..%2fa.txt', refused],
    ['http://example.org/a.txt', refused],
    ['file:///a.txt', refused],
    ['a.txt?x', refused],
    ['a%00.txt', refused],
    ['A.txt', missing],
    ['d/e%CC%81%20b.xml', missing],
    ['META-INF/manifest.xml', indeterminateTrust],
    ['mimetype', indeterminateTrust],
  ])('over the URI %s covers no file', async (uri, expected) => {
    const name = uri.startsWith('META-INF') || uri === 'mimetype' ? uri : 'a.txt';
    const container = withFiles(xadesE, { 'META-INF/x.xml': evil });
    const signature = await xadesOver(pki, { uri, bytes: contentOf(container, name) });
    const report = check(withFiles(container, { [file]: buildXadesSignatures([signature]) }));
    expect(verdictOf(report)).toBe(expected);
    expect(report.files.some(({ covered }) => covered)).toBe(false);
  });

  test.each([['a.txt'], ['/a.txt'], ['%61.txt']])('over the URI %s covers a.txt', async (uri) => {
    const signature = await xadesOver(pki, { uri, bytes: contentOf(xadesE, 'a.txt') });
    const report = check(withFiles(xadesE, { [file]: buildXadesSignatures([signature]) }));
    expect(report.indication).toBe('TOTAL-PASSED');
    expect(report.signatures[0]?.references[0]).toMatchObject({ uri, target: 'a.txt' });
    expect(report.files.map(({ covered }) => covered)).toEqual([true, false]);
  });

  test('over a canonical form covers its file only in part', async () => {
    const content = Buffer.from('<b><!-- pay Alice --></b>');
    const container = withFiles(xadesE, { 'd/é b.xml': content });
    const transforms =
      '<ds:Transform Algorithm="http://www.w3.org/2001/10/xml-exc-c14n#"></ds:Transform>';
    const uri = 'd/%C3%A9%20b.xml';
    const bytes = Buffer.from('<b></b>');
    const signature = await xadesOver(pki, { uri, bytes, transforms });
    const report = check(withFiles(container, { [file]: buildXadesSignatures([signature]) }));
    expect(report.signatures[0]).toMatchObject({ intact: true, indication: 'TOTAL-PASSED' });
    expect(report.signatures[0]?.findings.map(({ message }) => message)).toEqual(
      expect.arrayContaining(['not covered by it: "a.txt"', 'covered only in part: "d/é b.xml"']),
    );
    expect(report.files.some(({ covered }) => covered)).toBe(false);
  });

  test('that envelops its data covers no file of the container', async () => {
    const request = { source: evil, level: 'B-B', packaging: 'enveloping' } as const;
    const { bytes } = await sealXml(request, containerPorts(pki));
    const { root } = parseXml(bytes);
    const signature = bytes.subarray(root.startOffset);
    const report = check(withFiles(xadesE, { [file]: buildXadesSignatures([signature]) }));
    expect(verdictOf(report)).toBe(indeterminateTrust);
    expect(report.signatures[0]).toMatchObject({ intact: true });
    expect(report.files.some(({ covered }) => covered)).toBe(false);
  });

  test.each([
    ['other XML', '<x/>'],
    ['malformed XML', 'PK'],
    ['no signature', Buffer.from(buildXadesSignatures([])).toString()],
  ])('file with %s fails with FORMAT_FAILURE', (_, text) => {
    const report = check(withFiles(xadesE, { [file]: Buffer.from(text) }));
    expect(verdictOf(report)).toBe('TOTAL-FAILED/FORMAT_FAILURE');
    expect(report.signatures).toHaveLength(1);
  });
});

describe('an arbitrary change', () => {
  const known = new Map(filesOf(xadesE).map(({ name, bytes }) => [name, bytes]));

  test.each([
    ['xades asic-e', xadesE],
    ['xades asic-s', xadesS],
    ['cades asic-e', cadesE],
    ['cades asic-s', cadesS],
  ])('gives a report or an InnsigliError, and covers only the signed files: %s', (_, container) => {
    const files = filesOf(container);
    const change = fc.record({
      file: fc.nat(files.length - 1),
      at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      cut: fc.nat(20),
      put: fc.uint8Array({ maxLength: 20 }),
    });
    fc.assert(
      fc.property(change, ({ file, at, cut, put }) => {
        const changedFiles = files.map((each, i) => {
          if (i !== file) return each;
          const start = Math.floor(at * each.bytes.length);
          const { bytes } = each;
          const edited = [bytes.subarray(0, start), put, bytes.subarray(start + cut)];
          return { ...each, bytes: Buffer.concat(edited) };
        });
        const report = check(writeZip(changedFiles));
        for (const { name, covered } of report.files) {
          const now = changedFiles.find((each) => each.name === name)?.bytes ?? Buffer.of();
          if (covered) expect(Buffer.compare(now, known.get(name) ?? Buffer.of())).toBe(0);
        }
        return true;
      }),
      { numRuns: runs(150) },
    );
  });

  test('to the bytes of the archive gives a report or an InnsigliError', () => {
    fc.assert(
      fc.property(fc.nat(cadesE.length - 1), fc.integer({ min: 1, max: 255 }), (at, mask) => {
        const bytes = Buffer.from(cadesE);
        bytes[at] = (bytes[at] ?? 0) ^ mask;
        try {
          for (const { name, covered } of check(bytes).files) {
            if (covered)
              expect(Buffer.compare(contentOf(bytes, name), known.get(name) ?? evil)).toBe(0);
          }
        } catch (error) {
          expect(isInnsigliError(error)).toBe(true);
        }
      }),
      { numRuns: runs(300) },
    );
  });
});

describe('a container', () => {
  test('with two names for one file is rejected', () => {
    const [mimetype, ...files] = filesOf(xadesE);
    const twice = [...(mimetype === undefined ? [] : [mimetype]), { name: 'A.TXT', bytes: evil }];
    expect(() => check(writeZip([...twice, ...files]))).toThrow(
      expect.objectContaining({ code: 'container.invalid' }),
    );
  });

  test('is verified as the kind its mimetype names', () => {
    expect(verdictOf(check(asKind(cadesE, 'asic-s')))).toBe(indeterminateTrust);
    expect(verdictOf(check(asKind(cadesS, 'asic-e')))).toBe(indeterminateTrust);
  });

  test('that is only a ZIP archive is rejected', () => {
    const zip = writeZip([{ name: 'a.txt', bytes: evil }]);
    expect(() => check(zip)).toThrow(expect.objectContaining({ code: 'container.invalid' }));
  });

  test('without a signature is INDETERMINATE', () => {
    const bare = withFiles(xadesE, { 'META-INF/signatures001.xml': undefined });
    expect(check(bare)).toMatchObject({ indication: 'INDETERMINATE', signatures: [] });
  });

  test('with too many signature files is rejected', () => {
    const many = Array.from({ length: 513 }, (_, i) => fileOf(`META-INF/signatures${i + 10}.xml`));
    const files = many.map(({ name, content }) => [name, content] as const);
    expect(() => check(withFiles(xadesE, Object.fromEntries(files)))).toThrow(
      expect.objectContaining({ code: 'limit.exceeded' }),
    );
  });
});

describe('the mimetype', () => {
  const says = (value: string | undefined) =>
    check(withFiles(xadesS, { mimetype: value === undefined ? undefined : Buffer.from(value) }));
  const finding = (severity: string, message: string) =>
    expect.objectContaining({
      code: 'container.mimetype',
      severity,
      message: expect.stringContaining(message),
    });

  test.each([
    ['missing', undefined, 'mimetype is missing'],
    ['the media type of the data', 'text/plain', 'mimetype is "text/plain"'],
  ])('is reported if it is %s', (_, value, message) => {
    const report = says(value);
    expect(report).toMatchObject({ indication: 'TOTAL-PASSED', format: 'asic-s' });
    expect(report.signatures[0]?.findings).toContainEqual(finding('info', message));
  });

  test.each([
    ['a different format', 'application/pdf', 'names a different format'],
    ['a ZIP archive', 'application/zip', 'names a different format'],
    ['an OpenDocument', 'application/vnd.oasis.opendocument.text', 'manifest.xml'],
    ['a BDOC', 'application/vnd.bdoc-1.0', 'manifest.xml'],
  ])('of %s makes the container INDETERMINATE', (_, value, message) => {
    const report = says(value);
    expect(verdictOf(report)).toBe(indeterminateTrust);
    expect(report.coverage).toBe('none');
    expect(report.signatures[0]?.findings).toContainEqual(finding('error', message));
  });
});
