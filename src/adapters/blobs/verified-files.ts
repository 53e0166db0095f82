import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { ByteSpan, StoredContent } from '../../app/ports/index.ts';

/** Bytes that are read at once: to hash them holds nobody up. */
const PIECE_BYTES = 64 * 1024;
/**
 * Time for which a verified file is not verified again while its state is unchanged, in
 * milliseconds.
 */
const BELIEVED_MS = 60_000;
const BELIEVED_MAX = 1000;

/** Opens contents of files in pieces, of which no more than one is in memory. */
export interface VerifiedFiles {
  /**
   * The content of a file, which was verified against its digest before. It is verified again when
   * it is read later, or the file has another state then.
   *
   * @param openFile opens it, now and each time that it is read
   * @throws the error of the system; that of `changed` for another content
   */
  open(openFile: () => Promise<FileHandle>, sha256: string): Promise<StoredContent>;
}

/** @param changed gives the error for a file whose digest is another one */
export function verifiedFiles(changed: (sha256: string, found: number) => Error): VerifiedFiles {
  // State of a file when it was verified, or is being verified.
  const believed = new Map<string, { readonly atMs: number; readonly digest: Promise<string> }>();
  const digestOnce = (file: FileHandle, look: string): Promise<string> => {
    const known = believed.get(look);
    if (known !== undefined && performance.now() - known.atMs < BELIEVED_MS) return known.digest;
    const digest = digestOf(file);
    believed.delete(look);
    if (believed.size >= BELIEVED_MAX) believed.delete(believed.keys().next().value as string);
    believed.set(look, { atMs: performance.now(), digest });
    digest.catch(() => believed.delete(look));
    return digest;
  };
  // The file itself is looked at, not its name: what is read is what was verified.
  const openVerified = async (openFile: () => Promise<FileHandle>, sha256: string) => {
    const file = await openFile();
    try {
      const { ino, size, mtimeMs, ctimeMs } = await file.stat();
      const look = `${sha256} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;
      if ((await digestOnce(file, look)) !== sha256) throw changed(sha256, size);
      return { file, lengthBytes: size };
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
          const opened = await openVerified(openFile, sha256);
          try {
            yield* piecesOf(opened.file, span);
          } finally {
            await opened.file.close();
          }
        },
      };
    },
  };
}

async function digestOf(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of piecesOf(file)) hash.update(piece);
  return hash.digest('hex');
}

/** Each piece has its own memory: the consumer may be slow. */
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
