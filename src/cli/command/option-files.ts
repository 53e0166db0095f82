import { resolve } from 'node:path';
import { readNamedNow } from '../../wire/documents.ts';
import { refuseUsage } from '../context.ts';
import { inputError } from '../input-error.ts';
import type { CliIo } from '../io.ts';
import { reading } from './readers.ts';

/** The bytes of a file that an option names. @throws io.input.notfound, io.input.unreadable */
export function readOptionFile(path: string, cwd: string): Uint8Array {
  try {
    return readNamedNow(resolve(cwd, path));
  } catch (cause) {
    throw inputError(path, cause);
  }
}

/** Reads the file that an option names. @throws io.input.* */
export const bytesOfFile = reading((path, _, { io }) => readOptionFile(path, io.cwd));

/** Reads the text of the file that an option names. @throws io.input.* */
export const textOfFile = reading((path, _, { io }) => textOf(readOptionFile(path, io.cwd), path));

/** As {@link readOptionFile}; `-` is standard input. @throws usage.input.required */
export async function readOptionInput(path: string, io: CliIo): Promise<Uint8Array> {
  if (path !== '-') return readOptionFile(path, io.cwd);
  const { readInput } = await import('../files/index.ts');
  const { source } = await readInput('-', io);
  return source.slice(0, source.lengthBytes);
}

/** The text of a file, or of standard input. @throws usage.invalid, as {@link readOptionInput} */
export async function readInputText(path: string, io: CliIo): Promise<string> {
  return textOf(await readOptionInput(path, io), path);
}

/**
 * As {@link readInputText} for a table, whose reader names the row of bytes that are not UTF-8.
 *
 * @throws as {@link readOptionInput}
 */
export async function readTableText(path: string, io: CliIo): Promise<string> {
  return new TextDecoder().decode(await readOptionInput(path, io));
}

/** The JSON in a file, or on standard input. @throws usage.invalid, io.input.* */
export async function readJsonInput(path: string, io: CliIo): Promise<unknown> {
  return parseJson(await readInputText(path, io), path);
}

/** As {@link readJsonInput}, the text itself. @throws usage.invalid, io.input.* */
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

// Letters of another encoding would become others without a word: «J�n».
function textOf(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return refuseUsage(`${path}: expected UTF-8 text, found a different encoding`);
  }
}
