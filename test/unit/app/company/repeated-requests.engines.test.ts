import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  idempotentRequests,
  markedStore,
  type NamedRequest,
} from '../../../../src/app/company/index.ts';
import type { Store } from '../../../../src/app/ports/index.ts';
import { InnsigliError } from '../../../../src/base/errors.ts';
import { describeStores } from '../../../service/on-engines.ts';
import { testCompany, testNowMs, testProcess } from '../../../support/store.ts';

const away = (details = {}) => new InnsigliError('store.unavailable', 'away', { details });
let number = 5000;

let nowMs = testNowMs;

describeStores(
  'requests with an idempotency key',
  (store) => {
    /** A simulated program. Its next writes throw `faults`, before or after they are done. */
    const program = () => {
      const faults: (readonly ['before' | 'after', Error])[] = [];
      const plain: Store = {
        ...store(),
        write: async (work) => {
          const [when, error] = faults.shift() ?? [];
          if (when === 'before') throw error;
          const result = await store().write(work);
          if (when === 'after') throw error;
          return result;
        },
      };
      const random = (count: number) => randomBytes(count);
      const repeats = idempotentRequests({ store: plain, now: () => nowMs, random });
      const begin = async (key: string) => {
        const begun = await repeats.begin(testCompany.key, key, { sha256: 'hash' });
        return typeof begun === 'string' ? { answer: begun } : { request: begun };
      };
      return { repeats, begin, faults, store: markedStore(plain) };
    };
    const begun = async ({ begin }: ReturnType<typeof program>, key: string) =>
      (await begin(key)).request as NamedRequest;
    const add = (to: Store, at: number) =>
      to.write(({ processes }) => processes.add(testProcess(at)));
    const isThere = (at: number) =>
      store().read(
        async ({ processes }) => (await processes.find(testProcess(at).key)) !== undefined,
      );
    const inFlight = { code: 'idempotency.in_flight' };

    test('a program presumed dead can no longer write', async () => {
      const [slow, other, key, at] = [program(), program(), 'slow', ++number];
      const first = await begun(slow, key);
      await expect(other.begin(key)).rejects.toMatchObject(inFlight);
      nowMs += 61_000;
      const second = await begun(other, key);
      await expect(first.run(() => add(slow.store, at))).rejects.toMatchObject(inFlight);
      expect(await isThere(at)).toBe(false);
      await first.drop();
      await second.run(() => add(other.store, at));
      await second.keep('done');
      expect(await slow.begin(key)).toEqual({ answer: 'done' });
    });

    test('a program that dies before its work releases the idempotency key within a minute', async () => {
      const key = 'dead';
      await begun(program(), key);
      nowMs += 59_000;
      await expect(program().begin(key)).rejects.toMatchObject(inFlight);
      nowMs += 1000;
      expect(await program().begin(key)).toHaveProperty('request');
    });

    test('a program that dies after its work: repeats are told for a day that the response was lost', async () => {
      const [dying, key, at] = [program(), 'lost', ++number];
      const request = await begun(dying, key);
      await request.run(() => add(dying.store, at));
      nowMs += 61_000;
      const told = { ...inFlight, message: expect.stringContaining('its response was lost') };
      await expect(program().begin(key)).rejects.toMatchObject(told);
      nowMs += 24 * 60 * 60_000;
      expect(await program().begin(key)).toHaveProperty('request');
    });

    test.each([
      ['that was written', 'after', true],
      ['that was not written', 'before', false],
    ] as const)(
      'the result of a commit without a response %s is determined later',
      async (_what, when, written) => {
        const [it, key, at] = [program(), `unknown-${when}`, ++number];
        const request = await begun(it, key);
        it.faults.push(
          [when, away({ outcome: 'unknown' })],
          ['before', away()],
          ['before', away()],
        );
        const running = request.run(() => add(it.store, at).then(() => 'done'));
        if (written) expect(await running).toBe('done');
        else await expect(running).rejects.toMatchObject({ code: 'store.unavailable' });
        expect(await isThere(at)).toBe(written);
        if (written) await request.keep('answer');
        else await request.drop();
        await request.over;
        const repeat = await it.begin(key);
        if (written) expect(repeat).toEqual({ answer: 'answer' });
        else expect(repeat).toHaveProperty('request');
      },
    );

    test('a request that has started to write completes its remaining steps after an outage', async () => {
      const [it, key] = [program(), 'steps'];
      const [one, two] = [++number, ++number];
      const request = await begun(it, key);
      await request.run(async () => {
        await add(it.store, one);
        it.faults.push(['before', away()], ['before', away()]);
        await add(it.store, two);
      });
      expect([await isThere(one), await isThere(two)]).toEqual([true, true]);
      await request.keep('answer');
    });

    test.each([
      ['kept', (request: NamedRequest) => request.keep('answer'), { answer: 'answer' }],
      ['freed', (request: NamedRequest) => request.drop(), { request: expect.anything() }],
    ] as const)(
      'an idempotency key is %s even if the database is temporarily unavailable',
      async (what, end, then) => {
        const [it, key] = [program(), `away-${what}`];
        const request = await begun(it, key);
        it.faults.push(...Array.from({ length: 4 }, () => ['before', away()] as const));
        await end(request);
        await expect(it.begin(key)).rejects.toMatchObject({ code: /in_flight|unavailable/ });
        await request.over;
        expect(await it.begin(key)).toEqual(then);
      },
    );

    test('an idempotency key is released if reserving it got no response', async () => {
      const [it, key] = [program(), 'taking'];
      it.faults.push(['after', away({ outcome: 'unknown' })]);
      await expect(it.begin(key)).rejects.toMatchObject({ code: 'store.unavailable' });
      await expect.poll(() => it.begin(key), { timeout: 5000 }).toHaveProperty('request');
    });
  },
  () => nowMs,
);
