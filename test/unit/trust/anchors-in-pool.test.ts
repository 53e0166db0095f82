import { expect, test } from 'vitest';
import { limits } from '../../../src/base/limits.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { makeTestPki } from '../../support/pki.ts';

test('anchors, however many, take no room of the certificates of a document', () => {
  const pki = makeTestPki();
  const keyOf = pki.member('signer');
  const anchors = Array.from({ length: limits.certificates + 1 }, (_, index) => {
    return pki.issue({ name: `Anchor ${index}`, keyOf }).certificate;
  });
  const pool = createCertificatePool(anchors);
  expect(pool.all).toHaveLength(anchors.length);
  expect(pool.all[0]).toBe(anchors[0]);
  const leaf = pki.issue({ name: 'leaf' });
  const kept = pool.add(leaf.der);
  expect(pool.all.at(-1)).toBe(kept);
  // The same bytes are one value, that of the anchor.
  const [first] = anchors;
  expect(pool.add(new Uint8Array(first?.der ?? []))).toBe(first);
});
