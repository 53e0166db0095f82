import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { concatBytes, memorySource } from '../../../src/base/bytes.ts';
import { resolveConfig } from '../../../src/wire/config/resolve.ts';
import { openToolkit } from '../../../src/wire/toolkit.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture } from '../../support/sealing.ts';

const pki = makeTestPki();
// Without a listener: "refused" shows that a connection was attempted.
const inside = pki.issue({
  name: 'inside',
  extensions: { ocspUrls: [], crlUrls: ['http://127.0.0.1:2/ca.crl'] },
});
const folder = newTemporaryFolder('private');

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

const pem = (der: Uint8Array) =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE-----\n`;
const root = write('root.pem', pem(pki.member('root').der));
const chain = write('chain.pem', inside.chain.map(pem).join(''));
const key = write(
  'inside.pem',
  `${inside.privateKey.export({ type: 'pkcs8', format: 'pem' })}${pem(inside.der)}`,
);

function toolkitWith(allowed: string) {
  const { config } = resolveConfig({
    flags: { 'key.file': key, 'key.chain': [chain], trust: [root] },
    env: { HOME: folder, INNSIGLI_HOME: folder, INNSIGLI_ALLOW_PRIVATE_ADDRESSES: allowed },
    cwd: folder,
  });
  return openToolkit(config, { now: () => pki.nowMs, random: randomBytes, warn: () => undefined });
}

const agreement = fixture('agreement.pdf');

describe('private addresses in certificates', () => {
  test.each([
    ['false', 'network.blocked'],
    ['true', 'network.failed'],
  ])('seal, archive and doctor agree: allowed %s leads to %s', async (allowed, code) => {
    const toolkit = toolkitWith(allowed);
    const source = memorySource(agreement);
    await expect(toolkit.seal(source, { level: 'B-LT' })).rejects.toMatchObject({ code });
    const { tail } = await toolkit.seal(source, { level: 'B-T' });
    const sealed = memorySource(concatBytes([agreement, tail]));
    await expect(toolkit.augment(sealed)).rejects.toMatchObject({ code });
    const checks = await toolkit.diagnose();
    expect(checks.find(({ name }) => name === 'revocation data')?.message).toContain(`[${code}]`);
  });
});
