import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { isPasscode, withPasscodes } from '../../../../src/app/process/passcode.ts';
import { newKey } from '../../../../src/domain/keys.ts';
import type { SequencePerson } from '../../../../src/domain/sequence.ts';

/** A document that `count` persons sign, each with a passcode. */
function crowd(count: number) {
  let drawn = 0;
  const random = (bytes: number) => {
    drawn += 1;
    return randomBytes(bytes);
  };
  const keys = Array.from({ length: count }, () => newKey('signee', randomBytes));
  const processKey = newKey('process', randomBytes);
  const persons = keys.map(
    (signeeKey, order): SequencePerson => ({
      key: newKey('person', randomBytes),
      order,
      signingKeys: [{ processKey, signeeKey }],
    }),
  );
  const signees = keys.map((_, at) => ({ name: `P ${at}`, passcode: `passcode-${at}` }));
  const options = [{ signees: keys.map((key) => ({ key })) }] as unknown as Parameters<
    typeof withPasscodes
  >[2];
  return {
    drawn: () => drawn,
    run: () => withPasscodes(persons, [{ signees }], options, random),
  };
}

test('passcodes are hashed one at a time, which leaves threads for other work', async () => {
  const [first, second] = [crowd(6), crowd(6)];
  const all = Promise.all([first.run(), second.run()]);
  const seen: number[] = [];
  for (let isOver = false; !isOver; ) {
    seen.push(first.drawn() + second.drawn());
    isOver = (await Promise.race([all, new Promise((go) => setImmediate(go))])) !== undefined;
  }
  // Every count of started hashes was observed: no two started together.
  expect([...new Set(seen)].filter((count) => count > 0)).toEqual(
    Array.from({ length: 12 }, (_, at) => at + 1),
  );
  const [persons = []] = await all;
  for (const [at, { passcodeHash = '' }] of persons.entries()) {
    expect(await isPasscode(`passcode-${at}`, passcodeHash)).toBe(true);
  }
});

test('more than 200 passcodes are rejected before the first is hashed', async () => {
  const { run, drawn } = crowd(201);
  await expect(run()).rejects.toMatchObject({ code: 'limit.exceeded' });
  expect(drawn()).toBe(0);
});
