import { randomUUID } from 'node:crypto';
import { link, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContentsFolder } from '../../app/ports/index.ts';
import { readFileAtOnce } from '../read-file.ts';
import { makeFolders, syncFolder, writeDurably } from './durable-files.ts';
import { codedFileError } from './file-errors.ts';
import { TEMPORARY } from './names.ts';

/**
 * Marks in files of `folder/objects`, each a dot and its name: `objects/.store`. A copy or backup
 * of the folder takes them along.
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
    try {
      return (await readFileAtOnce(pathOf(name))).text.trimEnd();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  };
  const write = async (path: string, text: string) => {
    await makeFolders(root, folder, new Set());
    await writeDurably(path, Buffer.from(`${text}\n`));
  };
  return {
    place: root,
    findMark: (name) => coded(() => find(name)),
    putMark: (name, text) => coded(() => write(pathOf(name), text)),
    putMarkOnce: (name, text) =>
      coded(async () => {
        const aside = join(root, `${TEMPORARY}${randomUUID()}`);
        await write(aside, text);
        try {
          // A hard link fails when the name is taken: the mark appears whole, and only once.
          await link(aside, pathOf(name)).catch((error: NodeJS.ErrnoException) => {
            if (error.code !== 'EEXIST') throw error;
          });
          await syncFolder(root);
        } finally {
          await rm(aside, { force: true });
        }
        return (await find(name)) ?? text;
      }),
    removeMark: (name) => coded(() => rm(pathOf(name), { force: true })),
  };
}
