import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type FakeCli, openFakeCli } from './support/fake-cli.ts';
import { sealOutcome } from './support/fake-toolkit.ts';

const isRoot = process.getuid?.() === 0;

function bench(): { cli: FakeCli; path: (name: string) => string; read: (name: string) => string } {
  const cli = openFakeCli({ 'a.pdf': '%PDF' });
  const path = (name: string) => join(cli.folder, name);
  return { cli, path, read: (name) => readFileSync(path(name), 'utf8') };
}

describe('the output path', () => {
  test('an existing file is replaced only with --force', async () => {
    const { cli, read } = bench();
    cli.write('out.pdf', 'precious');
    const run = await cli.run(['seal', 'a.pdf', '-o', 'out.pdf'], {
      toolkit: { seal: () => Promise.reject(new Error('no time-stamp may be spent')) },
    });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('error[usage.output.exists]: the output out.pdf already exists');
    expect(read('out.pdf')).toBe('precious');
    const forced = await cli.run(['seal', 'a.pdf', '-o', 'out.pdf', '--force']);
    expect(forced.exitCode).toBe(0);
    expect(read('out.pdf')).toBe('%PDFSEAL');
  });

  test('a file created while sealing is not replaced', async () => {
    const { cli, read } = bench();
    const run = await cli.run(['seal', 'a.pdf', '-o', 'out.pdf'], {
      toolkit: {
        async seal() {
          cli.write('out.pdf', 'from somebody else');
          return sealOutcome();
        },
      },
    });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('error[usage.output.exists]');
    expect(read('out.pdf')).toBe('from somebody else');
    expect(cli.files()).toEqual(['a.pdf', 'out.pdf']);
  });

  const sameFile: Record<string, (cli: FakeCli) => string> = {
    'its name': () => 'a.pdf',
    'another spelling': () => './x/../a.pdf',
    'a symbolic link': (cli) => {
      symlinkSync('a.pdf', join(cli.folder, 'link.pdf'));
      return 'link.pdf';
    },
    'a hard link': (cli) => {
      linkSync(join(cli.folder, 'a.pdf'), join(cli.folder, 'hard.pdf'));
      return 'hard.pdf';
    },
    'a link to its folder': (cli) => {
      symlinkSync('.', join(cli.folder, 'here'));
      return 'here/a.pdf';
    },
  };
  test.each(Object.entries(sameFile))(
    'the input itself, reached by %s, is rejected even with --force',
    async (_, make) => {
      const { cli, read } = bench();
      mkdirSync(join(cli.folder, 'x'));
      const output = make(cli);
      const run = await cli.run(['seal', 'a.pdf', '-o', output, '--force']);
      expect(run.exitCode).toBe(2);
      expect(run.stderr).toContain('error[usage.output.same]');
      expect(read('a.pdf')).toBe('%PDF');
    },
  );

  test('a PDF is not written to a terminal', async () => {
    const { cli } = bench();
    const run = await cli.run(['seal', 'a.pdf', '-o', '-'], { terminals: ['stdout'] });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('error[usage.output.terminal]');
  });

  test('--force writes to the target of a link and keeps the link', async () => {
    const { cli, path, read } = bench();
    cli.write('real.pdf', 'old');
    symlinkSync('real.pdf', path('link.pdf'));
    expect((await cli.run(['seal', 'a.pdf', '-o', 'link.pdf', '-f'])).exitCode).toBe(0);
    expect(readlinkSync(path('link.pdf'))).toBe('real.pdf');
    expect(read('real.pdf')).toBe('%PDFSEAL');
  });

  test('a dangling link counts as an existing file', async () => {
    const { cli, path } = bench();
    symlinkSync('nowhere', path('link.pdf'));
    const run = await cli.run(['seal', 'a.pdf', '-o', 'link.pdf']);
    expect(run.stderr).toContain('error[usage.output.exists]');
  });

  test.each([
    ['missing/out.pdf', 'the folder of the output does not exist'],
    ['folder', 'expected a file, found a folder'],
    ['a.pdf/out.pdf', 'cannot be written: part of its path is not a folder (ENOTDIR)'],
  ])('%s is rejected as unwritable', async (output, message) => {
    const { cli } = bench();
    mkdirSync(join(cli.folder, 'folder'));
    const run = await cli.run(['seal', 'a.pdf', '-o', output]);
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain('error[io.output.unwritable]');
    expect(run.stderr).toContain(message);
  });

  test.skipIf(isRoot)(
    'a read-only folder is rejected (skipped as root, who may write everywhere)',
    async () => {
      const { cli } = bench();
      mkdirSync(join(cli.folder, 'closed'), { mode: 0o555 });
      const run = await cli.run(['seal', 'a.pdf', '-o', 'closed/out.pdf']);
      expect(run.stderr).toContain('permission denied');
    },
  );

  test('a device is written to and never replaced', async () => {
    const { cli } = bench();
    const run = await cli.run(['seal', 'a.pdf', '-o', '/dev/null', '--force']);
    expect(run.exitCode).toBe(0);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  test('a new file gets mode 0644 less the umask; --in-place keeps the mode', async () => {
    const { cli, path, read } = bench();
    await cli.run(['seal', 'a.pdf']);
    expect(statSync(path('a.sealed.pdf')).mode & 0o777).toBe(0o644 & ~process.umask());
    chmodSync(path('a.pdf'), 0o600);
    const run = await cli.run(['archive', 'a.pdf', '--in-place']);
    expect(run.stdout).toBe('a.pdf\n');
    expect(read('a.pdf')).toBe('%PDFSEAL');
    expect(statSync(path('a.pdf')).mode & 0o777).toBe(0o600);
  });

  test('a failed write leaves no output and does not touch a file with the temporary name', async () => {
    const { cli, path, read } = bench();
    const taken = `.out.pdf.${'07'.repeat(6)}.tmp`;
    writeFileSync(path(taken), 'somebody else');
    const run = await cli.run(['seal', 'a.pdf', '-o', 'out.pdf']);
    expect(run.stderr).toContain(
      'error[io.output.unwritable]: out.pdf cannot be written: a file with this name exists (EEXIST)',
    );
    expect(read(taken)).toBe('somebody else');
    expect(cli.files()).toEqual([taken, 'a.pdf']);
    expect(cli.pending.size).toBe(0);
  });
});

describe('the input path', () => {
  test.each([
    ['none.pdf', 5, 'error[io.input.notfound]: no such file: none.pdf'],
    ['a.pdf/b.pdf', 5, 'error[io.input.notfound]'],
    ['folder', 2, 'error[usage.invalid]: -o: expected one document, found several'],
    ['-', 2, 'error[usage.input.required]'],
  ])('%s is rejected with a reason', async (input, exitCode, message) => {
    const { cli } = bench();
    mkdirSync(join(cli.folder, 'folder'));
    const run = await cli.run(['seal', input, '-o', 'out.pdf'], { terminals: ['stdin'] });
    expect(run.exitCode).toBe(exitCode);
    expect(run.stderr).toContain(message);
    expect(cli.files()).toEqual(['a.pdf', 'folder']);
  });

  test('several files with one output are rejected with a hint to --container', async () => {
    const { cli } = bench();
    const several = await cli.run(['seal-xml', 'a.pdf', 'b.pdf', '-o', 'c.asice']);
    expect(several.exitCode).toBe(2);
    expect(several.stderr).toContain('for one file with all of them add --container asic-e');
  });

  test('control characters of a name are escaped on the terminal', async () => {
    const { cli } = bench();
    const run = await cli.run(['seal', '\u001b[2Jnone\u202e.pdf']);
    expect(run.stderr).toContain('no such file: \\u{1b}[2Jnone\\u{202e}.pdf');
  });
});

describe('innsigli archive', () => {
  test('writes next to the input', async () => {
    const { cli, read } = bench();
    const run = await cli.run(['archive', 'a.pdf']);
    expect(run).toMatchObject({ exitCode: 0, stdout: 'a.archived.pdf\n' });
    expect(run.stderr).toContain('✓ Archived a.pdf at PAdES B-LTA');
    expect(read('a.archived.pdf')).toBe('%PDFSEAL');
  });

  test.each([
    [['archive', '-', '--in-place'], '--in-place: expected a file, found standard input'],
    [['archive', 'a.pdf', '--in-place', '-o', 'b.pdf'], 'expected --in-place or -o, found both'],
  ])('%j is a usage error', async (args, message) => {
    const run = await bench().cli.run(args);
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain(message);
  });
});

describe('a document larger than one read', () => {
  const large = `%PDF${'x'.repeat(5 * 1024 * 1024)}`;

  test('is copied completely, and only readers of the input may read the copy', async () => {
    const { cli, path, read } = bench();
    cli.write('large.pdf', large);
    chmodSync(path('large.pdf'), 0o600);
    const run = await cli.run(['seal', 'large.pdf', '-o', 'out.pdf']);
    expect(run).toMatchObject({ exitCode: 0 });
    expect(read('out.pdf') === `${large}SEAL`).toBe(true);
    expect(statSync(path('out.pdf')).mode & 0o777).toBe(0o600);
    const piped = await cli.run(['seal', 'large.pdf', '-o', '-']);
    expect(piped.stdout === `${large}SEAL`).toBe(true);
  });

  test('is rejected if it changes while it is sealed', async () => {
    const { cli } = bench();
    cli.write('large.pdf', large);
    const toolkit = {
      async seal() {
        cli.write('large.pdf', `${large} and more`);
        return sealOutcome();
      },
    };
    for (const output of ['out.pdf', '-']) {
      const run = await cli.run(['seal', 'large.pdf', '-o', output], { toolkit });
      expect(run.exitCode).toBe(1);
      expect(run.stderr).toContain('error[io.input.changed]');
      expect(cli.files()).toEqual(['a.pdf', 'large.pdf']);
    }
  });
});
