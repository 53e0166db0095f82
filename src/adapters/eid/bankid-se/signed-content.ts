import { hexOf } from '../../../base/bytes.ts';
import { defined } from '../../../base/defined.ts';

/** The content of an order, which the response has to repeat. Plain JSON. */
export interface BankidContent {
  readonly purpose: 'auth' | 'sign';
  /** The text shown; none if absent or empty. */
  readonly text?: string;
  /** For purpose `sign`: SHA-256 of the document, lower-case hexadecimal. */
  readonly digest?: string;
  /** The 32 random bytes of the order, base64url. If absent, any nonce is accepted. */
  readonly nonce?: string;
}

/** Pattern of a nonce. */
export const noncePattern: RegExp = /^[\w-]{43}$/;

/**
 * The text as it is shown: line ends are LF, and any other control character is replaced by a
 * space, because plain text must not contain them.
 */
export function shownText(text: string): string {
  const lines = text.replace(/\r\n?/g, '\n');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
  return lines.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ').trim();
}

/**
 * The data that is signed but not shown: a nonce against replay and, for purpose `sign`, algorithm
 * and digest of the document.
 */
export function hiddenText({ purpose, digest }: BankidContent, nonce: string): string {
  if (purpose === 'auth') return JSON.stringify({ nonce });
  return JSON.stringify(defined({ algorithm: 'SHA-256', digest, nonce }));
}

/** Describes how the signed data differs from the order; undefined if it matches. */
export function findContentFault(
  content: BankidContent,
  signed: { readonly visible?: Uint8Array; readonly hidden?: Uint8Array },
): string | undefined {
  const text = shownText(content.text ?? '');
  if (!isText(signed.visible, text)) return 'the signed text is not the one that was sent';
  if (content.purpose === 'sign' && !/^[0-9a-f]{64}$/.test(content.digest ?? '')) {
    return 'no document digest was requested';
  }
  const nonce = nonceOf(signed.hidden);
  if (nonce === undefined || !isText(signed.hidden, hiddenText(content, nonce))) {
    return 'the signed digest or nonce is not the one that was sent';
  }
  if (content.nonce === undefined || content.nonce === nonce) return undefined;
  return 'the signature belongs to a different order';
}

/** A SHA-256 digest in the form used by orders. */
export function digestText(digest: Uint8Array): string {
  return hexOf(digest);
}

function isText(bytes: Uint8Array | undefined, text: string): boolean {
  if (bytes === undefined) return text === '';
  return text !== '' && Buffer.from(text, 'utf8').equals(bytes);
}

function nonceOf(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined || bytes.length > 1024) return undefined;
  const found = /"nonce":"([\w-]{43})"\}$/.exec(Buffer.from(bytes).toString('latin1'));
  return found?.[1];
}
