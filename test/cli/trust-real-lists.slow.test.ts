import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseTrustedList } from '../../src/formats/tsl/index.ts';
import { parseXml } from '../../src/formats/xml/index.ts';
import { openToolkit } from '../../src/wire/toolkit.ts';
import { openFakeCli } from './support/fake-cli.ts';

// Lists as published by the Commission, Belgium and Estonia, from a server and a mirror on this
// machine.
const folder =
  '../shared/corpora/pyhanko/internal/common-test-utils/src/pyhanko_testing_commons/test_data/data/tl';
const isThere = existsSync(folder);
if (!isThere) console.warn(`SKIPPED test/cli/trust-real-lists.slow.test.ts: no ${folder}`);

const real = (name: string) => readFileSync(join(folder, name));
const pem = (der: Uint8Array) =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE-----\n`;

/** The signers that a list of lists names for the list of a territory, as PEM. */
function signersOf(lotl: string, territory: string): string {
  const { pointers } = parseTrustedList(parseXml(real(lotl)));
  const named = pointers.filter((each) => each.territory === territory);
  return named.flatMap(({ certificates }) => certificates.map(pem)).join('');
}

/** Between the issue of the newest lists and their next updates. */
const nowMs = Date.UTC(2026, 6, 1);

describe.skipIf(!isThere)('innsigli trust with real trusted lists', () => {
  const web = new Map<string, Uint8Array>();
  const server = createServer((request, response) => {
    const answer = web.get(request.url ?? '');
    if (answer === undefined) response.writeHead(404).end();
    else response.end(answer);
  });
  let base = '';
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });

  function open() {
    const cli = openFakeCli({
      'eu.pem': signersOf('eu-lotl.xml', 'EU'),
      'be.pem': signersOf('eu-lotl.xml', 'BE'),
      'ee.pem': signersOf('eu-lotl.xml', 'EE'),
      'old.pem': signersOf('eu-lotl-pivot-300.xml', 'EU'),
    });
    mkdirSync(join(cli.folder, 'mirror'));
    const put = (name: string, bytes: Uint8Array) => cli.write(`mirror/${name}`, bytes);
    put('eu-lotl.xml', real('eu-lotl.xml'));
    put('tsl-be-v6.xml', real('tsl-be-v6.xml'));
    put('estonian-tsl.xml', real('tsl-ee.xml'));
    let atMs = nowMs;
    const run = (line: string) =>
      cli.run(line.split(' '), {
        env: {
          INNSIGLI_HOME: join(cli.folder, 'data'),
          INNSIGLI_ALLOW_PRIVATE_ADDRESSES: 'true',
        },
        io: {
          now: () => atMs,
          random: (count) => randomBytes(count),
          openToolkit: async (config, io) => openToolkit(config, io),
        },
      });
    const goTo = (timeMs: number) => {
      atMs = timeMs;
    };
    return { cli, run, put, goTo };
  }
  const lotl = 'https://ec.europa.eu/tools/lotl/eu-lotl.xml';
  const first = `trust sync eu --list ${lotl} --signer eu.pem --folder mirror --territory BE`;

  test('syncs, lists, shows, exports and imports them', { timeout: 60_000 }, async () => {
    const { cli, run } = open();
    const synced = await run(first);
    expect(synced.stdout).toMatch(/✓ EU {2}new .*eu-lotl\.xml\n✓ BE {2}new .*tsl-be-v6\.xml/);
    expect(synced.exitCode).toBe(0);
    const listed = await run('trust list');
    expect(listed.stdout).toContain('no. 388');
    expect(listed.stdout).toContain('no. 81');
    const shown = await run('trust show eu be');
    expect(shown.stdout).toMatch(/CA\/QC {8}granted/);
    expect((await run('trust export eu -o eu.trust')).exitCode).toBe(0);
    expect((await run('trust import eu.trust --signer eu.pem')).exitCode).toBe(0);
    const stranger = await run('trust import eu.trust --signer be.pem');
    expect(stranger.exitCode).not.toBe(0);
    expect(cli.files().length).toBeGreaterThan(0);
  });

  test('fetches single lists from a server, and overdue ones only on request', async () => {
    const { run } = open();
    web.set('/be.xml', real('tsl-be-v6.xml'));
    web.set('/ee.xml', real('tsl-ee.xml'));
    const be = await run(`trust sync be --list ${base}/be.xml --signer be.pem`);
    expect(be.stdout).toMatch(/✓ BE {2}new/);
    const ee = `trust sync ee --list ${base}/ee.xml --signer ee.pem`;
    expect((await run(ee)).exitCode).not.toBe(0);
    expect((await run(`${ee} --expired warn`)).stdout).toMatch(/EE {2}new/);
    const wrong = await run(`trust sync no --list ${base}/be.xml --signer ee.pem`);
    expect(wrong.exitCode).not.toBe(0);
    expect(wrong.stderr + wrong.stdout).toContain('trust.list');
  });

  test('never replaces a list with an older one', { timeout: 60_000 }, async () => {
    const { run, put, goTo } = open();
    expect((await run(first)).exitCode).toBe(0);
    put('eu-lotl.xml', real('eu-lotl-old.xml'));
    goTo(Date.UTC(2025, 11, 1));
    const back = await run('trust sync eu --folder mirror');
    expect(back.exitCode).toBe(7);
    expect(back.stderr + back.stdout).toContain('trust.list.rollback');
    expect((await run('trust list')).stdout).toContain('no. 388');
  });

  test('rejects a changed byte in a list and in a pivot', { timeout: 60_000 }, async () => {
    const { run, put, goTo } = open();
    const forged = (name: string, from: string, to: string) => {
      const text = real(name).toString('utf8');
      expect(text).toContain(from);
      return Buffer.from(text.replace(from, to));
    };
    put('tsl-be-v6.xml', forged('tsl-be-v6.xml', 'Svcstatus/granted', 'Svcstatus/withdrawn'));
    const be = await run(first);
    expect(be.exitCode).toBe(3);
    expect(be.stderr + be.stdout).toContain('trust.list');
    // Starting from the signers of 2021 requires only the pivots of 2023 and 2024.
    goTo(Date.UTC(2025, 11, 1));
    put('eu-lotl.xml', real('eu-lotl-old.xml'));
    for (const pivot of [282, 300, 341]) {
      put(`eu-lotl-pivot-${pivot}.xml`, real(`eu-lotl-pivot-${pivot}.xml`));
    }
    const [number, other] = ['TSLSequenceNumber>335<', 'TSLSequenceNumber>336<'];
    put('eu-lotl-pivot-335.xml', forged('eu-lotl-pivot-335.xml', number, other));
    const old = `trust sync old --list ${lotl} --signer old.pem --folder mirror --territory BE`;
    const refused = await run(old);
    expect(refused.stderr + refused.stdout).toContain('trust.list');
    expect(refused.exitCode).toBe(7);
    put('eu-lotl-pivot-335.xml', real('eu-lotl-pivot-335.xml'));
    const taken = await run(old);
    expect(taken.stdout).toMatch(/✓ EU {2}new/);
  });
});
