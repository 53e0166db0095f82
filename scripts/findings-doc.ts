// Writes docs/findings.md from the registry. Run: node scripts/run-ts.mjs scripts/findings-doc.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorKinds } from '../src/base/errors.ts';
import { type FindingKind, findingKinds } from '../src/verify/findings/index.ts';

/** Returns the content of docs/findings.md. */
export function findingsPage(): string {
  const rows = Object.entries(findingKinds as Readonly<Record<string, FindingKind>>).map(
    ([code, { severity, otherwise, summary, clause, blocks }]) => {
      const weights = [severity, otherwise].filter((one) => one !== undefined).join(', ');
      return `| \`${code}\` | ${weights} | ${summary} | ${clause} | ${blocks.join(', ')} |`;
    },
  );
  const stamps = Object.entries(errorKinds).flatMap(([code, { summary }]) =>
    code.startsWith('tsa.') ? [`| \`${code}\` | ${summary} |`] : [],
  );
  return [
    '# Findings of `verify`',
    '',
    'Generated from `src/verify/findings/finding-codes.table.ts` by `npm run docs`; a test compares the two.',
    '',
    'A report has `findings` for each signature, and for the document: `code`, `severity` and `message`.',
    'Codes are stable, messages may change. The conclusion is in `indication` and `subIndication`;',
    'a finding with severity `error` prevents TOTAL-PASSED. The last column lists the building blocks',
    'that the finding can decide (EN 319 102-1 §5.2); where it is empty, the sub-indication determines',
    'the block.',
    '',
    '| Code | Severity | Finding | Clause | Blocks |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    '## Time-stamps',
    '',
    'A problem of a time-stamp has the code of the error with which sealing would reject it. It is a',
    'warning, or an error if the time-stamp stands alone (RFC 3161, EN 319 102-1 §5.4). Codes of',
    'requests (`tsa.missing`, `tsa.unreachable`, …) occur only in errors.',
    '',
    '| Code | Finding |',
    '|---|---|',
    ...stamps,
    '',
  ].join('\n');
}

if (process.argv[1]?.endsWith('findings-doc.ts')) {
  writeFileSync(join(process.cwd(), 'docs/findings.md'), findingsPage());
}
