import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { ByteSpan, StoredContent } from '../../app/ports/index.ts';

/** Chunk size: hashing a chunk does not delay other work. */
const PIECE_BYTES = 64 * 1024;
/** Milliseconds for which a verified file in an unchanged state is not verified again. */
const VERIFIED_MS = 60_000;
const VERIFIED_MAX = 1000;

/** Opens files for reading in chunks, of which at most one is in memory. */
export interface VerifiedFiles {
  /**
   * Returns the content of a file after verifying it against its digest. The file is verified again
   * if it is read later or its state has changed by then, and also if its state changes while it is
   * read: no chunk of different content is ever returned.
   *
   * @param openFile opens the file, now and for each later read
   * @throws the error of the system; the error of `changed` for different content
   */
  open(openFile: () => Promise<FileHandle>, sha256: string): Promise<StoredContent>;
}

/**
 * Creates a {@link VerifiedFiles}.
 *
 * @param changed creates the error for a file with a different digest
 */
export function verifiedFiles(changed: (sha256: string, found: number) => Error): VerifiedFiles {
  // State of a file at its verification, with the digest found or being computed.
  const verified = new Map<string, { readonly atMs: number; readonly digest: Promise<string> }>();
  const digestOnce = (file: FileHandle, look: string): Promise<string> => {
    const known = verified.get(look);
    if (known !== undefined && performance.now() - known.atMs < VERIFIED_MS) return known.digest;
    const digest = digestOf(file);
    verified.delete(look);
    if (verified.size >= VERIFIED_MAX) verified.delete(verified.keys().next().value as string);
    verified.set(look, { atMs: performance.now(), digest });
    digest.catch(() => verified.delete(look));
    return digest;
  };
  // Verifies the open file rather than its path, so that what is read is what was verified.
  const verify = async (file: FileHandle, sha256: string) => {
    const { look, size } = await stateOf(file);
    if ((await digestOnce(file, `${sha256} ${look}`)) !== sha256) throw changed(sha256, size);
    return { look, lengthBytes: size };
  };
  const openVerified = async (openFile: () => Promise<FileHandle>, sha256: string) => {
    const file = await openFile();
    try {
      return { file, ...(await verify(file, sha256)) };
    } catch (error) {
      await file.close();
      throw error;
    }
  };
  return {
    async open(openFile, sha256) {
      const { file, lengthBytes } = await openVerified(openFile, sha256);
      await file.close();
      return {
        lengthBytes,
        async *pieces(span) {
          const { file, look } = await openVerified(openFile, sha256);
          try {
            yield* piecesWhile(file, span, { look, verify: () => verify(file, sha256) });
          } finally {
            await file.close();
          }
        },
      };
    },
  };
}

/** State of a file, which changes with every write. */
async function stateOf(file: FileHandle) {
  const { ino, size, mtimeMs, ctimeMs } = await file.stat();
  return { size, look: `${ino} ${size} ${mtimeMs} ${ctimeMs}` };
}

async function digestOf(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of piecesOf(file)) hash.update(piece);
  return hash.digest('hex');
}

/**
 * Like {@link piecesOf}, for a file whose state at verification is given: if the state changes, the
 * file is verified again before the next chunk is returned. During a slow read, the file may be
 * truncated or overwritten; storing the blob again or unlinking it only changes the timestamps.
 */
async function* piecesWhile(
  file: FileHandle,
  span: ByteSpan | undefined,
  given: { readonly look: string; readonly verify: () => Promise<{ readonly look: string }> },
): AsyncGenerator<Uint8Array> {
  let { look } = given;
  for await (const piece of piecesOf(file, span)) {
    if ((await stateOf(file)).look !== look) look = (await given.verify()).look;
    yield piece;
  }
}

/** Each chunk has its own buffer, because the consumer may be slow. */
async function* piecesOf(file: FileHandle, span?: ByteSpan): AsyncGenerator<Uint8Array> {
  const { offsetBytes = 0, lengthBytes = Number.POSITIVE_INFINITY } = span ?? {};
  const end = offsetBytes + lengthBytes;
  for (let at = offsetBytes; at < end; ) {
    const piece = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, end - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) return;
    yield piece.subarray(0, bytesRead);
    at += bytesRead;
  }
}
