import { expect, test } from 'vitest';
import { loginRequest, openRest, world } from '../../../support/eid/audkenni-rest.ts';
import { places, pollWithFlip } from '../../../support/eid/flipped-bytes.ts';

const { person } = world;

test.each([
  ['Sim', '/access_token'],
  ['Sim', '/userinfo'],
  ['App', '/userinfo'],
] as const)(
  '%s: no changed byte at any place of %s gives another person',
  async (channel, part) => {
    for (const place of places(8_191)) {
      const flip = { part, place, mask: 1 << Math.floor((place * 8_191) % 8) };
      const answer = await pollWithFlip(openRest(), loginRequest(channel), flip);
      if (answer.status !== 'complete') continue;
      expect(answer.identity).toMatchObject({ ssn: person.ssn, name: person.name });
    }
  },
  300_000,
);
