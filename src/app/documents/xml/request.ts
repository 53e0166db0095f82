import { InnsigliError } from '../../../base/errors.ts';
import type { SealLevel } from '../../../base/level.ts';
import {
  commitmentWords,
  type EnvelopedTransform,
  type XadesClaims,
} from '../../../seal/xades/index.ts';

/** A detached file to sign. */
export interface FileObject {
  /** Path relative to the signature, with `/` between folders; signed percent-encoded too. */
  readonly name: string;
  readonly content: Uint8Array;
  /** Default: by file extension. */
  readonly mimeType?: string | undefined;
}

/** Relation of signature and data; see {@link xmlPackagings}. */
export type XmlPackaging = (typeof xmlPackagings)[number];

/**
 * `enveloped`: the signature is in the document; `enveloping`: the data is in the signature;
 * `detached`: the data is in separate files, or has an Id in the same document.
 */
const xmlPackagings = ['enveloped', 'enveloping', 'detached'] as const;

/** Options of an XML seal. */
export interface SealXmlRequest extends XadesClaims {
  /** A document, or the files of a detached seal. */
  readonly source: Uint8Array | readonly FileObject[];
  readonly level: SealLevel;
  readonly packaging: XmlPackaging;
  /**
   * Covers only the element with this Id. Enveloped: the signature becomes its last child;
   * detached: it follows the element in the document.
   */
  readonly id?: string | undefined;
  /**
   * Parent of the signature: `#id`, or local names starting from the root, `Invoice/Note`; or
   * `ubl`: an extension of the UBL document, as required by its schemas, added if none is free.
   * Default for UBL documents: `ubl`.
   */
  readonly parent?: string | undefined;
  /**
   * Transform that removes an enveloped signature before digesting. `filter` (default) removes all
   * signatures, so that others can be added later; `enveloped` removes only the signature itself,
   * and is supported by every implementation.
   */
  readonly transform?: EnvelopedTransform | undefined;
  /** Encoding of enveloped data. Default: XML if that preserves its meaning. */
  readonly encoding?: 'xml' | 'base64' | undefined;
  /** Media type of the data. Default: `text/xml`, for files by file extension. */
  readonly mimeType?: string | undefined;
}

/**
 * Rejects claims with characters that XML cannot represent, or that viewers and terminals
 * interpret.
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
  throw new InnsigliError('usage.invalid', `${name}: ${expected}, found "${text}"`);
}

/** @throws usage.invalid for an empty text, or one with control characters or lone surrogates */
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
