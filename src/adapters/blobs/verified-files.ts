import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { StoredContent } from '../../app/ports/index.ts';

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
   * The content of a file, which was verified against its digest before.
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
  return {
    async open(openFile, sha256) {
      const file = await openFile();
      try {
        const { ino, size, mtimeMs, ctimeMs } = await file.stat();
        const look = `${sha256} ${ino} ${size} ${mtimeMs} ${ctimeMs}`;
        if ((await digestOnce(file, look)) !== sha256) throw changed(sha256, size);
        return { lengthBytes: size, pieces: () => piecesOfFile(openFile) };
      } finally {
        await file.close();
      }
    },
  };
}

async function digestOf(file: FileHandle): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of piecesOf(file)) hash.update(piece);
  return hash.digest('hex');
}

async function* piecesOfFile(openFile: () => Promise<FileHandle>): AsyncGenerator<Uint8Array> {
  const file = await openFile();
  try {
    yield* piecesOf(file);
  } finally {
    await file.close();
  }
}

/** Each piece has its own memory: the consumer may be slow. */
async function* piecesOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  for (let at = 0; ; ) {
    const piece = Buffer.allocUnsafeSlow(PIECE_BYTES);
    const { bytesRead } = await file.read(piece, 0, PIECE_BYTES, at);
    if (bytesRead === 0) return;
    yield piece.subarray(0, bytesRead);
    at += bytesRead;
  }
}
