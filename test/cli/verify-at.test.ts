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

test('--at sets the time of verification: a certificate issued later is not yet valid', async () => {
  const { verdictAt } = await sealed();
  expect(await verdictAt()).toMatchObject({ indication: 'TOTAL-PASSED' });
  expect(await verdictAt('--at', '2001-05-06T07:08:09Z')).toEqual({
    verifiedAt: '2001-05-06T07:08:09.000Z',
    indication: 'INDETERMINATE',
    subIndication: 'NOT_YET_VALID',
  });
});

test('--at too early is explained by the time of the check, not by the age of the signature', async () => {
  const { run } = await sealed();
  const early = ['--revocation', 'ignore', '--at', '2001-05-06'];
  const { stdout } = await run('verify', 'b.xml', ...early);
  const words = stdout.replace(/\s+/g, ' ');
  expect(words).toContain('It cannot be relied on at the time of this check: the certificate is');
  expect(words).toContain('Check again as of a later time.');
  expect(words).not.toContain('the signature is older');
  expect(words).toMatch(
    /! a path leads to a trust anchor, but a certificate of the path was not valid/,
  );
});

test('a time-stamp later than --at gets no tick', async () => {
  const { run } = await sealed();
  await run('seal-xml', 'a.xml', '--level', 'b-t', '-o', 't.xml');
  const sealedNow = ['verify', 't.xml', '--revocation', 'ignore'];
  expect((await run(...sealedNow)).stdout).toMatch(/time-stamp {2}✓ /);
  const { stdout } = await run(...sealedNow, '--at', '2001-05-06');
  expect(stdout).toMatch(/time-stamp {2}! /);
  const words = stdout.replace(/\s+/g, ' ');
  expect(words).toContain(
    'Its time-stamp is not accepted: it is later than the time of this check.',
  );
  expect(words).toContain('is later than the time of the check, 2001-05-06T00:00:00.000Z');
  expect(words).not.toContain('local clock');
});

test('--at applies to a batch as well', async () => {
  const { run } = await sealed();
  const args = ['verify', 'b.xml', '--jobs', '1', '--json', '--at', '2001-05-06'];
  const { stdout } = await run(...args);
  expect(JSON.parse(stdout).items[0].report.verifiedAt).toBe('2001-05-06T00:00:00.000Z');
});

test.each(['yesterday', '2026-13-01', ''])('--at %j is rejected', async (text) => {
  const { run } = await sealed();
  const refused = await run('verify', 'b.xml', '--at', text);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('--at: expected');
});
