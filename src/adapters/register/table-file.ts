import { createHash, randomInt } from 'node:crypto';
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import type { RegisterFigures, RegisterPerson, Vault } from '../../app/ports/index.ts';
import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { syncFolder } from '../files/index.ts';
import { sweepTemporary } from '../write-whole.ts';
import { ENTRY_BYTES, endContext, KEY_BYTES, keyOf, MARK, recordContext } from './table-form.ts';

const BUFFER_BYTES = 1024 * 1024;
const ROW_BYTES = 4;

/**
 * Writes the file of a register atomically and durably.
 *
 * @throws validation.error if a number occurs twice; limit.exceeded
 * @throws the error of the system, and the errors of `persons` and `accept`
 */
export async function writeTable(
  path: string,
  vault: Vault,
  persons: AsyncIterable<RegisterPerson>,
  importedAtMs: number,
  accept: (persons: number) => void,
): Promise<RegisterFigures> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await sweepTemporary(folder, (name) => name.startsWith(`${basename(path)}.`));
  const temporary = `${path}.${process.pid}-${randomInt(2 ** 47)}.tmp`;
  const file = await open(temporary, 'wx', 0o600);
  try {
    const count = await fill(file, vault, persons, importedAtMs, accept);
    await file.sync();
    await file.close();
    await rename(temporary, path);
    await syncFolder(folder).catch(() => undefined);
    return { persons: count, importedAtMs };
  } catch (error) {
    await file.close().catch(() => undefined);
    await rm(temporary, { force: true });
    throw error;
  }
}

async function fill(
  file: FileHandle,
  vault: Vault,
  persons: AsyncIterable<RegisterPerson>,
  importedAtMs: number,
  accept: (persons: number) => void,
): Promise<number> {
  const writer = bufferedWriter(file);
  await writer.write(Buffer.from(MARK, 'latin1'));
  const entries = new EntryList();
  for await (const { ssn, row, ...entry } of persons) {
    const key = keyOf(vault, ssn);
    const record = Buffer.from(vault.encrypt(JSON.stringify(entry), recordContext(key)), 'latin1');
    entries.add(key, writer.offset(), record.length, row);
    await writer.write(record);
  }
  accept(entries.count);
  const indexAt = writer.offset();
  const hash = createHash('sha256');
  for (const entry of entries.sorted()) {
    hash.update(entry);
    await writer.write(entry);
  }
  const facts = { count: entries.count, indexAt, sha256: hash.digest('hex'), importedAtMs };
  const end = Buffer.from(vault.encrypt(JSON.stringify(facts), endContext), 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(end.length);
  await writer.write(Buffer.concat([end, length]));
  await writer.flush();
  return entries.count;
}

/** Index entries with the rows they originate from, in one growing buffer. */
class EntryList {
  count = 0;
  #bytes = Buffer.alloc(1024 * (ENTRY_BYTES + ROW_BYTES));

  add(key: Buffer, offset: number, lengthBytes: number, row: number): void {
    if (this.count >= limits.registerPersons) {
      const message = `expected at most ${limits.registerPersons} persons`;
      throw new InnsigliError('limit.exceeded', message);
    }
    const at = this.count * (ENTRY_BYTES + ROW_BYTES);
    if (at === this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length)]);
    }
    key.copy(this.#bytes, at, 0, KEY_BYTES);
    this.#bytes.writeUIntBE(offset, at + KEY_BYTES, 6);
    this.#bytes.writeUInt32BE(lengthBytes, at + KEY_BYTES + 6);
    this.#bytes.writeUInt32BE(row, at + ENTRY_BYTES);
    this.count += 1;
  }

  /** @throws validation.error if a key occurs twice */
  *sorted(): Generator<Buffer> {
    const bytes = this.#bytes;
    const place = (index: number) => index * (ENTRY_BYTES + ROW_BYTES);
    const compare = (a: number, b: number) =>
      bytes.compare(bytes, place(b), place(b) + KEY_BYTES, place(a), place(a) + KEY_BYTES);
    const order = Uint32Array.from({ length: this.count }, (_, index) => index).sort(compare);
    let before: number | undefined;
    for (const index of order) {
      if (before !== undefined && compare(before, index) === 0) {
        const rows = [before, index].map((each) => bytes.readUInt32BE(place(each) + ENTRY_BYTES));
        rows.sort((a, b) => a - b);
        throw new InnsigliError(
          'validation.error',
          `rows ${rows.join(' and ')}: expected one for each ssn, found two; nothing was changed`,
        );
      }
      before = index;
      yield bytes.subarray(place(index), place(index) + ENTRY_BYTES);
    }
  }
}

function bufferedWriter(file: FileHandle) {
  let parts: Buffer[] = [];
  let pending = 0;
  let written = 0;
  const flush = async () => {
    const bytes = Buffer.concat(parts);
    parts = [];
    pending = 0;
    for (let at = 0; at < bytes.length; ) {
      const { bytesWritten } = await file.write(bytes, at, bytes.length - at, written + at);
      at += bytesWritten;
    }
    written += bytes.length;
  };
  return {
    offset: () => written + pending,
    flush,
    write: async (bytes: Buffer) => {
      parts.push(bytes);
      pending += bytes.length;
      if (pending >= BUFFER_BYTES) await flush();
    },
  };
}
