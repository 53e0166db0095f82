import { createHash } from 'node:crypto';
import {
  closeSync,
  fstatSync,
  openSync,
  readFile,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { access, open, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { BlobStore, RemovalTerms, StoredContent } from '../../app/ports/index.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { onSystemCode, systemCode } from '../../base/os-errors.ts';
import { SMALL_BYTES, writeAtomically } from '../files/index.ts';
import { asideOf, codedFileError, folderNowMs, makeFolders } from './durable-files.ts';
import { clearDeletions, findDeletions, listContents } from './list-contents.ts';
import { deletionName, isDigest } from './names.ts';
import { verifiedFiles } from './verified-files.ts';

/**
 * Stores blobs in files of `folder`, named by their SHA-256:
 *
 *     objects/ab/abcd…      a blob
 *     objects/ab/.new-…     being written; renamed once it is on disk
 *     objects/ab/.gone-…    being deleted
 *
 * Storing an existing blob again renews its age, so that a concurrent collection of orphans spares
 * it. Files left behind by a killed removal are read where they are and restored by a later `list`:
 * restoring them immediately would undo a removal in progress.
 */
export function openFileBlobs(folder: string): BlobStore {
  const root = join(folder, 'objects');
  // Folders that this process has already found to exist and to be durable.
  const known = new Set<string>();
  const files = verifiedFiles(changed);
  return {
    async put(content) {
      const sha256 = await digestOf(content);
      const path = pathOf(root, sha256);
      try {
        if (await touch(path, content.length, sha256)) return sha256;
        await makeFolders(dirname(path), dirname(root), known);
        await writeAtomically(path, content, { temporary: asideOf(path) });
      } catch (error) {
        throw codedFileError(error, folder);
      }
      return sha256;
    },
    get: (sha256) => readVerified(root, sha256),
    async open(sha256) {
      const openFile = () => lookUp(root, sha256, (path) => open(path, 'r'));
      const { size } = await lookUp(root, sha256, (path) => stat(path));
      if (size <= WHOLE_BYTES) return memoryContent(await readVerified(root, sha256));
      return files.open(openFile, sha256).catch((error: unknown) => {
        throw isInnsigliError(error) ? error : unreadable(sha256, error);
      });
    },
    has: (sha256) =>
      lookUp(root, sha256, access).then(
        () => true,
        () => false,
      ),
    sizeOf: async (sha256) => (await lookUp(root, sha256, (path) => stat(path))).size,
    async remove(sha256, terms = {}) {
      if (!isDigest(sha256)) return true;
      const path = pathOf(root, sha256);
      try {
        return removeBlob(path, sha256, terms) && (await clearDeletions(dirname(path), sha256));
      } catch (error) {
        throw codedFileError(error, folder);
      }
    },
    list: () => listContents(root),
  };
}

/** Blobs up to this size are read whole; larger ones can be read in parts. */
const WHOLE_BYTES = limits.readerWholeBytes;

/** Bytes hashed without a break: other requests are served between two such chunks. */
const DIGESTED_BYTES = 2 ** 20;

async function digestOf(content: Uint8Array): Promise<string> {
  const hash = createHash('sha256');
  for (let at = 0; at < content.length; at += DIGESTED_BYTES) {
    if (at > 0) await setImmediate();
    hash.update(content.subarray(at, at + DIGESTED_BYTES));
  }
  return hash.digest('hex');
}

function pathOf(root: string, sha256: string): string {
  return join(root, sha256.slice(0, 2), sha256);
}

async function readVerified(root: string, sha256: string): Promise<Uint8Array> {
  const content = await lookUp(root, sha256, readWhole);
  if ((await digestOf(content)) === sha256) return content;
  throw changed(sha256, content.length);
}

function changed(sha256: string, lengthBytes: number): InnsigliError {
  const found = `its ${lengthBytes} bytes have a different digest`;
  return new InnsigliError('blob.corrupt', `a stored document was changed: ${sha256}, ${found}`, {
    hint: 'restore the objects folder from a backup',
  });
}

function unreadable(sha256: string, cause: unknown): InnsigliError {
  const hint = 'check the disk and the permissions of the data directory';
  const message = `a stored document cannot be read: ${sha256}`;
  return new InnsigliError('blob.corrupt', message, { hint, cause });
}

/**
 * Returns the result of `look` for a blob, under its own name or under the name of a pending
 * removal.
 *
 * @throws blob.missing, blob.corrupt
 */
async function lookUp<T>(
  root: string,
  sha256: string,
  look: (path: string) => Promise<T>,
): Promise<T> {
  if (!isDigest(sha256)) throw missing(sha256);
  const path = pathOf(root, sha256);
  const folder = dirname(path);
  try {
    const unlessGone = (place: string) =>
      look(place).then((value) => ({ value }), onSystemCode('ENOENT'));
    const found = await unlessGone(path);
    if (found !== undefined) return found.value;
    const deletions = await findDeletions(folder, sha256);
    // The original path comes last: a removal that spared the blob has renamed it back by then.
    for (const each of [...deletions.map((name) => join(folder, name)), path]) {
      const again = await unlessGone(each);
      if (again !== undefined) return again.value;
    }
  } catch (error) {
    throw unreadable(sha256, error);
  }
  throw missing(sha256);
}

function missing(sha256: string): InnsigliError {
  const name = isDigest(sha256) ? sha256 : 'not a digest';
  return new InnsigliError('blob.missing', `a stored document is not on this host: ${name}`, {
    hint: 'mount the objects folder shared by all hosts, or restore the document from a backup',
  });
}

/** Whether the blob is intact; if so, renews its age. A damaged blob has to be written again. */
async function touch(path: string, lengthBytes: number, sha256: string): Promise<boolean> {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.size !== lengthBytes) return false;
  try {
    if ((await digestOf(await readWhole(path))) !== sha256) return false;
    const nowS = folderNowMs(dirname(path)) / 1000;
    utimesSync(path, nowS, nowS);
    return true;
  } catch (error) {
    // Another process has just removed it.
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Removes a blob and returns whether it is gone. The blob is renamed first, because under its own
 * name another process could renew its age after the last check. Once it is renamed, other
 * processes no longer find it and store it again.
 */
function removeBlob(path: string, sha256: string, { storedUntilMs, ageMs }: RemovalTerms): boolean {
  const known = statSync(path, { throwIfNoEntry: false });
  if (known === undefined) return true;
  const nowMs = folderNowMs(dirname(path));
  const isSpared = ({ mtimeMs }: { readonly mtimeMs: number }) =>
    (storedUntilMs !== undefined && mtimeMs > storedUntilMs) ||
    (ageMs !== undefined && mtimeMs > nowMs - ageMs);
  if (isSpared(known)) return false;
  const aside = join(dirname(path), deletionName(sha256, nowMs));
  try {
    renameSync(path, aside);
  } catch (error) {
    // Another process has just removed it.
    if (systemCode(error) === 'ENOENT') return true;
    throw error;
  }
  const found = statSync(aside, { throwIfNoEntry: false });
  if (found !== undefined && isSpared(found)) {
    renameSync(aside, path);
    return false;
  }
  rmSync(aside, { force: true });
  return true;
}

const readAside = promisify(readFile) as (file: number) => Promise<Buffer>;

async function readWhole(path: string): Promise<Buffer> {
  const file = openSync(path, 'r');
  try {
    return fstatSync(file).size <= SMALL_BYTES ? readFileSync(file) : await readAside(file);
  } finally {
    closeSync(file);
  }
}

/** Blob content that is held in memory. */
export function memoryContent(content: Uint8Array): StoredContent {
  return {
    lengthBytes: content.length,
    whole: content,
    pieces: async function* (span) {
      const { offsetBytes = 0, lengthBytes = content.length } = span ?? {};
      yield content.subarray(offsetBytes, offsetBytes + lengthBytes);
    },
  };
}
