/**
 * Writes or checks types/arguments.json: the arguments of the methods of `openInnsigli`, for callers
 * without a compiler.
 *
 *     node scripts/run-ts.mjs scripts/argument-kinds.ts [--check]
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Symbol as Sign, SignatureKind, type Type, TypeFlags } from 'typescript/unstable/sync';
import type { ArgumentKind, MethodKinds } from '../src/wire/library/check-method.ts';
import {
  api,
  checker,
  declarationOf,
  exportsOf,
  isOptional,
  isOptionalParameter,
  root,
  signatureOf,
  splitTuple,
  typeText,
} from './api-symbols.ts';

/** Maximum nesting depth of described members. */
const DEPTH = 5;
/** Maximum nesting depth of visited services. */
const SERVICE_DEPTH = 3;
const file = join(root, 'types/arguments.json');
const found = new Map<string, Sign>();
const seen = new Set<string>();
/**
 * Named result types of methods. Callers may pass results back, complete or with additional
 * members.
 */
const results = new Set<string>();

function declared(name: string): Type {
  const symbol = exportsOf('toolkit.ts').get(name);
  if (symbol === undefined) throw new Error(`no type ${name}`);
  return checker.getDeclaredTypeOfSymbol(symbol);
}

/** Visits the methods of a type, and those of its services and of the services it returns. */
function visit(path: string, type: Type): void {
  for (const member of checker.getPropertiesOfType(type)) {
    const own = checker.getTypeOfSymbol(member);
    const signature = signatureOf(member);
    const name = path === '' ? member.name : `${path}.${member.name}`;
    if (signature === undefined) {
      if (own !== undefined && hasMethods(own) && !seen.has(name)) visit(name, own);
      continue;
    }
    found.set(name, member);
    const result = resultOf(member);
    const given = (result && awaited(result)) ?? result;
    if (given === undefined) continue;
    if (hasMethods(given) && name.split('.').length <= SERVICE_DEPTH) visit(name, given);
    else noteResult(given);
  }
}

function resultOf(method: Sign): Type | undefined {
  const signature = signatureOf(method);
  return signature && checker.getReturnTypeOfSignature(signature);
}

/** Records the named types of a result and of its members. */
function noteResult(type: Type, depth = 0): void {
  const { name = '__' } = type.getSymbol() ?? {};
  if (depth > 9 || isForeign(type)) return;
  if (type.isUnionType() || type.isIntersectionType()) {
    for (const each of type.getTypes() ?? []) noteResult(each, depth + 1);
  } else if (checker.isArrayType(type) && type.isTypeReference()) {
    for (const each of checker.getTypeArguments(type)) noteResult(each, depth + 1);
  } else if (type.isObjectType() && !results.has(name)) {
    if (!name.startsWith('__')) results.add(name);
    for (const each of checker.getPropertiesOfType(type)) {
      const own = checker.getTypeOfSymbol(each);
      if (own !== undefined) noteResult(own, depth + 1);
    }
  }
}

function awaited(type: Type): Type | undefined {
  const isPromise = type.isTypeReference() && type.getSymbol()?.name === 'Promise';
  return isPromise ? checker.getTypeArguments(type)[0] : undefined;
}

/** Whether it is an object of this project whose members are functions or objects of functions. */
function hasMethods(type: Type): boolean {
  if (!type.isObjectType() || checker.isArrayType(type) || isForeign(type)) return false;
  const members = checker.getPropertiesOfType(type);
  const isIterable = members.some(({ name }) => name.startsWith('__@'));
  return !isIterable && members.some((each) => signatureOf(each) !== undefined);
}

const foreign = ['Date', 'Promise', 'AbortSignal', 'Uint8Array', 'ReadonlyMap', 'Map', 'Set'];
const isForeign = (type: Type) => foreign.includes(type.getSymbol()?.name ?? '');

function parametersOf(member: Sign): MethodKinds['takes'] {
  const signature = signatureOf(member);
  const parameters = signature?.getParameters() ?? [];
  const kinds = parameters.flatMap((each, at): [string, ArgumentKind][] => {
    const type = checker.getTypeOfSymbol(each);
    const isRest = signature?.hasRestParameter === true && at === parameters.length - 1;
    if (type === undefined) return [[each.name, { is: ['any'] }]];
    if (!isRest)
      return [
        [
          each.name,
          orLeftOut(isOptional(each) || isOptionalParameter(declarationOf(each)), kindOf(type, 0)),
        ],
      ];
    if (!type.isTypeReference() || checker.isArrayType(type)) return [];
    const labels = splitTuple(typeText(type));
    return checker.getTypeArguments(type).map((element, index) => {
      const [, name = 'input', mark] = /^(\w+)(\??): /.exec(labels[index] ?? '') ?? [];
      return [name, orLeftOut(mark === '?', kindOf(element, 0))];
    });
  });
  return Object.fromEntries(kinds);
}

const orLeftOut = (isOptional: boolean, kind: ArgumentKind) =>
  isOptional ? merged([kind, { is: ['undefined'] }]) : kind;

function kindOf(type: Type, depth: number): ArgumentKind {
  const { flags } = type;
  const basic = basics.find(([mask]) => (flags & mask) !== 0)?.[1];
  if (basic !== undefined) return { is: [basic], ...literalOf(type) };
  if (type.isUnionType()) return merged((type.getTypes() ?? []).map((each) => kindOf(each, depth)));
  if (type.isIntersectionType()) {
    const kinds = (type.getTypes() ?? []).map((each) => kindOf(each, depth));
    // A branded string.
    const plain = kinds.find(({ is }) => !is.includes('object'));
    return plain ?? objectKind(type, depth);
  }
  if (checker.isArrayType(type) && type.isTypeReference()) {
    const [element] = checker.getTypeArguments(type);
    return element === undefined || depth >= DEPTH
      ? { is: ['list'] }
      : { is: ['list'], of: kindOf(element, depth + 1) };
  }
  if (checker.isTupleType(type)) return { is: ['list'] };
  if (!type.isObjectType()) return { is: ['any'] };
  const name = type.getSymbol()?.name ?? '';
  if (name === 'Uint8Array' || name === 'Buffer') return { is: ['bytes'] };
  if (name === 'Date') return { is: ['date'] };
  if (checker.getSignaturesOfType(type, SignatureKind.Call).length > 0) return { is: ['function'] };
  return objectKind(type, depth);
}

const literals = TypeFlags.StringLiteral | TypeFlags.NumberLiteral | TypeFlags.BooleanLiteral;

function literalOf(type: Type): Pick<ArgumentKind, 'oneOf'> {
  if ((type.flags & literals) === 0) return {};
  const text = typeText(type).replaceAll("'", '"');
  return { oneOf: [JSON.parse(text) as string | number | boolean] };
}

const plainWords = ['text', 'number', 'boolean'];

/** The values of literal types. Empty if a type of the union accepts any value of its kind. */
function literalsOf(kinds: readonly ArgumentKind[]): Pick<ArgumentKind, 'oneOf'> {
  const plain = kinds.filter(({ is }) => is.some((word) => plainWords.includes(word)));
  const oneOf = [...new Set(plain.flatMap((kind) => kind.oneOf ?? []))];
  const isEvery = oneOf.includes(true) && oneOf.includes(false);
  const isClosed = plain.length > 0 && plain.every((kind) => kind.oneOf !== undefined);
  return isClosed && !isEvery ? { oneOf } : {};
}

const basics: readonly (readonly [number, string])[] = [
  [TypeFlags.AnyOrUnknown, 'any'],
  [TypeFlags.Undefined | TypeFlags.Void, 'undefined'],
  [TypeFlags.Null, 'null'],
  [TypeFlags.StringLike, 'text'],
  [TypeFlags.NumberLike, 'number'],
  [TypeFlags.BooleanLike, 'boolean'],
];

const iterables = [
  ['__@asyncIterator', 'async'],
  ['__@iterator', 'iterable'],
] as const;

function objectKind(type: Type, depth: number): ArgumentKind {
  const all = checker.getPropertiesOfType(type);
  const iterable = iterables.find(([name]) => all.some((each) => each.name.startsWith(name)))?.[1];
  if (iterable !== undefined) return { is: [iterable] };
  const properties = all.filter(({ name }) => !name.startsWith('__@'));
  const isTable = checker.getIndexInfosOfType(type).length > 0;
  if (isTable || isForeign(type) || depth >= DEPTH || properties.length === 0)
    return { is: ['object'] };
  const isParty = properties.some((each) => !isOptional(each) && signatureOf(each) !== undefined);
  const inner = isParty ? DEPTH : depth + 1;
  const members = properties.map((each): [string, ArgumentKind] => {
    const own = checker.getTypeOfSymbol(each);
    const kind = own === undefined ? { is: ['any'] } : kindOf(own, inner);
    return [each.name, orLeftOut(isOptional(each), kind)];
  });
  // Where only a key is required, the object itself may be passed as a method returned it:
  // `show(process)`.
  const isName = properties.every(({ name }) => name === 'key');
  const isOpen = isParty || isName || results.has(type.getSymbol()?.name ?? '');
  return { is: ['object'], members: Object.fromEntries(members), ...(isOpen ? { isOpen } : {}) };
}

/** Merges several kinds: a member is required if all objects require it. */
function merged(kinds: readonly ArgumentKind[]): ArgumentKind {
  const words = [...new Set(kinds.flatMap(({ is }) => is))];
  if (words.includes('any')) return { is: ['any'] };
  const objects = kinds.filter(({ is }) => is.includes('object'));
  const lists = kinds.filter(({ is }) => is.includes('list'));
  const elements = lists.flatMap(({ of }) => of ?? []);
  const tables = objects.flatMap(({ members }) => (members === undefined ? [] : [members]));
  const names = new Set(tables.flatMap((table) => Object.keys(table)));
  const members = [...names].map((name): [string, ArgumentKind] => {
    const given = tables.map((table) => table[name] ?? { is: ['undefined'] });
    return [name, merged(given)];
  });
  const needed = new Set(tables.map((table) => neededOf(table).sort().join()));
  const all = [...needed].map((each) => each.split(','));
  // A form with fewer required members accepts the other forms as well.
  const isLeast = (form: readonly string[]) =>
    all.every((each) => each === form || each.some((name) => !form.includes(name)));
  const forms = all.filter(isLeast);
  return {
    is: words,
    ...literalsOf(kinds),
    ...(forms.length > 1 && !needed.has('') ? { forms } : {}),
    ...(names.size > 0 && tables.length === objects.length
      ? { members: Object.fromEntries(members) }
      : {}),
    ...(objects.some(({ isOpen }) => isOpen) ? { isOpen: true } : {}),
    ...(lists.length > 0 && elements.length === lists.length ? { of: merged(elements) } : {}),
  };
}

const neededOf = (table: Readonly<Record<string, ArgumentKind>>) =>
  Object.entries(table).flatMap(([name, { is }]) =>
    is.includes('undefined') || is.includes('any') ? [] : [name],
  );

visit('', declared('Innsigli'));
const lines = [...found].map(([name, method]) => {
  const result = resultOf(method);
  const isImmediate = result !== undefined && awaited(result) === undefined;
  const kinds = { takes: parametersOf(method), ...(isImmediate ? { isImmediate } : {}) };
  const text = JSON.stringify(kinds);
  // Methods of services accept keywords case-insensitively.
  const own = name.includes('.') ? text.replaceAll('"oneOf":', '"words":') : text;
  return `  ${JSON.stringify(name)}: ${own}`;
});
const text = `{\n${lines.join(',\n')}\n}\n`;
api.close();
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (readFileSync(file, 'utf8') !== text) {
  throw new Error('types/arguments.json does not match the declarations: run npm run docs');
}
