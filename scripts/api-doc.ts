/**
 * Writes docs/api, the reference of the entries, from declarations and their doc comments. Fails if a
 * function of an entry, or a method of the service, has no description or no example.
 *
 *     node scripts/run-ts.mjs scripts/api-doc.ts
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import { type Symbol as Sign, SymbolFlags } from 'typescript/unstable/sync';
import { codesOf } from './api-codes.ts';
import {
  api,
  callOf,
  checker,
  type Docs,
  declarationOf,
  declaredType,
  docsOf,
  exportsOf,
  isOptional,
  oneLine,
  part,
  root,
  short,
  signatureOf,
  sourceOf,
  typeText,
} from './api-symbols.ts';

interface Entry {
  readonly file: string;
  readonly page: string;
  readonly name: string;
}

const entries: readonly Entry[] = [
  { file: 'index.ts', page: 'innsigli.md', name: 'innsigli' },
  { file: 'toolkit.ts', page: 'toolkit.md', name: 'innsigli/toolkit' },
  { file: 'server.ts', page: 'server.md', name: 'innsigli/server' },
  { file: 'errors.ts', page: 'errors.md', name: 'innsigli/errors' },
];

const faults: string[] = [];

function memberLines(members: readonly Sign[]): string[] {
  return members.map((each) => {
    const text = oneLine(docsOf(each).text);
    const type = declaredType(each).replace(/^readonly (?=[A-Z]\w*$)/, '');
    return `- \`${each.name}${isOptional(each) ? '?' : ''}: ${type}\`${text === '' ? '' : `: ${text}`}`;
  });
}

function docLines({ text, tags }: Docs): string[] {
  const lines = text === '' ? [] : [text, ''];
  const of = (name: string) => tags.filter((tag) => tag.name === name).map((tag) => tag.text ?? '');
  const parameters = of('param').map((each) => {
    const [name = '', ...rest] = oneLine(each).split(' ');
    return `- \`${name}\`: ${rest.join(' ')}`;
  });
  if (parameters.length > 0) lines.push(...parameters, '');
  const thrown = of('throws').map(oneLine);
  if (thrown.length > 0) lines.push(`Throws ${thrown.join('; ')}.`, '');
  const clauses = of('spec').map(oneLine);
  if (clauses.length > 0) lines.push(`See ${clauses.join('; ')}.`, '');
  for (const example of of('example')) lines.push('```js', example.trim(), '```', '');
  return lines;
}

/** Adds the codes that the table of the service declares and the comment does not mention. */
function withCodes(docs: Docs, where: string): Docs {
  const [service = '', method = ''] = where.split('.');
  const said = docs.tags.flatMap(({ name, text = '' }) => (name === 'throws' ? text : []));
  const named = said.flatMap((text) => text.match(/[\w.]+[\w*]/g) ?? []);
  const isNamed = (code: string) =>
    named.some(
      (each) => each === code || (each.endsWith('.*') && code.startsWith(each.slice(0, -1))),
    );
  const codes = codesOf(service, method).filter((code) => !isNamed(code));
  if (codes.length === 0) return docs;
  return { ...docs, tags: [{ name: 'throws', text: codes.join(', ') }, ...docs.tags] };
}

function callLines(heading: string, name: string, symbol: Sign, where: string): string[] {
  const docs = withCodes(docsOf(symbol), where);
  const { text, input } = callOf(name, symbol);
  if (docs.text === '') faults.push(`${where}: no description`);
  if (!docs.tags.some((tag) => tag.name === 'example')) faults.push(`${where}: no example`);
  const members = input.length > 0 ? [...memberLines(input), ''] : [];
  return [`${heading} ${name}`, '', '```ts', text, '```', '', ...docLines(docs), ...members];
}

/** Whether methods of the type need examples: it is a type of the service. */
const isService = (name: string) => /Service$|^Innsigli$/.test(name);

/** Whether each member needs a description: the type is created by callers. */
const isGiven = (name: string) => /(Options|Settings|Io|Claims|Place|Seal|Terms)$/.test(name);

function typeLines(name: string, symbol: Sign): string[] {
  const head = [`### ${name}`, '', ...docLines(docsOf(symbol))];
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  const node = declarationOf(symbol);
  const written = part(node, 'type');
  const isObject = (symbol.flags & (SymbolFlags.Interface | SymbolFlags.Class)) !== 0;
  // Members of arrays and branded strings are built in and not documented here.
  const isBuiltin = ['charAt', 'flatMap'].some((each) => checker.getPropertyOfType(type, each));
  const hasMembers = !isBuiltin && (type.isObjectType() || type.isIntersectionType());
  const isUtility = written?.kind === SyntaxKind.FunctionType;
  if (!(isObject || hasMembers) || isUtility || (node !== undefined && isGeneric(node))) {
    const text = short(node?.getText() ?? '').replace(/^export type \w+/, `type ${name}`);
    const whole = `type ${name} = ${typeText(type)}`;
    const isClear = !/typeof|Capitalize/.test(text) || whole.length > 1000;
    return [...head, '```ts', (isClear ? text : whole).replace(/;$/, ''), '```', ''];
  }
  const members = checker.getPropertiesOfType(type).filter((each) => !each.name.startsWith('__'));
  const isMethod = (each: Sign) => signatureOf(each) !== undefined;
  const methods = isService(name) ? members.filter(isMethod) : [];
  const plain = members.filter((each) => !methods.includes(each) && isOurs(each));
  for (const each of isGiven(name) ? plain : []) {
    if (docsOf(each).text === '') faults.push(`${name}.${each.name}: no description`);
  }
  const lines = [...head, ...memberLines(plain), ''];
  for (const each of methods)
    lines.push(...callLines('####', each.name, each, `${name}.${each.name}`));
  return lines;
}

const isGeneric = (node: Node) =>
  (node as { typeParameters?: unknown }).typeParameters !== undefined &&
  node.kind === SyntaxKind.TypeAliasDeclaration;

/** False for members that every Error has. */
const isOurs = (member: Sign) =>
  member.declarations.some(
    ({ path }) => path.startsWith(root.toLowerCase()) || path.includes('/src/'),
  );

function pageOf({ file, name }: Entry, symbols: ReadonlyMap<string, Sign>): string {
  const intro = /\/\*\*(.*?)\*\//s.exec(sourceOf(file).text)?.[1] ?? '';
  const values: string[] = [];
  const types: string[] = [];
  for (const [each, symbol] of symbols) {
    if ((symbol.flags & SymbolFlags.Function) !== 0) {
      values.push(...callLines('###', each, symbol, `${file}: ${each}`));
    } else if ((symbol.flags & SymbolFlags.Variable) !== 0) {
      values.push(`### ${each}`, '', ...docLines(docsOf(symbol)));
    } else types.push(...typeLines(each, symbol));
  }
  const text = intro
    .replace(/^ \* ?/gm, '')
    .trim()
    .replace(/^Entry point `[^`]*`: (.)/, (_, first: string) => first.toUpperCase());
  return [
    `# ${name}`,
    '',
    text.charAt(0).toUpperCase() + text.slice(1),
    '',
    ...(values.length > 0 ? ['## Functions and values', '', ...values] : []),
    ...(types.length > 0 ? ['## Types', '', ...types] : []),
  ].join('\n');
}

/**
 * Types of TypeScript, Node and packages, and parameters of generic types, that pages may refer to.
 */
const known = new Set(
  (
    'AbortSignal Answer Arguments Asked AsyncGenerator AsyncIterable Code Date ErrorFamily Exclude Extract Family ' +
    'FastifyInstance Input Kind KeyObject Name NonNullable Omit Operations Output Partial Parameters Pick ' +
    'Promise Readonly ReadonlyMap ReadonlySet Record SignpdfSigner Table Report Uint8Array Content T'
  ).split(' '),
);

/** Types that a page refers to and the entry does not export. */
function unnamed(page: string, names: ReadonlyMap<string, Sign>): string[] {
  const code = [...page.matchAll(/^```ts\n(.*?)^```|^- `\w+\??: (.*?)`/gms)];
  const texts = code.map(([, block = '', member = '']) =>
    `${block}${member}`.replace(/(["'`]).*?\1/g, ''),
  );
  const found = new Set(texts.flatMap((text) => text.match(/(?<![.\w])[A-Z]\w+\b(?!\??:)/g) ?? []));
  return [...found].filter((name) => !names.has(name) && !known.has(name));
}

function main(): void {
  const folder = join(root, 'docs', 'api');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const shown = new Map<string, ReadonlyMap<string, Sign>>();
  for (const entry of entries) {
    const all = exportsOf(entry.file);
    // Symbols documented on the page of another entry are not repeated.
    const others = entry.file === 'server.ts' ? shown.get('toolkit.ts') : undefined;
    const own = new Map([...all].filter(([name]) => others?.has(name) !== true));
    shown.set(entry.file, own);
    const page = pageOf(entry, own)
      .replace(/\n{3,}/g, '\n\n')
      .trimEnd();
    writeFileSync(join(folder, entry.page), `${page}\n`);
    for (const name of unnamed(page, all)) faults.push(`${entry.file}: ${name} is not exported`);
  }
  api.close();
  if (faults.length === 0) return;
  process.stderr.write(`${faults.join('\n')}\n`);
  process.exitCode = 1;
}

main();
