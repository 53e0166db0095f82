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
    'Made from `src/verify/findings/finding-codes.table.ts` by `npm run docs`; a test compares the two.',
    '',
    'A report has `findings` for each signature, and for the document: `code`, `severity` and `message`.',
    'Codes are stable, messages may change. The conclusion is in `indication` and `subIndication`;',
    'a finding of the weight `error` keeps a signature from TOTAL-PASSED. The last column names the',
    'building blocks that the finding can decide (EN 319 102-1 §5.2); where it is empty, the',
    'sub-indication says which.',
    '',
    '| Code | Weight | What was found | Clause | Blocks |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    '## Time-stamps',
    '',
    'What is wrong with a time-stamp has the code of the error that sealing with it would end with: a',
    'warning, or an error where the time-stamp stands for itself (RFC 3161, EN 319 102-1 §5.4). Those of',
    'the request (`tsa.missing`, `tsa.unreachable` and their like) occur in errors alone.',
    '',
    '| Code | What was found |',
    '|---|---|',
    ...stamps,
    '',
  ].join('\n');
}

if (process.argv[1]?.endsWith('findings-doc.ts')) {
  writeFileSync(join(process.cwd(), 'docs/findings.md'), findingsPage());
}
