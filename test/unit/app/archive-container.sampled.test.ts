import { describe, expect, test } from 'vitest';
import { augmentContainer } from '../../../src/app/documents/container/augment-container.ts';
import { sealContainer } from '../../../src/app/documents/container/seal-container.ts';
import { buildAsic } from '../../../src/formats/asic/index.ts';
import type { ContainerVerificationReport } from '../../../src/verify/report/report.ts';
import {
  containerBy,
  containerPorts,
  contentOf,
  fileOf,
  filesOf,
  judgeContainer,
  withFiles,
} from '../../support/containers.ts';
import { dayMs, tokenBy } from '../../support/hand-signed.ts';
import { makeTestPki } from '../../support/pki.ts';
import { sampleOf } from '../../support/sample.ts';

const pki = makeTestPki();
const ports = containerPorts(pki);
const kinds = ['asic-s', 'asic-e'] as const;
const forms = ['xades', 'cades'] as const;
const levels = ['B-B', 'B-T', 'B-LT', 'B-LTA'] as const;
const everyContainer = sampleOf(
  kinds.flatMap((container) =>
    forms.flatMap((format) => levels.map((level) => ({ container, format, level }))),
  ),
  5,
);

const levelsOf = (bytes: Uint8Array) =>
  judgeContainer(pki, bytes).signatures.flatMap(({ kind, level }) =>
    kind === 'signature' ? [level] : [],
  );

const archiveStamps = ({ signatures }: ContainerVerificationReport) =>
  signatures.filter(({ kind }) => kind === 'document-timestamp').length +
  signatures.flatMap(({ timestamps }) => timestamps.filter(({ covers }) => covers === 'archive'))
    .length;

describe('augmentContainer', () => {
  test.each(everyContainer)(
    'augments $container with $format at $level to B-LTA, and renews it',
    async (options) => {
      let bytes = await containerBy(pki, options);
      for (const round of [0, 1, 2]) {
        const archived = await augmentContainer(bytes, ports);
        expect(archived).toMatchObject({ level: 'B-LTA', warnings: [] });
        expect(archiveStamps(archived.report)).toBe(round + (options.level === 'B-LTA' ? 2 : 1));
        expect(archived.report.indication).toBe('TOTAL-PASSED');
        expect(levelsOf(archived.bytes)).toEqual(['B-LTA']);
        expect(judgeContainer(pki, archived.bytes)).toEqual(archived.report);
        for (const name of ['a.txt', 'mimetype']) {
          expect(Buffer.compare(contentOf(archived.bytes, name), contentOf(bytes, name))).toBe(0);
        }
        bytes = archived.bytes;
      }
    },
  );

  test.each(kinds.flatMap((container) => forms.map((format) => ({ container, format }))))(
    'augments every signature of $container with $format to B-LTA',
    async (options) => {
      const first = await containerBy(pki, { ...options, level: 'B-T' });
      const second = await sealContainer(
        { ...options, files: [{ name: 'x', content: first }], level: 'B-LTA' },
        containerPorts(pki, pki.member('rsa')),
      );
      expect(levelsOf(second.bytes)[1]).toBe('B-LTA');
      const { bytes } = await augmentContainer(second.bytes, ports);
      expect(levelsOf(bytes)).toEqual(['B-LTA', 'B-LTA']);
    },
  );

  test('leaves a signature file covered by an archive time-stamp unchanged', async () => {
    const before = await containerBy(pki, { format: 'cades', level: 'B-LTA' });
    const { bytes } = await augmentContainer(before, ports);
    const after = new Map(filesOf(bytes).map((file) => [file.name, file.bytes]));
    for (const { name, bytes: content } of filesOf(before)) {
      if (/timestamp001|ArchiveManifest/.test(name)) continue;
      expect(Buffer.compare(after.get(name) ?? Buffer.of(), content), name).toBe(0);
    }
    const { bytes: manifest = Buffer.of() } =
      filesOf(before).find(({ name }) => name.includes('ArchiveManifest')) ?? {};
    expect(after.get('META-INF/ASiCArchiveManifest001.xml')).toEqual(manifest);
  });

  test('renews a time-stamp assertion without a signature', async () => {
    const data = fileOf('a.txt');
    const token = tokenBy(pki, pki.member('tsa'), pki.nowMs - dayMs);
    let bytes = buildAsic({
      kind: 'asic-s',
      dataFiles: [{ name: data.name, bytes: data.content }],
      metaFiles: [{ name: 'META-INF/timestamp.tst', bytes: token(data.content) }],
    });
    for (const count of [2, 3]) {
      const archived = await augmentContainer(bytes, ports);
      expect(archived.report).toMatchObject({ indication: 'TOTAL-PASSED', format: 'asic-s' });
      expect(archived.report.signatures).toHaveLength(count);
      bytes = archived.bytes;
    }
  });

  test('skips a signature that is not intact, with a warning', async () => {
    const first = await containerBy(pki);
    const edited = withFiles(first, { 'a.txt': Buffer.from('changed\n') });
    const request = { container: 'asic-e', format: 'xades', level: 'B-B' } as const;
    const second = await sealContainer(
      { ...request, files: [{ name: 'x', content: edited }] },
      ports,
    );
    const archived = await augmentContainer(second.bytes, ports);
    expect(archived.warnings[0]).toContain('META-INF/signatures001.xml was not intact');
    expect(levelsOf(archived.bytes)).toEqual([undefined, 'B-LTA']);
  });

  test('refuses a container in which no signature is intact', async () => {
    for (const format of forms) {
      const edited = withFiles(await containerBy(pki, { format }), { 'a.txt': Buffer.from('x') });
      await expect(augmentContainer(edited, ports)).rejects.toMatchObject({
        code: 'container.signature.none',
      });
    }
  });

  test.each([
    [{ authority: undefined }, 'tsa.missing'],
    [{ revocation: undefined }, 'revocation.missing'],
  ])('fails if the options contain %o', async (changes, code) => {
    for (const { container, format } of everyContainer) {
      const bytes = await containerBy(pki, { container, format });
      await expect(augmentContainer(bytes, { ...ports, ...changes })).rejects.toMatchObject({
        code,
      });
    }
  });
});
