import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describeName } from '../../src/formats/x509/index.ts';
import { sealPdf } from '../../src/index.ts';
import { openToolkit } from '../../src/wire/toolkit.ts';
import { makeTestPki } from '../support/pki.ts';
import { fixture, sealOptions, signerOf } from '../support/sealing.ts';
import {
  listNowMs,
  listXml,
  makeScheme,
  qualifiedMember,
  signList,
  type TestList,
} from '../support/trusted-lists.ts';
import { openFakeCli } from './support/fake-cli.ts';

const { pki, operator } = makeScheme(makeTestPki({ nowMs: listNowMs }));
const [eu, is] = [operator('EU'), operator('IS')];
const pem = (der: Uint8Array) =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE-----\n`;

type Answer = Uint8Array | { readonly location: string } | 'endless';

/** Lists on this machine, as operators publish them. */
const web = new Map<string, Answer>();
const server = createServer((request, response) => {
  const answer = web.get(request.url ?? '');
  if (answer === undefined) return response.writeHead(404).end();
  if (answer === 'endless') {
    response.on('error', () => undefined);
    const piece = Buffer.alloc(1 << 20, ' ');
    const more = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', more);
    return more();
  }
  if ('location' in answer) return response.writeHead(302, { location: answer.location }).end();
  return response.end(answer);
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

async function publish(changes: { readonly lotl?: TestList; readonly tl?: TestList } = {}) {
  const services = [
    { name: 'CA 1', certificates: [pki.member('ca').der] },
    { name: 'TSA 1', type: 'TSA/QTST', information: [], certificates: [pki.member('tsa').der] },
  ];
  const pointers = [
    { location: `${base}/lotl.xml`, territory: 'EU', type: 'EUlistofthelists', signers: [eu] },
    { location: `${base}/is.xml`, territory: 'IS', signers: [is] },
  ] as const;
  const lotl = { type: 'EUlistofthelists', territory: 'EU', pointers, ...changes.lotl } as const;
  web.set('/lotl.xml', await signList(listXml(lotl), eu));
  web.set('/is.xml', await signList(listXml({ services, version: 5, ...changes.tl }), is));
}

async function open() {
  await publish();
  const cli = openFakeCli({ 'eu.pem': pem(eu.der) });
  let nowMs = listNowMs;
  const run = (line: string, env: Record<string, string> = {}) =>
    cli.run(line.split(' '), {
      env: {
        INNSIGLI_HOME: join(cli.folder, 'data'),
        INNSIGLI_ALLOW_PRIVATE_ADDRESSES: 'true',
        ...env,
      },
      io: {
        now: () => nowMs,
        random: (count) => randomBytes(count),
        openToolkit: async (config, io) => openToolkit(config, io),
      },
    });
  const first = `trust sync eu --list ${base}/lotl.xml --signer eu.pem`;
  const goTo = (timeMs: number) => {
    nowMs = timeMs;
  };
  return { cli, run, first, goTo };
}

async function signedPdf(): Promise<Uint8Array> {
  const signer = signerOf(qualifiedMember(pki, { device: true, types: [1] }));
  return (await sealPdf(fixture('minimal.pdf'), sealOptions(pki, { signer }))).bytes;
}

describe('innsigli trust', () => {
  test('sync fetches lists, show prints them, and verify reports what is qualified', async () => {
    const { cli, run, first } = await open();
    const synced = await run(first);
    expect(synced.stderr).toContain('eu, version 1: 2 lists, 2 services\n');
    expect(synced.exitCode).toBe(0);
    expect(synced.stdout).toMatch(/✓ EU {2}new .*lotl\.xml\n✓ IS {2}new .*is\.xml/);
    const listed = await run('trust list');
    expect(listed.exitCode).toBe(0);
    expect(listed.stdout).toContain('no. 10');
    expect(listed.stdout).toContain('issued 2026-05-01  next 2026-10-01  2 services');
    expect(listed.stdout).toContain('signed by IS  Operator of IS');
    const shown = await run('trust show eu is');
    expect(shown.stdout).toMatch(/signer {7}CN=EU,C=IS {2}[0-9a-f]{64}/);
    expect(shown.stdout).toContain('CA/QC        granted    2017-01-01  CA 1  Provider');

    cli.write('a.pdf', await signedPdf());
    const verified = await run('verify a.pdf --trust-profile eu');
    expect(verified.stdout).toContain('qualified electronic signature [QESig]');
    expect(verified.stdout).toContain('the service "CA 1" of IS was granted as of');
    expect(verified.stdout).toMatch(/by tsa, qualified electronic time-stamp/);
    expect(verified.exitCode).toBe(0);
    const { exitCode, stdout } = await run('verify a.pdf --json', {
      INNSIGLI_TRUST_PROFILES: 'eu',
    });
    expect(exitCode).toBe(0);
    const [{ report }] = JSON.parse(stdout).documents;
    expect(report.signatures[0].qualification).toMatchObject({
      result: 'QESig',
      service: { territory: 'IS', name: 'CA 1' },
    });
  });

  test('verify never reports a qualified signature without a trusted list', async () => {
    const { cli, run } = await open();
    cli.write('a.pdf', await signedPdf());
    cli.write('root.pem', pem(pki.member('root').der));
    const plain = await run('verify a.pdf --trust root.pem');
    expect(plain.exitCode).toBe(0);
    expect(plain.stdout).not.toMatch(/qualified (electronic|certificate)/);
    await run('trust sync house --certificates root.pem');
    const house = await run('verify a.pdf --trust-profile house');
    expect(house.exitCode).toBe(0);
    expect(house.stdout).not.toMatch(/qualified (electronic|certificate)/);
  });

  test('overdue lists are reported, and verify with them exits with 7', async () => {
    const { cli, run, first, goTo } = await open();
    cli.write('a.pdf', await signedPdf());
    await run(first);
    goTo(Date.UTC(2027, 0));
    const late = await run('verify a.pdf --trust-profile eu');
    expect(late.stderr).toContain('its next update was due 2026-10-01');
    expect(late.exitCode).toBe(7);
    expect(late.stderr).toContain('[trust.list.expired]');
    expect((await run('trust list')).stdout).toContain('next 2026-10-01 overdue');
    expect((await run('trust sync eu')).stderr).toContain('[trust.list.expired]');
  });

  test('a bundle transfers lists to a machine without network', async () => {
    const { cli, run, first } = await open();
    await run(first);
    expect((await run('trust export eu -o eu.trust')).exitCode).toBe(0);
    expect((await run('trust export eu -o eu.trust')).exitCode).toBe(2);
    const home = { INNSIGLI_HOME: join(cli.folder, 'other') };
    const refused = await run('--offline trust sync eu', home);
    expect(refused.exitCode).toBe(2);
    const taken = await run('--offline trust import eu.trust --signer eu.pem', home);
    expect(taken.stderr).toContain('eu, version 1: 2 lists, 2 services\n');
    expect(taken.exitCode).toBe(0);
    cli.write('a.pdf', await signedPdf());
    const verified = await run('--offline verify a.pdf --trust-profile eu', home);
    expect(verified.stdout).toContain('[QESig]');
    expect((await run('--offline trust sync eu', home)).stderr).toContain('[network.offline]');
    cli.write('bad.trust', 'not a trust profile bundle');
    const bad = await run('trust import bad.trust', home);
    expect([bad.exitCode, bad.stderr]).toEqual([
      7,
      expect.stringContaining('trust.bundle.invalid'),
    ]);
  });

  test('trust show prints each anchor of a profile', async () => {
    const { cli, run } = await open();
    const { der, certificate } = pki.member('root');
    cli.write('root.pem', pem(der));
    const made = await run('trust sync house --certificates root.pem');
    expect(made.stdout).toBe('');
    const sha256 = createHash('sha256').update(der).digest('hex');
    const shown = await run('trust show house');
    const day = (timeMs: number) => new Date(timeMs).toISOString().slice(0, 10);
    const valid = `valid ${day(certificate.notBeforeMs)} to ${day(certificate.notAfterMs)}`;
    const name = describeName(certificate.subjectDer);
    expect(shown.stdout).toMatch(/^house {2}version 1 of [^\n]*\n {2}anchor [^\n]*\n$/);
    expect(shown.stdout).toContain(`  anchor       ${name}  ${valid}  ${sha256}\n`);
    const { anchors } = JSON.parse((await run('trust show house --json')).stdout);
    expect(anchors).toMatchObject([{ subject: name, sha256 }]);
    expect(anchors[0].notAfter.slice(0, 10)).toBe(day(certificate.notAfterMs));
  });

  test('an anchor contained in several files is counted once', async () => {
    const { cli, run } = await open();
    const [root, ca] = (['root', 'ca'] as const).map((name) => pem(pki.member(name).der));
    cli.write('all/root.pem', `${root}`);
    cli.write('all/ca.pem', `${ca}${root}`);
    const made = await run('trust sync house --certificates all');
    expect(made.stdout + made.stderr).toContain('2 certificates');
    const { anchors } = JSON.parse((await run('trust show house --json')).stdout);
    expect(anchors).toHaveLength(2);
  });

  test('an anchor that is not a CA is reported and applies only to itself', async () => {
    const { cli, run } = await open();
    for (const name of ['root', 'ca', 'signer'] as const) {
      cli.write(`all/${name}.pem`, pem(pki.member(name).der));
    }
    const made = await run('trust sync house --certificates all');
    expect(made.exitCode).toBe(0);
    expect(made.stderr.match(/is not an authority/g)).toHaveLength(1);
    const name = describeName(pki.member('signer').certificate.subjectDer);
    expect(made.stderr).toContain(
      `"${name}" is not an authority: as an anchor it is trusted directly`,
    );
    const { warnings } = JSON.parse(
      (await run('trust sync house --certificates all --json')).stdout,
    );
    expect(warnings).toMatchObject([{ code: 'trust.anchor.leaf' }]);
    // No revocation data is required for it.
    cli.write('leaf.pem', pem(pki.member('signer').der));
    await run('trust sync leaf --certificates leaf.pem');
    const sealed = await sealPdf(fixture('minimal.pdf'), sealOptions(pki, { level: 'B-B' }));
    cli.write('a.pdf', sealed.bytes);
    expect((await run('verify a.pdf --trust-profile leaf')).exitCode).toBe(0);
    expect((await run('verify a.pdf --trust-profile house')).exitCode).toBe(0);
    cli.write('root.pem', pem(pki.member('root').der));
    expect((await run('verify a.pdf --trust root.pem')).exitCode).toBe(9);
  });

  test('a file that is neither list nor bundle is named with what was expected', async () => {
    const { cli, run } = await open();
    cli.write('t.txt', 'text');
    const list = await run('trust sync x --list t.txt --signer eu.pem');
    expect(list.exitCode).toBe(7);
    const said = list.stderr.replace(/\s+/g, ' ');
    expect(said).toMatch(
      /t\.txt: expected a trusted list \(ETSI TS 119 612\), found no readable XML/,
    );
    expect(said).toContain('the XML file published by the operator of the list');
    const bundle = await run('trust import t.txt');
    expect(bundle.exitCode).toBe(7);
    const found = bundle.stderr.replace(/\s+/g, ' ');
    expect(found).toContain('t.txt: expected a file of innsigli trust export: ');
    expect(found).toContain('innsigli trust export NAME -o FILE');
  });

  test('an unknown signer and an overdue list come with clear hints', async () => {
    const { cli, run, first, goTo } = await open();
    cli.write('other.pem', pem(pki.member('root').der));
    const strange = await run(first.replace('eu.pem', 'other.pem'));
    expect(strange.exitCode).toBe(7);
    expect(strange.stderr.replace(/\s+/g, ' ')).toContain(
      'publishes its signers: pass their certificates with --signer',
    );
    goTo(Date.UTC(2027, 0));
    const late = await run(first);
    expect(late.exitCode).toBe(7);
    expect(late.stderr.replace(/\s+/g, ' ')).toContain(
      'to use it anyway, with a warning, add --expired warn',
    );
  });

  test('the profile system is reserved, and an invalid profile name is rejected', async () => {
    const { run } = await open();
    const { exitCode, stdout } = await run('config explain --trust-profile system');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('trustProfiles');
    expect((await run('trust sync system --certificates eu.pem')).exitCode).toBe(2);
    expect((await run('verify a.pdf --trust-profile ../x')).exitCode).toBe(2);
    expect((await run('verify eu.pem --trust-profile none')).stderr).toContain('none');
  });
});

describe('a malicious operator of a list', () => {
  // The metadata address of virtual machines is refused even where private addresses are allowed.
  test.each<[string, () => Answer, string]>([
    [
      'a redirect to a metadata address',
      () => ({ location: 'http://169.254.169.254/x' }),
      'network.blocked',
    ],
    ['endless redirects', () => ({ location: `${base}/is.xml` }), 'network.failed'],
    ['a redirect to a file', () => ({ location: 'file:///etc/passwd' }), 'network.blocked'],
    ['an endless list', () => 'endless', 'network.failed'],
    ['an HTML page', () => Buffer.from('<html></html>'), 'trust.list.invalid'],
  ])('cannot replace the stored list by %s', async (_, answer, code) => {
    const { run, first } = await open();
    await run(first);
    web.set('/is.xml', answer());
    const synced = await run('trust sync eu');
    expect(synced.exitCode).toBe(3);
    expect(synced.stdout).toMatch(new RegExp(`! IS {2}kept .*\\[${code}\\]`));
    expect((await run('trust list')).stdout).toContain('IS   no. 10');
  });

  test('private addresses are contacted only if allowed', async () => {
    const { run, first } = await open();
    const refused = await run(first, { INNSIGLI_ALLOW_PRIVATE_ADDRESSES: 'false' });
    expect([refused.exitCode, refused.stderr]).toEqual([
      8,
      expect.stringContaining('network.blocked'),
    ]);
  });
});
