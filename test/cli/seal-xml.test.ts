import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SealedDocument } from '../../src/app/documents/sealed-document.ts';
import { InnsigliError } from '../../src/base/errors.ts';
import type {
  FileObjectSource,
  SealFilesOptions,
  SealXmlOptions,
} from '../../src/wire/toolkit.types.ts';
import { openFakeCli } from './support/fake-cli.ts';
import { sealOutcome } from './support/fake-toolkit.ts';
import { containerReport, xmlReport, xmlSignature } from './support/fake-xml.ts';

const files = { 'a.xml': '<a/>', 'b.csv': '1;2', 'p.pdf': '%PDF', 'a.asice': 'PK' };

function outcome(changes: Partial<SealedDocument> = {}): SealedDocument {
  const { field: _, ...common } = sealOutcome();
  return { ...common, report: xmlReport(xmlSignature()), signatureId: 'id-1', ...changes };
}

/** The request to the toolkit, and the output of the run. */
async function seal(args: readonly string[], answer = outcome(), stdin = '<s/>') {
  const cli = openFakeCli(files);
  let xml: SealXmlOptions | undefined;
  let several: SealFilesOptions | undefined;
  let documents: readonly FileObjectSource[] = [];
  const run = await cli.run(['seal-xml', ...args], {
    stdin,
    toolkit: {
      sealXml: async ({ lengthBytes }, options) => {
        xml = options;
        return { ...answer, keptBytes: lengthBytes };
      },
      sealFiles: async (given, options) => {
        documents = given;
        several = options;
        return answer;
      },
    },
  });
  return { ...run, cli, xml, several, names: documents.map(({ name }) => name) };
}

describe('innsigli seal-xml', () => {
  test('writes next to the input and prints only the path on stdout', async () => {
    const { exitCode, stdout, stderr, cli } = await seal(['a.xml']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'a.sealed.xml\n' });
    expect(readFileSync(join(cli.folder, 'a.sealed.xml'), 'utf8')).toBe('<a/>SEAL');
    expect(stderr).toContain('✓ Sealed a.xml at XAdES B-LTA\n');
    expect(stderr).toContain('Verify it:\n  innsigli verify a.sealed.xml\n');
    expect(stderr).not.toContain('pdfsig');
    expect(stderr).toContain(
      'renew from time to time:\n  innsigli archive --in-place a.sealed.xml',
    );
  });

  test.each([
    [['a.xml'], 'a.sealed.xml'],
    [['b.csv', '--packaging', 'enveloping'], 'b.csv.sealed.xml'],
    [['p.pdf', '--packaging', 'enveloping'], 'p.pdf.sealed.xml'],
    [['a.xml', '--packaging', 'enveloping'], 'a.sealed.xml'],
    [['a.xml', '--packaging', 'detached'], 'a.xml.sig.xml'],
    [['p.pdf', '--packaging', 'detached'], 'p.pdf.sig.xml'],
    [['a.xml', '--packaging', 'detached', '--id', 'x'], 'a.sealed.xml'],
    [['a.xml', 'b.csv', '--container', 'asic-e'], 'a.asice'],
    [['b.csv', '--container', 'asic-s'], 'b.csv.asics'],
    [['p.pdf', '--container', 'asic-s'], 'p.asics'],
    [['a.asice', '--container', 'asic-e'], 'a.sealed.asice'],
  ])('writes the result of %j to %s', async (args, output) => {
    const { stdout } = await seal([...args, '-q', '--force']);
    expect(stdout).toBe(`${output}\n`);
  });

  test('passes its options to the toolkit', async () => {
    const { xml, several, exitCode } = await seal([
      ...['a.xml', '--id', 'x', '--into', '#y', '--transform', 'enveloped', '--pss'],
      ...['--role', 'Buyer', '--role', 'Prókúruhafi', '--commitment', 'origin'],
      ...['--city', 'Reykjavík', '--street', 'L 1', '--state', 'C', '--postal-code', '101'],
      ...['--country', 'IS', '--policy', '1.2.3', '--policy-file', 'b.csv'],
      ...['--policy-uri', 'http://p.example/', '--level', 'lt', '--digest', 'sha384'],
    ]);
    expect({ exitCode, several }).toEqual({ exitCode: 0, several: undefined });
    expect(xml).toEqual({
      id: 'x',
      parent: '#y',
      transform: 'enveloped',
      roles: ['Buyer', 'Prókúruhafi'],
      commitments: ['origin'],
      place: {
        city: 'Reykjavík',
        street: 'L 1',
        state: 'C',
        postalCode: '101',
        country: 'IS',
      },
      policy: {
        id: '1.2.3',
        digestAlgorithm: 'sha256',
        digest: createHash('sha256').update('1;2').digest(),
        uri: 'http://p.example/',
      },
      scheme: 'rsa-pss',
      level: 'B-LT',
      digest: 'sha384',
    });
  });

  test.each([
    [['--container', 'asic-e', '--cades'], { container: 'asic-e', format: 'cades' }],
    [['--container', 'asic-e'], { container: 'asic-e' }],
    [['--packaging', 'detached'], {}],
  ])('seals several files with one signature: %j', async (options, expected) => {
    const { several, names, stderr } = await seal(
      ['a.xml', 'b.csv', ...options, '-f', '--level', 'b-b'],
      outcome({ level: 'B-B' }),
    );
    expect(several).toEqual({ ...expected, level: 'B-B', digest: 'sha256' });
    expect(names).toEqual(['a.xml', 'b.csv']);
    expect(stderr).toContain('✓ Sealed 2 files at XAdES B-B\n');
    const beside = options.includes('detached');
    const line = '  innsigli verify --detached a.xml --detached b.csv a.xml.sig.xml\n';
    expect(stderr.includes(line)).toBe(beside);
    expect(stderr.includes(line.replace('verify', 'archive'))).toBe(beside);
  });

  test.each([
    ['id-1', 'XAdES B-LTA in ASiC-E'],
    [undefined, 'CAdES B-LTA in ASiC-E'],
  ])('names the signature format of a container: %s', async (signatureId, said) => {
    const { signatureId: _, ...common } = outcome({ report: containerReport(xmlSignature()) });
    const answer = signatureId === undefined ? common : { ...common, signatureId };
    const { stderr } = await seal(['b.csv', '--container', 'asic-e'], answer);
    expect(stderr).toContain(`✓ Sealed b.csv at ${said}\n`);
  });

  test('- reads stdin and writes stdout; the document in the container has a neutral name', async () => {
    const piped = await seal(['-']);
    expect(piped).toMatchObject({ exitCode: 0, stdout: '<s/>SEAL' });
    const contained = await seal(['-', '--container', 'asic-s']);
    expect(contained).toMatchObject({ exitCode: 0, stdout: 'SEAL', names: ['document'] });
    expect(contained.cli.files()).toEqual(Object.keys(files).sort());
  });

  test('--in-place to replace the input', async () => {
    const { stdout, cli } = await seal(['a.xml', '--in-place']);
    expect(stdout).toBe('a.xml\n');
    expect(readFileSync(join(cli.folder, 'a.xml'), 'utf8')).toBe('<a/>SEAL');
  });

  test('--json prints one document that names all inputs', async () => {
    const one = JSON.parse((await seal(['a.xml', '--json'])).stdout);
    expect(one).toMatchObject({
      v: 1,
      command: 'seal-xml',
      input: 'a.xml',
      output: 'a.sealed.xml',
      level: 'B-LTA',
      signatureId: 'id-1',
      inputBytes: 4,
      outputBytes: 8,
      timestampRequests: 2,
      report: { format: 'xml', indication: 'TOTAL-PASSED' },
    });
    expect(one).not.toHaveProperty('inputs');
    expect(one).not.toHaveProperty('field');
    const container = ['--container', 'asic-e', '-o', 'n.asice', '--json'];
    const both = JSON.parse((await seal(['a.xml', 'b.csv', ...container])).stdout);
    expect(both).toMatchObject({ input: 'a.xml', inputs: ['a.xml', 'b.csv'], output: 'n.asice' });
  });

  test('keeps an existing output; --force replaces it, but never an input', async () => {
    const args = ['a.xml', 'b.csv', '--container', 'asic-e'];
    const kept = await seal(args);
    expect(kept).toMatchObject({ exitCode: 2, stdout: '' });
    expect(kept.stderr).toContain('error[usage.output.exists]');
    expect(await seal([...args, '--force'])).toMatchObject({ exitCode: 0, stdout: 'a.asice\n' });
    for (const input of ['a.xml', 'b.csv']) {
      const { exitCode, stderr } = await seal([...args, '--force', '-o', input]);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('error[usage.output.same]');
    }
  });

  test.each([
    [[], 'expected a document, found none'],
    [['a.xml', 'b.csv'], 'expected --out-dir or --in-place for a batch'],
    [['folder'], 'expected --out-dir or --in-place for a batch'],
    [['folder', '--container', 'asic-e'], 'expected --out-dir or --in-place for a batch'],
    [['folder', '--container', 'asic-e', '--in-place'], 'a batch creates new files'],
    [['folder', '--packaging', 'detached'], 'one signature over several files cannot be a batch'],
    [
      ['a.xml', '--detached', 'b.csv', '--container', 'asic-e'],
      '--detached: expected a detached signature',
    ],
    [
      ['a.xml', '--detached', 'b.csv', '--packaging', 'enveloped'],
      '--detached: expected a detached sig',
    ],
    [['a.xml', '--packaging', 'detached', '--out-dir', 'o'], 'cannot be a batch'],
    [
      ['a.xml', '--packaging', 'beside'],
      '--packaging: expected one of enveloped, enveloping, detached, found "beside"',
    ],
    [['a.xml', '--container', 'zip'], '--container: expected one of asic-s, asic-e, found "zip"'],
    [
      ['a.xml', '--transform', 'xpath'],
      '--transform: expected one of filter, enveloped, found "xpath"',
    ],
    [['a.xml', '--cades'], '--cades: expected --container, found none'],
    [['a.xml', '--container', 'asic-e', '--id', 'x'], '--container cannot be combined with'],
    [
      ['a.xml', '--container', 'asic-e', '--packaging', 'detached'],
      '--container cannot be combined',
    ],
    [['a.xml', '--packaging', 'detached', '--transform', 'filter'], '--transform: expected an env'],
    [['a.xml', '--packaging', 'enveloping', '--id', 'x'], 'cannot be combined with --id, --into'],
    [['a.xml', '--packaging', 'enveloping', '--into', 'a'], 'cannot be combined with --id, --into'],
    [['a.xml', '--packaging', 'detached', '--into', 'a'], '--into: expected --id with it'],
    [['a.xml', '--policy', '1.2.3'], 'expected --policy and --policy-file together'],
    [['a.xml', '--policy-uri', 'http://x/'], 'expected --policy and --policy-file together'],
    [['a.xml', '--in-place', '-o', 'x'], 'expected --in-place or -o, found both'],
    [['-', '--in-place'], '--in-place: expected a file, found standard input'],
    [['b.csv', '--in-place', '--container', 'asic-s'], 'expected an existing container'],
    [['a.xml', '--in-place', '--packaging', 'detached'], 'expected a signature inside'],
    [['a.xml', '-', '--container', 'asic-e'], 'found standard input among them'],
    [['a.xml', '-o', '-', '--json'], '--json and a document cannot both go to stdout'],
    [['a.xml', '--level', 'C'], '--level: expected one of B-B, B-T, B-LT, B-LTA'],
  ])('%j is a usage error', async (args, message) => {
    const cli = openFakeCli(files);
    mkdirSync(join(cli.folder, 'folder'));
    const run = await cli.run(['seal-xml', ...args]);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain(message);
    expect(cli.files()).toEqual([...Object.keys(files), 'folder'].sort());
  });

  test('rejects a missing policy file, and --pss with a key that is not RSA', async () => {
    const missing = await seal(['a.xml', '--policy', '1.2', '--policy-file', 'gone']);
    expect(missing.exitCode).toBe(5);
    expect(missing.stderr).toContain('--policy-file: no such file: gone');
    const error = new InnsigliError('algorithm.unsupported', 'x', { details: { keyType: 'ec' } });
    const toolkit = { sealXml: () => Promise.reject(error) };
    const cli = openFakeCli(files);
    const run = await cli.run(['seal-xml', 'a.xml', '--pss'], { toolkit });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).toContain('--pss: expected an RSA key, found a key of type ec');
  });

  test.each([
    ['xml.invalid', ['a.xml'], 7, 'error[xml.invalid]: a.xml: why'],
    ['xml.signature.broken', ['a.xml'], 6, 'error[xml.signature.broken]: a.xml: why'],
    ['container.invalid', ['b.csv', '--container', 'asic-s'], 7, ': b.csv: why'],
    // With several files the error concerns none of them in particular.
    ['container.invalid', ['a.xml', 'b.csv', '--container', 'asic-e', '-f'], 7, ']: why'],
  ] as const)('an error %s of %j names the document', async (code, args, exitCode, said) => {
    const fail = () => Promise.reject(new InnsigliError(code, 'why'));
    const cli = openFakeCli(files);
    const toolkit = { sealXml: fail, sealFiles: fail };
    const run = await cli.run(['seal-xml', ...args], { toolkit });
    expect(run).toMatchObject({ exitCode, stdout: '' });
    expect(run.stderr).toContain(said);
  });
});
