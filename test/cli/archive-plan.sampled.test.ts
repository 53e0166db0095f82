import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sampleOf } from '../support/sample.ts';
import { fixture } from '../support/sealing.ts';
import { openFakeCli } from './support/fake-cli.ts';
import { realToolkit } from './support/fake-xml.ts';
import { faultsOf } from './support/json-output.ts';

const setup = realToolkit();

async function open() {
  const cli = openFakeCli({ 'a.xml': '<a/>', 'plain.xml': '<b/>', 'b.txt': 'text' });
  cli.write('a.pdf', fixture('agreement.pdf'));
  const run = (...args: readonly string[]) => cli.run(args, setup);
  const plan = async (...args: readonly string[]) => {
    const result = await run('archive', '--plan', '--json', ...args);
    const document = JSON.parse(result.stdout);
    expect(faultsOf('archive', document)).toEqual([]);
    return { ...result, documents: document.documents };
  };
  return { cli, run, plan };
}

test('--plan lists what each signature lacks and whose revocation data is needed, and writes nothing', async () => {
  const { cli, run, plan } = await open();
  await run('seal', 'a.pdf', '--level', 'b-b', '-o', 'signed.pdf');
  const before = cli.files();
  const { documents, exitCode } = await plan('signed.pdf');
  expect(exitCode).toBe(0);
  expect(documents).toMatchObject([
    {
      input: 'signed.pdf',
      format: 'pdf',
      possible: true,
      timestampRequests: 2,
      signatures: [
        {
          name: 'Signature1',
          level: 'B-B',
          missing: ['timestamp', 'validation-data', 'archive-timestamp'],
          certificates: [
            { revocation: 'own', addresses: [] },
            { revocation: 'own', addresses: [] },
            { revocation: 'not-needed', addresses: [] },
          ],
          problems: [],
        },
      ],
    },
  ]);
  expect(cli.files()).toEqual(before);
  const people = await run('archive', '--plan', 'signed.pdf');
  expect(people.stdout).toContain('needs a time-stamp, validation data, an archive time-stamp');
  // The development trust creates its own revocation data.
  expect(people.stdout).toContain('issued by the development trust');
  expect(people.stdout).not.toContain('CRL http');
});

test('--plan predicts the number of time-stamp requests of the archive run in every format', async () => {
  const { cli, run, plan } = await open();
  const levels = ['b-b', 'b-t', 'b-lt', 'b-lta'];
  const names: string[] = [];
  for (const level of sampleOf(levels, 4)) {
    await run('seal', 'a.pdf', '--level', level, '-o', `${level}.pdf`);
    await run('seal-xml', 'a.xml', '--level', level, '-o', `${level}.xml`);
    names.push(`${level}.pdf`, `${level}.xml`);
    for (const [kind, form] of [
      ['asic-s', '--cades'],
      ['asic-e', '--cades'],
      ['asic-e', undefined],
    ] as const) {
      const name = `${level}-${form ?? 'xades'}.${kind.replace('-', '')}`;
      const more = form === undefined ? [] : [form];
      await run('seal-xml', 'a.xml', '--container', kind, ...more, '--level', level, '-o', name);
      names.push(name);
    }
  }
  for (const name of names) {
    const [planned] = (await plan(name)).documents;
    const made = await run('archive', name, '--json', '-o', `done-${name}`);
    expect(made.exitCode, `${name}: ${made.stderr}`).toBe(0);
    const outcome = JSON.parse(made.stdout);
    expect(planned, name).toMatchObject({ possible: true, problems: [] });
    expect(planned.timestampRequests, name).toBe(outcome.timestampRequests);
    const [renewed] = (await plan(`done-${name}`)).documents;
    const again = JSON.parse(
      (await run('archive', `done-${name}`, '--json', '-o', `two-${name}`)).stdout,
    );
    expect(renewed.timestampRequests, `again ${name}`).toBe(again.timestampRequests);
  }
  expect(existsSync(join(cli.folder, 'done-b-b.pdf'))).toBe(true);
}, 60_000);

test('--plan on a folder lists each document, gives a code to those it cannot archive, and fails', async () => {
  const { cli, run, plan } = await open();
  await run('seal', 'a.pdf', '--level', 'b-b', '-o', 'signed.pdf');
  writeFileSync(
    join(cli.folder, 'cut.pdf'),
    readFileSync(join(cli.folder, 'signed.pdf')).subarray(0, 900),
  );
  const { documents, exitCode } = await plan('.');
  expect(exitCode).toBe(7);
  const told = documents.map(({ input, possible, problems }: never) => [
    input,
    possible,
    (problems as { code: string }[])[0]?.code,
  ]);
  expect(told).toEqual([
    ['a.pdf', false, 'pdf.signature.none'],
    ['a.xml', false, 'xml.signature.none'],
    ['cut.pdf', false, expect.stringMatching(/^pdf\./)],
    ['plain.xml', false, 'xml.signature.none'],
    ['signed.pdf', true, undefined],
  ]);
});

test('a hint that applies to several signatures is printed once', async () => {
  const { cli, run, plan } = await open();
  await run('seal', 'a.pdf', '--level', 'b-b', '-o', 'once.pdf');
  await run('seal', 'once.pdf', '--level', 'b-b', '-o', 'twice.pdf');
  const stranger = ['twice.pdf', '--data-dir', join(cli.folder, 'fresh')];
  const { documents } = await plan(...stranger);
  const hints = documents[0].signatures.flatMap(
    ({ problems }: { problems: readonly { hint: string }[] }) => problems.map(({ hint }) => hint),
  );
  expect(hints).toHaveLength(2);
  expect(hints[0]).toContain('--trust FILE');
  expect(hints[1]).toBe(hints[0]);
  const { stdout } = await run('archive', '--plan', ...stranger);
  expect(stdout.split('no path for')).toHaveLength(3);
  expect(stdout.split('hint:')).toHaveLength(2);
});

test('--plan creates no development trust', async () => {
  const { cli, plan } = await open();
  const home = join(cli.folder, 'fresh');
  const signed = await open();
  await signed.run('seal', 'a.pdf', '--level', 'b-b', '-o', 'signed.pdf');
  cli.write('signed.pdf', readFileSync(join(signed.cli.folder, 'signed.pdf')));
  const { documents } = await plan('signed.pdf', '--data-dir', home);
  expect(documents).toMatchObject([
    { possible: false, signatures: [{ problems: [{ code: 'certificate.untrusted' }] }] },
  ]);
  expect(existsSync(home)).toBe(false);
});

test.each(['--output x.pdf', '--in-place', '--out-dir x', '--timestamp-only'])(
  '--plan together with %s is rejected',
  async (flags) => {
    const { cli, run } = await open();
    const before = cli.files();
    const { exitCode, stderr } = await run('archive', 'a.pdf', '--plan', ...flags.split(' '));
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`expected --plan or ${flags.split(' ')[0]}, found both`);
    expect(cli.files()).toEqual(before);
  },
);
