import { afterAll, beforeAll, expect, test } from 'vitest';
import { testProcess } from '../../../support/store.ts';
import { childProgram } from './os-processes.ts';
import { type NewPlace, type StorePlace, withStore } from './store-place.ts';

const CHILDREN = 8;
const TIMEOUT_MS = 120_000;

/** Several OS processes on one store, one of which is killed. */
export function processGroupCases(newPlace: NewPlace): void {
  let program: Awaited<ReturnType<typeof childProgram>>;
  beforeAll(async () => {
    program = await childProgram();
  });
  afterAll(() => program?.remove());

  const runAll = async <T>(task: string, place: StorePlace, count: number): Promise<T[]> => {
    const children = Array.from({ length: CHILDREN }, (_, index) =>
      program.start(task, place, `worker ${index}`, count),
    );
    for (const child of children) expect(await child.line()).toBe('ready');
    for (const child of children) child.go();
    return Promise.all(children.map(async (child) => JSON.parse(await child.line()) as T));
  };

  test(
    `${CHILDREN} processes claim every job once`,
    () =>
      withStore(newPlace, async (store, place) => {
        const refs = Array.from({ length: 400 }, (_, index) => `job ${index}`);
        await store.write(async ({ jobs }) => {
          for (const ref of refs) await jobs.put({ kind: 'message', ref, runAtMs: 1 });
        });
        const claimed = await runAll<string[]>('claim', place, 5);
        expect(claimed.flat().sort()).toEqual([...refs].sort());
        expect(await store.read(({ jobs }) => jobs.due(1e12))).toBe(0);
      }),
    TIMEOUT_MS,
  );

  test(
    `${CHILDREN} processes that lock one row lose no change`,
    () =>
      withStore(newPlace, async (store, place) => {
        await store.write(({ processes }) => processes.add(testProcess(1)));
        await runAll<number>('raise', place, 25);
        const found = await store.read(({ processes }) => processes.find(testProcess(1).key));
        expect(found?.rev).toBe(1 + CHILDREN * 25);
      }),
    TIMEOUT_MS,
  );

  test(
    `of ${CHILDREN} processes that saw the same revision exactly one wins, every time`,
    () =>
      withStore(newPlace, async (store, place) => {
        const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
        await store.write(async ({ processes }) => {
          for (const number of numbers) await processes.add(testProcess(number));
        });
        const won = await runAll<number[]>('complete', place, numbers.length);
        expect(won.flat().sort((a, b) => a - b)).toEqual(numbers);
        for (const [index, own] of won.entries()) {
          for (const number of own) {
            const { key } = testProcess(number);
            const found = await store.read(({ processes }) => processes.find(key));
            expect(found).toMatchObject({ rev: 2, reason: `worker ${index}` });
          }
        }
      }),
    TIMEOUT_MS,
  );

  test(
    'a process killed inside a transaction leaves no change',
    () =>
      withStore(newPlace, async (store, place) => {
        const child = program.start('hang', place, 'doomed', 0);
        expect(await child.line()).toBe('ready');
        child.go();
        expect(await child.line()).toBe('inside');
        child.process.kill('SIGKILL');
        await new Promise((resolve) => child.process.once('close', resolve));
        // The lock ended with the process: others continue immediately.
        await store.write(({ processes }) => processes.add(testProcess(8)));
        await store.read(async ({ processes, activity, jobs }) => {
          expect(await processes.find(testProcess(7).key)).toBeUndefined();
          expect(await activity.head(testProcess(7).key)).toBeUndefined();
          expect(await jobs.due(1e15)).toBe(0);
          expect(await processes.find(testProcess(8).key)).toBeDefined();
        });
      }),
    TIMEOUT_MS,
  );
}
