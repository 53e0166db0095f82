import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openToolkit } from '../../src/wire/toolkit.ts';
import { openFakeCli } from './support/fake-cli.ts';

const csv = 'ssn,address,postalCode,city\n6000101994,Prófgata 1,101,Reykjavík\n';
const env = (folder: string) => ({ INNSIGLI_HOME: join(folder, 'data') });

async function open() {
  const cli = openFakeCli({ 'persons.csv': csv, 'broken.csv': `${csv}12,,,\n` });
  const run = (line: string, more: Record<string, string> = {}, stdin?: string) =>
    cli.run(line.split(' '), {
      env: { ...env(cli.folder), ...more },
      ...(stdin === undefined ? {} : { stdin }),
      io: {
        now: () => Date.UTC(2026, 0, 2, 3, 4, 5),
        random: (count) => randomBytes(count),
        openToolkit: async (config, io) => openToolkit(config, io),
      },
    });
  expect((await run('register show')).exitCode).toBe(10);
  expect((await run('init --company Acme')).exitCode).toBe(0);
  return run;
}

describe('innsigli register', () => {
  test('imports a file, shows its figures and keeps the last valid import', async () => {
    const run = await open();
    const before = await run('register show');
    expect([before.exitCode, before.stdout]).toEqual([
      0,
      'in use: the imported register\nimported: nothing\n',
    ]);
    const imported = await run('register import persons.csv');
    expect([imported.exitCode, imported.stderr]).toEqual([
      0,
      expect.stringContaining('imported: 1 person'),
    ]);
    const broken = await run('register import broken.csv');
    expect([broken.exitCode, broken.stderr]).toEqual([2, expect.stringContaining('row 3: ssn')]);
    expect((await run('register import none.csv')).exitCode).toBe(5);
    const shown = await run('register show --json');
    expect(JSON.parse(shown.stdout)).toMatchObject({
      imported: { persons: 1, importedAt: '2026-01-02T03:04:05.000Z' },
    });
    for (const { stdout, stderr } of [imported, broken, shown]) {
      expect(`${stdout}${stderr}`).not.toMatch(/6000101994|Prófgata/);
    }
  });

  test('rejects a file that shrank with 7 unless --accept-shrunken is given; - reads standard input', async () => {
    const run = await open();
    const rows = Array.from({ length: 20 }, (_, at) => `60001019${at + 10}`);
    const many = ['ssn', ...rows].join('\n');
    expect((await run('register import -', {}, many)).exitCode).toBe(0);
    const refused = await run('register import persons.csv');
    expect([refused.exitCode, refused.stderr]).toEqual([
      7,
      expect.stringContaining('--accept-shrunken'),
    ]);
    expect((await run('register import persons.csv --accept-shrunken')).exitCode).toBe(0);
  });

  test('show prints the configured register and what was imported', async () => {
    const run = await open();
    const url = 'https://register.example/persons';
    const shown = await run('register show', { INNSIGLI_REGISTER_URL: url });
    expect(shown.stdout).toBe(`in use: ${url}\nimported: nothing\n`);
  });

  test('company quota shows the look-ups', async () => {
    const run = await open();
    const { exitCode, stdout } = await run('company quota --json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout).lookups).toEqual({
      NameAddress: { today: 0, total: 0 },
      NameAddressFamily: { today: 0, total: 0 },
    });
  });
});
