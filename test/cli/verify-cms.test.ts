import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { der, oids } from '../../src/formats/asn1/index.ts';
import { joinSignedData, splitSignedData } from '../../src/formats/cms/index.ts';
import { readZip } from '../../src/formats/zip/index.ts';
import { openFakeCli } from './support/fake-cli.ts';
import { realToolkit } from './support/fake-xml.ts';

const setup = realToolkit();

/** A detached signature of `a.xml`, as other programs write it. */
async function open() {
  const cli = openFakeCli({ 'a.xml': '<a/>', 'b.xml': '<b/>' });
  const run = (...args: readonly string[]) => cli.run(args, setup);
  const form = ['--container', 'asic-s', '--cades', '--level', 'b-b'];
  await run('seal-xml', 'a.xml', ...form, '-o', 'box.asics');
  const box = readZip(readFileSync(join(cli.folder, 'box.asics')));
  const signature = box.find('META-INF/signature.p7s')?.read() ?? new Uint8Array();
  writeFileSync(join(cli.folder, 'a.p7s'), signature);
  return { run, folder: cli.folder };
}

test('a detached CMS signature asks for its document and passes with it', async () => {
  const { run } = await open();
  const alone = await run('verify', 'a.p7s');
  expect(alone).toMatchObject({ exitCode: 9 });
  expect(alone.stdout).toMatch(/pass each of them with\s+--detached FILE/);
  const beside = await run('verify', 'a.p7s', '--detached', 'a.xml', '--json');
  expect(JSON.parse(beside.stdout).documents[0].report).toMatchObject({
    format: 'cms',
    enveloping: false,
    coverage: 'full',
    signatures: [{ form: 'cades', level: 'B-B', intact: true }],
  });
  expect(beside.exitCode).not.toBe(7);
});

test('a different document fails, and an additional one is reported as not covered', async () => {
  const { run } = await open();
  expect((await run('verify', 'a.p7s', '--detached', 'b.xml')).exitCode).toBe(7);
  const both = await run('verify', 'a.p7s', '--detached', 'a.xml', '--detached', 'b.xml');
  expect(both.exitCode).toBe(7);
  expect(both.stdout).toContain('no intact signature covers the file "b.xml"');
});

test('verify --extract rejects a CMS signature, and archive rejects one without its document', async () => {
  const { run } = await open();
  const extracted = await run('verify', 'a.p7s', '--detached', 'a.xml', '--extract', 'out');
  expect(extracted).toMatchObject({ exitCode: 2 });
  expect(extracted.stderr).toContain('expected an ASiC container, found a CMS signature');
  const archived = await run('archive', 'a.p7s');
  expect(archived.exitCode).toBe(7);
  expect(archived.stderr).toContain('error[cms.content.missing]');
});

test('a detached CMS signature can be archived with its document, repeatedly', async () => {
  const { run, folder } = await open();
  const made = await run('archive', 'a.p7s', '--detached', 'a.xml');
  expect(made).toMatchObject({ exitCode: 0, stdout: 'a.archived.p7s\n' });
  expect(made.stderr).toContain('Archived a.p7s at CAdES B-LTA');
  const again = await run('archive', 'a.archived.p7s', '--detached', 'a.xml', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ output: 'a.archived-2.p7s', level: 'B-LTA' });
  const verified = await run('verify', 'a.archived-2.p7s', '--detached', 'a.xml', '--json');
  expect(verified.exitCode).toBe(0);
  const [{ report }] = JSON.parse(verified.stdout).documents;
  expect(report.signatures[0]).toMatchObject({ level: 'B-LTA' });
  expect(readFileSync(join(folder, 'a.p7s')).length).toBeLessThan(10_000);
});

test('a batch archives CMS files that contain their content, and --skip-existing verifies results', async () => {
  const { run, folder } = await open();
  const box = readFileSync(join(folder, 'a.p7s'));
  const parts = splitSignedData(box);
  const string = der.octetString(readFileSync(join(folder, 'a.xml')));
  const encapsulated = der.sequence(der.oid(oids.data), der.explicit(0, string));
  mkdirSync(join(folder, 'in'));
  writeFileSync(join(folder, 'in', 'a.p7m'), joinSignedData({ ...parts, encapsulated }));
  writeFileSync(join(folder, 'in', 'b.p7s'), box);
  const looked = JSON.parse((await run('verify', 'in', '--json')).stdout);
  expect(looked.summary).toMatchObject({ total: 2 });
  const first = await run('archive', 'in', '--out-dir', 'out', '--json');
  expect(first.exitCode).toBe(3);
  expect(first.stdout).toContain('cms.content.missing');
  const made = readFileSync(join(folder, 'out', 'a.p7m'));
  const again = await run('archive', 'in/a.p7m', '--out-dir', 'out', '--json', '--skip-existing');
  expect(again.exitCode).toBe(0);
  expect(JSON.parse(again.stdout).summary).toMatchObject({ skipped: 1 });
  expect(readFileSync(join(folder, 'out', 'a.p7m'))).toEqual(made);
  writeFileSync(join(folder, 'out', 'a.p7m'), box);
  const foreign = await run('archive', 'in/a.p7m', '--out-dir', 'out', '--skip-existing');
  expect(foreign.exitCode).toBe(2);
  expect(foreign.stderr).toContain('does not contain the input');
});
