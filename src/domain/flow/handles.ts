import { type FlowValues, findValue, shownValue } from './flow-values.ts';

// No braces inside, so that a match cannot run over the next handle; linear in the text.
const handleForm = /\{\{([^{}]{1,200})\}\}/g;

/** True when every handle of `template` is closed and named. */
export function isTemplateText(template: string): boolean {
  return !/\{\{|\}\}/.test(template.replace(handleForm, ''));
}

/**
 * `template` with its handles, such as `{{buyer.name}}`, replaced by values. A value is never
 * searched for handles again. A handle without a value goes to `onMissing` by its name, unless
 * its name ends with a question mark; it shows nothing either way.
 *
 * @param scopes values by name; the first one that has the name counts
 */
export function fillText(
  template: string,
  scopes: readonly FlowValues[],
  onMissing: (name: string) => void,
): string {
  return template.replace(handleForm, (_, handle: string) => {
    const isOptional = handle.trimEnd().endsWith('?');
    const name = handle.trim().replace(/\s*\?$/, '');
    const value = findValue(scopes, name);
    if (value === undefined && !isOptional) onMissing(name);
    return shownValue(value);
  });
}

/** `text` as one name of a file: without parts of paths, controls and marks that reorder text. */
export function fileNameFrom(text: string, fallback: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}/\\:*?"<>|]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  const name = [...plain.replace(/\.pdf$/i, '').trim()].slice(0, 150).join('');
  return name === '' ? fallback : `${name}.pdf`;
}
