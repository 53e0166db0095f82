/** Place of a handle in HTML. */
interface HandlePlace {
  /** Offset of its braces. */
  readonly at: number;
  /** `elsewhere`: where no escape makes a value harmless. */
  readonly kind: 'text' | 'attribute' | 'elsewhere';
  /** Name of the attribute, in lower case. */
  readonly attribute?: string;
  /** True if only white space and handles precede it in its attribute. */
  readonly isFirst?: boolean;
}

/** Elements whose content is no HTML; entities stay as they are there. */
const rawElements = new Set(
  'script style xmp iframe noembed noframes noscript plaintext svg math'.split(' '),
);
/** Attributes whose value is a program, a style sheet or a page. */
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
 * The place of each handle of `html`, in their order. Handles in a comment are checked as if they
 * were outside: some mail readers treat them so.
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

  /** Handles of text between tags; comments are in no comment. */
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
    // A value here would be the name of a tag, with attributes behind it.
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
      // The first character belongs to the name, also an equals sign.
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

  /** Handles up to a character of `stop`, which is not passed; or to the end. */
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

/** A handle: no braces inside, so that a match cannot run over the next one; linear. */
const handleForm = /\{\{([^{}]{0,200})\}\}/g;

/**
 * `template` with its handles, such as `{{customer.name}}`, replaced by escaped values. An unknown
 * handle becomes nothing. A value is never searched for handles again.
 */
export function fillHandles(template: string, values: HandleValues, escaped: Escape): string {
  return template.replace(handleForm, (_, name: string, at: number) =>
    escaped(values.get(name.trim()) ?? '', at),
  );
}

/** Names of the handles of `template`, each once. */
export function handleNames(template: string): readonly string[] {
  const names = [...template.matchAll(handleForm)].map(([, name]) => (name ?? '').trim());
  return [...new Set(names)];
}

/** True when `template` opens a handle that it does not close. */
export function hasOpenHandle(template: string): boolean {
  return /\{\{|\}\}/.test(template.replace(handleForm, ''));
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // Closes nothing in HTML, but template languages of receivers have been fooled by it.
  '`': '&#96;',
};

/** `value` for HTML, between tags and inside quoted attributes. */
export function escapeHtml(value: string): string {
  return value.replace(/[&<>"'`]/g, (character) => entities[character] ?? '');
}
