import {
  type DocumentTemplate,
  handlesOf,
  rootPlace,
  type SchemaPlace,
  type TemplateBlock,
} from '../../../domain/flow/index.ts';
import {
  type FormQuestion,
  type FormQuestions,
  isAskable,
  isEmptyOnly,
  isOneValue,
  placeOn,
  questionOf,
  type RowsQuestion,
  wordsOf,
} from './question.ts';

const rowsUsual = 5;
const rowsMost = 20;

type Questions = Map<string, FormQuestion | RowsQuestion>;

/** A placeholder of a template for which a value is requested. */
interface Asked {
  readonly name: string;
  /** The document cannot be created without it. */
  readonly isNeeded: boolean;
  readonly label?: string;
}

/**
 * Derives the questions of a template: one for each placeholder, rows for each list, and questions
 * for everything else that the parsed schema requires.
 *
 * @param more further texts with placeholders, such as that of the file name
 */
export function templateQuestions(
  { title, blocks }: DocumentTemplate,
  more: readonly string[],
  schema?: unknown,
): FormQuestions {
  const place = rootPlace(schema);
  const all: Questions = new Map();
  for (const asked of askedIn(title, true)) ask(all, asked, place);
  for (const block of blocks) {
    if (block.when !== undefined) ask(all, { name: block.when, isNeeded: false }, place);
    for (const asked of askedBy(block)) ask(all, asked, place);
    if ('each' in block && block.each !== undefined) addRows(all, block, block.each, place);
  }
  for (const asked of more.flatMap((text) => askedIn(text, false))) ask(all, asked, place);
  askRequired(all, place, place, []);
  // If a prefix before a dot is a value itself, the whole name with its dots is a separate value.
  return [...all.values()].map((each) =>
    each.kind === 'rows' || isWithin(all, each.name) ? each : { ...each, isPath: true },
  );
}

function isWithin(all: Questions, name: string): boolean {
  const parts = name.split('.');
  return parts.some((_, at) => at > 0 && all.has(parts.slice(0, at).join('.')));
}

function ask(all: Questions, { name, isNeeded, label }: Asked, root: SchemaPlace | undefined) {
  const known = all.get(name);
  if (known !== undefined) {
    if (!isNeeded || known.kind === 'rows' || known.kind === 'boolean') return;
    all.set(name, { ...known, isRequired: known.isNullable !== true });
    return;
  }
  const question = handleQuestion({ name, isNeeded, ...(label ? { label } : {}) }, root);
  if (question !== undefined) all.set(name, question);
}

/** The question for a placeholder; undefined if no single answer could be its value. */
function handleQuestion(
  { name, isNeeded, label }: Asked,
  root: SchemaPlace | undefined,
): FormQuestion | undefined {
  const path = name.split('.');
  const last = path.pop() ?? name;
  const within = placeOn(root, path);
  const place = within?.member(last);
  if (!isAskable(name) || !isOneValue(place)) return undefined;
  const isRequired = isNeeded || within?.required.has(last) === true;
  const question = questionOf(name, label ?? readableName(last), place, isRequired);
  const isAllowed = within?.allows(last) !== false && !isEmptyOnly(question);
  return isAllowed || isRequired ? question : undefined;
}

/** Adds questions for required members without a placeholder, in objects with any question. */
function askRequired(
  all: Questions,
  root: SchemaPlace | undefined,
  place: SchemaPlace | undefined,
  path: readonly string[],
): void {
  const begun = beginningsOf(all);
  for (const name of place?.required ?? []) {
    const inner = [...path, name];
    const whole = inner.join('.');
    if (all.has(whole)) continue;
    if (begun.has(whole)) askRequired(all, root, place?.member(name), inner);
    else ask(all, { name: whole, isNeeded: true }, root);
  }
}

/** Names of the objects of which a member is asked for. */
function beginningsOf(all: Questions): ReadonlySet<string> {
  const found = new Set<string>();
  for (const name of all.keys()) {
    for (let dot = name.indexOf('.'); dot >= 0; dot = name.indexOf('.', dot + 1)) {
      found.add(name.slice(0, dot));
    }
  }
  return found;
}

function askedBy(block: TemplateBlock): readonly Asked[] {
  const isNeeded = block.when === undefined;
  switch (block.type) {
    case 'heading':
    case 'paragraph':
      return askedIn(block.text, isNeeded);
    case 'list':
      if (block.each !== undefined) return [];
      return block.items.flatMap((text) => askedIn(text, isNeeded));
    case 'table':
      return block.columns.flatMap(({ title }) => askedIn(title, isNeeded));
    case 'values':
      return block.rows.flatMap(({ name, text }) => [
        ...askedIn(name, isNeeded),
        ...askedIn(text, isNeeded, name),
      ]);
    default:
      return [];
  }
}

/** The placeholders of `text`; a label applies only if there is exactly one. */
function askedIn(text: string, isNeeded: boolean, label?: string): readonly Asked[] {
  const handles = handlesOf(text);
  const isLabelled = label !== undefined && handles.length === 1 && handlesOf(label).length === 0;
  return handles.map(({ name, isOptional }) => ({
    ...{ name, isNeeded: isNeeded && !isOptional },
    ...(isLabelled ? { label } : {}),
  }));
}

function addRows(
  all: Questions,
  block: TemplateBlock,
  name: string,
  root: SchemaPlace | undefined,
): void {
  if (!isAskable(name)) return;
  const list = placeOn(root, name.split('.'));
  const items = list?.items;
  const asked: readonly Asked[] =
    block.type === 'table'
      ? block.columns.flatMap(({ title, text }) => askedIn(text, true, title))
      : block.type === 'list'
        ? block.items.flatMap((text) => askedIn(text, true))
        : [];
  const known = all.get(name);
  const columns = new Map(
    known?.kind === 'rows' ? known.columns.map((each) => [each.name, each] as const) : [],
  );
  // For elements that are texts or numbers, `{{value}}` shows the element itself.
  const isTyped = items?.types !== undefined || items?.choices !== undefined;
  const isScalar = isTyped && isOneValue(items);
  for (const each of asked) {
    if (columns.has(each.name)) continue;
    // Rows can also show values from outside the list.
    const isOwn = isScalar ? each.name === 'value' : isInRow(each.name, items, root);
    if (!isOwn) {
      ask(all, { ...each, isNeeded: each.isNeeded && block.when === undefined }, root);
      continue;
    }
    const column = isScalar
      ? questionOf(each.name, each.label ?? readableName(name), items, true)
      : handleQuestion(each, items);
    if (column !== undefined) columns.set(each.name, { ...column, isPath: true });
  }
  if (columns.size === 0) return;
  all.set(name, {
    ...{ name, kind: 'rows', columns: [...columns.values()] },
    label: wordsOf(list, readableName(name)).label,
    ...roomOf(list),
    ...(isScalar ? { isScalar } : {}),
  });
}

/** False for a name that the schema defines outside the list and not in its elements. */
function isInRow(
  name: string,
  items: SchemaPlace | undefined,
  root: SchemaPlace | undefined,
): boolean {
  const [first = ''] = name.split('.');
  return items?.member(first) !== undefined || root?.member(first) === undefined;
}

/** The usual number of rows, or that required by the schema; never more than a page may have. */
function roomOf(list: SchemaPlace | undefined): Pick<RowsQuestion, 'rowCount' | 'rowMost'> {
  const { minItems, maxItems } = list?.node ?? {};
  const least = typeof minItems === 'number' ? Math.ceil(minItems) : 0;
  const most = typeof maxItems === 'number' && maxItems >= 1 ? Math.floor(maxItems) : rowsMost;
  const rowMost = Math.min(most, rowsMost);
  return { rowCount: Math.min(Math.max(rowsUsual, least), rowMost), rowMost };
}

/** Converts `dateOfBirth` to `Date of birth`. */
function readableName(name: string): string {
  const words = name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[_-]+/g, ' ')
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
