import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openToolkit } from '../../src/wire/toolkit.ts';
import { makeTestPki } from '../support/pki.ts';
import { type CliSetup, openFakeCli } from './support/fake-cli.ts';

const pdf = readFileSync('fixtures/pdf/agreement.pdf');
const pem = (der: Uint8Array) =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE-----\n`;

/** A folder with documents and an encrypted key of the test PKI. */
function withKey() {
  const pki = makeTestPki();
  const { der, privateKey } = pki.member('signer');
  const cipher = { cipher: 'aes-256-cbc', passphrase: 'hunter2' } as const;
  const key = privateKey.export({ type: 'pkcs8', format: 'pem', ...cipher }) as string;
  const cli = openFakeCli({ 'key.pem': key, 'cert.pem': pem(der) });
  cli.write('a.pdf', pdf);
  cli.write('b.pdf', pdf);
  const where = ['--data-dir', join(cli.folder, '.home', 'data')];
  const own = ['--key', 'key.pem', '--cert', 'cert.pem', '--level', 'B-B', ...where];
  const setup = (stdin: string): CliSetup => ({
    stdin,
    io: {
      now: () => pki.nowMs,
      waitForStop: () => new Promise(() => undefined),
      openToolkit: async (config, io) => openToolkit(config, { ...io, now: () => pki.nowMs }),
    },
  });
  return { cli, own, setup };
}

test('--password-file - reads the first line of standard input', async () => {
  const { cli, own, setup } = withKey();
  const args = [...own, '--password-file', '-'];
  const sealed = await cli.run(['seal', 'a.pdf', ...args], setup('hunter2\nmore\n'));
  expect(sealed.exitCode).toBe(0);
  expect(sealed.stderr).not.toContain('--password-file');
  const wrong = await cli.run(['seal', 'b.pdf', ...args], setup('other\n'));
  expect([wrong.exitCode, wrong.stderr.includes('key.password.wrong')]).toEqual([4, true]);
  const batch = ['seal', 'a.pdf', 'b.pdf', '--out-dir', 'out', '-j1', ...args];
  expect((await cli.run(batch, setup('hunter2\n'))).exitCode).toBe(0);
  const named = await cli.run(['config', 'explain', ...args], setup(''));
  expect(named.stdout).toMatch(/key\.passwordFile +file:- +flag --password-file/);
});

test('standard input cannot be both document and password', async () => {
  const { cli, own, setup } = withKey();
  const args = ['seal', '-', '-o', 'x.pdf', ...own, '--password-file', '-'];
  const { exitCode, stderr } = await cli.run(args, setup(`hunter2\n${pdf.toString('latin1')}`));
  expect(exitCode).toBe(2);
  expect(stderr).toContain('standard input can be used only once');
});

test('a password file called - is named as ./-', async () => {
  const { cli, own, setup } = withKey();
  cli.write('-', 'hunter2\n');
  const args = ['seal', 'a.pdf', ...own, '--password-file', './-'];
  expect((await cli.run(args, setup('wrong\n'))).exitCode).toBe(0);
});

test('serve --tls-password-file - reads standard input, but only for a single process', async () => {
  const { cli, own, setup } = withKey();
  const [, , , , , , ...where] = own;
  await cli.run(['init', ...where], setup(''));
  const tls = ['--tls-key', 'key.pem', '--tls-cert', 'cert.pem', '--tls-password-file', '-'];
  const serve = ['serve', '--api', '--port', '0', ...tls, ...where];
  const stops = (stdin: string): CliSetup => {
    const { io } = setup(stdin);
    return { stdin, io: { ...io, waitForStop: () => Promise.resolve('SIGTERM') } };
  };
  const right = await cli.run(serve, stops('hunter2\n'));
  expect([right.exitCode, right.stdout]).toEqual([0, expect.stringMatching(/^https:/)]);
  const wrong = await cli.run(serve, stops('other\n'));
  expect(wrong.stderr).toContain('the password of this private key is incorrect');
  const several = await cli.run([...serve, '--workers', '2'], stops('hunter2\n'));
  expect(several.stderr).toContain('--tls-password-file: expected a file for --workers');
  expect([wrong.exitCode, several.exitCode]).toEqual([10, 2]);
});
