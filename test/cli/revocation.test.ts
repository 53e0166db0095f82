import { describe, expect, test } from 'vitest';
import { openFakeCli } from './support/fake-cli.ts';
import { realToolkit } from './support/fake-xml.ts';

const { env: { INNSIGLI_REVOCATION: _, ...env } = {}, ...others } = realToolkit();
const setup = { ...others, env };

function open(files: Readonly<Record<string, string>> = {}) {
  const cli = openFakeCli({ 'a.xml': '<a/>', ...files });
  const run = (...args: readonly string[]) => cli.run(args, setup);
  const verify = async (...args: readonly string[]) => {
    const { exitCode, stdout } = await run('verify', ...args, '--json');
    const [{ hint, report }] = JSON.parse(stdout).documents;
    const { indication, revocation, signatures, notJudged } = report;
    const { subIndication } = signatures[0];
    return { exitCode, hint, indication, subIndication, revocation, notJudged };
  };
  return { cli, run, verify };
}

describe('innsigli verify of a seal without revocation data', () => {
  test('innsigli verify of a seal without revocation data is INDETERMINATE / TRY_LATER, and says why and what to pass', async () => {
    const { run, verify } = open();
    await run('seal-xml', 'a.xml', '--level', 'b-b');
    expect(await verify('a.sealed.xml')).toMatchObject({
      exitCode: 9,
      indication: 'INDETERMINATE',
      subIndication: 'TRY_LATER',
      hint: expect.stringMatching(/--validation-data FILE.*--revocation online.*ignore/),
      revocation: { mode: 'require', asked: [] },
    });
    const { stdout } = await run('verify', 'a.sealed.xml');
    expect(stdout).toContain('hint: the revocation status of a certificate is unknown');
  });

  test('innsigli verify of a seal without revocation data passes with --revocation ignore, which is named among what was not checked', async () => {
    const { run, verify } = open();
    const sealed = await run('seal-xml', 'a.xml', '--level', 'b-b');
    expect(sealed.stderr).toContain('innsigli verify --revocation ignore a.sealed.xml');
    const found = await verify('a.sealed.xml', '--revocation', 'ignore');
    expect(found).toMatchObject({ exitCode: 0, indication: 'TOTAL-PASSED', hint: undefined });
    expect(found.notJudged).toContain('revocation of certificates with unknown status');
  });

  test('innsigli verify of a seal without revocation data passes with --revocation online, and the report lists what was asked', async () => {
    const { run, verify } = open();
    await run('seal-xml', 'a.xml', '--level', 'b-b');
    const found = await verify('a.sealed.xml', '--revocation', 'online');
    expect(found).toMatchObject({ exitCode: 0, indication: 'TOTAL-PASSED' });
    expect(found.revocation.mode).toBe('online');
    // The development trust answers for its own certificates, without the network.
    expect(found.revocation.asked).toHaveLength(2);
    expect(found.revocation.asked[0]).toMatchObject({
      certificate: expect.stringMatching(/CN=/),
      source: 'available revocation data',
      answered: true,
    });
  });

  test('innsigli verify of a seal without revocation data is told to people as well', async () => {
    const { run } = open();
    await run('seal-xml', 'a.xml', '--level', 'b-b');
    const { stdout } = await run('verify', 'a.sealed.xml', '--revocation', 'online');
    expect(stdout).toContain('Revocation data requests:');
    expect(stdout).toMatch(/✓ available revocation data, of innsigli TEST ONLY seal/);
    expect((await run('verify', 'a.sealed.xml')).stdout).not.toContain('Revocation data requests');
  });

  test('innsigli verify of a seal without revocation data is one line of a batch, too', async () => {
    const { run } = open();
    await run('seal-xml', 'a.xml', '--level', 'b-b');
    await run('seal-xml', 'a.xml', '--level', 'b-b', '-o', 'b.sealed.xml');
    const checked = await run('verify', 'a.sealed.xml', 'b.sealed.xml', '-j1');
    expect(checked.exitCode).toBe(9);
    expect(checked.stdout).toBe('INDETERMINATE a.sealed.xml\nINDETERMINATE b.sealed.xml\n');
    // Once: the same advice for each of a thousand files does not help.
    const advice = checked.stderr.replace(/\s+/g, ' ');
    expect(
      advice.match(/hint: the revocation status of a certificate is unknown.*--revocation ignore/g),
    ).toHaveLength(1);
    expect((await run('verify', 'a.sealed.xml', '-j1', '-q')).stderr).not.toContain('hint:');
    expect((await run('verify', 'a.sealed.xml', '-j1', '--revocation', 'ignore')).exitCode).toBe(0);
  });
});

test('a seal at B-LTA holds what verify demands', async () => {
  const { run, verify } = open();
  const sealed = await run('seal-xml', 'a.xml');
  expect(sealed.stderr).not.toContain('--revocation');
  expect(await verify('a.sealed.xml')).toMatchObject({ exitCode: 0, indication: 'TOTAL-PASSED' });
});

test('words that are no rule are refused', async () => {
  const { run } = open();
  const refused = await run('verify', 'a.xml', '--revocation', 'never');
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('require, online, ignore');
});

test('a project file that was found beside the documents does not switch it off', async () => {
  const { run, verify } = open({ 'innsigli.config.json': '{ "revocation": "ignore" }' });
  await run('seal-xml', 'a.xml', '--level', 'b-b');
  expect(await verify('a.sealed.xml')).toMatchObject({ exitCode: 9, subIndication: 'TRY_LATER' });
});
