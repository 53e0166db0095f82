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
    'Generated from `scripts/json-schemas` by `npm run docs`; tests validate the output of every command',
    'against these schemas (JSON Schema, draft 2020-12). They are strict: members that a schema does not',
    'declare are never printed.',
    '',
    '- With `--json` a command prints one document to stdout. `v` is the version of its format, `command`',
    '  the command that printed it; `warnings` repeats every warning of stderr. If a command has several',
    '  formats, its schema includes all of them: `verify` of named files (`documents`) and of a batch',
    '  (`items`), for example.',
    '- Warnings and the error are printed to stderr, one object per line: [stderr.json](schemas/stderr.json).',
    '  A command that ends with an error prints no document, except for a batch that had already started.',
    '- `webhook listen` prints one line per event. `activity export` prints the export, `completion` a',
    '  script, and `help` text: they print no document.',
    '- Within `v` 1, members may be added. Times are ISO 8601 in `…At` members, and milliseconds since the',
    '  epoch in `…AtMs` members.',
    '',
    '| Output | Schema |',
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
