import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { isRecord } from '../../base/input.ts';
import { meantHint } from '../../base/text/index.ts';

/** Known members of a template, of its blocks by type, and of the objects in blocks. */
const membersOf = {
  template: ['v', 'title', 'language', 'blocks'],
  heading: ['type', 'text', 'when'],
  paragraph: ['type', 'text', 'when'],
  list: ['type', 'items', 'each', 'ordered', 'when'],
  values: ['type', 'rows', 'when'],
  table: ['type', 'each', 'columns', 'when'],
  pageBreak: ['type', 'when'],
  row: ['name', 'text'],
  column: ['title', 'text', 'width', 'align'],
} as const;

/**
 * Rejects unknown members in an otherwise valid template: a misspelt `ordered` would silently have
 * no effect. Only for new templates: those of earlier versions may contain some.
 *
 * @throws template.invalid naming the first unknown member, and the likely intended one
 */
export function requireTemplateMembers(bytes: Uint8Array): void {
  const root = JSON.parse(new TextDecoder().decode(bytes)) as Members;
  requireKnown(root, 'template', '');
  for (const [at, block] of listOf(root['blocks']).entries()) {
    const where = `blocks[${at}]`;
    requireKnown(block, block['type'] as keyof typeof membersOf, `${where}.`);
    for (const [kind, name] of [['row', 'rows'] as const, ['column', 'columns'] as const]) {
      for (const [index, part] of listOf(block[name]).entries()) {
        requireKnown(part, kind, `${where}.${name}[${index}].`);
      }
    }
    requireWord(block['ordered'], [true, false], `${where}.ordered`);
    for (const [index, { align }] of listOf(block['columns']).entries()) {
      requireWord(align, ['left', 'right'], `${where}.columns[${index}].align`);
    }
  }
}

type Members = Readonly<Record<string, unknown>>;

function listOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function requireKnown(value: Members, kind: keyof typeof membersOf, prefix: string): void {
  const known: readonly string[] = membersOf[kind];
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const name = unknown.slice(0, 40);
  throw new InnsigliError(
    'template.invalid',
    `${prefix}${name}: a ${kind} has no such member, expected one of ${known.join(', ')}`,
    defined({ hint: meantHint(name, known) }),
  );
}

function requireWord(value: unknown, words: readonly unknown[], where: string): void {
  if (value === undefined || words.includes(value)) return;
  const expected = `expected ${words.map((word) => String(word)).join(' or ')}`;
  throw new InnsigliError('template.invalid', `${where}: ${expected}`);
}
