import { expect, test } from 'vitest';
import { loginRequest, openRest, world } from '../../../support/eid/audkenni-rest.ts';
import { places, pollWithFlip } from '../../../support/eid/flipped-bytes.ts';

const { person } = world;

test.each([
  ['Sim', '/access_token'],
  ['Sim', '/userinfo'],
  ['Sim', 'jwk_uri'],
  ['App', '/access_token'],
  ['App', '/userinfo'],
] as const)('%s: no changed byte of %s yields a different person', async (channel, part) => {
  let refused = 0;
  for (const place of places(31)) {
    const flip = { part, place, mask: 1 << Math.floor(place * 7) };
    const answer = await pollWithFlip(openRest(), loginRequest(channel), flip);
    if (answer.status === 'complete') {
      expect(answer.identity).toMatchObject({ ssn: person.ssn, name: person.name });
    } else refused++;
  }
  expect(refused).toBeGreaterThan(15);
});
