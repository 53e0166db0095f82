/** Values of handles by name, such as `customer.name`. */
export type HandleValues = ReadonlyMap<string, string>;

/** How a value is put into a text; `before` is the end of what stands in front of its handle. */
export type Escape = (value: string, before: string) => string;

// No braces inside, so that a match cannot run over the next handle; linear in the text.
const handleForm = /\{\{([^{}]{0,200})\}\}/g;
const beforeCharacters = 500;

/**
 * `template` with its handles, such as `{{customer.name}}`, replaced by escaped values. An unknown
 * handle becomes nothing. A value is never searched for handles again.
 */
export function fillHandles(template: string, values: HandleValues, escaped: Escape): string {
  return template.replace(handleForm, (_, name: string, at: number) => {
    const before = template.slice(Math.max(0, at - beforeCharacters), at);
    return escaped(values.get(name.trim()) ?? '', before);
  });
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

// An address of HTML that nothing but handles has begun.
const addressBegins = /\b(?:href|src|action|formaction)\s*=(?:[\s"']|\{\{[^{}]*\}\})*$/i;
const scheme = /^[^/?#]*:/;
const harmlessSchemes = /^(?:(?:https?|mailto|tel|cid):|data:image\/(?:png|gif|jpeg)[;,])/i;

/**
 * As {@link escapeHtml} for the mails of companies: a value does not make the address of a link
 * or an image one that runs something, such as `javascript:`; it is left out there.
 */
export function escapeInMail(value: string, before: string): string {
  if (addressBegins.test(before)) {
    // Readers skip these in addresses.
    const plain = value.replace(/[\0- ]/g, '');
    if (scheme.test(plain) && !harmlessSchemes.test(plain)) return '';
  }
  return escapeHtml(value);
}
