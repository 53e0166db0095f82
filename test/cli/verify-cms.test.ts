import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readZip } from '../../src/formats/zip/index.ts';
import { openFakeCli } from './support/fake-cli.ts';
import { realToolkit } from './support/fake-xml.ts';

const setup = realToolkit();

/** A signature beside `a.xml`, as others would write it. */
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

test('a detached CMS signature needs its document, and says so', async () => {
  const { run } = await open();
  const alone = await run('verify', 'a.p7s');
  expect(alone).toMatchObject({ exitCode: 9 });
  expect(alone.stdout).toMatch(/give each of them with\s+--detached FILE/);
  const beside = await run('verify', 'a.p7s', '--detached', 'a.xml', '--json');
  expect(JSON.parse(beside.stdout).documents[0].report).toMatchObject({
    format: 'cms',
    enveloping: false,
    coverage: 'full',
    signatures: [{ form: 'cades', level: 'B-B', intact: true }],
  });
  expect(beside.exitCode).not.toBe(7);
});

test('another document is not what was signed, and a second one is not covered', async () => {
  const { run } = await open();
  expect((await run('verify', 'a.p7s', '--detached', 'b.xml')).exitCode).toBe(7);
  const both = await run('verify', 'a.p7s', '--detached', 'a.xml', '--detached', 'b.xml');
  expect(both.exitCode).toBe(7);
  expect(both.stdout).toContain('no intact signature covers the file «b.xml»');
});

test('what needs another kind of document is refused by name', async () => {
  const { run } = await open();
  const extracted = await run('verify', 'a.p7s', '--detached', 'a.xml', '--extract', 'out');
  expect(extracted).toMatchObject({ exitCode: 2 });
  expect(extracted.stderr).toContain('expected an ASiC container, found a CMS signature');
  const archived = await run('archive', 'a.p7s');
  expect(archived.exitCode).toBe(2);
  expect(archived.stderr).toContain('found CMS');
});
