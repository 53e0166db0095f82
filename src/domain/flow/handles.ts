import { type FlowValues, findValue, shownValue } from './flow-values.ts';

// No braces inside, so that a match cannot run over the next handle; linear in the text.
const handleForm = /\{\{([^{}]{1,200})\}\}/g;

/** True when every handle of `template` is closed and named. */
export function isTemplateText(template: string): boolean {
  return !/\{\{|\}\}/.test(partsOf(template).fixed);
}

/** The text of `template` without its handles, and the names of the values that they show. */
export function partsOf(template: string): {
  readonly fixed: string;
  readonly names: readonly string[];
} {
  const names = handlesOf(template).map(({ name }) => name);
  return { fixed: template.replace(handleForm, ''), names };
}

/** What documents say of values that are true or false. */
interface AnswerWords {
  readonly yes: string;
  readonly no: string;
}

/** A handle of a text. */
export interface Handle {
  readonly name: string;
  /** Its value may be missing: a question mark stands behind the name. */
  readonly isOptional: boolean;
}

/** The handles of `template`, in their order. */
export function handlesOf(template: string): readonly Handle[] {
  return [...template.matchAll(handleForm)].map(([, handle = '']) => ({
    name: handleName(handle),
    isOptional: handle.trimEnd().endsWith('?'),
  }));
}

function handleName(handle: string): string {
  return handle.trim().replace(/\s*\?$/, '');
}

/**
 * `template` with its handles, such as `{{buyer.name}}`, replaced by values. A value is never
 * searched for handles again. A handle without a value goes to `onMissing` by its name, unless
 * its name ends with a question mark; it shows nothing either way.
 *
 * @param scopes values by name; the first one that has the name counts
 * @param words what stands for values that are true or false; without them their names in JSON
 */
export function fillText(
  template: string,
  scopes: readonly FlowValues[],
  onMissing: (name: string) => void,
  words?: AnswerWords,
): string {
  return template.replace(handleForm, (_, handle: string) => {
    const isOptional = handle.trimEnd().endsWith('?');
    const name = handleName(handle);
    const value = findValue(scopes, name);
    if (value === undefined && !isOptional) onMissing(name);
    if (typeof value !== 'boolean' || words === undefined) return shownValue(value);
    return value ? words.yes : words.no;
  });
}

const deviceName = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[\d¹²³]) *(\.|$)/i;

/** True for a name that means a device and no file on Windows, whatever its ending. */
export function isDeviceName(name: string): boolean {
  return deviceName.test(name);
}

/** `text` as one name of a file: without parts of paths, controls and marks that reorder text. */
export function fileNameFrom(text: string, fallback: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}/\\:*?"<>|]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  // Of a character of two units none is left behind.
  const name = plain
    .replace(/\.pdf$/i, '')
    .trim()
    .slice(0, 150)
    .replace(/\p{Cs}$/u, '');
  if (name === '') return fallback;
  return isDeviceName(name) ? `_${name}.pdf` : `${name}.pdf`;
}
