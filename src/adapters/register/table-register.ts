import { type FileHandle, open } from 'node:fs/promises';
import type { PersonRegister, RegisterEntry, RegisterTable, Vault } from '../../app/ports/index.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { systemCode } from '../../base/os-errors.ts';
import { writeTable } from './table-file.ts';
import { damaged, findRecord, readFacts, type TableFacts } from './table-form.ts';

/** Path and vault of an imported register. */
export interface TableOptions {
  readonly path: string;
  readonly vault: Vault;
}

/** The imported register in a file, with keyed index and encrypted entries. */
export function registerTable({ path, vault }: TableOptions): RegisterTable {
  const opened = opener({ path, vault });
  return {
    figures: () => opened(async (_, { persons, importedAtMs }) => ({ persons, importedAtMs })),
    async replace(persons, importedAtMs, accept) {
      try {
        return await writeTable(path, vault, persons, importedAtMs, accept);
      } catch (error) {
        const code = systemCode(error);
        if (isInnsigliError(error) || code === undefined) throw error;
        throw new InnsigliError('config.datadir.unusable', `cannot write ${path} (${code})`, {
          hint: 'check the free space and the permissions of the data directory',
          cause: error,
        });
      }
    },
  };
}

/** The imported register: each lookup uses the latest import, or `otherwise` before the first. */
export function tableRegister({
  otherwise,
  ...options
}: TableOptions & { readonly otherwise: PersonRegister }): PersonRegister {
  const opened = opener(options);
  /** The entry of a person, empty if there is none; undefined before the first import. */
  const find = async (ssn: string): Promise<Partial<RegisterEntry> | undefined> => {
    const text = await opened(
      async (file, facts) => (await findRecord(file, facts, options.vault, ssn)) ?? '{}',
    );
    return text === undefined ? undefined : JSON.parse(text);
  };
  return {
    async address(ssn) {
      const entry = await find(ssn);
      return entry === undefined ? otherwise.address(ssn) : entry.address;
    },
    async family(ssn) {
      const entry = await find(ssn);
      return entry === undefined ? otherwise.family(ssn) : entry.family;
    },
    async hasMeter(ssn) {
      const entry = await find(ssn);
      return entry === undefined ? otherwise.hasMeter(ssn) : (entry.hasMeter ?? false);
    },
  };
}

/**
 * Opens the file for each use, so that the latest import is used; each import is verified once. The
 * result is undefined if there is no file.
 */
function opener({ path, vault }: TableOptions) {
  let verified: { readonly version: string; readonly facts: TableFacts } | undefined;
  return async <T>(
    use: (file: FileHandle, facts: TableFacts) => Promise<T>,
  ): Promise<T | undefined> => {
    let file: FileHandle | undefined;
    try {
      file = await open(path, 'r');
      const { ino, mtimeMs, size } = await file.stat();
      const version = `${ino} ${mtimeMs} ${size}`;
      if (verified?.version !== version) {
        verified = { version, facts: await readFacts(file, size, vault) };
      }
      return await use(file, verified.facts);
    } catch (error) {
      if (file === undefined && systemCode(error) === 'ENOENT') return undefined;
      throw isInnsigliError(error)
        ? error
        : damaged(systemCode(error) ?? 'it is a different file', error);
    } finally {
      await file?.close();
    }
  };
}
