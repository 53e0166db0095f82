import { expect, test } from 'vitest';
import { loginRequest, openRest, world } from '../../../support/eid/audkenni-rest.ts';
import { places, pollWithFlip } from '../../../support/eid/flipped-bytes.ts';

const { person } = world;

/** More positions than the response has bytes. */
const COUNT = 4_093;

test.each(['Sim', 'App'] as const)(
  '%s: no changed byte anywhere in the user information yields a different person',
  async (channel) => {
    let refused = 0;
    for (const [index, place] of places(COUNT).entries()) {
      const flip = { part: '/userinfo', place, mask: 1 << (index % 8) };
      const answer = await pollWithFlip(openRest(), loginRequest(channel), flip);
      if (answer.status === 'complete') {
        expect(answer.identity).toMatchObject({ ssn: person.ssn, name: person.name });
      } else refused++;
    }
    expect(refused).toBeGreaterThan(COUNT / 2);
  },
  300_000,
);
