import type { RegisterFigures } from '../../app/ports/index.ts';
import type { RegisterImport } from '../../app/register/index.ts';

/** Figures of the register of persons that is used for look-ups. */
export interface RegisterStatus {
  /** Address of the register that is queried over HTTP in place of the imported one. */
  readonly url?: string;
  /** Undefined if nothing was imported. */
  readonly imported?: RegisterFigures;
}

/** Operations on the register of persons of a data directory. */
export interface RegisterService {
  /**
   * Figures of the imported register, and the address of the HTTP register if one is used instead.
   *
   * @throws register.table.invalid
   * @example
   * const { imported } = await register.show();
   */
  show(): Promise<RegisterStatus>;
  /**
   * Replaces the imported register with the persons of a CSV file. Running services use it from
   * then on.
   *
   * @param csv chunks of the file
   * @throws validation.error, register.import.shrunk, limit.exceeded; then nothing is changed
   * @example
   * const { persons } = await register.import(createReadStream('persons.csv'));
   */
  import(csv: AsyncIterable<Uint8Array>, options?: RegisterImport): Promise<RegisterFigures>;
}
