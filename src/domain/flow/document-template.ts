import { attemptAny, InnsigliError } from '../../base/errors.ts';
import { isRecord } from '../../base/input.ts';
import { handlesOf, isTemplateText } from './handles.ts';

interface Conditional {
  /** The block is shown only if the value with this name exists and is not empty, 0 or false. */
  readonly when?: string;
}

/** Block of a document. Texts contain placeholders: `{{buyer.name}}`, optional: `{{note?}}`. */
export type TemplateBlock = Conditional &
  (
    | { readonly type: 'heading'; readonly text: string }
    | { readonly type: 'paragraph'; readonly text: string }
    /** A list of items. With `each`, the items are repeated for each member of a list. */
    | {
        readonly type: 'list';
        readonly items: readonly string[];
        readonly each?: string;
        readonly ordered?: boolean;
      }
    /** Labelled values. */
    | {
        readonly type: 'values';
        readonly rows: readonly { readonly name: string; readonly text: string }[];
      }
    /** A table with one row per member of the list `each`. `width` is a fraction of the total. */
    | {
        readonly type: 'table';
        readonly each: string;
        readonly columns: readonly TemplateColumn[];
      }
    | { readonly type: 'pageBreak' }
  );

interface TemplateColumn {
  readonly title: string;
  readonly text: string;
  /** Default: 1. */
  readonly width?: number;
  readonly align?: 'left' | 'right';
}

/**
 * Template of a document that a flow generates from values, as stored: JSON.
 *
 *     { "v": 1, "title": "Loan {{number}}", "blocks": [
 *       { "type": "heading", "text": "Parties" },
 *       { "type": "values", "rows": [{ "name": "Lender", "text": "{{lender}}" }] },
 *       { "type": "paragraph", "text": "…", "when": "guarantor" },
 *       { "type": "list", "items": ["{{name}}, {{share}} %"], "each": "owners" },
 *       { "type": "table", "each": "payments", "columns": [
 *         { "title": "Day", "text": "{{day}}" },
 *         { "title": "Amount", "text": "{{amount}}", "align": "right" } ] },
 *       { "type": "pageBreak" } ] }
 *
 * Within `each`, names of the member take precedence; a member that is a text or number is
 * `{{value}}`.
 */
export interface DocumentTemplate {
  readonly v: 1;
  readonly title: string;
  /** BCP 47, such as `is`. */
  readonly language?: string;
  readonly blocks: readonly TemplateBlock[];
}

const templateLimits = { bytes: 512 * 1024, blocks: 1_000, rows: 500, columns: 12 } as const;

/**
 * Parses a template from UTF-8 JSON.
 *
 * @throws template.invalid naming the block
 */
export function parseDocumentTemplate(bytes: Uint8Array): DocumentTemplate {
  if (bytes.length > templateLimits.bytes) {
    return refuse('template', `at most ${templateLimits.bytes} bytes`);
  }
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const root: unknown = attemptAny(() => JSON.parse(decoder.decode(bytes)));
  if (root === undefined) return refuse('template', 'JSON in UTF-8');
  if (!isRecord(root) || root['v'] !== 1) return refuse('template', 'an object with "v": 1');
  const { title, language, blocks } = root;
  const count = Array.isArray(blocks) ? blocks.length : 0;
  if (!Array.isArray(blocks) || count === 0 || count > templateLimits.blocks) {
    return refuse('blocks', `a list of 1 to ${templateLimits.blocks} blocks`);
  }
  const isTag =
    typeof language === 'string' && /^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$/.test(language);
  if (language !== undefined && !isTag) refuse('language', 'a tag such as is or en-US');
  return {
    v: 1,
    title: requireText(title, 'title'),
    ...(isTag ? { language } : {}),
    blocks: blocks.map((block: unknown, index) => parseBlock(block, `blocks[${index}]`)),
  };
}

function parseBlock(value: unknown, where: string): TemplateBlock {
  if (!isRecord(value)) return refuse(where, 'an object');
  const when =
    value['when'] === undefined ? {} : { when: requireName(value['when'], `${where}.when`) };
  switch (value['type']) {
    case 'heading':
    case 'paragraph':
      return { type: value['type'], text: requireText(value['text'], `${where}.text`), ...when };
    case 'list':
      return { ...parseList(value, where), ...when };
    case 'values':
      return { type: 'values', rows: parseRows(value['rows'], `${where}.rows`), ...when };
    case 'table':
      return {
        type: 'table',
        each: requireName(value['each'], `${where}.each`),
        columns: parseColumns(value['columns'], `${where}.columns`),
        ...when,
      };
    case 'pageBreak':
      return { type: 'pageBreak', ...when };
    default:
      return refuse(`${where}.type`, 'heading, paragraph, list, values, table or pageBreak');
  }
}

function parseList(
  { items, each, ordered }: Readonly<Record<string, unknown>>,
  where: string,
): Extract<TemplateBlock, { type: 'list' }> {
  const texts = requireList(items, `${where}.items`, templateLimits.rows);
  return {
    type: 'list',
    items: texts.map((item, index) => requireText(item, `${where}.items[${index}]`)),
    ...(each === undefined ? {} : { each: requireName(each, `${where}.each`) }),
    ordered: ordered === true,
  };
}

function parseRows(value: unknown, where: string) {
  return requireList(value, where, templateLimits.rows).map((row, index) => {
    const at = `${where}[${index}]`;
    if (!isRecord(row)) return refuse(at, 'an object');
    const { name, text } = row;
    return { name: requireText(name, `${at}.name`), text: requireText(text, `${at}.text`) };
  });
}

function parseColumns(value: unknown, where: string): readonly TemplateColumn[] {
  return requireList(value, where, templateLimits.columns).map((column, index) => {
    const at = `${where}[${index}]`;
    if (!isRecord(column)) return refuse(at, 'an object');
    const { title, text, width, align } = column;
    const isWidth = typeof width === 'number' && width >= 0.1 && width <= 100;
    if (width !== undefined && !isWidth) refuse(`${at}.width`, 'a number from 0.1 to 100');
    return {
      title: requireText(title, `${at}.title`),
      text: requireText(text, `${at}.text`),
      ...(isWidth ? { width } : {}),
      ...(align === 'right' ? { align } : {}),
    };
  });
}

function requireList(value: unknown, where: string, max: number): readonly unknown[] {
  if (Array.isArray(value) && value.length > 0 && value.length <= max) return value;
  return refuse(where, `a list of 1 to ${max}`);
}

function requireName(value: unknown, where: string): string {
  if (typeof value === 'string' && /^[^{}]{1,200}$/.test(value)) return value;
  return refuse(where, 'the name of a value');
}

function requireText(value: unknown, where: string): string {
  if (typeof value !== 'string') return refuse(where, 'a text');
  if (!isTemplateText(value)) return refuse(where, 'placeholders as {{name}}, each closed');
  // No value can have this name, so no process could ever be created.
  const never = handlesOf(value).find(
    ({ name, isOptional }) => !isOptional && name.split('.').includes('__proto__'),
  );
  if (never !== undefined) refuse(where, 'valid names of values, found __proto__');
  return value;
}

function refuse(where: string, expected: string): never {
  throw new InnsigliError('template.invalid', `${where}: expected ${expected}`);
}
