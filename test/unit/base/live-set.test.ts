import { expect, test } from 'vitest';
import { LiveSet, type Placed } from '../../../src/base/live/live-set.ts';
import { fc } from '../../support/property.ts';

interface Member extends Placed {
  readonly name: number;
}

test('LiveSet has the same members as a Set after the same additions and deletions', () => {
  const step = fc.record({ name: fc.nat(9), isAdded: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 100 }), (steps) => {
      const members = Array.from({ length: 10 }, (_, name): Member => ({ place: 0, name }));
      const live = new LiveSet<Member>();
      const expected = new Set<Member>();
      for (const { name, isAdded } of steps) {
        const member = members[name] as Member;
        if (!isAdded) expect(live.delete(member)).toBe(expected.delete(member));
        else if (!expected.has(member)) {
          live.add(member);
          expected.add(member);
        }
        expect(members.map((each) => live.has(each))).toEqual(
          members.map((each) => expected.has(each)),
        );
      }
      expect(live.size).toBe(expected.size);
      expect(new Set(live)).toEqual(expected);
    }),
  );
});

test('members deleted during iteration are still visited', () => {
  const live = new LiveSet<Member>();
  for (let name = 0; name < 3; name++) live.add({ place: 0, name });
  const met: number[] = [];
  for (const member of live) {
    met.push(member.name);
    live.delete(member);
  }
  expect([met, live.size]).toEqual([[0, 1, 2], 0]);
});
