import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { InnsigliError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import type { ListFile } from '../../../domain/screening/index.ts';

const unpack = promisify(gunzip);

/**
 * Decompresses the files in gzip format, which are recognised by content.
 *
 * @throws screening.list.invalid if a file is truncated or corrupt, limit.exceeded
 * @spec RFC 1952 §2.3.1
 */
export async function unpackFiles(files: readonly ListFile[]): Promise<readonly ListFile[]> {
  const unpacked: ListFile[] = [];
  for (const file of files) unpacked.push(isGzip(file) ? await unpackOne(file) : file);
  return unpacked;
}

function isGzip({ content }: ListFile): boolean {
  return content[0] === 0x1f && content[1] === 0x8b && content[2] === 8;
}

async function unpackOne({ name, content }: ListFile): Promise<ListFile> {
  const shown = name.slice(0, 80);
  const grown = Math.max(content.length * limits.gzipGrowth, limits.gzipFreeBytes);
  const maxOutputLength = Math.min(limits.gzipBytes, grown);
  try {
    const bytes = await unpack(content, { maxOutputLength });
    return { name: name.replace(/\.gz$/i, ''), content: bytes };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      const message = `${shown}: expected at most ${String(maxOutputLength)} decompressed bytes`;
      throw new InnsigliError('limit.exceeded', message, { cause });
    }
    const message = `${shown}: expected a complete gzip file, found a truncated or damaged one`;
    throw new InnsigliError('screening.list.invalid', message, { cause });
  }
}
