import { describe, expect, test } from 'vitest';
import { containerBy, fileOf, judgeContainer, withFiles, withText } from '../support/containers.ts';
import { makeTestPki } from '../support/pki.ts';

// A file added to META-INF is no data of the format, but other programs may take it for data.

const pki = makeTestPki();
const kinds = (['asic-s', 'asic-e'] as const).flatMap((container) =>
  (['xades', 'cades'] as const).map((format) => ({ container, format })),
);
const names = [
  'META-INF/invoice.xml',
  'META-INF/sub/contract.pdf',
  'META-INF/Readme.txt',
  'META-INF/mimetype',
  'META-INF/data/a.txt',
  'META-INF/relations/rel.xml',
];

describe.each(kinds)('$container with $format', (kind) => {
  const made = containerBy(pki, { ...kind, level: 'B-LT' });
  const codesOf = ({ signatures }: ReturnType<typeof judgeContainer>) =>
    signatures.flatMap(({ findings }) => findings.map(({ code }) => code));

  test('is covered in full', async () => {
    const report = judgeContainer(pki, await made);
    expect(report).toMatchObject({ indication: 'TOTAL-PASSED', coverage: 'full' });
    expect(codesOf(report)).not.toContain('container.file.unknown');
    expect(report.files.every(({ covered }) => covered)).toBe(true);
  });

  // EN 319 162-1 §4.3.1: a container holds files and signatures over them.
  test('without its files has no signed data, and fails', async () => {
    const { files } = judgeContainer(pki, await made);
    const gone = Object.fromEntries(files.map(({ name }) => [name, undefined]));
    const report = judgeContainer(pki, withFiles(await made, gone));
    expect(report).toMatchObject({ indication: 'TOTAL-FAILED', coverage: 'none' });
    expect(codesOf(report)).toContain('container.data.none');
  });

  test.each(names)('plus the unsigned file %s is covered partially', async (name) => {
    const { content } = fileOf(name, '<Amount>999</Amount>');
    const report = judgeContainer(pki, withFiles(await made, { [name]: content }));
    expect(report).toMatchObject({ indication: 'TOTAL-PASSED', coverage: 'partial' });
    expect(codesOf(report)).toContain('container.file.unknown');
    expect(report.files).toContainEqual(expect.objectContaining({ name, covered: false }));
  });
});

// ODF 1.2 part 3 §3.2: the manifest of such a package lists its files.
test('an ASiC-E with XAdES and without manifest.xml is INDETERMINATE', async () => {
  const made = await containerBy(pki, { container: 'asic-e', format: 'xades', level: 'B-LT' });
  const report = judgeContainer(pki, withFiles(made, { 'META-INF/manifest.xml': undefined }));
  expect(report).toMatchObject({
    indication: 'INDETERMINATE',
    signatures: [{ subIndication: 'FORMAT_FAILURE', intact: true }],
  });
});

// Case-sensitive programs, and programs that read only META-INF, find no manifest or signature
// there.
test.each([
  ['META-INF/ASiCManifest001.xml', 'META-INF/asicmanifest001.xml', 'cades'],
  // Its name ends like an XML signature's, and case-sensitive programs take it for one.
  ['META-INF/ASiCManifest001.xml', 'META-INF/asicmanifest-signatures.xml', 'cades'],
  ['META-INF/signature001.p7s', 'META-INF/Signature001.p7s', 'cades'],
  ['META-INF/signatures001.xml', 'META-INF/SIGNATURES001.XML', 'xades'],
  ['META-INF/signatures001.xml', 'META-INF/signatures/signatures001.xml', 'xades'],
  ['META-INF/signature001.p7s', 'META-INF/x/y/signature001.p7s', 'cades'],
  ['META-INF/signatures001.xml', 'META-INF/signature.xml', 'xades'],
  ['META-INF/signatures001.xml', 'META-INF/xades.xml.bak', 'xades'],
  ['META-INF/signature001.p7s', 'META-INF/sign.p7s', 'cades'],
  ['META-INF/signature001.p7s', 'META-INF/signature001.P7M', 'cades'],
  ['META-INF/ASiCManifest001.xml', 'META-INF/x/ASiCManifest001.xml', 'cades'],
] as const)(
  'renaming %s to %s is detected, and leaves the signature INDETERMINATE',
  async (from, to, format) => {
    const made = await containerBy(pki, { container: 'asic-e', format, level: 'B-LT' });
    const changed = withFiles(made, { [from]: to });
    const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');
    const named = from.endsWith('.p7s')
      ? withText(changed, 'META-INF/ASiCManifest001.xml', (all) => all.replace(from, to))
      : changed;
    expect(text(named)).toContain(to);
    const report = judgeContainer(pki, named);
    expect(report.indication).not.toBe('TOTAL-PASSED');
    expect(report.signatures).toHaveLength(1);
    expect(report.signatures[0]?.findings.map(({ code }) => code)).toContain(
      'container.file.letters',
    );
  },
);
