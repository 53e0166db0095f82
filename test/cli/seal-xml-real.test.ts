import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type FakeCli, openFakeCli } from './support/fake-cli.ts';
import { realToolkit } from './support/fake-xml.ts';

const note = '<?xml version="1.0"?>\n<doc>\n  <item Id="i1">x</item>\n  <empty/>\n</doc>\n';
const invoice =
  '<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2">\n  <ID>1</ID>\n</Invoice>\n';
const files = { 'a.xml': note, 'inv.xml': invoice, 'n.txt': 'some notes\r\n' };
const setup = realToolkit();

function open(extra: Readonly<Record<string, string>> = {}) {
  const cli = openFakeCli({ ...files, ...extra });
  const run = (...args: readonly string[]) => cli.run(args, setup);
  const text = (name: string) => readFileSync(join(cli.folder, name), 'utf8');
  return { cli, run, text };
}

/** The text without its only signature, which never has a line of its own. */
function unsigned(text: string): string {
  return text.replace(/<ds:Signature .*<\/ds:Signature>/s, '');
}

describe('innsigli seal-xml with the real toolkit', () => {
  test.each([
    [
      'a document with an enveloped signature',
      ['a.xml'],
      'a.sealed.xml',
      ['XAdES B-B', 'covers the whole document'],
    ],
    [
      'an element by ID',
      ['a.xml', '--id', 'i1'],
      'a.sealed.xml',
      ['covers only a part of the document', '✓ /doc/item', '! no valid signature covers the wh'],
    ],
    [
      'an element with the signature next to it',
      ['a.xml', '--id', 'i1', '--packaging', 'detached'],
      'a.sealed.xml',
      ['covers only a part of the document', '✓ /doc/item'],
    ],
    [
      'a document with the signature in a given element',
      ['a.xml', '--into', 'doc/empty', '--transform', 'enveloped'],
      'a.sealed.xml',
      ['covers the whole document'],
    ],
    [
      'XML inside the signature',
      ['a.xml', '--packaging', 'enveloping'],
      'a.sealed.xml',
      ['covers data inside the signature', '✓ the enveloped object'],
    ],
    [
      'text inside the signature',
      ['n.txt', '--packaging', 'enveloping'],
      'n.txt.sealed.xml',
      ['XAdES B-B'],
    ],
    [
      'files in an ASiC-E container',
      ['a.xml', 'n.txt', '--container', 'asic-e'],
      'a.asice',
      ['file        META-INF/signatures001.xml', 'covers files of the container', '✓ n.txt'],
    ],
    [
      'a file in an ASiC-S container with CAdES',
      ['n.txt', '--container', 'asic-s', '--cades'],
      'n.txt.asics',
      ['file        META-INF/signature.p7s', 'CAdES B-B', 'covers      ✓ n.txt'],
    ],
  ])('seals %s, and verify reports what the signature covers', async (_, args, output, said) => {
    const { run } = open();
    const sealed = await run('seal-xml', ...args, '--level', 'b-b');
    expect(sealed).toMatchObject({ exitCode: 0, stdout: `${output}\n` });
    const { exitCode, stdout } = await run('verify', output);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^[✓!] .+:\s+The /);
    expect(stdout).toContain(`${output}:`);
    expect(stdout).toContain('Details: TOTAL-PASSED (1 signature)');
    for (const text of said) expect(stdout).toContain(text);
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  test('removing the signature yields the input', async () => {
    const { run, text } = open();
    await run('seal-xml', 'a.xml', '--level', 'b-b');
    expect(unsigned(text('a.sealed.xml'))).toBe(note);
    expect((await run('seal-xml', 'a.xml', '--level', 'b-b', '--in-place')).exitCode).toBe(0);
    expect(unsigned(text('a.xml'))).toBe(note);
    const again = await run('seal-xml', 'a.sealed.xml', '--level', 'b-b', '--json');
    const { output, report } = JSON.parse(again.stdout);
    expect(output).toBe('a.sealed-2.xml');
    expect(report.signatures).toHaveLength(2);
  });

  test('puts the signature of a UBL invoice into an extension and warns where a schema allows none', async () => {
    const cii = '<r:CrossIndustryInvoice xmlns:r="urn:un:unece:uncefact:data:standard:';
    const { run, text } = open({ 'cii.xml': `${cii}CrossIndustryInvoice:100"/>` });
    expect((await run('seal-xml', 'inv.xml', '--level', 'b-b')).stderr).not.toContain('schema');
    const opened = '<ext:UBLExtension xmlns:ext=';
    expect(text('inv.sealed.xml')).toContain(opened);
    expect(unsigned(text('inv.sealed.xml'))).toContain('<ext:ExtensionContent></ext:Exten');
    const second = await run('seal-xml', 'inv.sealed.xml', '--level', 'b-b');
    expect(second.exitCode).toBe(0);
    expect(second.stderr).toContain('warning: the UBL schemas allow a signature only in');
    const warned = await run('seal-xml', 'cii.xml', '--level', 'b-b');
    expect(warned.stderr).toContain('the schema of this invoice allows no signature');
    const around = await run('seal-xml', 'cii.xml', '--level', 'b-b', '--packaging', 'enveloping');
    expect(around.stderr).not.toContain('schema of this invoice');
  });

  test('verify and archive ask for the documents of a detached signature', async () => {
    const { cli, run } = open();
    const args = ['a.xml', 'n.txt', '--packaging', 'detached', '--level', 'b-b'];
    expect((await run('seal-xml', ...args)).stdout).toBe('a.xml.sig.xml\n');
    const alone = await run('verify', 'a.xml.sig.xml');
    expect(alone.exitCode).toBe(9);
    expect(alone.stdout).toContain('✗ some of the signed data is missing');
    expect(alone.stdout).toContain('✗ n.txt: missing');
    expect(alone.stdout).toContain('hint: a signature covers detached files');
    const beside = ['--detached', 'a.xml', '--detached', 'n.txt'];
    const passed = await run('verify', 'a.xml.sig.xml', ...beside);
    expect(passed.exitCode).toBe(0);
    expect(passed.stdout).toContain('covers detached files');
    expect(passed.stdout).not.toContain('hint');
    const archived = await run('archive', 'a.xml.sig.xml', ...beside, '--json');
    expect(JSON.parse(archived.stdout)).toMatchObject({
      output: 'a.xml.sig.archived.xml',
      report: { signatures: [{ level: 'B-LTA' }] },
    });
    cli.write('n.txt', 'other notes\r\n');
    const changed = await run('verify', 'a.xml.sig.xml', ...beside);
    expect(changed.exitCode).toBe(7);
    expect(changed.stdout).toContain('✗ the signed data has been changed');
    expect(changed.stdout).toContain('✗ n.txt: changed');
  });

  test.each([
    ['a.sealed.xml', ['a.xml'], 'a.sealed.archived.xml'],
    ['a.asice', ['a.xml', 'n.txt', '--container', 'asic-e'], 'a.archived.asice'],
    ['a.asice', ['a.xml', 'n.txt', '--container', 'asic-e', '--cades'], 'a.archived.asice'],
  ])('archives %s', async (sealed, args, output) => {
    const { run } = open();
    await run('seal-xml', ...args, '--level', 'b-b');
    const archived = await run('archive', sealed);
    expect(archived).toMatchObject({ exitCode: 0, stdout: `${output}\n` });
    const { documents } = JSON.parse((await run('verify', output, '--json')).stdout);
    expect(documents[0].report.signatures[0]).toMatchObject({ level: 'B-LTA', intact: true });
  });

  test.each([
    ['b.xades', 'b.archived.xades'],
    ['b.v2', 'b.archived.v2'],
    ['noending', 'noending.archived.xml'],
  ])('archive keeps the file extension of %s', async (name, output) => {
    const { cli, run, text } = open();
    await run('seal-xml', 'a.xml', '--level', 'b-b');
    cli.write(name, text('a.sealed.xml'));
    expect((await run('archive', name)).stdout).toBe(`${output}\n`);
  });

  test('archive adds an extension to a container without one', async () => {
    const { run } = open();
    await run('seal-xml', 'a.xml', '--container', 'asic-e', '--level', 'b-b', '-o', 'box');
    expect((await run('archive', 'box')).stdout).toBe('box.archived.asice\n');
  });

  test('verify shows roles and the place of signing as claimed', async () => {
    const { run } = open();
    const place = ['--city', 'Reykjavík', '--country', 'IS'];
    await run('seal-xml', 'a.xml', '--level', 'b-b', '--role', 'Buyer', ...place);
    const { stdout } = await run('verify', 'a.sealed.xml');
    expect(stdout).toContain(
      '    role        Buyer (claimed)\n    location    Reykjavík, IS (claimed)\n',
    );
  });

  test.each<[string, string | Uint8Array, readonly string[], number, string]>([
    [
      'XML that is not well-formed',
      '<a><b></a>',
      [],
      7,
      'error[xml.invalid]: x.xml: line 1, column 7',
    ],
    ['a DTD', '<!DOCTYPE a><a/>', [], 7, 'error[xml.dtd.forbidden]'],
    ['UTF-16', Buffer.from('\ufeff<a/>', 'utf16le'), [], 7, 'error[xml.encoding.unsupported]'],
    ['an empty file', '', [], 7, 'error[xml.invalid]'],
    ['a binary file', new Uint8Array([0, 200, 7, 255]), [], 7, 'error[xml.'],
    ['a missing ID', '<a Id="b"/>', ['--id', 'c'], 6, 'no element has the Id "c"'],
    ['a duplicate ID', '<a><b Id="c"/><d Id="c"/></a>', ['--id', 'c'], 6, '2 elements have the Id'],
    ['a missing target element', '<a/>', ['--into', 'a/b'], 6, 'there is no element a/b'],
    [
      '--into ubl for a document that is not UBL',
      '<a/>',
      ['--into', 'ubl'],
      6,
      'expected a UBL document',
    ],
    ['an unknown commitment', '<a/>', ['--commitment', 'foo'], 2, 'expected origin, receipt, '],
    [
      'an invalid policy',
      '<a/>',
      ['--policy', 'x', '--policy-file', 'a.xml'],
      2,
      'policy: expected an obj',
    ],
    ['an empty role', '<a/>', ['--role', ''], 2, 'role: found no text'],
    [
      'two files for ASiC-S',
      '<a/>',
      ['n.txt', '--container', 'asic-s'],
      2,
      'expected one file for an ASiC-S',
    ],
    [
      'two files with the same name',
      '<a/>',
      ['s/x.xml', '--container', 'asic-e'],
      2,
      'two files have the name',
    ],
  ])('rejects %s', async (_, content, options, exitCode, said) => {
    const { cli, run } = open({ 's/x.xml': '<a/>' });
    cli.write('x.xml', content);
    const before = cli.files();
    const { stderr, ...rest } = await run('seal-xml', 'x.xml', ...options, '--level', 'b-b');
    expect(rest).toMatchObject({ exitCode, stdout: '' });
    expect(stderr).toContain(said);
    expect(cli.files()).toEqual(before);
  });

  test('verify of several formats warns once, and an unsigned document has a code of its own', async () => {
    const { run } = open();
    for (const name of ['a.xml', 'inv.xml']) await run('seal-xml', name, '--level', 'b-b');
    await run('seal-xml', 'n.txt', '--container', 'asic-s', '--level', 'b-b');
    const three = await run('verify', 'a.sealed.xml', 'inv.sealed.xml', 'n.txt.asics');
    expect(three.exitCode).toBe(0);
    expect(three.stderr.match(/trusted only by the development trust/g)).toHaveLength(1);
    const { documents } = JSON.parse((await run('verify', 'a.xml', '--json')).stdout);
    expect(documents[0]).toMatchObject({ code: 'xml.signature.none', report: { format: 'xml' } });
    expect((await run('verify', 'a.xml')).exitCode).toBe(7);
  });

  test('--quiet still reports what a signature does not cover', async () => {
    const { run } = open();
    await run('seal-xml', 'a.xml', '--id', 'i1', '--level', 'b-b');
    const quiet = await run('verify', 'a.sealed.xml', '-q');
    const uncovered = 'no valid signature covers the whole document, only a part of it';
    expect(quiet.stdout).toBe(`✓ a.sealed.xml: TOTAL-PASSED (1 signature)\n! ${uncovered}\n`);
    const { warnings } = JSON.parse((await run('verify', 'a.sealed.xml', '--json')).stdout);
    expect(JSON.stringify(warnings)).toContain(uncovered);
  });
});

test('a file name with bidirectional marks is shown escaped', async () => {
  const { cli }: { cli: FakeCli } = open();
  const name = 'evil\u202e.xml';
  cli.write(name, note);
  const { stderr } = await cli.run(['seal-xml', name, '--level', 'b-b'], setup);
  expect(stderr).toContain('Sealed evil\\u{202e}.xml');
  expect(stderr).not.toContain('\u202e.xml at');
});

test.each([
  ['a.pdf', 'a.asice', '%PDF-1.7', 'seal it with innsigli seal, or put it in a container with '],
  ['a.pdf', 'out.xml', '%PDF-1.7', 'seal it with innsigli seal, or put it in a container with '],
  ['n.txt', 'n.asics', 'some notes', 'hint: put it in a container with '],
  ['n.txt', 'out.xml', 'some notes', 'hint: put it in a container with '],
])(
  'seal-xml %s -o %s is rejected with a hint to --container',
  async (name, output, content, hint) => {
    const { run } = open({ [name]: content });
    const { exitCode, stderr } = await run('seal-xml', name, '-o', output, '--level', 'b-b');
    expect(exitCode).toBe(7);
    expect(stderr).toContain(`${hint}--container asic-e`);
  },
);

test('malformed XML gets no hint to --container', async () => {
  const { run } = open({ 'b.xml': '<a><b></a>' });
  const { exitCode, stderr } = await run('seal-xml', 'b.xml', '-o', 'c.xml', '--level', 'b-b');
  expect(exitCode).toBe(7);
  expect(stderr).not.toContain('--container');
});
