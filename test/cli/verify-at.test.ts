import { expect, test } from 'vitest';
import { openFakeCli } from './support/fake-cli.ts';
import { realToolkit } from './support/fake-xml.ts';

const setup = realToolkit();

async function sealed() {
  const cli = openFakeCli({ 'a.xml': '<a/>' });
  const run = (...args: readonly string[]) => cli.run(args, setup);
  await run('seal-xml', 'a.xml', '--level', 'b-b', '-o', 'b.xml');
  const verdictAt = async (...at: readonly string[]) => {
    const { stdout } = await run('verify', 'b.xml', '--json', '--revocation', 'ignore', ...at);
    const { verifiedAt, indication, signatures } = JSON.parse(stdout).documents[0].report;
    return { verifiedAt, indication, subIndication: signatures[0].subIndication };
  };
  return { run, verdictAt };
}

test('--at is the time of verification: a certificate of later is not valid yet', async () => {
  const { verdictAt } = await sealed();
  expect(await verdictAt()).toMatchObject({ indication: 'TOTAL-PASSED' });
  expect(await verdictAt('--at', '2001-05-06T07:08:09Z')).toEqual({
    verifiedAt: '2001-05-06T07:08:09.000Z',
    indication: 'INDETERMINATE',
    subIndication: 'NOT_YET_VALID',
  });
});

test('--at holds for a batch, too', async () => {
  const { run } = await sealed();
  const args = ['verify', 'b.xml', '--jobs', '1', '--json', '--at', '2001-05-06'];
  const { stdout } = await run(...args);
  expect(JSON.parse(stdout).items[0].report.verifiedAt).toBe('2001-05-06T00:00:00.000Z');
});

test.each(['yesterday', '2026-13-01', ''])('--at %j is refused', async (text) => {
  const { run } = await sealed();
  const refused = await run('verify', 'b.xml', '--at', text);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('--at: expected');
});
