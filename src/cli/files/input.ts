import { closeSync, fstatSync, readSync, type Stats, statSync } from 'node:fs';
import { extname, resolve } from 'node:path';
import { type ByteSource, concatBytes, memorySource } from '../../base/bytes.ts';
import { attemptAny, InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { systemCode } from '../../base/os-errors.ts';
import {
  type FileObject,
  type FilePlace,
  openNamed,
  openPlaced,
  readPipe,
} from '../../wire/documents.ts';
import { inputError } from '../input-error.ts';
import type { CliIo } from '../io.ts';
import { endingOf } from './endings.ts';
import { looksLikeXml, looksLikeZip } from './first-bytes.ts';

/** An open document: small ones are read into memory, large ones on demand. */
export interface InputFile {
  readonly source: ByteSource;
  /** Name as entered by the user; `-` for stdin. */
  readonly name: string;
  /** Absolute path. Undefined for stdin. */
  readonly path?: string;
  /** Permission bits of the file. */
  readonly mode?: number;
  /** IDs of the user and the group that own the file. */
  readonly owner?: { readonly uid: number; readonly gid: number };
  /** Identity of the file on its device, whatever its name. */
  readonly identity?: string;
  /** Present for a file that is read on demand: it stays open. */
  readonly open?: OpenFile;
}

/** A large file that is being read. */
export interface OpenFile {
  readonly descriptor: number;
  /** Throws if the file was changed or replaced. @throws io.input.changed */
  requireUnchanged(): void;
  close(): void;
}

/** Largest input from a pipe, in bytes: the size of one buffer. */
const inputBytesMax = 2 * 1024 * 1024 * 1024 - 1;

const pieceBytes = 256 * 1024;

/** A file up to this size is read as a whole. */
const smallBytes = 4 * 1024 * 1024;

/**
 * Opens a file, a pipe, or stdin if `name` is `-`. The caller must close it: {@link closeInput}.
 *
 * @param place position of a file that was found below a folder, by which alone it is opened
 * @throws io.input.notfound, io.input.unreadable, io.link, limit.exceeded, usage.input.required
 */
export async function readInput(name: string, io: CliIo, place?: FilePlace): Promise<InputFile> {
  if (name !== '-') return openFile(name, resolve(io.cwd, name), place);
  if (io.stdin.isTerminal) {
    const message = 'expected a document on standard input, found a terminal';
    throw new InnsigliError('usage.input.required', message, {
      hint: 'name a file, or pipe one in: innsigli … - < file.pdf',
    });
  }
  const parts: Uint8Array[] = [];
  let lengthBytes = 0;
  for await (const chunk of io.stdin.chunks()) {
    lengthBytes += chunk.length;
    if (lengthBytes > inputBytesMax) throw tooLarge('standard input');
    parts.push(chunk);
  }
  const bytes = parts.length === 1 && parts[0] ? parts[0] : concatBytes(parts);
  return { source: memorySource(bytes), name };
}

/** Yields the bytes of a document in chunks. */
export async function* piecesOf(source: ByteSource): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < source.lengthBytes; from += pieceBytes) {
    yield source.slice(from, Math.min(from + pieceBytes, source.lengthBytes));
  }
}

/** Closes a document that is read on demand. */
export function closeInput(input: InputFile): void {
  input.open?.close();
}

/** The name of an archived document: its extension is preserved, even if it is not one of ours. */
export function archivedName({ name, source }: InputFile): string {
  const own = /[^/\\.]\.[A-Za-z0-9]{1,10}$/.test(name) ? extname(name) : undefined;
  return siblingName(name, 'archived', own ?? usualEnding(source), own);
}

function usualEnding(source: ByteSource): string {
  if (looksLikeZip(source)) return '.asice';
  return looksLikeXml(source) ? '.xml' : '.pdf';
}

/**
 * `agreement.pdf` → `agreement.sealed.pdf`, in the same folder. Results are numbered:
 * `agreement.sealed.pdf` → `agreement.sealed-2.pdf` → `agreement.sealed-3.pdf`.
 *
 * @param usual extension of the result if the name has none
 * @param found extension of the name. Default: the extension if it is one of ours
 */
export function siblingName(
  path: string,
  suffix: string,
  usual = '.pdf',
  found = endingOf(path),
): string {
  const stem = path.slice(0, path.length - found.length);
  const ending = found === '' ? usual : found;
  const known = new RegExp(`^(.+\\.${suffix})(?:-(\\d{1,6}))?$`, 's');
  const [, result, count = 1] = known.exec(stem) ?? [];
  return result === undefined
    ? `${stem}.${suffix}${ending}`
    : `${result}-${Number(count) + 1}${ending}`;
}

/** The stat of a path, following links. Undefined if there is none, or if it is not accessible. */
export function statPath(path: string): Stats | undefined {
  return attemptAny(() => statSync(path, { throwIfNoEntry: false }));
}

/** Identity of a file: the same for every hard link and symbolic link to it. */
export function identityOf(stats: Stats): string {
  return `${stats.dev}:${stats.ino}`;
}

async function openFile(name: string, path: string, place?: FilePlace): Promise<InputFile> {
  let opened: FileObject;
  try {
    opened = place === undefined ? openNamed(path) : requireThere(openPlaced(place));
  } catch (cause) {
    throw isInnsigliError(cause) ? cause : readingError(name, cause);
  }
  const { descriptor, stats, isPipe } = opened;
  let isKept = isPipe;
  try {
    if (stats.isDirectory()) {
      throw new InnsigliError('io.input.unreadable', `expected a file, found a folder: ${name}`, {
        details: { file: name },
      });
    }
    const { uid, gid } = stats;
    const mode = stats.mode & 0o7777;
    const facts = { name, path, mode, owner: { uid, gid }, identity: identityOf(stats) };
    if (isPipe)
      return { source: memorySource(await readPipe(descriptor, inputBytesMax)), ...facts };
    if (stats.size <= smallBytes) {
      return { source: memorySource(readWhole(descriptor, stats.size)), ...facts };
    }
    const { fileSource } = await import('../../wire/documents.ts');
    const source = fileSource(descriptor, name);
    isKept = true;
    const requireUnchanged = () => source.requireUnchanged();
    const close = () => closeSync(descriptor);
    return { source, ...facts, open: { descriptor, requireUnchanged, close } };
  } catch (cause) {
    throw isInnsigliError(cause) ? cause : readingError(name, cause);
  } finally {
    if (!isKept) closeSync(descriptor);
  }
}

function requireThere(descriptor: number | undefined): FileObject {
  if (descriptor !== undefined) return { descriptor, stats: fstatSync(descriptor), isPipe: false };
  throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
}

// If a file shrinks while it is read, returns the bytes that exist; the format parsers check them.
function readWhole(descriptor: number, lengthBytes: number): Uint8Array {
  const bytes = Buffer.allocUnsafeSlow(lengthBytes);
  let offset = 0;
  while (offset < lengthBytes) {
    const count = readSync(descriptor, bytes, offset, lengthBytes - offset, offset);
    if (count === 0) break;
    offset += count;
  }
  return bytes.subarray(0, offset);
}

function tooLarge(name: string): InnsigliError {
  const message = `${name}: expected at most 2 GiB, found more`;
  return new InnsigliError('limit.exceeded', message, { details: { maxBytes: inputBytesMax } });
}

function readingError(name: string, cause: unknown): InnsigliError {
  return systemCode(cause) === 'EFBIG' ? tooLarge(name) : inputError(name, cause);
}
