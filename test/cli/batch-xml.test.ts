import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openFakeCli } from './support/fake-cli.ts';
import { realToolkit } from './support/fake-xml.ts';

const ubl = 'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2';
const tree = {
  'in/a.xml': '<a>\n  <b Id="b1"/>\n</a>\n',
  'in/empty.xml': '<?xml version="1.0"?><e/>',
  'in/sub/invoice.XML': `<Invoice xmlns="${ubl}"><ID>1</ID></Invoice>`,
  'in/notes.txt': 'no document',
  'in/other.pdf': 'not taken by seal-xml',
};
const names = ['a.xml', 'empty.xml', 'sub/invoice.XML'];
const setup = realToolkit();

function open(extra: Readonly<Record<string, string>> = {}) {
  const cli = openFakeCli({ ...tree, ...extra });
  const run = (...args: readonly string[]) => cli.run(args, setup);
  const text = (name: string) => readFileSync(join(cli.folder, name), 'utf8');
  const remove = (name: string) => rmSync(join(cli.folder, name));
  return { cli, run, text, remove };
}

const seal = ['seal-xml', 'in', '--out-dir', 'out', '-j1', '--level', 'b-b'];
const journal = '.innsigli-batch.jsonl';
const countOf = (text: string) => text.split('<ds:Signature ').length - 1;

describe('a batch of XML', () => {
  test('seals the XML files of a folder; a malformed one is a failed row', async () => {
    const { run, text } = open({ 'in/bad.xml': '<a>' });
    const sealed = await run(...seal);
    expect(sealed.exitCode).toBe(3);
    expect(sealed.stdout).toBe(names.map((name) => `out/${name}\n`).join(''));
    expect(sealed.stderr).toContain('error[xml.invalid]: in/bad.xml: line 1');
    expect(sealed.stderr).toContain('3 sealed, 1 failed');
    expect(names.map((name) => countOf(text(`out/${name}`)))).toEqual([1, 1, 1]);
    const again = await run(...seal, '--resume', '--json');
    const { items, summary } = JSON.parse(again.stdout);
    expect(summary).toMatchObject({ done: 0, skipped: 3, failed: 1 });
    expect(items.map(({ status }: { status: string }) => status)).toContain('failed');
  });

  test('--json reports level and signature ID of each result', async () => {
    const { run, text } = open();
    const [first] = JSON.parse((await run(...seal, '--json')).stdout).items;
    expect(first).toMatchObject({ command: 'seal-xml', input: 'in/a.xml', level: 'B-B' });
    expect(text('out/a.xml')).toContain(`Id="${first.signatureId}"`);
  });

  type Scene = ReturnType<typeof open>;
  const spoiled = 'does not contain the input';
  test.each<[string, (scene: Scene) => void, readonly string[], number, string]>([
    [
      '--skip-existing recognises each of them',
      () => undefined,
      ['--skip-existing'],
      0,
      '3 skipped',
    ],
    ['--resume with the journal', () => undefined, ['--resume'], 0, '3 skipped'],
    [
      '--resume without the journal',
      ({ remove }) => remove(`out/${journal}`),
      ['--resume'],
      0,
      '3 skipped',
    ],
    [
      'a missing result',
      ({ remove }) => remove('out/a.xml'),
      ['--resume'],
      0,
      '1 sealed, 2 skipped',
    ],
    [
      'a changed input',
      ({ cli }) => cli.write('in/a.xml', '<a>\n  <b Id="b2"/>\n</a>\n'),
      ['--skip-existing'],
      3,
      spoiled,
    ],
    [
      'a result of a different document',
      ({ cli, text }) => cli.write('out/empty.xml', text('out/a.xml')),
      ['--skip-existing'],
      3,
      spoiled,
    ],
    [
      'the unsigned input itself',
      ({ cli }) => cli.write('out/a.xml', tree['in/a.xml']),
      ['--skip-existing'],
      3,
      'has no new signature',
    ],
    [
      'an invalid signature',
      ({ cli, text }) => {
        const other = (_: string, start: string, bit: string) =>
          `${start}${bit === 'A' ? 'B' : 'A'}`;
        const value = /(<ds:SignatureValue[^>]*>\s*[\w+/]{8})([\w+/])/;
        cli.write('out/a.xml', text('out/a.xml').replace(value, other));
      },
      ['--skip-existing'],
      3,
      'has a signature that is not valid',
    ],
    ['a lower level', () => undefined, ['--skip-existing', '--level', 'b-lta'], 3, 'reach B-LTA'],
  ])('a second run checks existing results: %s', async (_, prepare, options, exitCode, said) => {
    const scene = open();
    expect((await scene.run(...seal)).exitCode).toBe(0);
    prepare(scene);
    const again = await scene.run(...seal, ...options);
    expect(again.exitCode).toBe(exitCode);
    expect(again.stderr).toContain(said);
  });

  test('distinguishes a second signature from the first', async () => {
    const { run, cli, text } = open();
    await run(...seal);
    const second = ['seal-xml', 'out/a.xml', '--out-dir', 'two', '-j1', '--level', 'b-b'];
    cli.write('two/a.xml', text('out/a.xml'));
    const copy = await run(...second, '--skip-existing');
    expect(copy.exitCode).toBe(2);
    expect(copy.stderr).toContain('two/a.xml exists and has no new signature');
    expect((await run(...second, '--force')).exitCode).toBe(0);
    expect(countOf(text('two/a.xml'))).toBe(2);
    expect((await run(...second, '--skip-existing')).stderr).toContain('1 skipped');
  });

  test.each([
    ['enveloping packaging', ['--packaging', 'enveloping']],
    ['an explicit transform', ['--transform', 'enveloped']],
  ])('--skip-existing recognises results and a changed input: %s', async (_, options) => {
    const { run, cli } = open();
    expect((await run(...seal, ...options)).exitCode).toBe(0);
    expect((await run(...seal, ...options, '--skip-existing')).stderr).toContain('3 skipped');
    cli.write('in/a.xml', '<a>changed</a>');
    expect((await run(...seal, ...options, '--skip-existing')).stderr).toContain(spoiled);
  });

  test('archive recognises its results and rejects a copy of the input', async () => {
    const { run, cli, text } = open();
    await run(...seal);
    // Two signatures: the added bytes are in two places of the result.
    await run('seal-xml', 'out/a.xml', '--level', 'b-b', '--in-place');
    const archive = ['archive', 'out', '--out-dir', 'kept', '-j1'];
    expect((await run(...archive)).exitCode).toBe(0);
    expect((await run(...archive, '--skip-existing')).stderr).toContain('3 skipped');
    cli.write('kept/a.xml', text('out/a.xml'));
    const copy = await run(...archive, '--skip-existing');
    expect(copy.stderr).toContain('kept/a.xml exists and has no new archive time-stamp');
    expect(copy.exitCode).toBe(3);
    cli.write('kept/a.xml', 'no document');
    expect((await run(...archive, '--resume')).stderr).toContain(spoiled);
  });
});

describe('a batch of XML with --in-place', () => {
  const args = ['seal-xml', 'in/a.xml', '--in-place', '-j1', '--level', 'b-b'];

  test.each<[string, (sealed: string) => string, number]>([
    ['killed before the file was replaced', () => tree['in/a.xml'], 1],
    ['killed after the file was replaced', (sealed) => sealed, 1],
    // It grew before the tail that the journal knows.
    ['signed by someone else since', (sealed) => sealed.replace('<a>', '<a><!-- -->'), 1],
    ['replaced by a different file since', () => '<another/>', 1],
  ])('never seals a document twice: %s', async (_, found, expected) => {
    const { run, cli, text } = open();
    expect((await run(...args)).exitCode).toBe(0);
    const lines = text(`in/${journal}`).split('\n').slice(0, 2);
    cli.write(`in/${journal}`, `${lines.join('\n')}\n{"done":{"inp`);
    cli.write('in/a.xml', found(text('in/a.xml')));
    expect((await run(...args)).exitCode).toBe(6);
    expect((await run(...args, '--resume')).exitCode).toBe(0);
    expect(countOf(text('in/a.xml'))).toBe(expected);
  });

  test('records in the journal how many bytes of the input the result keeps', async () => {
    const { run, text } = open();
    await run(...args);
    const [, intent] = text(`in/${journal}`).split('\n');
    expect(JSON.parse(intent ?? '').intent).toMatchObject({
      inputBytes: tree['in/a.xml'].length,
      keptBytes: tree['in/a.xml'].indexOf('</a>') + 1,
      signatureId: expect.stringMatching(/^id-/),
    });
  });
});

describe('verify of a folder', () => {
  test('reports XML, containers and what a signature does not cover', async () => {
    const { run } = open();
    await run('seal-xml', 'in/a.xml', '-o', 'all.xml', '--level', 'b-b');
    for (const name of ['part1.xml', 'part2.xml']) {
      await run('seal-xml', 'in/a.xml', '-o', name, '--id', 'b1', '--level', 'b-b');
    }
    await run('seal-xml', 'in/notes.txt', '--container', 'asic-s', '-o', 'n.asics');
    const some = ['all.xml', 'part1.xml', 'part2.xml', 'n.asics'];
    const { exitCode, stdout, stderr } = await run('verify', ...some, '-j1');
    expect(exitCode).toBe(0);
    expect(stdout).toBe(some.map((name) => `TOTAL-PASSED  ${name}\n`).join(''));
    // One warning for each of them, because it concerns that document.
    expect(stderr.match(/part\d\.xml: no valid signature covers the whole/g)).toHaveLength(2);
    const mixed = await run('verify', 'in', '-j1');
    expect(mixed.exitCode).toBe(7);
    expect(mixed.stdout).toContain('NO-SIGNATURE  in/sub/invoice.XML\n');
    expect(mixed.stderr).toContain('error[pdf.notpdf]: in/other.pdf: ');
  });

  test.each(['verify', 'archive'])('%s rejects --detached for a folder', async (command) => {
    const { run } = open();
    const { exitCode, stderr } = await run(command, 'in', '--detached', 'in/notes.txt');
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--detached: expected named documents, found a batch');
  });
});
