import { setImmediate as immediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { SqliteConnection } from '../../../../src/adapters/store/sqlite/sqlite-connection.ts';
import { openReaders } from '../../../../src/adapters/store/sqlite/sqlite-readers.ts';
import { openWriter } from '../../../../src/adapters/store/sqlite/sqlite-writer.ts';

/** A connection that notes brackets and settings, and has no rows. */
function noting() {
  const notes: string[] = [];
  const pragma = (text: string) => {
    if (text.includes('=')) notes.push(text);
    return 2;
  };
  const connection = {
    raw: { pragma, inTransaction: false, close: () => undefined },
    bracket: (text: string) => void notes.push(text),
    scope: () => ({ db: undefined, close: () => undefined }),
    commit: () => void notes.push('COMMIT'),
  };
  return { notes, connection: connection as unknown as SqliteConnection & { commit(): void } };
}

const done = async () => 'done';

/** Later in the same turn, as another request that came with the first is heard. */
async function later<T>(work: () => Promise<T>): Promise<T> {
  for (let step = 0; step < 50; step++) await Promise.resolve();
  return work();
}

describe('writes of one turn of the event loop', () => {
  test('share one commit, those that are asked for later in the turn too', async () => {
    const { notes, connection } = noting();
    const writer = openWriter(connection);
    const all = [writer.write(done), later(() => writer.write(done))];
    expect(await Promise.all(all)).toEqual(['done', 'done']);
    expect(notes.filter((each) => each === 'COMMIT')).toHaveLength(1);
  });

  test('wait for the disk when one of them has to', async () => {
    const { notes, connection } = noting();
    const writer = openWriter(connection);
    await Promise.all([writer.writeLightly(done), writer.write(done)]);
    expect(notes.filter((each) => each.startsWith('synchronous'))).toEqual([]);
    await writer.writeLightly(done);
    await writer.idle();
    const light = ['synchronous = NORMAL', 'BEGIN IMMEDIATE', 'COMMIT', 'synchronous = FULL'];
    expect(notes.slice(-4)).toEqual(light);
  });
});

test('reads of one turn look once whether the file is still there; those of the next again', async () => {
  const { connection } = noting();
  let looked = 0;
  let isOwn = true;
  const readers = openReaders(
    () => connection,
    () => {
      looked++;
      if (!isOwn) throw new Error('replaced');
    },
  );
  const three = () =>
    Promise.all([readers.read(done), readers.read(done), later(() => readers.read(done))]);
  // Each file that is opened is looked at once more.
  await three();
  const before = looked;
  await immediate();
  await three();
  expect(looked).toBe(before + 1);
  isOwn = false;
  await immediate();
  await expect(readers.read(done)).rejects.toThrow('replaced');
  await expect(readers.read(done)).rejects.toThrow('replaced');
});
