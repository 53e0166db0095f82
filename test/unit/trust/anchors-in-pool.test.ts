import { expect, test } from 'vitest';
import { limits } from '../../../src/base/limits.ts';
import { parseCertificate } from '../../../src/formats/x509/index.ts';
import { createCertificatePool } from '../../../src/trust/pool.ts';
import { makeTestPki } from '../../support/pki.ts';

test('trust anchors do not count towards the limit of certificates in a document', () => {
  const pki = makeTestPki();
  // One certificate under many names: signatures of trust anchors are never verified.
  const { der } = pki.issue({ name: 'Anchor 0000', keyOf: pki.member('signer') });
  const place = Buffer.from(der).indexOf('Anchor 0000') + 'Anchor '.length;
  const anchors = Array.from({ length: limits.certificates + 1 }, (_, index) => {
    const named = Buffer.from(der);
    named.write(String(index).padStart(4, '0'), place, 'latin1');
    return parseCertificate(new Uint8Array(named));
  });
  const pool = createCertificatePool(anchors);
  expect(pool.all).toHaveLength(anchors.length);
  expect(pool.all[0]).toBe(anchors[0]);
  const leaf = pki.issue({ name: 'leaf' });
  const kept = pool.add(leaf.der);
  expect(pool.all.at(-1)).toBe(kept);
  // The same bytes yield one instance, that of the anchor.
  const [first] = anchors;
  expect(pool.add(new Uint8Array(first?.der ?? []))).toBe(first);
});
