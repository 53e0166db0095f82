import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

// Where a pipe waits for somebody who writes into it.
const { O_RDONLY, O_NONBLOCK = 0 } = constants;

/**
 * The content of a small file, with its mode. What is no file, such as a pipe, is an error (EINVAL)
 * and holds nobody up.
 *
 * @throws the error of the system
 */
export async function readFileAtOnce(
  path: string,
): Promise<{ readonly text: string; readonly mode: number }> {
  const file = await open(path, O_RDONLY | O_NONBLOCK);
  try {
    const facts = await file.stat();
    if (!facts.isFile()) {
      throw Object.assign(new Error(`expected a file at ${path}`), { code: 'EINVAL' });
    }
    return { text: await file.readFile('latin1'), mode: facts.mode };
  } finally {
    await file.close();
  }
}
