import { type FileHandle, open } from 'node:fs/promises';
import type { PersonRegister, RegisterEntry, RegisterTable, Vault } from '../../app/ports/index.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { systemCode } from '../../base/os-errors.ts';
import { writeTable } from './table-file.ts';
import { damaged, findRecord, readFacts, type TableFacts } from './table-form.ts';

/** Place and key of an imported register. */
export interface TableOptions {
  readonly path: string;
  readonly vault: Vault;
}

/** The imported register in a file; keys and entries of persons are encrypted. */
export function registerTable({ path, vault }: TableOptions): RegisterTable {
  const opened = opener({ path, vault });
  return {
    figures: () =>
      opened(async (_, { persons, importedAtMs }) => ({ persons, importedAtMs }), undefined),
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

/**
 * The register that was imported last, from the next look-up after the import on; before the first
 * import `otherwise`.
 */
export function tableRegister({
  otherwise,
  ...options
}: TableOptions & { readonly otherwise: PersonRegister }): PersonRegister {
  const opened = opener(options);
  /** What `take` finds in the entry of a person, who may have none; before an import `other`. */
  const look = async <T>(
    ssn: string,
    take: (entry: Partial<RegisterEntry>) => T,
    other: () => Promise<T>,
  ): Promise<T> => {
    const text = await opened(
      (file, facts) => findRecord(file, facts, options.vault, ssn).then((found) => found ?? '{}'),
      undefined,
    );
    return text === undefined ? other() : take(JSON.parse(text) as Partial<RegisterEntry>);
  };
  return {
    address: (ssn) =>
      look(
        ssn,
        ({ address }) => address,
        () => otherwise.address(ssn),
      ),
    family: (ssn) =>
      look(
        ssn,
        ({ family }) => family,
        () => otherwise.family(ssn),
      ),
    hasMeter: (ssn) =>
      look(
        ssn,
        ({ hasMeter = false }) => hasMeter,
        () => otherwise.hasMeter(ssn),
      ),
  };
}

/** Opens the file for each use, so that the newest one counts; each one is verified once. */
function opener({ path, vault }: TableOptions) {
  let verified: { readonly version: string; readonly facts: TableFacts } | undefined;
  return async <T, None>(
    use: (file: FileHandle, facts: TableFacts) => Promise<T>,
    none: None,
  ): Promise<T | None> => {
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
      if (file === undefined && systemCode(error) === 'ENOENT') return none;
      throw isInnsigliError(error)
        ? error
        : damaged(systemCode(error) ?? 'it is another file', error);
    } finally {
      await file?.close();
    }
  };
}
