// Writes docs/schemas and docs/json.md. Run: node scripts/run-ts.mjs scripts/schemas-doc.ts
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { jsonSchemas } from './json-schemas/index.ts';

/** Returns every file of docs/schemas by name. */
export function schemaFiles(): ReadonlyMap<string, string> {
  const files = [...jsonSchemas()].map(
    ([name, schema]) => [`${name}.json`, `${JSON.stringify(schema, null, 1)}\n`] as const,
  );
  return new Map(files);
}

/** Returns the content of docs/json.md. */
export function jsonPage(): string {
  const rows = [...jsonSchemas()]
    .map(([name, schema]) => [name, (schema as { title: string }).title] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, title]) => `| ${title} | [${name}.json](schemas/${name}.json) |`);
  return [
    '# JSON of the command line',
    '',
    'Made from `scripts/json-schemas` by `npm run docs`; tests hold what every command prints against',
    'these schemas (JSON Schema, draft 2020-12). They are strict: a member that a schema does not name is',
    'not printed.',
    '',
    '- Under `--json` a command prints one document on stdout. `v` is the version of the shape, `command`',
    '  says who printed it, `warnings` repeats every warning of stderr. A command of several shapes has all',
    '  of them in its schema, such as `verify` of named files (`documents`) and of a batch (`items`).',
    '- On stderr stand warnings and the error, an object a line: [stderr.json](schemas/stderr.json). A',
    '  command that ends with an error prints no document, but for a batch that had begun its own.',
    '- `webhook listen` prints a line for each event. `activity export` prints the export and',
    '  `completion` a script, `help` is text: they print no document.',
    '- Under `v` 1 members may be added. Times are ISO 8601 in `…At`, and milliseconds of the epoch in',
    '  `…AtMs`.',
    '',
    '| What | Schema |',
    '|---|---|',
    ...rows,
    '',
  ].join('\n');
}

if (process.argv[1]?.endsWith('schemas-doc.ts')) {
  const folder = join(process.cwd(), 'docs', 'schemas');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of schemaFiles()) writeFileSync(join(folder, name), text);
  writeFileSync(join(process.cwd(), 'docs', 'json.md'), jsonPage());
}
