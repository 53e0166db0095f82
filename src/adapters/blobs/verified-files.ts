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
   * it is read later, or the file has another state then. So it is when that changes while it is
   * read: no piece of another content is given.
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

/** State of a file: it differs when the file was written to. */
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
 * As {@link piecesOf}, of a file with a state in which it was verified: in another state it is
 * verified again before a piece is given. Who reads slowly may meet a file that was cut or written
 * over; one that was put again, or has lost its name, only has other times.
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
