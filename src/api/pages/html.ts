import { escapeHtml } from '../../domain/message/index.ts';

/** Markup that is safe to send. Only {@link html} creates it, so every text in it is escaped. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** A value in a template. Undefined and false show nothing. */
export type Part = string | number | Markup | false | undefined | readonly Part[];

/** Creates markup from a template. Values are escaped, unless they are markup themselves. */
export function html(texts: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  const [first = '', ...rest] = texts;
  return new Markup(first + rest.map((text, at) => textOf(parts[at]) + text).join(''));
}

function textOf(part: Part): string {
  if (part === undefined || part === false) return '';
  if (part instanceof Markup) return part.text;
  if (Array.isArray(part)) return part.map(textOf).join('');
  return escapeHtml(String(part));
}

/** Hidden fields of a form. */
export function hiddenFields(hidden: Readonly<Record<string, string>>): readonly Markup[] {
  return Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  );
}
