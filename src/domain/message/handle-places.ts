interface HandlePlace {
  /** Offset of its opening braces. */
  readonly at: number;
  /** `elsewhere`: a context in which no escaping makes a value harmless. */
  readonly kind: 'text' | 'attribute' | 'elsewhere';
  /** Name of the attribute, lower case. */
  readonly attribute?: string;
  /** True if only white space and other handles precede it in its attribute. */
  readonly isFirst?: boolean;
}

/** Elements whose content is not parsed as HTML: entities are not decoded there. */
const rawElements = new Set(
  'script style xmp iframe noembed noframes noscript plaintext svg math'.split(' '),
);
/** Attributes whose value is a script, a style sheet or a document. */
const programAttribute = /^(?:on|style$|srcdoc$)/;
const space = /[\t\n\f\r ]/;
const tagNameEnd = /[\t\n\f\r />]/;
const nameEnd = /[\t\n\f\r />=]/;
const valueEnd = /[\t\n\f\r >]/;
const tagEnd = />/;
const never = /(?!)/;
const noHandle = /[\s\S]/;
const letter = /[a-z]/i;

/**
 * Returns the context of each handle in `html`, in order. Handles in a comment are treated as if
 * outside it, as some mail clients do.
 *
 * @spec HTML Standard §13.2.5, as far as a template of a mail goes
 */
export function handlePlaces(html: string): readonly HandlePlace[] {
  return [...new Scanner(html).scan(0, html.length)];
}

class Scanner {
  readonly #html: string;
  /** Length of each handle by its offset. */
  readonly #handles: ReadonlyMap<number, number>;

  constructor(html: string) {
    this.#html = html;
    const found = html.matchAll(handleForm);
    this.#handles = new Map([...found].map(({ index, 0: { length } }) => [index, length]));
  }

  /** Handles in text between tags. Comments do not nest. */
  *scan(start: number, end: number, isComment = false): Generator<HandlePlace> {
    for (let at = start; at < end; ) {
      const length = this.#handles.get(at);
      if (length !== undefined) {
        yield { at, kind: 'text' };
        at += length;
      } else if (this.#html.startsWith('<!--', at)) {
        at = isComment ? at + 4 : yield* this.#comment(at, end);
      } else if (this.#html[at] === '<') at = yield* this.#markup(at, end);
      else at++;
    }
  }

  *#comment(start: number, end: number): Generator<HandlePlace, number> {
    const close = /--!?>/g;
    close.lastIndex = start + 4;
    const found = close.exec(this.#html);
    const over = found === null ? end : Math.min(end, found.index);
    yield* this.scan(start + 4, over, true);
    return over === end ? end : over + (found?.[0].length ?? 0);
  }

  *#markup(start: number, end: number): Generator<HandlePlace, number> {
    // A value here would become a tag name, with attributes after it.
    const open = yield* this.#elsewhere(start + 1, end, noHandle);
    const next = this.#html[open] ?? '';
    if (/[!?]/.test(next)) return yield* this.#elsewhere(open, end, tagEnd);
    const isEnd = next === '/';
    const nameAt = isEnd ? yield* this.#elsewhere(open + 1, end, noHandle) : open;
    if (!letter.test(this.#html[nameAt] ?? '')) return nameAt;
    let at = yield* this.#elsewhere(nameAt, end, tagNameEnd);
    const name = this.#html.slice(nameAt, at).replace(handleForm, '').toLowerCase();
    at = yield* this.#attributes(at, end);
    if (isEnd || !rawElements.has(name)) return at;
    const close = new RegExp(`</${name}[\\t\\n\\f\\r />]`, 'gi');
    close.lastIndex = at;
    return yield* this.#elsewhere(at, Math.min(end, close.exec(this.#html)?.index ?? end), never);
  }

  /** Attributes up to the end of the tag. */
  *#attributes(start: number, end: number): Generator<HandlePlace, number> {
    for (let at = start; ; ) {
      at = this.#skip(at, end, /[\t\n\f\r /]/);
      if (at >= end) return end;
      if (this.#html[at] === '>') return at + 1;
      const nameAt = at;
      // The first character belongs to the name, even an equals sign.
      const isSign = this.#html[at] === '=';
      at = yield* this.#elsewhere(isSign ? at + 1 : at, end, nameEnd);
      const attribute = this.#html.slice(nameAt, at).toLowerCase();
      const sign = this.#skip(at, end, space);
      if (this.#html[sign] !== '=') continue;
      at = this.#skip(sign + 1, end, space);
      if (/["']/.test(this.#html[at] ?? '')) at = yield* this.#value(at, end, attribute);
      else at = yield* this.#elsewhere(at, end, valueEnd);
    }
  }

  #skip(start: number, end: number, characters: RegExp): number {
    let at = start;
    while (at < end && characters.test(this.#html[at] as string)) at++;
    return at;
  }

  *#value(start: number, end: number, attribute: string): Generator<HandlePlace, number> {
    const quote = this.#html[start];
    let isFirst = true;
    for (let at = start + 1; at < end; ) {
      const length = this.#handles.get(at);
      if (length !== undefined) {
        const isProgram = programAttribute.test(attribute);
        yield isProgram ? { at, kind: 'elsewhere' } : { at, kind: 'attribute', attribute, isFirst };
        at += length;
      } else {
        const character = this.#html[at] as string;
        if (character === quote) return at + 1;
        if (!space.test(character)) isFirst = false;
        at++;
      }
    }
    return end;
  }

  /** Handles up to a character of `stop`, which is not consumed, or to the end. */
  *#elsewhere(start: number, end: number, stop: RegExp): Generator<HandlePlace, number> {
    for (let at = start; at < end; ) {
      const length = this.#handles.get(at);
      if (length !== undefined) {
        yield { at, kind: 'elsewhere' };
        at += length;
      } else if (stop.test(this.#html[at] as string)) return at;
      else at++;
    }
    return end;
  }
}

/** Values of handles by name, such as `customer.name`. */
export type HandleValues = ReadonlyMap<string, string>;

/** Escapes a value for a text; `at` is the offset of its handle. */
type Escape = (value: string, at: number) => string;

/** A handle. No braces inside: a match cannot span two handles, and matching is linear. */
const handleForm = /\{\{([^{}]{0,200})\}\}/g;

/**
 * Replaces the handles in `template`, such as `{{customer.name}}`, by escaped values. An unknown
 * handle renders as nothing. Values are not searched for handles.
 */
export function fillHandles(template: string, values: HandleValues, escaped: Escape): string {
  return template.replace(handleForm, (_, name: string, at: number) =>
    escaped(values.get(name.trim()) ?? '', at),
  );
}

/** Distinct names of the handles in `template`. */
export function handleNames(template: string): readonly string[] {
  const names = [...template.matchAll(handleForm)].map(([, name]) => (name ?? '').trim());
  return [...new Set(names)];
}

/** Whether `template` contains an unclosed handle. */
export function hasOpenHandle(template: string): boolean {
  return /\{\{|\}\}/.test(template.replace(handleForm, ''));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // Harmless in HTML, but has been exploited against template engines of recipients.
  '`': '&#96;',
};

/** Escapes `value` for HTML text and quoted attributes. */
export function escapeHtml(value: string): string {
  return value.replace(/[&<>"'`]/g, (character) => entities[character] ?? '');
}
