import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import type { RegisterFigures, RegisterTable } from '../ports/index.ts';
import { readPersons } from './read-persons.ts';

/** Options of an import. */
export interface RegisterImport {
  /** A file that has lost more than a tenth of the stored persons replaces them, too. */
  readonly acceptsShrunken?: boolean;
}

/** Persons of a newer file for each of the stored ones, at least. */
const KEPT_SHARE = 0.9;

/**
 * Replaces the imported register by the persons of a CSV file, all of them or none: a file that is
 * broken, empty or has shrunk changes nothing.
 *
 * @param csv the file, piece by piece
 * @throws validation.error with each row that is not valid in `findings`
 * @throws register.import.shrunk, limit.exceeded, config.datadir.unusable
 */
export async function importRegister(
  { table, now }: { readonly table: RegisterTable; now(): number },
  csv: AsyncIterable<Uint8Array>,
  { acceptsShrunken = false }: RegisterImport = {},
): Promise<RegisterFigures> {
  const stored = await storedPersons(table);
  return table.replace(readPersons(csv), now(), (persons) => {
    if (persons === 0) {
      throw new InnsigliError('validation.error', 'expected rows with persons, found none');
    }
    if (acceptsShrunken || persons >= stored * KEPT_SHARE) return;
    const found = `found ${persons} for ${stored} stored ones`;
    throw new InnsigliError(
      'register.import.shrunk',
      `expected at least nine tenths of the persons, ${found}; nothing was changed`,
      { hint: 'import it with --accept-shrunken if so many have really left the register' },
    );
  });
}

// A table that is damaged is no reason to refuse a good file.
async function storedPersons(table: RegisterTable): Promise<number> {
  try {
    return (await table.figures())?.persons ?? 0;
  } catch (error) {
    if (isInnsigliError(error, 'register')) return 0;
    throw error;
  }
}
