import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { folderTrustStore } from '../../../src/adapters/trust-store/index.ts';
import { syncTrust } from '../../../src/app/trust/index.ts';
import { memorySource } from '../../../src/base/bytes.ts';
import { sealPdf, type VerifyOptions, verifyDocument } from '../../../src/index.ts';
import { openInnsigli } from '../../../src/toolkit.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture, sealOptions, signerOf } from '../../support/sealing.ts';
import {
  listNowMs,
  listXml,
  makeScheme,
  qualifiedMember,
  signList,
} from '../../support/trusted-lists.ts';

const dataDir = newTemporaryFolder('library-trust');

const { pki, operator } = makeScheme(makeTestPki({ nowMs: listNowMs }));
const [is, other] = [operator('IS'), operator('NO')];
const store = folderTrustStore(dataDir);
const soon = new Date(Date.now() + 20 * 86_400_000).toISOString();
const service = {
  name: 'CA 1',
  certificates: [pki.member('ca').der],
  information: ['ForeSignatures'],
};

/** A profile with one list that is due at the given time. */
async function makeProfile(name: string, nextUpdate: string): Promise<void> {
  const list = await signList(listXml({ services: [service], nextUpdate }), is);
  const ports = { store, now: () => listNowMs, fetch: async () => list };
  await syncTrust(ports, name, { location: 'https://is.example/tl.xml', signers: [is.der] });
}
await makeProfile('iceland', soon);
await makeProfile('overdue', '2026-06-02T00:00:00Z');
const house = { store, now: () => listNowMs, fetch: async () => new Uint8Array() };
await syncTrust(house, 'house', { certificates: [pki.member('root').der] });
await syncTrust(house, 'stranger', { certificates: [other.der] });

const signer = signerOf(qualifiedMember(pki, { device: true, types: [1] }));
const { bytes } = await sealPdf(fixture('minimal.pdf'), sealOptions(pki, { signer }));

const at = new Date(listNowMs);
const verify = async (options: VerifyOptions) => {
  const report = await verifyDocument(bytes, { dataDir, at, ...options });
  const [signature] = report.signatures;
  return { report, signature };
};

describe('verifyDocument with trust profiles', () => {
  test('uses the trust anchors and trusted lists of a profile', async () => {
    const { report, signature } = await verify({ trustProfiles: ['iceland'] });
    expect(report.indication).toBe('TOTAL-PASSED');
    expect(signature?.qualification).toMatchObject({
      result: 'QESig',
      service: { territory: 'IS', name: 'CA 1' },
    });
  });

  test('combines several profiles and explicit trust anchors', async () => {
    const trust = [pki.member('root').der];
    expect((await verify({ trustProfiles: ['stranger'] })).report.indication).toBe('INDETERMINATE');
    for (const options of [
      { trustProfiles: ['stranger', 'house'] },
      { trustProfiles: ['stranger'], trust },
    ]) {
      const { report, signature } = await verify(options);
      expect(report.indication).toBe('TOTAL-PASSED');
      expect(signature?.qualification).toBeUndefined();
    }
  });

  test('never reports a qualification without a trusted list', async () => {
    for (const options of [{ trustProfiles: ['house'] }, { trust: [pki.member('root').der] }]) {
      const { report } = await verify(options);
      expect(JSON.stringify(report.signatures)).not.toMatch(/QESig|"qualification"/);
    }
  });

  test('ignores an overdue list: an error, or a note if another profile is given', async () => {
    await expect(verify({ trustProfiles: ['overdue'] })).rejects.toMatchObject({
      code: 'trust.list.expired',
    });
    const { report } = await verify({ trustProfiles: ['overdue', 'house'] });
    expect(report.notJudged).toContainEqual(expect.stringContaining('trust profile overdue'));
    expect(report.signatures[0]?.qualification?.result).not.toBe('QESig');
  });

  test('accepts the system roots as a profile, which do not include the test root', async () => {
    const { report } = await verify({ trustProfiles: ['system'] });
    expect(report.indication).toBe('INDETERMINATE');
  });

  test.each<[unknown, string]>([
    [['none'], 'trust.profile.notfound'],
    [['../iceland'], 'usage.invalid'],
    [['Iceland'], 'usage.invalid'],
    ['iceland', 'usage.invalid'],
    [[7], 'usage.invalid'],
  ])('rejects %j with %s', async (trustProfiles, code) => {
    const options = { trustProfiles } as VerifyOptions;
    await expect(verify(options)).rejects.toMatchObject({ code });
  });

  test('looks for profiles in the given data directory', async () => {
    const options = { trustProfiles: ['iceland'], dataDir: join(dataDir, 'empty') };
    await expect(verify(options)).rejects.toMatchObject({ code: 'trust.profile.notfound' });
  });
});

describe('openInnsigli with trust profiles', () => {
  test('uses them as the command line does', async () => {
    const io = { now: () => at };
    const opened = openInnsigli({ dataDir, trustProfiles: ['iceland'] }, io);
    const report = await opened.verify(memorySource(bytes));
    expect(report.indication).toBe('TOTAL-PASSED');
    expect(report.signatures[0]?.qualification).toMatchObject({ result: 'QESig' });
    await opened.close();
    const without = openInnsigli({ dataDir }, io);
    const plain = await without.verify(memorySource(bytes));
    expect(plain.indication).toBe('INDETERMINATE');
    expect(plain.signatures[0]?.qualification).toBeUndefined();
    await without.close();
  });

  test('warns about an overdue profile and rejects a missing one', async () => {
    const heard: string[] = [];
    const io = { now: () => new Date(), warn: (_: string, code: string) => heard.push(code) };
    const opened = openInnsigli({ dataDir, trustProfiles: ['overdue', 'house'] }, io);
    await opened.verify(memorySource(bytes));
    expect(heard).toContain('trust.list.expired');
    await opened.close();
    const missing = openInnsigli({ dataDir, trustProfiles: ['none'] }, io);
    await expect(missing.verify(memorySource(bytes))).rejects.toMatchObject({
      code: 'trust.profile.notfound',
    });
    await missing.close();
  });
});
