import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { removeContents } from '../../../../src/app/process/purge.ts';
import { openTestStore, testProcess } from '../../../support/store.ts';

const HOUR = 3_600_000;

/** A process that was just purged. Its content was stored just before. */
async function openPurged() {
  const stored = await openTestStore();
  onTestFinished(() => stored.close());
  const { store, blobs, folder } = stored;
  const content = Buffer.from('%PDF-1.7 the same contract');
  const sha256 = await blobs.put(content);
  const document = { sha256, lengthBytes: content.length };
  const before = testProcess(1, { original: document, document });
  await store.write((unit) => unit.processes.add(before));
  const { original: _, document: __, ...rest } = { ...before, rev: before.rev + 1 };
  await store.write((unit) => unit.processes.save(rest));
  let offsetMs = 0;
  const now = () => Date.now() + offsetMs;
  const file = join(folder, 'objects', sha256.slice(0, 2), sha256);
  const ports = { store, blobs, now, mailer: {}, sms: {} };
  return {
    ports,
    before,
    remove: (on = ports) => removeContents(on as never, before.key, [sha256]),
    /** Moves the clocks of this host and of the disk. */
    pass: (ms: number) => {
      offsetMs += ms;
      const atS = statSync(file).mtimeMs / 1000 - ms / 1000;
      utimesSync(file, atS, atS);
    },
    /** Moves the clock of this host only. */
    advance: (ms: number) => {
      offsetMs += ms;
    },
    isThere: () => blobs.has(sha256),
    /** Does what another process does that is about to reference the content. */
    putAgain: () => blobs.put(content),
  };
}

test('a blob stored recently survives a purge and is deleted an hour later', async () => {
  const { remove, pass, isThere, ports } = await openPurged();
  expect((await remove()) ?? 0).toBeGreaterThan(ports.now() + HOUR - 60_000);
  expect(await isThere()).toBe(true);
  pass(HOUR + 1000);
  expect(await remove()).toBeUndefined();
  expect(await isThere()).toBe(false);
});

test('a blob that a later change references is not deleted', async () => {
  const { ports, before, remove, pass, isThere } = await openPurged();
  pass(HOUR + 1000);
  await ports.store.write((unit) => unit.processes.save({ ...before, rev: before.rev + 2 }));
  expect(await remove()).toBeUndefined();
  expect(await isThere()).toBe(true);
});

test('an old blob is deleted immediately, unless it is stored again before the deletion', async () => {
  const { ports, remove, pass, isThere, putAgain } = await openPurged();
  pass(2 * HOUR);
  const read: typeof ports.store.read = async (ask) => {
    const found = await ports.store.read(ask);
    await putAgain();
    return found;
  };
  expect(await remove({ ...ports, store: { ...ports.store, read } })).toBeDefined();
  expect(await isThere()).toBe(true);
  pass(2 * HOUR);
  expect(await remove()).toBeUndefined();
  expect(await isThere()).toBe(false);
});

test('a host whose clock is ahead does not delete a recent blob', async () => {
  const { advance, pass, remove, isThere } = await openPurged();
  advance(48 * HOUR);
  expect(await remove()).toBeDefined();
  expect(await isThere()).toBe(true);
  pass(2 * HOUR);
  expect(await remove()).toBeUndefined();
  expect(await isThere()).toBe(false);
});
