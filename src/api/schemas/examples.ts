/** Examples of the description: only who reads it needs them. */
export async function readExamples() {
  return import('./examples.table.ts');
}
