import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { type AlgorithmTable, sealPdf, verifyDocument } from '../../../src/index.ts';
import { algorithmTable } from '../../../src/trust/algorithms/algorithm-suites.table.ts';
import { loadAlgorithmTable } from '../../../src/wire/files/algorithm-policy.ts';
import { newTemporaryFolder } from '../../support/folders.ts';
import { cmsBy, signedFile } from '../../support/hand-signed.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture, sealOptions } from '../../support/sealing.ts';

const pki = makeTestPki();
const options = {
  trust: [pki.member('root').der],
  certificates: [pki.member('ca').der],
  revocationMode: 'ignore',
  at: new Date(pki.nowMs),
} as const;
const folder = newTemporaryFolder('policy');
afterAll(() => rmSync(folder, { recursive: true }));

async function verdict(algorithms?: AlgorithmTable) {
  const file = await signedFile(cmsBy(pki.member('signer')));
  const given = algorithms === undefined ? {} : { algorithms };
  const { signatures } = await verifyDocument(file, { ...options, ...given });
  return signatures[0];
}

describe('the algorithm table', () => {
  test('defaults to the built-in one', async () => {
    expect(await verdict()).toMatchObject({ indication: 'TOTAL-PASSED' });
    expect(await verdict(algorithmTable)).toMatchObject({ indication: 'TOTAL-PASSED' });
  });

  test('invalidates a time-stamp whose digest is no longer accepted, with a reason in the report', async () => {
    const { bytes } = await sealPdf(fixture('minimal.pdf'), sealOptions(pki, { level: 'B-T' }));
    const verify = async (algorithms: AlgorithmTable) =>
      (await verifyDocument(bytes, { ...options, algorithms })).signatures[0];
    expect((await verify(algorithmTable))?.timestamps[0]).not.toHaveProperty('timeProblem');
    const digests = { ...algorithmTable.digests, sha256: '2020-01-01' };
    const found = await verify({ ...algorithmTable, digests });
    expect(found?.timestamps[0]).toMatchObject({
      ...{ valid: true, trusted: true, timeProblem: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE' },
      message: 'the digest sha256 is too weak since 2020-01-01',
    });
  });

  test.each<[string, Partial<AlgorithmTable>]>([
    [
      'a digest that is no longer accepted',
      { digests: { ...algorithmTable.digests, sha256: '2026-01-01' } },
    ],
    ['a digest that is not listed', { digests: { sha512: null } }],
    ['a curve that is too short', { keys: { ...algorithmTable.keys, ecdsa: [[384, null]] } }],
  ])('makes the signature INDETERMINATE with %s', async (_, change) => {
    expect(await verdict({ ...algorithmTable, ...change, name: 'ours' })).toMatchObject({
      indication: 'INDETERMINATE',
      subIndication: 'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
      intact: true,
    });
  });

  test('is rejected if it is malformed', async () => {
    const wrong = { ...algorithmTable, digests: { sha256: 'never' } };
    await expect(verdict(wrong)).rejects.toMatchObject({
      code: 'usage.invalid',
      message: expect.stringContaining('algorithms.digests.sha256'),
    });
  });
});

describe('an algorithm policy file', () => {
  const load = (content: string) => {
    const path = join(folder, 'policy.json');
    writeFileSync(path, content);
    return loadAlgorithmTable(path);
  };

  test('is read', async () => {
    expect(await load(JSON.stringify(algorithmTable))).toEqual(algorithmTable);
    expect(await loadAlgorithmTable(undefined)).toBeUndefined();
  });

  test.each([
    ['malformed JSON', 'sha256', /JSON/],
    ['an array', '[]', /expected an object/],
    ['an unknown digest', { digests: { sha265: null } }, /sha265/],
    ['an unknown member', { digest: {} }, /digest/],
    ['a malformed date', { published: '2026-13-45' }, /published/],
    ['an impossible date', { digests: { sha1: '2026-02-30' } }, /digests\.sha1/],
    [
      'sizes in descending order',
      {
        keys: {
          rsa: [
            [3000, null],
            [2000, null],
          ],
        },
      },
      /keys\.rsa\[1\]/,
    ],
    ['a malformed size', { keys: { rsa: [['2048', null]] } }, /keys\.rsa\[0\]/],
    ['too many rows', { keys: { rsa: Array(65).fill([1, null]) } }, /64 rows/],
  ])('with %s is rejected', async (_, change, message) => {
    const content =
      typeof change === 'string' ? change : JSON.stringify({ ...algorithmTable, ...change });
    await expect(load(content)).rejects.toMatchObject({
      code: 'config.invalid',
      message: expect.stringMatching(message),
    });
  });
});
