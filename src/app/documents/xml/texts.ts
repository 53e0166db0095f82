import { InnsigliError } from '../../../base/errors.ts';
import { commitmentWords, type XadesClaims } from '../../../seal/xades/index.ts';

/**
 * Refuses claims with characters that XML cannot hold, or that viewers and terminals obey.
 *
 * @throws usage.invalid
 */
export function requireXmlTexts(
  claims: XadesClaims & { readonly mimeType?: string | undefined },
): void {
  const { roles = [], place = {}, commitments = [], policy, mimeType } = claims;
  for (const role of roles) requireText('role', role);
  for (const [name, value] of Object.entries(place)) requireText(name, value);
  for (const commitment of commitments) requireCommitment(commitment);
  if (policy !== undefined) requireIdentifier('policy', policy.id, '');
  requireText('policy uri', policy?.uri, true);
  requireText('policy notice', policy?.notice, true);
  requireText('mimeType', mimeType, true);
}

function requireCommitment(commitment: string): void {
  if (commitmentWords.has(commitment.toLowerCase())) return;
  requireIdentifier('commitment', commitment, `${[...commitmentWords.keys()].join(', ')}, `);
}

/** @spec ETSI EN 319 132-1 §5.1.2 */
function requireIdentifier(name: string, text: string, words: string): void {
  requireText(name, text);
  if (/^[0-2](\.[0-9]+)+$|^[A-Za-z][A-Za-z0-9+.-]*:\S/.test(text)) return;
  const expected = `expected ${words}an object identifier or a URI`;
  throw new InnsigliError('usage.invalid', `${name}: ${expected}, found «${text}»`);
}

/** @throws usage.invalid for an empty text, or one with control characters or half characters */
export function requireText(name: string, text: string | undefined, mayBeEmpty = false): void {
  if (text === undefined) return;
  if (text === '' && !mayBeEmpty)
    throw new InnsigliError('usage.invalid', `${name}: found no text`);
  const found = [...text].find(isForbidden);
  if (found === undefined) return;
  const code = (found.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, '0');
  const message = `${name}: expected a text without control characters, found U+${code}`;
  throw new InnsigliError('usage.invalid', message);
}

function isForbidden(character: string): boolean {
  if (character < ' ') return !'\t\n\r'.includes(character);
  if (character >= '\u007f' && character <= '\u009f') return true;
  return /[\p{Surrogate}\ufffe\uffff]/u.test(character);
}
