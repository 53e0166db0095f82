import { describe, expect, test } from 'vitest';
import { openEidCli } from './support/eid-cli.ts';

/**
 * Command lines that request nothing or have options without effect; the controls have an effect.
 */
const refused: readonly (readonly [line: string, message: string])[] = [
  ['verify a.pdf --language de', '--language: expected --write-report with it, found none'],
  ['verify . --language de', '--language: expected --write-report with it, found none'],
  ['seal a.pdf --level b-b --tsa http://127.0.0.1:9', '--tsa: expected level B-T or higher'],
  ['seal a.pdf --level b-b --tsa-timeout 5s', '--tsa-timeout: expected level B-T or higher'],
  ['seal . --out-dir o --level b-b --tsa-rate 5', '--tsa-rate: expected level B-T or higher'],
  ['seal-xml a.xml --level b-b --tsa http://127.0.0.1:9', '--tsa: expected level B-T or higher'],
  ['compliance status', 'expected --ssn, --email or --phone, found none'],
  ['compliance status --business', 'expected --ssn or --name, found none'],
  ['compliance status --ssn=', 'expected --ssn, --email or --phone, found none'],
  ['compliance status --name X', '--name does not identify a person'],
  ['compliance status --business --email a@b.is', '--email does not identify a business'],
  ['compliance status --ssn abc', '--ssn: expected ten digits'],
  ['compliance status --business --ssn 123', '--ssn: expected ten digits'],
  ['compliance individual show --ssn 010190-123', '--ssn: expected ten digits'],
  ['compliance individual evaluate --level low --ssn 1', '--ssn: expected ten digits'],
  ['compliance individual accept --reason x --ssn 1', '--ssn: expected ten digits'],
  ['compliance status --email X', '--email: expected an e-mail address'],
  ['compliance individual show --email a@', '--email: expected an e-mail address'],
  ['compliance individual status --phone X', '--phone: expected a phone number'],
  ['compliance individual accept --reason x --phone x', '--phone: expected a phone number'],
  ['compliance individual status', 'expected --ssn, --email or --phone, found none'],
  ['compliance individual show', 'expected --ssn, --email or --phone, found none'],
  ['compliance individual evaluate --level low', 'expected --ssn, --email or --phone, found none'],
  ['compliance individual accept --reason x', 'expected --ssn, --email or --phone, found none'],
  ['compliance business status', 'expected --ssn or --name, found none'],
  ['compliance business show', 'expected --ssn or --name, found none'],
  ['compliance business evaluate --level low', 'expected --ssn or --name, found none'],
  ['trust export house -o - --json', '--json and a document cannot both go to stdout'],
  ['flow render x -o - --json', '--json and a document cannot both go to stdout'],
  ['process document x -o - --json', '--json and a document cannot both go to stdout'],
  ['template put latin-1.html --flow x --type Signup --subject x', 'latin-1.html: expected UTF-8'],
  ['flow render x --values latin-1.json', 'latin-1.json: expected UTF-8 text'],
];

const controls: readonly (readonly [line: string, exitCode: number])[] = [
  ['verify a.pdf --language de --write-report a.report.html', 7],
  ['seal a.pdf --level b-b', 0],
  ['seal a.pdf --level b-t --tsa-timeout 5s -o b-t.pdf', 0],
  ['archive a.pdf --timestamp-only --tsa-timeout 5s -o archived.pdf', 0],
  ['compliance status --ssn 0101901239', 5],
  ['compliance status --business --name X', 5],
  ['compliance individual show --email a@b.is', 5],
  ['flow render x --values utf-8.json', 5],
];

describe('an option without effect or with an unusable value', () => {
  const latin1 = { 'latin-1.html': '<p>J\u00f3n</p>', 'latin-1.json': '{"name":"J\u00f3n"}' };

  test('is rejected by name', async () => {
    const cli = await openEidCli();
    for (const [name, text] of Object.entries(latin1)) cli.write(name, Buffer.from(text, 'latin1'));
    cli.write('utf-8.json', latin1['latin-1.json']);
    for (const [line, message] of refused) {
      const { exitCode, stderr } = await cli.run(line.split(' '));
      expect({ line, exitCode, stderr }).toMatchObject({ line, exitCode: 2 });
      expect(stderr).toContain(message);
    }
    for (const [line, exitCode] of controls) {
      expect({ line, ...(await cli.run(line.split(' '))) }).toMatchObject({ line, exitCode });
    }
  });
});

describe('a batch of one named document', () => {
  test.each([
    ['seal none.pdf', '--out-dir out', 5],
    ['seal none.pdf', '--in-place --jobs 1', 5],
    ['seal text.pdf', '--out-dir out', 7],
    ['archive none.pdf', '--out-dir out', 5],
    ['seal-xml none.xml', '--out-dir out', 5],
    ['verify none.pdf', '--jobs 1', 5],
    ['verify text.pdf', '--jobs 1', 7],
  ])('%s exits as without the batch options %s', async (line, options, exitCode) => {
    const cli = await openEidCli();
    cli.write('text.pdf', 'text');
    const batch = [...line.split(' '), ...options.split(' ')];
    expect(await cli.run(line.split(' '))).toMatchObject({ exitCode });
    expect(await cli.run(batch)).toMatchObject({ exitCode });
    // With several documents the exit code is that of the batch.
    expect(await cli.run([...batch, 'other.pdf', '-f'])).toMatchObject({ exitCode: 3 });
  });
});
