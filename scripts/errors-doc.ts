// Writes docs/errors.md from the registry. Run: node scripts/run-ts.mjs scripts/errors-doc.ts
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorKinds } from '../src/base/errors.ts';
import { exitCodes } from '../src/cli/guide/index.ts';

/** Returns the content of docs/errors.md. */
export function errorsPage(): string {
  const rows = Object.entries(errorKinds).map(
    ([code, { exitCode, httpStatus, summary }]) =>
      `| \`${code}\` | ${exitCode} | ${httpStatus} | ${summary} |`,
  );
  return [
    '# Errors',
    '',
    'Generated from `src/base/error-codes.table.ts` by `npm run docs`; a test compares the two.',
    '',
    'The command line prints `error[CODE]: message` and a hint; the library throws an `InnsigliError`',
    'with `code`, `message`, `details` and `hint`. Codes are stable, messages may change. An invalid',
    'signature is not an error: `verify` reports it.',
    '',
    '## Exit codes',
    '',
    '| Exit code | Meaning |',
    '|---|---|',
    ...exitCodes.map(([code, meaning]) => `| ${code} | ${meaning} |`),
    '',
    '## Codes',
    '',
    '| Code | Exit | HTTP | Meaning |',
    '|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

if (process.argv[1]?.endsWith('errors-doc.ts')) {
  const folder = join(process.cwd(), 'docs');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'errors.md'), errorsPage());
}
