// A dot, or a character that mail clients or resolvers treat as one (compatibility forms, and those
// that IDNA maps to it), directly followed by a word: `evil.example`.
const dots = /([.\u2024\u3002\ufe12\ufe52\uff0e\uff61])(?=[\p{L}\p{N}\p{M}\p{Cf}_-])/gu;
// Start of a URL: `http:`, `mailto:`, `//`.
const schemes = /([\p{L}\p{N}][:\ufe13\ufe55\uff1a](?=\S)|[/\uff0f](?=[/\uff0f]))/gu;

/**
 * Returns `text` with a space after each dot, colon and slash that could make a mail client turn it
 * into a link. Other names are unchanged.
 */
export function withoutWebAddresses(text: string): string {
  return text.replace(schemes, '$1 ').replace(dots, '$1 ');
}

/** Invisible characters. Joiners and variation selectors belong to the spelling of some scripts. */
const unseen = /(?!\u200c|\u200d|\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/u;

/**
 * Why a name claimed by a stranger must not appear in messages and documents of a company: mail
 * clients would turn it into a link, it reorders the surrounding text, or it is invisible.
 * Undefined for an acceptable name.
 */
export function claimedNameFault(name: string): string | undefined {
  if (withoutWebAddresses(name) !== name) {
    return 'expected a name, found a dot, colon or slash as in a web address';
  }
  if (/\p{Bidi_Control}/u.test(name)) return 'expected a name, found characters that reorder text';
  if (unseen.test(name)) return 'expected a name, found invisible characters';
  return /[\p{L}\p{N}]/u.test(name) ? undefined : 'expected a name with a letter or digit';
}
