import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openFakeCli } from './support/fake-cli.ts';
import { realToolkit } from './support/fake-xml.ts';

const files = {
  'in/a.xml': '<a/>',
  'in/a.pdf': 'no matter what',
  'in/sub/n.txt': 'notes',
  'in/.hidden': 'left out',
  'in/old.asice': 'left out too',
  'z.zip': Buffer.concat([Buffer.from('PK\x05\x06'), Buffer.alloc(18)]).toString('latin1'),
};
const setup = realToolkit();

function open() {
  const cli = openFakeCli(files);
  const run = (...args: readonly string[]) => cli.run(args, setup);
  const seal = (...args: readonly string[]) => run('seal-xml', ...args, '--level', 'b-b');
  const bytes = (name: string) => readFileSync(join(cli.folder, name));
  const check = async (name: string) => {
    const { stdout } = await run('verify', name, '--json');
    const { report } = JSON.parse(stdout).documents[0];
    return { indication: report.indication, count: report.signatures.length, files: report.files };
  };
  return { cli, run, seal, bytes, check };
}

describe('an additional signature in a container', () => {
  test.each([
    ['asic-e', [], 'box.asice'],
    ['asic-e', ['--cades'], 'box.asice'],
    ['asic-s', [], 'box.asics'],
  ])('%s %j is added to a copy and in place', async (kind, form, box) => {
    const { seal, check, bytes } = open();
    await seal('in/a.xml', '--container', kind, ...form, '-o', box);
    const before = bytes(box);
    const beside = await seal(box);
    const second = box.replace('.', '.sealed.');
    expect(beside).toMatchObject({ exitCode: 0, stdout: `${second}\n` });
    expect(bytes(box)).toEqual(before);
    expect(await check(second)).toMatchObject({ indication: 'TOTAL-PASSED', count: 2 });
    expect((await seal(box, '--in-place')).exitCode).toBe(0);
    expect((await seal(box, '--in-place', '--container', kind)).exitCode).toBe(0);
    expect(await check(box)).toMatchObject({ indication: 'TOTAL-PASSED', count: 3 });
  });

  test('-o with the name of the input is rejected with a hint to --in-place', async () => {
    const { seal } = open();
    await seal('in/a.xml', '--container', 'asic-e', '-o', 'box.asice');
    const same = await seal('box.asice', '-o', 'box.asice', '--force');
    expect(same.exitCode).toBe(2);
    expect(same.stderr).toContain('--in-place to replace the input');
  });

  test.each([
    [['z.zip'], 7, 'expected XML, found a ZIP archive'],
    [['z.zip', '--in-place', '--container', 'asic-e'], 2, 'expected an existing container'],
    [['box.asice', '--in-place', '--packaging', 'enveloped'], 7, 'expected XML, found a ZIP'],
    [['box.asice', '--in-place', '--container', 'asic-s'], 2, 'already an ASiC-E container'],
  ])('%j is rejected', async (args, exitCode, said) => {
    const { seal, bytes } = open();
    await seal('in/a.xml', '--container', 'asic-e', '-o', 'box.asice');
    const before = bytes('box.asice');
    const found = await seal(...args);
    expect(found.exitCode).toBe(exitCode);
    expect(found.stderr).toContain(said);
    expect(bytes('box.asice')).toEqual(before);
  });
});

describe('a batch of containers', () => {
  const args = ['in', '--out-dir', 'out', '-j1'];
  const names = ['out/a.pdf.asice', 'out/a.xml.asice', 'out/sub/n.txt.asice'];

  test('each file of a folder gets a container of its own', async () => {
    const { run, seal, check } = open();
    const sealed = await seal(...args, '--container', 'asic-e');
    expect(sealed).toMatchObject({ exitCode: 0, stdout: names.map((one) => `${one}\n`).join('') });
    const found = await check('out/sub/n.txt.asice');
    expect(found.files).toEqual([{ name: 'n.txt', lengthBytes: 5, covered: true }]);
    expect((await run('verify', 'out', '-j1', '--whole')).exitCode).toBe(0);
  });

  test.each([
    ['--resume', (_: string) => undefined],
    ['--skip-existing', (_: string) => undefined],
  ])('%s recognises existing results and rejects one of a changed input', async (flag) => {
    const { cli, seal } = open();
    const sealing = [...args, '--container', 'asic-s', '--cades'];
    await seal(...sealing);
    expect((await seal(...sealing, flag)).stderr).toContain('0 sealed, 3 skipped');
    cli.write('in/a.xml', '<other/>');
    const changed = await seal(...sealing, flag);
    expect(changed.exitCode).toBe(3);
    expect(changed.stderr).toContain('out/a.xml.asics exists and does not contain the input');
  });

  test('containers get a second signature and archive time-stamps', async () => {
    const { cli, run, seal, check } = open();
    await seal(...args, '--container', 'asic-e');
    const again = ['out/*.asice', '--out-dir', 'two', '-j1'];
    expect((await seal(...again)).stdout).toBe('two/a.pdf.asice\ntwo/a.xml.asice\n');
    expect(await check('two/a.xml.asice')).toMatchObject({ indication: 'TOTAL-PASSED', count: 2 });
    expect((await seal(...again, '--skip-existing')).stderr).toContain('2 skipped');
    cli.write('two/a.xml.asice', readFileSync(join(cli.folder, 'out/a.xml.asice')));
    const copy = await seal(...again, '--skip-existing');
    expect(copy.stderr).toContain('two/a.xml.asice exists and has no new signature');
    const archive = ['archive', 'out/*.asice', '--out-dir', 'three', '-j1'];
    expect((await run(...archive)).exitCode).toBe(0);
    expect((await run(...archive, '--skip-existing')).stderr).toContain('2 skipped');
    expect((await seal('three/*.asice', '--in-place', '-j1')).exitCode).toBe(0);
  });
});
