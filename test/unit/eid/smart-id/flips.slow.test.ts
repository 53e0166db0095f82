import { expect, test } from 'vitest';
import { places, pollWithFlip } from '../../../support/eid/flipped-bytes.ts';
import { openSmartId, qrRequest } from '../../../support/eid/smart-id-bench.ts';

/** More positions than the result has bytes. */
const COUNT = 4_093;

test('no changed byte anywhere in the result yields a different person', async () => {
  let refused = 0;
  for (const [index, place] of places(COUNT).entries()) {
    const flip = { part: '/session/', place, mask: 1 << (index % 8) };
    const answer = await pollWithFlip(openSmartId(), qrRequest(), flip);
    if (answer.status === 'complete') {
      expect(answer.identity).toMatchObject({ ssn: '40404040009', name: 'OK TESTNUMBER' });
    } else refused++;
  }
  expect(refused).toBeGreaterThan(COUNT / 2);
}, 300_000);
