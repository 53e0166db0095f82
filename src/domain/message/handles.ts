/** Values of handles by name, such as `customer.name`. */
export type HandleValues = ReadonlyMap<string, string>;

/** How a value is put into a text; `at` is the offset of its handle. */
export type Escape = (value: string, at: number) => string;

/** A handle: no braces inside, so that a match cannot run over the next one; linear. */
export const handleForm = /\{\{([^{}]{0,200})\}\}/g;

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
