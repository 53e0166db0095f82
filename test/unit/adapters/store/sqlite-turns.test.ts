import { setImmediate as immediate } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openReaders } from '../../../../src/adapters/store/sqlite/sqlite-readers.ts';
import {
  openWriter,
  type WritingConnection,
} from '../../../../src/adapters/store/sqlite/sqlite-writer.ts';

/** A connection without rows that records brackets and settings; `sync` is its disk. */
function noting(sync = async () => {}) {
  const notes: string[] = [];
  const pragma = (text: string) => {
    if (text.includes('=')) notes.push(text);
    return 2;
  };
  const connection = {
    raw: { pragma, inTransaction: false, close: () => undefined },
    bracket: (text: string) => void notes.push(text),
    scope: () => ({ db: undefined, close: () => undefined }),
    coded: (error: unknown) => error,
    commit: () => void notes.push('COMMIT'),
    sync: () => {
      notes.push('sync');
      return sync();
    },
  };
  return { notes, connection: connection as unknown as WritingConnection };
}

const done = async () => 'done';

/** Later in the same turn, as when a second request that arrived with the first is handled. */
async function later<T>(work: () => Promise<T>): Promise<T> {
  for (let step = 0; step < 50; step++) await Promise.resolve();
  return work();
}

describe('writes in one turn of the event loop', () => {
  test('share one commit, including those requested later in the turn', async () => {
    const { notes, connection } = noting();
    const writer = openWriter(connection);
    const all = [writer.write(done), later(() => writer.write(done))];
    expect(await Promise.all(all)).toEqual(['done', 'done']);
    expect(notes.filter((each) => each === 'COMMIT')).toHaveLength(1);
  });

  test('wait for the disk if one of them requires it', async () => {
    const { notes, connection } = noting();
    const writer = openWriter(connection);
    await Promise.all([writer.writeRelaxed(done), writer.write(done)]);
    expect(notes.filter((each) => each.startsWith('synchronous'))).toEqual([]);
    await writer.writeRelaxed(done);
    await writer.write(done);
    const [light, full] = ['NORMAL', 'FULL'].map((level) => `synchronous = ${level}`);
    const bracket = ['BEGIN IMMEDIATE', 'COMMIT'];
    expect(notes.slice(-6)).toEqual([light, ...bracket, full, ...bracket]);
    expect(notes).not.toContain('sync');
  });
});

describe('writes that flush in the background', () => {
  test('resolve when flushed, and the thread continues meanwhile', async () => {
    let flush: () => void = () => undefined;
    const { notes, connection } = noting(() => new Promise((resolve) => (flush = resolve)));
    const writer = openWriter(connection);
    let isDone = false;
    const writing = writer.writeInBackground(done).then(() => (isDone = true));
    await immediate();
    await immediate();
    expect(notes.slice(-2)).toEqual(['COMMIT', 'sync']);
    expect(isDone).toBe(false);
    flush();
    await writing;
  });

  test('leave flushing to the commit if a write next to them requires it', async () => {
    const { notes, connection } = noting();
    const writer = openWriter(connection);
    await Promise.all([writer.writeInBackground(done), writer.write(done)]);
    expect(notes).not.toContain('sync');
    expect(notes).not.toContain('synchronous = NORMAL');
  });

  test('do not flush when nothing was changed', async () => {
    const { notes, connection } = noting();
    const refused = openWriter(connection).writeInBackground(async () => {
      throw new Error('refused');
    });
    await expect(refused).rejects.toThrow('refused');
    expect(notes).not.toContain('sync');
  });

  test('fail together when the flush fails and are not repeated', async () => {
    const { notes, connection } = noting(() => Promise.reject(new Error('no disk')));
    const writer = openWriter(connection);
    let runs = 0;
    const count = async () => {
      runs += 1;
    };
    const all = await Promise.allSettled([
      writer.writeInBackground(count),
      writer.writeInBackground(count),
    ]);
    const reason = new Error('no disk');
    expect(all).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason },
    ]);
    expect(runs).toBe(2);
    expect(notes.filter((each) => each === 'COMMIT')).toHaveLength(1);
  });
});

test('reads in one turn check once that the file still exists; the next turn checks again', async () => {
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
  // Each newly opened file is checked once more.
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
