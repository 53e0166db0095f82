/** The register of persons: the import of a CSV file. */
export { csvRows } from './csv-rows.ts';
export { importRegister, type RegisterImport } from './read-persons.ts';
