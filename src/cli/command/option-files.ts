import { resolve } from 'node:path';
import { InnsigliError } from '../../base/errors.ts';
import { osErrorText, systemCode } from '../../base/os-errors.ts';
import { foundInstead, readNamedNow } from '../../wire/documents.ts';
import { refuseUsage } from '../context.ts';
import type { CliIo } from '../io.ts';
import { noFileError } from '../no-file.ts';
import { reading } from './readers.ts';

/** The bytes of a file that an option names. @throws io.input.notfound, io.input.unreadable */
export function readOptionFile(path: string, cwd: string): Uint8Array {
  try {
    return readNamedNow(resolve(cwd, path));
  } catch (cause) {
    const code = systemCode(cause);
    const isMissing = code === 'ENOENT';
    const name = isMissing ? 'io.input.notfound' : 'io.input.unreadable';
    const found = foundInstead(cause);
    if (found !== undefined) throw noFileError(path, found, cause);
    const why = osErrorText(code ?? 'unknown');
    const message = isMissing ? `no such file: ${path}` : `${path} cannot be read: ${why}`;
    throw new InnsigliError(name, message, { cause });
  }
}

/** Reads the file that an option names. @throws io.input.* */
export const bytesOfFile = reading((path, _, { io }) => readOptionFile(path, io.cwd));

/** Reads the text of the file that an option names. @throws io.input.* */
export const textOfFile = reading((path, _, { io }) => textOf(readOptionFile(path, io.cwd)));

/** As {@link readOptionFile}; `-` is standard input. @throws usage.input.required */
export async function readOptionInput(path: string, io: CliIo): Promise<Uint8Array> {
  if (path !== '-') return readOptionFile(path, io.cwd);
  const { readInput } = await import('../files/index.ts');
  const { source } = await readInput('-', io);
  return source.slice(0, source.lengthBytes);
}

/** The text of a file, or of standard input. @throws as {@link readOptionInput} */
export async function readInputText(path: string, io: CliIo): Promise<string> {
  return textOf(await readOptionInput(path, io));
}

/** The JSON in a file, or on standard input. @throws usage.invalid, io.input.* */
export async function readJsonInput(path: string, io: CliIo): Promise<unknown> {
  const text = await readInputText(path, io);
  try {
    return JSON.parse(text);
  } catch {
    return refuseUsage(`${path}: expected JSON, found other text`);
  }
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}
