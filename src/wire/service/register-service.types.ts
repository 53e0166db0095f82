import type { RegisterFigures } from '../../app/ports/index.ts';
import type { RegisterImport } from '../../app/register/index.ts';

/** Figures of the register of persons that look-ups ask. */
export interface RegisterStatus {
  /** Address of the register that is asked over HTTP instead of the imported one. */
  readonly url?: string;
  /** Absent: nothing was imported. */
  readonly imported?: RegisterFigures;
}

/** Operations on the register of persons of a data directory. */
export interface RegisterService {
  /**
   * Figures of the imported register, and which one is asked.
   *
   * @throws register.table.invalid
   * @example
   * const { imported } = await register.show();
   */
  show(): Promise<RegisterStatus>;
  /**
   * Replaces the imported register by the persons of a CSV file; running services ask it from then
   * on.
   *
   * @param csv the file, piece by piece
   * @throws validation.error, register.import.shrunk, limit.exceeded; nothing is changed then
   * @example
   * const { persons } = await register.import(createReadStream('persons.csv'));
   */
  import(csv: AsyncIterable<Uint8Array>, options?: RegisterImport): Promise<RegisterFigures>;
}
