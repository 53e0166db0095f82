import { describe, expect, test } from 'vitest';
import { decide } from '../../../../src/domain/process/decide/decide.ts';
import type { SigningProcess } from '../../../../src/domain/process/process.ts';
import { NOW, open, signee } from './states.ts';

const leaseMs = 210_000;
const qualified = { signatureType: 'Qualified' } as const;
const two = {
  ...open,
  signees: [signee('anna', 0, qualified), signee('bjorn', 1)],
};
const [anna, bjorn] = two.signees.map(({ key }) => key);

/** One process whose clock advances between the steps. */
function world(from: SigningProcess) {
  let process = from;
  let nowMs = NOW;
  const apply = (command: Parameters<typeof decide>[1]) => {
    const decision = decide(process, command, { nowMs });
    if (decision.kind === 'accepted') process = decision.next;
    return decision.kind === 'refused' ? decision.refusal : undefined;
  };
  return {
    pass: (seconds: number) => {
      nowMs += seconds * 1000;
    },
    start: (signeeKey = anna) =>
      apply({ type: 'startSigning', signeeKey: signeeKey as NonNullable<typeof anna>, leaseMs }),
    giveUp: (signeeKey = anna) =>
      apply({
        ...({ type: 'abandonSigning', cause: 'cancelled' } as const),
        signeeKey: signeeKey as NonNullable<typeof anna>,
        token: process.leaseToken,
      }),
    heldForSeconds: () => ((process.lease?.untilMs ?? nowMs) - nowMs) / 1000,
    secondsLeft: (refusal: { readonly retryAtMs?: number } | undefined) =>
      ((refusal?.retryAtMs ?? nowMs) - nowMs) / 1000,
  };
}

describe('a signee who holds the document and does not sign', () => {
  test('does not extend the hold by starting again', () => {
    const at = world(two);
    expect(at.start()).toBeUndefined();
    expect(at.heldForSeconds()).toBe(210);
    at.pass(60);
    expect(at.start()).toBeUndefined();
    expect(at.heldForSeconds()).toBe(150);
    at.pass(100);
    // Less than a minute is left, which is too short to sign.
    expect(at.start()).toMatchObject({ code: '2002' });
    expect(at.start(bjorn)).toMatchObject({ code: '2002' });
    at.pass(50);
    expect(at.start(bjorn)).toBeUndefined();
  });

  test('waits as long as the document was held while others have to sign', () => {
    const at = world(two);
    at.start();
    at.pass(210);
    const refusal = at.start();
    expect(refusal).toMatchObject({ code: '2002' });
    expect(at.secondsLeft(refusal)).toBe(210);
    at.pass(209);
    expect(at.start()).toMatchObject({ code: '2002' });
    at.pass(1);
    expect(at.start()).toBeUndefined();
    expect(at.heldForSeconds()).toBe(210);
    at.pass(210);
    // All past holds count, so the shares of the others grow.
    expect(at.secondsLeft(at.start())).toBe(420);
  });

  test('gains nothing by declining on the phone or through a second such signee', () => {
    const at = world(two);
    for (let round = 0; round < 3; round++) {
      at.start();
      at.pass(60);
      at.giveUp();
    }
    expect(at.start()).toMatchObject({ code: '2002' });
    expect(at.start(bjorn)).toBeUndefined();
    at.pass(10);
    at.giveUp(bjorn);
    expect(at.start()).toMatchObject({ code: '2002' });
    // Someone who held it for ten seconds is not kept out.
    expect(at.start(bjorn)).toBeUndefined();
    expect(at.heldForSeconds()).toBe(200);
  });

  test('is charged once for a hold that timed out, whoever comes next', () => {
    const at = world(two);
    at.start();
    at.pass(400);
    at.start(bjorn);
    at.pass(5);
    at.giveUp(bjorn);
    expect(at.secondsLeft(at.start())).toBe(15);
  });

  test('counts as one person with all signees added by link', () => {
    const added = { ...qualified, byLink: { isAdded: true } } as const;
    const [mal, ory] = [signee('mal', 2, added), signee('ory', 3, added)];
    const at = world({ ...two, signees: [...two.signees, mal, ory] });
    expect(at.start(mal.key)).toBeUndefined();
    at.pass(210);
    expect(at.start(ory.key)).toMatchObject({ code: '2002' });
    expect(at.start(anna)).toBeUndefined();
    at.giveUp(anna);
    at.pass(210);
    expect(at.start(ory.key)).toBeUndefined();
    at.pass(210);
    expect(at.secondsLeft(at.start(mal.key))).toBe(420);
  });

  test('may start as often as desired if no one else is waiting', () => {
    const alone = { ...two, signees: two.signees.slice(0, 1) };
    const done = two.signees.map((each, at) =>
      at === 0 ? each : { ...each, state: 'Signed' as const },
    );
    const inOrder = { ...two, signInOrder: true };
    for (const process of [alone, { ...two, signees: done }, inOrder]) {
      const at = world(process);
      for (let round = 0; round < 5; round++) {
        expect(at.start()).toBeUndefined();
        expect(at.heldForSeconds()).toBe(210);
        at.pass(round % 2 === 0 ? 100 : 300);
      }
    }
  });
});
