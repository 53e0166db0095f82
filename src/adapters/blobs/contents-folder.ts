import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentsFolder } from '../../app/ports/index.ts';
import { onSystemCode } from '../../base/os-errors.ts';
import { writeAtomically } from '../files/index.ts';
import { readFileAtOnce } from '../read-file.ts';
import { asideOf, codedFileError, makeFolders } from './durable-files.ts';

/**
 * Stores marks in files of `folder/objects`, named by a dot and the name of the mark:
 * `objects/.store`. A copy or backup of the folder includes them.
 */
export function openContentsFolder(folder: string): ContentsFolder {
  const root = join(folder, 'objects');
  const pathOf = (name: string) => join(root, `.${name}`);
  const coded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw codedFileError(error, folder);
    }
  };
  const find = async (name: string): Promise<string | undefined> => {
    const found = await readFileAtOnce(pathOf(name)).catch(onSystemCode('ENOENT'));
    return found?.text.trimEnd();
  };
  const write = async (name: string, text: string, existing: 'replaced' | 'kept') => {
    const path = pathOf(name);
    await makeFolders(root, folder, new Set());
    const content = Buffer.from(`${text}\n`);
    await writeAtomically(path, content, { temporary: asideOf(path), existing });
  };
  return {
    place: root,
    findMark: (name) => coded(() => find(name)),
    putMark: (name, text) => coded(() => write(name, text, 'replaced')),
    putMarkOnce: (name, text) =>
      coded(async () => {
        await write(name, text, 'kept');
        return (await find(name)) ?? text;
      }),
    removeMark: (name) => coded(() => rm(pathOf(name), { force: true })),
  };
}
