import { InnsigliError } from '../../../base/errors.ts';

const keys = ['field', 'reason', 'location', 'name', 'contact'] as const;

type SealTexts = { readonly [Key in (typeof keys)[number]]?: string | undefined };

/**
 * Rejects texts with control characters other than tab and line breaks: viewers hide them or take
 * them for language marks, and terminals interpret them.
 *
 * @throws usage.invalid
 */
export function requirePlainTexts(texts: SealTexts): void {
  for (const key of keys) {
    const found = [...(texts[key] ?? '')].find(isControl);
    if (found === undefined) continue;
    const code = (found.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
    const message = `${key}: expected a text without control characters, found U+${code}`;
    throw new InnsigliError('usage.invalid', message);
  }
}

function isControl(character: string): boolean {
  if (character < ' ') return !'\t\n\r'.includes(character);
  return character >= '\u007f' && character <= '\u009f';
}
