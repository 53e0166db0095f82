import { describe, expect, test } from 'vitest';
import { augmentContainer } from '../../../src/app/documents/container/augment-container.ts';
import { sealContainer } from '../../../src/app/documents/container/seal-container.ts';
import { buildAsicManifest } from '../../../src/formats/asic/index.ts';
import { digestUri } from '../../../src/formats/xmldsig/index.ts';
import { digestOf } from '../../../src/trust/signature.ts';
import {
  containerBy,
  containerPorts,
  filesOf,
  judgeContainer,
  withFiles,
} from '../../support/containers.ts';
import { dayMs, tokenBy } from '../../support/hand-signed.ts';
import { makeTestPki } from '../../support/pki.ts';

const pki = makeTestPki();
const ports = containerPorts(pki);
const longTerm = await containerBy(pki, { format: 'cades', level: 'B-LT' });
const archived = await containerBy(pki, { format: 'cades', level: 'B-LTA' });
const meta = (name: string) => `META-INF/${name}`;

/** The container with an archive time-stamp over all of it, under file names of other producers. */
function stamped(container: Uint8Array, manifestName: string, stampName: string, daysAgo = 1) {
  const files = filesOf(container).filter(({ name }) => name !== 'mimetype');
  const manifest = buildAsicManifest({
    signature: { name: meta(stampName), mimeType: 'application/vnd.etsi.timestamp-token' },
    dataObjects: files.map(({ name, bytes }) => ({
      name,
      mimeType: undefined,
      digestMethod: digestUri('sha256'),
      digestValue: digestOf('sha256', bytes),
    })),
  });
  const token = tokenBy(pki, pki.member('tsa'), pki.nowMs - daysAgo * dayMs)(manifest);
  return withFiles(container, { [meta(manifestName)]: manifest, [meta(stampName)]: token });
}

const stampFile = meta('timestamp001.tst');
const containers: Readonly<Record<string, Uint8Array>> = {
  'a time-stamp without number': stamped(longTerm, 'ASiCArchiveManifest.xml', 'timestamp.tst'),
  'other words': stamped(longTerm, 'my-ASiCArchiveManifest-a.xml', 'archive-timestamp.tst'),
  'a chain whose newest manifest has the number': stamped(
    stamped(longTerm, 'ASiCArchiveManifest.xml', 'timestamp001.tst', 2),
    'ASiCArchiveManifest001.xml',
    'timestamp002.tst',
  ),
  'a manifest without its time-stamp': withFiles(archived, { [stampFile]: undefined }),
  'a time-stamp that was renamed': withFiles(archived, { [stampFile]: meta('timestamp7.tst') }),
};

describe('archive time-stamps under file names of other writers', () => {
  test.each(Object.entries(containers))(
    '%s: the container is archived, and renewed',
    async (_, container) => {
      let bytes = container;
      for (let round = 0; round < 2; round++) {
        const made = await augmentContainer(bytes, ports);
        expect(made.report.indication).toBe('TOTAL-PASSED');
        expect(made.report.signatures[0]?.level).toBe('B-LTA');
        const passed = made.report.signatures.filter((one) => one.indication === 'TOTAL-PASSED');
        const before = judgeContainer(pki, bytes).signatures.filter(
          (one) => one.indication === 'TOTAL-PASSED',
        );
        expect(passed).toHaveLength(before.length + 1);
        bytes = made.bytes;
      }
    },
  );

  test('file names in another letter case leave the container INDETERMINATE, archived or not', async () => {
    const container = stamped(longTerm, 'asicarchivemanifest.xml', 'TIMESTAMP1.TST');
    const { report } = await augmentContainer(container, ports);
    for (const { signatures } of [judgeContainer(pki, container), report]) {
      expect(signatures[0]?.indication).toBe('INDETERMINATE');
      expect(signatures[0]?.findings.map(({ code }) => code)).toContain('container.file.letters');
    }
  });

  test('a missing time-stamp file is reported', async () => {
    const gone = withFiles(archived, { [stampFile]: undefined });
    expect(judgeContainer(pki, gone).signatures[0]?.findings).toContainEqual({
      code: 'container.manifest.orphan',
      severity: 'warning',
      message: `META-INF/ASiCArchiveManifest.xml is for "${stampFile}", which is missing`,
    });
    const { warnings } = await augmentContainer(gone, ports);
    expect(warnings).toEqual([expect.stringContaining('which is missing')]);
  });

  test('a new signature does not reuse a file name that an orphaned manifest references', async () => {
    const gone = withFiles(longTerm, {
      'META-INF/signature001.p7s': undefined,
      'META-INF/ASiCManifest001.xml': 'META-INF/ASiCManifest.xml',
    });
    const other = stamped(gone, 'ASiCArchiveManifest.xml', 'timestamp.tst');
    const request = { container: 'asic-e', format: 'cades', level: 'B-B' } as const;
    const files = [{ name: 'x', content: other }];
    const made = await sealContainer({ ...request, files }, ports);
    expect(made.report.signatures.at(-1)?.file).toBe('META-INF/signature002.p7s');
  });
});
