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
  test('is INDETERMINATE / TRY_LATER and hints at the option to pass', async () => {
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

  test('passes with --revocation ignore, and the report lists revocation as not checked', async () => {
    const { run, verify } = open();
    const sealed = await run('seal-xml', 'a.xml', '--level', 'b-b');
    expect(sealed.stderr).toContain('innsigli verify --revocation ignore a.sealed.xml');
    const found = await verify('a.sealed.xml', '--revocation', 'ignore');
    expect(found).toMatchObject({ exitCode: 0, indication: 'TOTAL-PASSED', hint: undefined });
    expect(found.notJudged).toContain('revocation of certificates with unknown status');
  });

  test('passes with --revocation online, and the report lists the requests', async () => {
    const { run, verify } = open();
    await run('seal-xml', 'a.xml', '--level', 'b-b');
    const found = await verify('a.sealed.xml', '--revocation', 'online');
    expect(found).toMatchObject({ exitCode: 0, indication: 'TOTAL-PASSED' });
    expect(found.revocation.mode).toBe('online');
    // The development trust provides revocation data for its own certificates without the network.
    expect(found.revocation.asked).toHaveLength(2);
    expect(found.revocation.asked[0]).toMatchObject({
      certificate: expect.stringMatching(/CN=/),
      source: 'available revocation data',
      answered: true,
    });
  });

  test('lists the requests in the text report as well', async () => {
    const { run } = open();
    await run('seal-xml', 'a.xml', '--level', 'b-b');
    const { stdout } = await run('verify', 'a.sealed.xml', '--revocation', 'online');
    expect(stdout).toContain('Revocation data requests:');
    expect(stdout).toMatch(/✓ available revocation data, of innsigli TEST ONLY seal/);
    expect((await run('verify', 'a.sealed.xml')).stdout).not.toContain('Revocation data requests');
  });

  test('is one line of a batch', async () => {
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

test('a B-LTA seal contains the revocation data that verify requires', async () => {
  const { run, verify } = open();
  const sealed = await run('seal-xml', 'a.xml');
  expect(sealed.stderr).not.toContain('--revocation');
  expect(await verify('a.sealed.xml')).toMatchObject({ exitCode: 0, indication: 'TOTAL-PASSED' });
});

test('--revocation rejects an unknown value', async () => {
  const { run } = open();
  const refused = await run('verify', 'a.xml', '--revocation', 'never');
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain('require, online, ignore');
});

test('a project file found next to the documents cannot set --revocation ignore', async () => {
  const { run, verify } = open({ 'innsigli.config.json': '{ "revocation": "ignore" }' });
  await run('seal-xml', 'a.xml', '--level', 'b-b');
  expect(await verify('a.sealed.xml')).toMatchObject({ exitCode: 9, subIndication: 'TRY_LATER' });
});
