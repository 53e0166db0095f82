/**
 * Writes docs/http-routes.md from the records that the last test run left, or checks it.
 *
 *     npx vitest run test/api test/attacks && node scripts/run-ts.mjs scripts/route-table.ts [--check]
 *
 * Ends with an error when an answer was not as the description says, and when a route, a success
 * or a code that is published or declared for a route was met by no test.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorKinds } from '../src/base/error-codes.table.ts';
import { contractRoutes, ownRoutes } from '../test/api/contract.table.ts';
import { operationsOf, readDescription } from '../test/api/support/description.ts';

interface RouteRecord {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly code: string;
  readonly fault: string;
}

interface Row {
  readonly status: number;
  readonly code: string;
  readonly body: string;
  readonly met: boolean;
  readonly published: boolean;
}

/** Codes that no test of the interface provokes, and the reason. */
const unmet: Readonly<Record<string, string>> = {
  'process.conflict':
    'asks for writers that collide again and again: tests of the use cases do that',
};

/** Returned by the HTTP parser, which knows no routes: test/api/serve.test.ts provokes it. */
const beforeRouting = 431;

const folder = join('node_modules', '.innsigli-routes');
const file = join('docs', 'http-routes.md');
const faults: string[] = [];

const { document, routes } = await readDescription();
const records = readRecords();
const met = new Set(
  records.map(({ method, path, status, code }) => keyOf(method, path, status, code)),
);
for (const { method, path, status, code, fault } of records) {
  if (fault !== '') faults.push(`${method} ${path} ${status} ${code}: ${fault}`);
}

const sections = new Map<string, string[]>();
let rowCount = 0;
for (const facts of routes) {
  const { method, path } = facts;
  const operation = operationsOf(document).find(
    (each) => each.method === method.toLowerCase() && [path, `/api${path}`].includes(each.path),
  )?.operation;
  if (operation === undefined) throw new Error(`${method} ${path} is not described`);
  const published = contractRoutes.find(
    ({ route }) => route.toLowerCase() === `${method} ${path}`.toLowerCase(),
  );
  const codes = new Set([...facts.errors, ...(published?.codes ?? [])]);
  const rows = rowsOf(facts, operation.responses, codes, published?.codes ?? []);
  rowCount += rows.length;
  for (const row of rows) {
    if (!row.met && !(row.code in unmet))
      faults.push(`${method} ${path} ${row.status} ${row.code}: met by no test`);
  }
  const [tag = ''] = operation.tags;
  const about = published === undefined ? ` — ours: ${ownRoutes[`${method} ${path}`]}` : '';
  const lines = [
    `### ${method} ${path}`,
    '',
    `${operation.summary}${about}.`,
    '',
    '| Status | Code | Body |',
    '|---|---|---|',
    ...rows.map(
      ({ status, code, body }) => `| ${status} | ${code === '' ? '' : `\`${code}\``} | ${body} |`,
    ),
    '',
  ];
  sections.set(tag, [...(sections.get(tag) ?? []), ...lines]);
}

const text = [
  '# Routes of the HTTP interface',
  '',
  'Made by `scripts/route-table.ts` from the records of the test run: each row below was answered in a test, and each',
  'answer was held against its schema in `/openapi.json`. Besides these rows every route answers 400 `validation.error`,',
  '413, 415, 429, 500, 503 and 507 where the description says so, and 431 when its address or headers are too long.',
  ...Object.entries(unmet).map(([code, why]) => `\n\`${code}\` is the exception: it ${why}.`),
  '',
  ...[...sections].flatMap(([tag, lines]) => [`## ${tag}`, '', ...lines]),
].join('\n');

if (process.argv.includes('--check')) {
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    faults.push(`${file} is not what the test run gives: run without --check`);
  }
} else writeFileSync(file, text);
for (const fault of faults) console.log(`  ${fault}`);
console.log(`routes: ${rowCount} rows of ${routes.length} routes, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;

function rowsOf(
  facts: (typeof routes)[number],
  responses: Record<string, { content?: Record<string, { schema?: unknown; examples?: object }> }>,
  codes: ReadonlySet<string>,
  published: readonly string[],
): readonly Row[] {
  const { method, path } = facts;
  const rows: Row[] = [];
  for (const [status, { content = {} }] of Object.entries(responses)) {
    if (Number(status) === beforeRouting) continue;
    const body = bodyName(content);
    const isSuccess = facts.statuses.includes(Number(status));
    const shown = Object.keys(content['application/json']?.examples ?? {});
    const names = isSuccess ? [''] : shown.map((code) => wordOf(facts, code));
    for (const code of new Set(names)) {
      const origin = shown.find((each) => wordOf(facts, each) === code) ?? code;
      if (!isSuccess && !codes.has(code) && !codes.has(origin)) continue;
      // A body of another shape has the same text for many codes: only the first of them counts.
      const isOther = facts.failureBody !== undefined && ![400, 401, 429].includes(Number(status));
      if (isOther && !isSuccess) continue;
      rows.push({
        status: Number(status),
        code,
        body,
        met: met.has(keyOf(method, path, Number(status), code)),
        published: isSuccess || published.includes(code),
      });
    }
  }
  return rows;
}

/** Returned text for a code: on most routes, the code itself. */
function wordOf(facts: (typeof routes)[number], code: string): string {
  if (facts.failureBody === undefined || !(code in errorKinds)) return code;
  const { httpStatus } = errorKinds[code as keyof typeof errorKinds];
  const failure = { status: httpStatus, code, message: '', fields: [] };
  return (facts.failureBody(failure as never) as { code: string }).code;
}

function bodyName(content: Record<string, { schema?: unknown }>): string {
  const names = Object.entries(content).map(([type, { schema }]) => {
    if (type !== 'application/json') return type;
    const {
      $ref,
      items,
      type: kind,
    } = schema as {
      $ref?: string;
      type?: string;
      items?: { $ref?: string };
    };
    const name = ($ref ?? items?.$ref)?.replace('#/components/schemas/', '');
    return items === undefined ? (name ?? `JSON ${kind}`) : `list of ${name}`;
  });
  return names.length === 0 ? '—' : names.join(', ');
}

function keyOf(method: string, path: string, status: number, code: string): string {
  return `${method} ${path} ${status} ${code}`.toLowerCase();
}

function readRecords(): readonly RouteRecord[] {
  if (!existsSync(folder)) throw new Error(`${folder} is not there: run the tests first`);
  return readdirSync(folder).flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as RouteRecord),
  );
}
