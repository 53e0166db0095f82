import { describe, expect, test } from 'vitest';
import {
  type SealContainerRequest,
  sealContainer,
} from '../../../src/app/documents/container/seal-container.ts';
import { buildAsic } from '../../../src/formats/asic/index.ts';
import { readZip, writeZip } from '../../../src/formats/zip/index.ts';
import {
  containerBy,
  containerPorts,
  contentOf,
  fileOf,
  filesOf,
  judgeContainer,
  withFiles,
} from '../../support/containers.ts';
import { makeTestPki } from '../../support/pki.ts';
import { sampleOf } from '../../support/sample.ts';

const pki = makeTestPki();
const kinds = ['asic-s', 'asic-e'] as const;
const forms = ['xades', 'cades'] as const;
const levels = ['B-B', 'B-T', 'B-LT', 'B-LTA'] as const;

const everyContainer = sampleOf(
  kinds.flatMap((container) =>
    forms.flatMap((format) => levels.map((level) => ({ container, format, level }))),
  ),
  5,
);

const namesOf = (bytes: Uint8Array) => readZip(bytes).entries.map(({ name }) => name);

describe('a new container', () => {
  test.each(everyContainer)(
    'has a valid signature: $container with $format at $level',
    async (options) => {
      for (const member of [pki.member('signer'), pki.member('rsa')]) {
        const bytes = await containerBy(pki, options, containerPorts(pki, member));
        const report = judgeContainer(pki, bytes);
        expect(report).toMatchObject({ format: options.container, indication: 'TOTAL-PASSED' });
        expect(report.signatures[0]).toMatchObject({
          kind: 'signature',
          form: options.format,
          level: options.level,
          trusted: true,
        });
        expect(report.files.every(({ covered }) => covered)).toBe(true);
      }
    },
  );

  test.each([
    ['asic-s', 'xades', ['mimetype', 'a.txt', 'META-INF/signatures.xml']],
    ['asic-s', 'cades', ['mimetype', 'a.txt', 'META-INF/signature.p7s']],
    [
      'asic-e',
      'xades',
      ['mimetype', 'a.txt', 'd/é b.xml', 'META-INF/manifest.xml', 'META-INF/signatures001.xml'],
    ],
    [
      'asic-e',
      'cades',
      [
        'mimetype',
        'a.txt',
        'd/é b.xml',
        'META-INF/ASiCManifest001.xml',
        'META-INF/signature001.p7s',
      ],
    ],
  ] as const)('%s with %s contains these files', async (container, format, names) => {
    const bytes = await containerBy(pki, { container, format });
    expect(namesOf(bytes)).toEqual(names);
    const [first] = readZip(bytes).entries;
    expect(first).toMatchObject({ method: 'stored', extraBytes: 0 });
    expect(Buffer.from(contentOf(bytes, 'a.txt')).toString()).toBe('content of a.txt\n');
  });

  test.each(kinds.flatMap((container) => forms.map((format) => ({ container, format }))))(
    '$container with $format is byte-identical each time',
    async (options) => {
      const member = pki.member('rsa');
      const once = await containerBy(pki, options, containerPorts(pki, member));
      const again = await containerBy(pki, options, containerPorts(pki, member));
      expect(Buffer.compare(once, again)).toBe(0);
    },
  );

  test('has the time of the clock, in UTC', async () => {
    const nowMs = Date.UTC(2026, 4, 6, 7, 8, 10);
    const late = makeTestPki({ nowMs });
    const bytes = await containerBy(late, {}, containerPorts(late));
    for (const { record } of readZip(bytes).entries) {
      expect(record.dosTime).toBe(
        ((46 << 9) | (5 << 5) | 6) * 0x10000 + ((7 << 11) | (8 << 5) | 5),
      );
    }
  });

  test('stores files uncompressed that deflating would not shrink', async () => {
    const noise = Uint8Array.from(
      { length: 300_000 },
      (_, i) => (Math.imul(i, i * 7919) >>> 9) & 255,
    );
    const piece = containerPorts(pki).random(32);
    const content = Buffer.concat(
      Array.from({ length: 9_400 }, (_, i) => piece.map((b) => b ^ (i & 255))),
    );
    const bytes = await containerBy(pki, {
      container: 'asic-s',
      files: [{ name: 'n', content: noise }],
    });
    expect(Buffer.compare(contentOf(bytes, 'n'), noise)).toBe(0);
    const repeated = await containerBy(pki, {
      container: 'asic-s',
      files: [{ name: 'n', content }],
    });
    expect(readZip(repeated).find('n')?.method).toBe('deflated');
  });

  test('carries the claimed roles', async () => {
    const request = { roles: ['director'], place: { city: 'Reykjavík', country: 'IS' } };
    const report = judgeContainer(pki, await containerBy(pki, request));
    expect(report.signatures[0]).toMatchObject({ roles: ['director'] });
  });

  const wrong: readonly [string, Partial<SealContainerRequest>][] = [
    ['no file', { files: [] }],
    ['two files in asic-s', { container: 'asic-s', files: [fileOf('a'), fileOf('b')] }],
    ['a folder in asic-s', { container: 'asic-s', files: [fileOf('d/a')] }],
    ['names that differ only in case', { files: [fileOf('a'), fileOf('A')] }],
    ['an absolute name', { files: [fileOf('/a')] }],
    ['a name with dot segments', { files: [fileOf('../a')] }],
    ['a folder name', { files: [fileOf('a/')] }],
    ['a control character', { files: [fileOf('a\u0007')] }],
    ['the name mimetype', { files: [fileOf('mimetype')] }],
    ['a name in META-INF', { files: [fileOf('meta-inf/x')] }],
    ['claims with CAdES', { format: 'cades', roles: ['director'] }],
  ];

  test.each(wrong)('is refused for %s', async (_, changes) => {
    await expect(containerBy(pki, changes)).rejects.toMatchObject({ code: 'usage.invalid' });
  });

  test('can contain a ZIP archive as its data file', async () => {
    const zip = { name: 'x.zip', content: writeZip([{ name: 'a', bytes: Buffer.from('a') }]) };
    const bytes = await containerBy(pki, { files: [zip] });
    expect(judgeContainer(pki, bytes).files).toMatchObject([{ name: 'x.zip', covered: true }]);
  });
});

describe('a further signature', () => {
  const member = pki.member('p384');

  test.each(everyContainer)('leaves $container with $format at $level intact', async (options) => {
    const before = await containerBy(pki, options);
    const files = [{ name: 'x.asice', content: before }];
    const { bytes, report, warnings } = await sealContainer(
      { ...options, files },
      containerPorts(pki, member),
    );
    expect(warnings).toEqual([]);
    const signatures = report.signatures.filter(({ kind }) => kind === 'signature');
    expect(report.indication).toBe('TOTAL-PASSED');
    expect(signatures.map(({ level }) => level)).toEqual([options.level, options.level]);
    expect(signatures[1]).toMatchObject({ algorithm: 'ecdsa sha384' });
    const signatureFile = signatures[1]?.file;
    for (const { name, bytes: content } of filesOf(before)) {
      if (name === signatureFile || name.startsWith('META-INF/ASiCArchive')) continue;
      expect(Buffer.compare(contentOf(bytes, name), content), name).toBe(0);
    }
    expect(judgeContainer(pki, bytes)).toEqual(report);
  });

  test('has the format of the existing ones', async () => {
    const before = await containerBy(pki, { format: 'cades' });
    const files = [{ name: 'x', content: before }];
    const request = { files, container: 'asic-e', format: 'xades', level: 'B-B' } as const;
    const sealed = await sealContainer(request, containerPorts(pki));
    expect(sealed.report.signatures.at(-1)?.file).toBe('META-INF/signature002.p7s');
    expect(sealed.warnings).toEqual([
      'the new signature has the format of the existing ones: cades',
    ]);
  });

  test('comes with a warning about an existing one that is not intact', async () => {
    const before = withFiles(await containerBy(pki), { 'a.txt': Buffer.from('changed') });
    const files = [{ name: 'x', content: before }];
    const request = { files, container: 'asic-e', format: 'xades', level: 'B-B' } as const;
    const sealed = await sealContainer(request, containerPorts(pki));
    expect(sealed.warnings[0]).toMatch(/META-INF\/signatures001\.xml was not intact/);
    expect(sealed.report.signatures.map(({ intact }) => intact)).toEqual([false, true]);
  });

  test('excludes signatures below B-LT from its archive time-stamp', async () => {
    const before = await containerBy(pki, { format: 'cades', level: 'B-T' });
    const files = [{ name: 'x', content: before }];
    const request = { files, container: 'asic-e', format: 'cades', level: 'B-LTA' } as const;
    const { bytes } = await sealContainer(request, containerPorts(pki, member));
    const manifest = Buffer.from(contentOf(bytes, 'META-INF/ASiCArchiveManifest.xml')).toString();
    expect(manifest).toContain('signature002.p7s');
    expect(manifest).not.toContain('signature001.p7s');
  });

  test('is added to a container without signatures', async () => {
    for (const container of kinds) {
      const dataFiles = [{ name: 'a.txt', bytes: Buffer.from('a') }];
      const files = [
        { name: 'x', content: buildAsic({ kind: container, dataFiles, metaFiles: [] }) },
      ];
      const request = { files, container, format: 'cades', level: 'B-B' } as const;
      const { report } = await sealContainer(request, containerPorts(pki));
      expect(report).toMatchObject({ indication: 'TOTAL-PASSED', files: [{ name: 'a.txt' }] });
    }
  });

  test.each([
    ['another kind', 'usage.invalid', (bytes: Uint8Array) => bytes, 'asic-s'],
    [
      'two data files in an ASiC-S',
      'container.invalid',
      (bytes: Uint8Array) =>
        withFiles(bytes, { mimetype: Buffer.from('application/vnd.etsi.asic-s+zip') }),
      'asic-s',
    ],
    [
      'bytes after it',
      'container.invalid',
      (bytes: Uint8Array) => Buffer.concat([bytes, bytes]),
      'asic-e',
    ],
  ] as const)('is refused for %s', async (_, code, edit, container) => {
    const content = edit(await containerBy(pki));
    const request = {
      files: [{ name: 'x', content }],
      container,
      format: 'xades',
      level: 'B-B',
    } as const;
    await expect(sealContainer(request, containerPorts(pki))).rejects.toMatchObject({ code });
  });
});

describe('sealing fails', () => {
  test.each([
    ['B-T', { authority: undefined }, 'tsa.missing'],
    ['B-LT', { revocation: undefined }, 'revocation.missing'],
    ['B-LT', { anchors: [] }, 'certificate.untrusted'],
  ] as const)('at %s with %o', async (level, changes, code) => {
    for (const format of forms) {
      const ports = { ...containerPorts(pki), ...changes };
      // Without anchors no time-stamp is trusted either.
      await expect(containerBy(pki, { format, level }, ports)).rejects.toMatchObject({ code });
    }
  });

  test('at B-LT without revocation data, with a hint to a lower level', async () => {
    const silent = { find: async () => ({ ocsp: [], crls: [] }) };
    const ports = { ...containerPorts(pki), revocation: silent };
    for (const format of forms) {
      await expect(containerBy(pki, { format, level: 'B-LT' }, ports)).rejects.toMatchObject({
        code: 'revocation.missing',
        hint: expect.stringMatching(/--validation-data FILE; a seal at B-T needs none$/),
      });
    }
  });

  test.each(['expired', 'wrongUsage'] as const)(
    'if the certificate of the signer is invalid: %s',
    async (name) => {
      for (const format of forms) {
        const ports = containerPorts(pki, pki.member(name));
        await expect(containerBy(pki, { format }, ports)).rejects.toMatchObject({
          code: expect.stringMatching(/^key\./),
        });
      }
    },
  );

  test.each(forms)('if the key does not match the certificate: %s', async (format) => {
    const ports = containerPorts(pki);
    const other = containerPorts(pki, pki.member('revoked')).signer;
    const signer = { ...ports.signer, sign: (data: Uint8Array) => other.sign(data) };
    await expect(containerBy(pki, { format }, { ...ports, signer })).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:seal\.selfcheck|key\.sign)\.failed$/),
    });
  });
});
