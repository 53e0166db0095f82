import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';

// Without O_NONBLOCK, opening a pipe would block until it has a writer.
const { O_RDONLY, O_NONBLOCK = 0 } = constants;

/**
 * Reads the content of a small file, with its mode. Anything else, such as a pipe, is an error
 * (EINVAL) and does not block.
 *
 * @throws the error of the system
 */
export async function readFileAtOnce(
  path: string,
): Promise<{ readonly text: string; readonly mode: number }> {
  const file = await open(path, O_RDONLY | O_NONBLOCK);
  try {
    const facts = await file.stat();
    if (!facts.isFile()) throw notFile(path);
    return { text: await file.readFile('latin1'), mode: facts.mode };
  } finally {
    await file.close();
  }
}

/**
 * Reads the text of a small UTF-8 file synchronously. Anything else is an error (EINVAL).
 *
 * @throws the error of the system
 */
export function readTextNow(path: string): string {
  const descriptor = openSync(path, O_RDONLY | O_NONBLOCK);
  try {
    if (!fstatSync(descriptor).isFile()) throw notFile(path);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

function notFile(path: string): Error {
  return Object.assign(new Error(`expected a file at ${path}`), { code: 'EINVAL' });
}
