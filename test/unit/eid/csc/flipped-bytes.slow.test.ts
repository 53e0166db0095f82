import { expect, test } from 'vitest';
import { cscPerson } from '../../../support/eid/csc/csc-bench.ts';
import { flippedSignature } from '../../../support/eid/csc/flipped-signature.ts';

test.each([
  ['RSA', {}],
  ['PSS', { driver: { rsaPadding: 'pss' } }],
  ['ECDSA', { key: 'P-256' }],
  ['CMS', { driver: { delivery: 'cms' } }],
] as const)('no flipped bit of %s yields a different person', async (_, options) => {
  const flipped = await flippedSignature(options);
  for (let at = 0; at < flipped.lengthBytes; at++) {
    for (const bit of [0x01, 0x80]) {
      const answer = await flipped.poll(at, bit);
      if (answer.status === 'complete') expect(answer.identity).toMatchObject(cscPerson);
      else expect(answer).toEqual({ status: 'failed', code: 'invalidResponse' });
    }
  }
});
