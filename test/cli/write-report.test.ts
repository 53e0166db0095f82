import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseXml } from '../../src/formats/xml/index.ts';
import { openFakeCli } from './support/fake-cli.ts';
import { signatureReport, verificationReport } from './support/fake-toolkit.ts';
import { realToolkit } from './support/fake-xml.ts';

const failed = verificationReport(
  signatureReport({ indication: 'TOTAL-FAILED', subIndication: 'HASH_FAILURE', intact: false }),
);

function open() {
  const cli = openFakeCli({ 'a.pdf': '%PDF', 'b.pdf': '%PDF' });
  const run = (...args: readonly string[]) =>
    cli.run(['verify', ...args], { toolkit: { verify: async () => failed } });
  const read = (name: string) => readFileSync(join(cli.folder, name));
  return { cli, run, read };
}

describe('innsigli verify --write-report', () => {
  test('selects the format by the extension and writes whatever the verdict', async () => {
    const { run, read } = open();
    const names = ['r.html', 'r.pdf', 'r.xml', 'r.json'];
    const flags = names.flatMap((name) => ['--write-report', name]);
    const { exitCode, stdout } = await run('a.pdf', ...flags, '--language', 'is');
    expect(exitCode).toBe(7);
    for (const name of names) expect(stdout).toContain(`Report written to ${name}\n`);
    expect(read('r.html').toString('utf8')).toContain('Skjalinu er ekki hægt að treysta.');
    expect(read('r.html').toString('utf8')).toContain('a.pdf');
    expect(read('r.pdf').subarray(0, 8).toString('latin1')).toBe('%PDF-1.7');
    expect(parseXml(read('r.xml')).root.localName).toBe('ValidationReport');
    expect(JSON.parse(read('r.json').toString('utf8'))).toMatchObject({ v: 1, format: 'pdf' });
  });

  test('marks a result based on test keys in every text format and in JSON', async () => {
    const cli = openFakeCli({ 'a.xml': '<a/>' });
    const setup = realToolkit();
    const run = (...args: readonly string[]) => cli.run(args, setup);
    await run('seal-xml', 'a.xml', '--level', 'b-b', '-o', 'b.xml');
    const flags = ['--write-report', 'r.html', '--write-report', 'r.json', '--language', 'de'];
    await run('verify', 'b.xml', '--revocation', 'ignore', ...flags);
    const read = (name: string) => readFileSync(join(cli.folder, name), 'utf8');
    expect(read('r.html')).toContain('TEST ONLY: Das Ergebnis beruht auf Testschlüsseln.');
    expect(JSON.parse(read('r.json')).testOnly).toBe(true);
    expect(JSON.parse((await run('verify', 'b.xml', '--json')).stdout)).toMatchObject({
      documents: [{ report: { testOnly: true } }],
    });
  });

  test('--json lists the reports', async () => {
    const { run } = open();
    const { stdout } = await run('a.pdf', '--write-report', 'r.html', '--json');
    expect(JSON.parse(stdout).reports).toEqual(['r.html']);
  });

  test.each([
    [['a.pdf', '--write-report', 'r.txt'], 'expected a name with .json, .html, .pdf, .xml'],
    [['a.pdf', '--write-report', '-'], 'expected a name with'],
    [
      ['a.pdf', '--write-report', 'r.html', '--language', 'xx'],
      '--language: expected one of is, en',
    ],
    [['a.pdf', 'b.pdf', '--write-report', 'r.html'], 'expected one document, found several'],
    [['.', '--write-report', 'r.html'], 'expected one document, found several'],
  ])('%j is rejected', async (args, message) => {
    const { cli, run } = open();
    const { exitCode, stderr } = await run(...args);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
    expect(stderr).toContain(message);
    expect(cli.files()).toEqual(['a.pdf', 'b.pdf']);
  });

  test('replaces an existing report only with --force, and never the document', async () => {
    const { cli, run, read } = open();
    cli.write('r.html', 'mine');
    const refused = await run('a.pdf', '--write-report', 'r.html');
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('hint: choose a different name with --write-report, or');
    expect(read('r.html').toString()).toBe('mine');
    expect((await run('a.pdf', '--write-report', 'r.html', '--force')).exitCode).toBe(7);
    expect(read('r.html').toString()).toContain('<!DOCTYPE html>');
    const same = await run('a.pdf', '--write-report', 'a.pdf', '--force');
    expect(same.stderr).toContain('usage.output.same');
    expect(read('a.pdf').toString()).toBe('%PDF');
  });

  test('writes nothing if one of several reports cannot be written', async () => {
    const { cli, run } = open();
    cli.write('r.html', 'mine');
    await run('a.pdf', '--write-report', 'r.xml', '--write-report', 'r.html');
    expect(cli.files()).toEqual(['a.pdf', 'b.pdf', 'r.html']);
  });
});

test('texts of a document cannot move text on the terminal and are cut', async () => {
  const name = `Anna\u202egpj.exe\u001b[2J${'A'.repeat(10_000)}`;
  const report = verificationReport(
    signatureReport({
      name,
      reason: name,
      signer: {
        subject: `CN=${name}`,
        issuer: `CN=${name}`,
        serialNumber: '01',
        notBefore: '2025-01-01T00:00:00.000Z',
        notAfter: '2025-06-01T00:00:00.000Z',
      },
    }),
  );
  const cli = openFakeCli({ 'a.pdf': '%PDF' });
  const { stdout } = await cli.run(['verify', 'a.pdf'], {
    toolkit: { verify: async () => report },
  });
  for (const each of ['\u202e', '\u001b']) expect(stdout).not.toContain(each);
  expect(stdout.length).toBeLessThan(4_000);
  expect(stdout).toContain('(claimed)');
  expect(stdout).toContain('valid 2025-01-01T00:00:00Z to 2025-06-01T00:00:00Z, expired');
});
