/** The register of persons and its import from a CSV file. */
export { csvRows } from './csv-rows.ts';
export { importRegister, type RegisterImport } from './read-persons.ts';
