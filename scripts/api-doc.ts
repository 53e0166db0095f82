/**
 * Writes docs/api, the reference of the entries, from declarations and their doc comments. Fails when a
 * function of an entry, or a method of the service, has no description or no example.
 *
 *     node scripts/run-ts.mjs scripts/api-doc.ts
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Node, SyntaxKind } from 'typescript/unstable/ast';
import {
  API,
  NodeBuilderFlags,
  type Project,
  type Symbol as Sign,
  SignatureKind,
  SymbolFlags,
  type Type,
} from 'typescript/unstable/sync';

interface Entry {
  readonly file: string;
  readonly page: string;
  readonly name: string;
}

/** What is said of a symbol. */
interface Docs {
  readonly text: string;
  readonly tags: readonly { readonly name: string; readonly text?: string | undefined }[];
}

const entries: readonly Entry[] = [
  { file: 'index.ts', page: 'innsigli.md', name: 'innsigli' },
  { file: 'toolkit.ts', page: 'toolkit.md', name: 'innsigli/toolkit' },
  { file: 'server.ts', page: 'server.md', name: 'innsigli/server' },
  { file: 'errors.ts', page: 'errors.md', name: 'innsigli/errors' },
];

const root = process.cwd();
const api = new API({ cwd: root });
const config = join(root, 'tsconfig.build.json');
const project = api.updateSnapshot({ openProjects: [config] }).getProject(config) as Project;
const { checker, program } = project;
const faults: string[] = [];

/** The exports of an entry by name, what they stand for resolved. */
function exportsOf(file: string): Map<string, Sign> {
  const module = checker.getSymbolAtLocation(sourceOf(file));
  if (module === undefined) throw new Error(`${file} is no module`);
  const found = checker.getExportsOfModule(module).map((each): [string, Sign] => {
    const isAlias = (each.flags & SymbolFlags.Alias) !== 0;
    return [each.name, isAlias ? checker.getAliasedSymbol(each) : each];
  });
  return new Map(found.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function sourceOf(file: string) {
  const source = program.getSourceFile(join(root, 'src', file));
  if (source === undefined) throw new Error(`no src/${file}`);
  return source;
}

const declarationOf = (symbol: Sign | undefined): Node | undefined =>
  (symbol?.valueDeclaration ?? symbol?.declarations[0])?.resolve(project);

/** A child of a node by its name, such as the type of a parameter. */
function part(node: Node | undefined, name: 'type' | 'name' | 'initializer'): Node | undefined {
  const value = (node as Readonly<Record<string, unknown>> | undefined)?.[name];
  return typeof value === 'object' && value !== null && 'kind' in value
    ? (value as Node)
    : undefined;
}

/** Doc comments of a symbol; those of an entry of a table go before those of its declaration. */
function docsOf(symbol: Sign): Docs {
  const own = { text: textOf(symbol), tags: checker.getJsDocTagsOfSymbol(symbol) };
  const declared = namedBy(symbol);
  if (declared === undefined) return own;
  // A table has the first sentence, for editors; the declaration has all.
  const whole = textOf(declared);
  const isWhole = own.text === '' || oneLine(whole).startsWith(oneLine(own.text));
  const text = isWhole ? whole : own.text;
  const names = new Set(own.tags.map(({ name }) => name));
  const further = checker.getJsDocTagsOfSymbol(declared).filter(({ name }) => !names.has(name));
  return { text, tags: [...own.tags, ...further] };
}

const textOf = (symbol: Sign) => checker.getDocumentationCommentOfSymbol(symbol).trim();

/** The operation or use case that an entry of a table names. */
function namedBy(symbol: Sign): Sign | undefined {
  const node = declarationOf(symbol);
  if (node?.kind === SyntaxKind.ShorthandPropertyAssignment) {
    return resolved(checker.getShorthandAssignmentValueSymbol(node));
  }
  const value = part(node, 'initializer');
  const isName = value?.kind === SyntaxKind.Identifier;
  return isName ? resolved(checker.getSymbolAtLocation(value)) : undefined;
}

function resolved(symbol: Sign | undefined): Sign | undefined {
  const isAlias = symbol !== undefined && (symbol.flags & SymbolFlags.Alias) !== 0;
  return isAlias ? checker.getAliasedSymbol(symbol) : symbol;
}

function typeText(type: Type | undefined): string {
  if (type === undefined) return 'unknown';
  const flags = NodeBuilderFlags.NoTruncation | NodeBuilderFlags.UseAliasDefinedOutsideCurrentScope;
  return short(checker.typeToString(type, undefined, flags));
}

const short = (text: string) =>
  text
    .replace(/import\("[^"]*"\)\.|typeof import\("[^"]*"\)\.?/g, '')
    .replaceAll('<ArrayBufferLike>', '')
    .replace(/\/\*\*.*?\*\/\s*/gs, '')
    .replace(/\s+/g, ' ')
    .trim();

/** The type of a member or parameter as it is written, else as it is inferred. */
function declaredType(symbol: Sign): string {
  const written = part(declarationOf(symbol), 'type');
  if (written !== undefined) return short(written.getText());
  return typeText(checker.getTypeOfSymbol(symbol)).replace(/ \| undefined$/, '');
}

const isOptional = (symbol: Sign) => (symbol.flags & SymbolFlags.Optional) !== 0;

function signatureOf(symbol: Sign) {
  const type = checker.getTypeOfSymbol(symbol);
  const method = type && checker.getNonNullableType(type);
  return method && checker.getSignaturesOfType(method, SignatureKind.Call)[0];
}

/** `name(parameters): Result`; members of an input that has no name of its own are listed below. */
function callOf(name: string, symbol: Sign): { readonly text: string; readonly input: Sign[] } {
  const signature = signatureOf(symbol);
  if (signature === undefined) return { text: `${name}: ${declaredType(symbol)}`, input: [] };
  const input: Sign[] = [];
  const named = inputName(symbol);
  const parameters = signature.getParameters().flatMap((each, at) => {
    const type = checker.getTypeOfSymbol(each);
    const isRest = signature.hasRestParameter && at === signature.parameters.length - 1;
    if (type !== undefined && isRest && type.isTypeReference()) {
      const labels = splitTuple(typeText(type));
      return checker.getTypeArguments(type).map((element, index) => {
        const [, label = 'options', rest = ''] =
          /^(?:(\w+\??): )?(.*)$/.exec(labels[index] ?? '') ?? [];
        const written = named ?? rest;
        if (!written.startsWith('{')) return `${label}: ${written}`;
        input.push(...checker.getPropertiesOfType(checker.getNonNullableType(element) ?? element));
        return label;
      });
    }
    const mark = isOptional(each) || isOptionalParameter(declarationOf(each)) ? '?' : '';
    return [`${isRest ? '...' : ''}${each.name}${mark}: ${declaredType(each)}`];
  });
  const written = part(signature.declaration?.resolve(project), 'type');
  const inferred = typeText(checker.getReturnTypeOfSignature(signature));
  const isPlain = written !== undefined && !/^(Promise<Output>|Answer)$/.test(written.getText());
  const result = isPlain ? short(written.getText()) : inferred;
  const line = `${name}(${parameters.join(', ')}): ${result}`;
  if (line.length <= 100) return { text: line, input };
  return {
    text: `${name}(\n${parameters.map((each) => `  ${each},\n`).join('')}): ${result}`,
    input,
  };
}

/** The name of the type that an operation of a table takes. */
function inputName(symbol: Sign): string | undefined {
  const declared = declarationOf(symbol);
  const isEntry =
    declared?.kind === SyntaxKind.ShorthandPropertyAssignment ||
    declared?.kind === SyntaxKind.PropertyAssignment;
  const value = isEntry ? namedBy(symbol) : undefined;
  const type = value && checker.getTypeOfSymbol(value);
  if (type?.isTypeReference() !== true) return undefined;
  const name = typeText(checker.getTypeArguments(type)[1]);
  return /^[A-Z]\w*$/.test(name) ? name : undefined;
}

/** The elements of `[a: A, b: B]`. */
function splitTuple(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 1;
  for (let at = 1; at < text.length; at++) {
    const character = text[at] ?? '';
    const isClosing = '>})]'.includes(character) && text[at - 1] !== '=';
    if (depth === 0 && (character === ',' || at === text.length - 1)) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    } else if ('<{(['.includes(character)) depth++;
    else if (isClosing) depth--;
  }
  return parts;
}

function isOptionalParameter(node: Node | undefined): boolean {
  const { questionToken, initializer } = (node ?? {}) as Readonly<Record<string, unknown>>;
  return questionToken !== undefined || initializer !== undefined;
}

const oneLine = (text: string) =>
  text
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')
    .trim();

function memberLines(members: readonly Sign[]): string[] {
  return members.map((each) => {
    const text = oneLine(docsOf(each).text);
    const type = declaredType(each).replace(/^readonly (?=[A-Z]\w*$)/, '');
    return `- \`${each.name}${isOptional(each) ? '?' : ''}: ${type}\`${text === '' ? '' : `: ${text}`}`;
  });
}

/** Description, parameters, errors and examples. */
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

function callLines(heading: string, name: string, symbol: Sign, where: string): string[] {
  const docs = docsOf(symbol);
  const { text, input } = callOf(name, symbol);
  if (docs.text === '') faults.push(`${where}: no description`);
  if (!docs.tags.some((tag) => tag.name === 'example')) faults.push(`${where}: no example`);
  const members = input.length > 0 ? [...memberLines(input), ''] : [];
  return [`${heading} ${name}`, '', '```ts', text, '```', '', ...docLines(docs), ...members];
}

/** A type of the service whose methods need examples. */
const isService = (name: string) => /Service$|^Innsigli$/.test(name);

/** A type that callers make: each member needs a description. */
const isGiven = (name: string) => /(Options|Settings|Io|Claims|Place|Seal|Terms)$/.test(name);

function typeLines(name: string, symbol: Sign): string[] {
  const head = [`### ${name}`, '', ...docLines(docsOf(symbol))];
  const type = checker.getDeclaredTypeOfSymbol(symbol);
  const node = declarationOf(symbol);
  const written = part(node, 'type');
  const isObject = (symbol.flags & (SymbolFlags.Interface | SymbolFlags.Class)) !== 0;
  // Lists and branded texts have members of their own that nobody looks for here.
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

/** False for what every Error has. */
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
    .replace(/^Entry «[^»]*»: /, '');
  return [
    `# ${name}`,
    '',
    text.charAt(0).toUpperCase() + text.slice(1),
    '',
    ...(values.length > 0 ? ['## Functions and values', '', ...values] : []),
    ...(types.length > 0 ? ['## Types', '', ...types] : []),
  ].join('\n');
}

/** Types of TypeScript, Node and packages, and parameters of generic types, that pages may name. */
const known = new Set(
  (
    'AbortSignal Answer Arguments Asked AsyncGenerator AsyncIterable Code Date ErrorFamily Exclude Extract Family ' +
    'FastifyInstance Input Kind KeyObject Name NonNullable Omit Operations Output Partial Parameters Pick ' +
    'Promise Readonly ReadonlyMap ReadonlySet Record SignpdfSigner Table Report Uint8Array Content T'
  ).split(' '),
);

/** Types that a page names and the entry does not export. */
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
    // What the page of another entry has already is not repeated.
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
