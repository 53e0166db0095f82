import { type FlowValues, findValue, shownValue } from './flow-values.ts';

// No braces inside: a match cannot span two handles, and matching is linear.
const handleForm = /\{\{([^{}]{1,200})\}\}/g;

/** Whether every handle of `template` is closed and has a name. */
export function isTemplateText(template: string): boolean {
  return !/\{\{|\}\}/.test(partsOf(template).fixed);
}

/** Splits `template` into its text without the handles and the names of the values they show. */
export function partsOf(template: string): {
  readonly fixed: string;
  readonly names: readonly string[];
} {
  const names = handlesOf(template).map(({ name }) => name);
  return { fixed: template.replace(handleForm, ''), names };
}

/** Texts that documents show for true and false. */
interface BooleanTexts {
  readonly yes: string;
  readonly no: string;
}

/** A handle in a text. */
export interface Handle {
  readonly name: string;
  /** Its value may be absent: the name is followed by a question mark. */
  readonly isOptional: boolean;
}

/** The handles of `template`, in order. */
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
 * Replaces the handles in `template`, such as `{{buyer.name}}`, by values. Values are not searched
 * for handles. A handle without a value renders as nothing; `onMissing` receives its name unless
 * the name ends with a question mark.
 *
 * @param scopes values by name; the first scope that has the name is used
 * @param words texts for values that are true or false; default: `true` and `false` as in JSON
 */
export function fillText(
  template: string,
  scopes: readonly FlowValues[],
  onMissing: (name: string) => void,
  words?: BooleanTexts,
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

/** True for a name that denotes a device rather than a file on Windows, whatever its extension. */
export function isDeviceName(name: string): boolean {
  return deviceName.test(name);
}

/** Converts `text` to a file name: no path separators, control characters or bidi controls. */
export function fileNameFrom(text: string, fallback: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}/\\:*?"<>|]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[\s.]+|[\s.]+$/g, '');
  // Do not split a surrogate pair.
  const name = plain
    .replace(/\.pdf$/i, '')
    .trim()
    .slice(0, 150)
    .replace(/\p{Cs}$/u, '');
  if (name === '') return fallback;
  return isDeviceName(name) ? `_${name}.pdf` : `${name}.pdf`;
}
