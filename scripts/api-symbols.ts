/** Reads the declarations of the entries for the reference, with the installed compiler. */
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

/** Documentation of a symbol. */
export interface Docs {
  readonly text: string;
  readonly tags: readonly { readonly name: string; readonly text?: string | undefined }[];
}

/** Root of the repository. */
export const root = process.cwd();
/** The compiler. Must be closed. */
export const api = new API({ cwd: root });
const config = join(root, 'tsconfig.build.json');
const project = api.updateSnapshot({ openProjects: [config] }).getProject(config) as Project;
/** Resolves types. */
export const { checker } = project;
const { program } = project;

/** Returns the exports of an entry by name, with aliases resolved. */
export function exportsOf(file: string): Map<string, Sign> {
  const module = checker.getSymbolAtLocation(sourceOf(file));
  if (module === undefined) throw new Error(`${file} is not a module`);
  const found = checker.getExportsOfModule(module).map((each): [string, Sign] => {
    const isAlias = (each.flags & SymbolFlags.Alias) !== 0;
    return [each.name, isAlias ? checker.getAliasedSymbol(each) : each];
  });
  return new Map(found.sort(([one], [other]) => (one < other ? -1 : 1)));
}

export function sourceOf(file: string) {
  const source = program.getSourceFile(join(root, 'src', file));
  if (source === undefined) throw new Error(`no src/${file}`);
  return source;
}

export const declarationOf = (symbol: Sign | undefined): Node | undefined =>
  (symbol?.valueDeclaration ?? symbol?.declarations[0])?.resolve(project);

/** Returns a named child of a node, such as the type of a parameter. */
export function part(
  node: Node | undefined,
  name: 'type' | 'name' | 'initializer',
): Node | undefined {
  const value = (node as Readonly<Record<string, unknown>> | undefined)?.[name];
  return typeof value === 'object' && value !== null && 'kind' in value
    ? (value as Node)
    : undefined;
}

/**
 * Returns the doc comments of a symbol. Those of a table entry precede those of its declaration.
 */
export function docsOf(symbol: Sign): Docs {
  const own = { text: textOf(symbol), tags: checker.getJsDocTagsOfSymbol(symbol) };
  const declared = namedBy(symbol);
  if (declared === undefined) return own;
  // A table has only the first sentence, for editors; the declaration has the complete text.
  const whole = textOf(declared);
  const isWhole = own.text === '' || oneLine(whole).startsWith(oneLine(own.text));
  const text = isWhole ? whole : own.text;
  const names = new Set(own.tags.map(({ name }) => name));
  const further = checker.getJsDocTagsOfSymbol(declared).filter(({ name }) => !names.has(name));
  return { text, tags: [...own.tags, ...further] };
}

const textOf = (symbol: Sign) => checker.getDocumentationCommentOfSymbol(symbol).trim();

/** The operation or use case that a table entry refers to. */
function namedBy(symbol: Sign): Sign | undefined {
  const node = declarationOf(symbol);
  if (node?.kind === SyntaxKind.ShorthandPropertyAssignment) {
    return resolved(checker.getShorthandAssignmentValueSymbol(node));
  }
  const given = part(node, 'initializer');
  // In `coded(errors, run, ofSome)`, it is the second argument.
  const value = given?.kind === SyntaxKind.CallExpression ? runOf(given) : given;
  const isName = value?.kind === SyntaxKind.Identifier;
  return isName ? resolved(checker.getSymbolAtLocation(value)) : undefined;
}

function runOf(call: Node): Node | undefined {
  const { arguments: all } = call as Node & { readonly arguments?: Iterable<Node> };
  const [first, second] = all ?? [];
  return second ?? first;
}

function resolved(symbol: Sign | undefined): Sign | undefined {
  const isAlias = symbol !== undefined && (symbol.flags & SymbolFlags.Alias) !== 0;
  return isAlias ? checker.getAliasedSymbol(symbol) : symbol;
}

export function typeText(type: Type | undefined): string {
  if (type === undefined) return 'unknown';
  const flags = NodeBuilderFlags.NoTruncation | NodeBuilderFlags.UseAliasDefinedOutsideCurrentScope;
  return short(checker.typeToString(type, undefined, flags));
}

export const short = (text: string) =>
  text
    .replace(/import\("[^"]*"\)\.|typeof import\("[^"]*"\)\.?/g, '')
    .replaceAll('<ArrayBufferLike>', '')
    .replace(/\/\*\*.*?\*\/\s*/gs, '')
    .replace(/\s+/g, ' ')
    .trim();

/** Returns the type of a member or parameter as declared, or else as inferred. */
export function declaredType(symbol: Sign): string {
  const written = part(declarationOf(symbol), 'type');
  if (written !== undefined) return short(written.getText());
  return typeText(checker.getTypeOfSymbol(symbol)).replace(/ \| undefined$/, '');
}

export const isOptional = (symbol: Sign) => (symbol.flags & SymbolFlags.Optional) !== 0;

export function signatureOf(symbol: Sign) {
  const type = checker.getTypeOfSymbol(symbol);
  const method = type && checker.getNonNullableType(type);
  return method && checker.getSignaturesOfType(method, SignatureKind.Call)[0];
}

/**
 * Returns `name(parameters): Result`. Members of an input without a named type are listed below it.
 */
export function callOf(
  name: string,
  symbol: Sign,
): { readonly text: string; readonly input: Sign[] } {
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
        const [, label = 'input', rest = ''] =
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

/** The name of the input type of a table's operation. */
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

/** Splits `[a: A, b: B]` into its elements. */
export function splitTuple(text: string): string[] {
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

export function isOptionalParameter(node: Node | undefined): boolean {
  const { questionToken, initializer } = (node ?? {}) as Readonly<Record<string, unknown>>;
  return questionToken !== undefined || initializer !== undefined;
}

export const oneLine = (text: string) =>
  text
    .replace(/\s*\n\s*/g, ' ')
    .replaceAll('|', '\\|')
    .trim();
