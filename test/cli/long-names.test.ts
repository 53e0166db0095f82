import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { shortName } from '../../src/cli/files/index.ts';
import { openFakeCli } from './support/fake-cli.ts';
import { realToolkit } from './support/fake-xml.ts';

test('seals a file whose name has 80 characters of three bytes each', async () => {
  const cli = openFakeCli();
  const name = '契'.repeat(80);
  cli.write(`${name}.pdf`, readFileSync('fixtures/pdf/agreement.pdf'));
  const run = await cli.run(['seal', `${name}.pdf`, '--level', 'B-B'], realToolkit());
  expect({ exitCode: run.exitCode, stderr: run.stderr }).toMatchObject({ exitCode: 0 });
});

test('a shortened name is cut between characters', () => {
  expect(shortName('plain.pdf')).toBe('plain.pdf');
  expect(shortName(`a${'😀'.repeat(50)}`)).toBe(`a${'😀'.repeat(19)}`);
});
