import { statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { childProgram } from './os-processes.ts';
import { newSqlitePlace, openStoreAt } from './store-place.ts';

/** Bytes of the log pages after which a commit would run a checkpoint by itself. */
const COMMIT_BYTES = 8000 * 4120;

test('the log restarts while a different process keeps writing', async () => {
  const place = await newSqlitePlace();
  const store = await openStoreAt(place);
  const program = await childProgram();
  const rounds = 400;
  const writer = program.start('fill', place, 'w', rounds);
  await writer.line();
  writer.go();
  let isRunning = true;
  const ended = writer.line().finally(() => {
    isRunning = false;
  });
  while (isRunning) {
    await store.checkpoint();
    await sleep(20);
  }
  expect(JSON.parse(await ended)).toBe(rounds);
  expect(statSync(`${place.target}-wal`).size).toBeLessThan(0.75 * COMMIT_BYTES);
  expect(statSync(place.target).size).toBeGreaterThan(2 * COMMIT_BYTES);
  const last = await store.read(({ facts }) => facts.find(`w ${rounds - 1}`));
  expect(last).toHaveLength(200_000);
  await store.close();
  program.remove();
  await place.remove();
});
