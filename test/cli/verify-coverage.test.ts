import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openFakeCli } from './support/fake-cli.ts';
import { realToolkit } from './support/fake-xml.ts';

const files = {
  'a.xml': '<doc><item Id="i1">x</item></doc>',
  'b.csv': '1;2',
  'c.txt': 'c',
  'x=y.txt': 'sign in the name',
};
const setup = realToolkit();

function open() {
  const cli = openFakeCli(files);
  const run = (...args: readonly string[]) => cli.run(args, setup);
  const seal = (...args: readonly string[]) => run('seal-xml', ...args, '--level', 'b-b');
  const text = (name: string) => readFileSync(join(cli.folder, name), 'utf8');
  return { cli, run, seal, text };
}

describe('verify --whole', () => {
  test.each([
    ['a whole document', [], 0, undefined],
    ['an element', ['--id', 'i1'], 7, 'no valid signature covers the whole document, only a part'],
  ])('decides by the coverage: %s', async (_, args, exitCode, said) => {
    const { run, seal } = open();
    await seal('a.xml', ...args);
    const loose = await run('verify', 'a.sealed.xml');
    expect(loose.exitCode).toBe(0);
    expect(loose.stdout.includes('no valid signature')).toBe(said !== undefined);
    if (said !== undefined) expect(loose.stdout).toContain(`! ${said}`);
    const isLeft = loose.stdout.includes('parts of the document that no reference covers');
    expect(isLeft).toBe(said !== undefined);
    const strict = await run('verify', 'a.sealed.xml', '--whole');
    expect(strict.exitCode).toBe(exitCode);
    const batch = await run('verify', 'a.sealed.xml', '-j1', '--whole');
    expect(batch.exitCode).toBe(exitCode);
    expect(batch.stdout).toContain(exitCode === 0 ? 'TOTAL-PASSED' : 'NOT-WHOLE');
    expect(batch.stderr).toContain(exitCode === 0 ? '✓ 1 checked' : '✗ 1 checked, 1 NOT-WHOLE');
  });

  test('without a valid signature nothing is covered, and one line says so', async () => {
    const { cli, run, seal } = open();
    await seal('a.xml');
    const own = join(setup.env?.['INNSIGLI_HOME'] ?? '', 'trust', 'seal-ec.pem');
    cli.write('other.pem', readFileSync(own, 'utf8').split(/(?<=END.*\n)/)[0] ?? '');
    const args = ['verify', 'a.sealed.xml', '--trust', 'other.pem'];
    const indeterminateTrust = await run(...args);
    expect(indeterminateTrust.exitCode).toBe(9);
    expect(indeterminateTrust.stdout).toContain(
      '! no valid signature covers any part of the document',
    );
    expect((await run(...args, '--whole')).exitCode).toBe(7);
  });
});

describe('verify --detached', () => {
  const sign = ['a.xml', 'b.csv', '--packaging', 'detached', '-o', 's.xml'];
  const beside = ['--detached', 'a.xml', '--detached', 'b.csv'];

  test('a file that no signature covers fails and is named', async () => {
    const { run, seal } = open();
    await seal(...sign);
    expect((await run('verify', 's.xml', ...beside)).exitCode).toBe(0);
    const more = await run('verify', 's.xml', ...beside, '--detached', 'c.txt');
    expect(more.exitCode).toBe(7);
    const said = 'no intact signature covers the file "c.txt"';
    expect(more.stdout.split('\n')[0]).toBe(`✗ ${said} [document.file.uncovered]`);
    const json = await run('verify', 's.xml', ...beside, '--detached', 'c.txt', '--json');
    expect(JSON.parse(json.stdout).findings).toEqual([
      { code: 'document.file.uncovered', severity: 'error', message: said, file: 'c.txt' },
    ]);
  });

  test('a signature that references no external files covers none', async () => {
    const { run, seal } = open();
    await seal('a.xml');
    await seal('b.csv', '--container', 'asic-s');
    for (const name of ['a.sealed.xml', 'b.csv.asics']) {
      expect((await run('verify', name, '--detached', 'b.csv')).exitCode).toBe(7);
    }
  });

  test('two signatures may each cover one of the files', async () => {
    const { run, seal } = open();
    await seal('a.xml', '--packaging', 'detached');
    await seal('b.csv', '--packaging', 'detached');
    const both = await run('verify', 'a.xml.sig.xml', 'b.csv.sig.xml', ...beside);
    expect(both.exitCode).toBe(0);
    expect(both.stdout.match(/Not checked yet:/g)).toHaveLength(1);
  });

  test.each([
    ['a name', 'contract.xml'],
    ['a path', 'docs/of 2026/contract.xml'],
    ['a URI', 'https://example.com/contract.xml'],
  ])('%s can be signed and is passed again to verify', async (_, name) => {
    const { run, seal, text } = open();
    const signed = await seal('--detached', `${name}=a.xml`, '-o', 's.xml');
    expect(signed.exitCode).toBe(0);
    expect(signed.stderr).toContain('=a.xml');
    expect(text('s.xml')).toContain(`URI="${name.replaceAll(' ', '%20')}"`);
    expect((await run('verify', 's.xml', '--detached', `${name}=a.xml`)).exitCode).toBe(0);
    const wrong = await run('verify', 's.xml', '--detached', 'other=a.xml');
    expect(wrong.exitCode).toBe(7);
  });

  test('a file whose name contains = is found by its own name', async () => {
    const { run, seal } = open();
    await seal('x=y.txt', '--packaging', 'detached');
    const found = await run('verify', 'x=y.txt.sig.xml', '--detached', 'x=y.txt');
    expect(found.exitCode).toBe(0);
  });

  test('standard input needs a name', async () => {
    const { cli, run, text } = open();
    const nameless = await run('seal-xml', '-', '--packaging', 'detached');
    expect(nameless.exitCode).toBe(2);
    expect(nameless.stderr).toContain('hint: pass a name: --detached NAME=-');
    expect((await run('verify', 'a.xml', '--detached', '-')).exitCode).toBe(2);
    const args = ['seal-xml', '--detached', 'n.txt=-', '-o', 's.xml', '--level', 'b-b'];
    expect((await cli.run(args, { ...setup, stdin: 'notes' })).exitCode).toBe(0);
    expect(text('s.xml')).toContain('URI="n.txt"');
  });

  test.each([
    [['--detached', 'gone.txt'], 5, 'no such file: gone.txt'],
    [['--detached', 'n=gone.txt'], 5, 'no such file: gone.txt'],
    [['-', '--detached', 'n=-'], 2, 'standard input is a single document'],
    [['--detached', '=b.csv'], 2, 'expected FILE or NAME=FILE'],
    [['--detached', 'b.csv', '--detached', 'b.csv=c.txt'], 2, 'two files have the name "b.csv"'],
  ])('%j is rejected', async (args, exitCode, said) => {
    const { run } = open();
    const found = await run('verify', 'a.xml', ...args);
    expect(found.exitCode).toBe(exitCode);
    expect(found.stderr).toContain(said);
  });
});

describe('verify --extract', () => {
  async function box() {
    const scene = open();
    await scene.seal('a.xml', 'b.csv', '--container', 'asic-e');
    return scene;
  }

  test('writes the covered files', async () => {
    const { cli, run, text } = await box();
    const found = await run('verify', 'a.asice', '--extract', 'out/deep');
    expect(found.exitCode).toBe(0);
    expect(found.stdout).toContain('Extracted 2 files to out/deep:\n  out/deep/a.xml\n');
    expect(text('out/deep/a.xml')).toBe(files['a.xml']);
    expect(text('out/deep/b.csv')).toBe(files['b.csv']);
    const again = await run('verify', 'a.asice', '--extract', 'out/deep');
    expect(again.exitCode).toBe(2);
    expect(again.stderr).toContain('error[usage.output.exists]: the output out/deep/a.xml');
    cli.write('out/deep/b.csv', 'other');
    const forced = await run('verify', 'a.asice', '--extract', 'out/deep', '--force', '--json');
    expect(JSON.parse(forced.stdout).extracted).toEqual(['out/deep/a.xml', 'out/deep/b.csv']);
    expect(text('out/deep/b.csv')).toBe(files['b.csv']);
  });

  test('writes nothing when verification fails, unless forced', async () => {
    const { cli, run } = await box();
    const own = join(setup.env?.['INNSIGLI_HOME'] ?? '', 'trust', 'seal-ec.pem');
    cli.write('other.pem', readFileSync(own, 'utf8').split(/(?<=END.*\n)/)[0] ?? '');
    const args = ['verify', 'a.asice', '--trust', 'other.pem', '--extract', 'out'];
    const indeterminateTrust = await run(...args);
    expect(indeterminateTrust.exitCode).toBe(9);
    expect(indeterminateTrust.stderr).toContain('nothing was extracted');
    expect(existsSync(join(cli.folder, 'out'))).toBe(false);
    expect((await run(...args, '--force')).exitCode).toBe(9);
    expect(existsSync(join(cli.folder, 'out/a.xml'))).toBe(true);
  });

  test.each(['CON', 'a/NUL.txt', 'trail.', '-rf', 'a\u202egpj.exe'])(
    'rejects the name %j',
    async (name) => {
      const { cli, run } = open();
      cli.write(`in/${name}`, 'x');
      const packing = ['seal-xml', '--container', 'asic-e', '--level', 'b-b', '-o', 'x.asice'];
      const packed = await run(...packing, '--', `in/${name}`);
      expect([packed.exitCode, packed.stderr]).toEqual([
        0,
        expect.stringContaining('the file name "'),
      ]);
      const found = await run('verify', 'x.asice', '--extract', 'out');
      expect([found.exitCode, found.stderr]).toEqual([
        7,
        expect.stringContaining('container.invalid'),
      ]);
      const there = existsSync(join(cli.folder, 'out')) ? readdirSync(join(cli.folder, 'out')) : [];
      expect(there).toEqual([]);
    },
  );

  test('never writes through a link in the folder', async () => {
    const { cli, run, seal } = open();
    cli.write('elsewhere/keep', '');
    mkdirSync(join(cli.folder, 'out'));
    symlinkSync('../elsewhere/target', join(cli.folder, 'out/b.csv'));
    await seal('b.csv', '--container', 'asic-e', '-o', 'x.asice');
    const found = await run('verify', 'x.asice', '--extract', 'out', '--force');
    expect(found.exitCode).toBe(1);
    expect(found.stderr).toContain('error[io.link]');
    expect(existsSync(join(cli.folder, 'elsewhere/target'))).toBe(false);
  });

  test.each([
    [['a.xml', '--extract', 'out'], 'expected an ASiC container, found XML'],
    [['a.xml', 'b.csv', '--extract', 'out'], 'expected one container, found several'],
    [['a.xml', '-j1', '--extract', 'out'], 'expected one container, found several'],
  ])('%j is a usage error', async (args, said) => {
    const { run, seal } = open();
    await seal('a.xml', '--in-place');
    const found = await run('verify', ...args);
    expect(found.exitCode).toBe(2);
    expect(found.stderr).toContain(said);
  });
});
