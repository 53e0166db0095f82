import { resolve } from 'node:path';
import { readNamedNow } from '../../wire/documents.ts';
import { refuseUsage } from '../context.ts';
import { inputError } from '../input-error.ts';
import type { CliIo } from '../io.ts';
import { reading } from './readers.ts';

/** Reads the bytes of a file named by an option. @throws io.input.notfound, io.input.unreadable */
export function readOptionFile(path: string, cwd: string): Uint8Array {
  try {
    return readNamedNow(resolve(cwd, path));
  } catch (cause) {
    throw inputError(path, cause);
  }
}

/** Reads the file named by an option. @throws io.input.* */
export const bytesOfFile = reading((path, _, { io }) => readOptionFile(path, io.cwd));

/** Reads the text of the file named by an option. @throws io.input.* */
export const textOfFile = reading((path, _, { io }) => textOf(readOptionFile(path, io.cwd), path));

/** Same as {@link readOptionFile}; `-` means standard input. @throws usage.input.required */
export async function readOptionInput(path: string, io: CliIo): Promise<Uint8Array> {
  if (path !== '-') return readOptionFile(path, io.cwd);
  const { readInput } = await import('../files/index.ts');
  const { source } = await readInput('-', io);
  return source.slice(0, source.lengthBytes);
}

/** Reads the text of a file or of stdin. @throws usage.invalid, as {@link readOptionInput} */
export async function readInputText(path: string, io: CliIo): Promise<string> {
  return textOf(await readOptionInput(path, io), path);
}

/**
 * Same as {@link readInputText} for a table; its parser reports the row with bytes that are not
 * UTF-8.
 *
 * @throws as {@link readOptionInput}
 */
export async function readTableText(path: string, io: CliIo): Promise<string> {
  return new TextDecoder().decode(await readOptionInput(path, io));
}

/** Reads the JSON in a file or on standard input. @throws usage.invalid, io.input.* */
export async function readJsonInput(path: string, io: CliIo): Promise<unknown> {
  return parseJson(await readInputText(path, io), path);
}

/** Same as {@link readJsonInput}, but returns the text itself. @throws usage.invalid, io.input.* */
export async function readJsonText(path: string, io: CliIo): Promise<string> {
  const text = await readInputText(path, io);
  parseJson(text, path);
  return text;
}

/** Reads the JSON text of a file. */
export const jsonTextOfFile = reading((path, name, context): string => {
  const text = textOfFile.read(path, name, context);
  parseJson(text, path);
  return text;
});

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return refuseUsage(`${path}: expected JSON, found other text`);
  }
}

// Letters of a different encoding would silently be replaced: "J�n".
function textOf(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refuseUsage(`${path}: expected UTF-8 text, found a different encoding`);
  }
}
