// A dot, or what readers or resolvers of names take for one (its compatible forms, and those that
// internationalised names map to it), with a word right behind it: `evil.example`.
const dots = /([.\u2024\u3002\ufe12\ufe52\uff0e\uff61])(?=[\p{L}\p{N}\p{M}\p{Cf}_-])/gu;
// Beginnings of an address: `http:`, `mailto:`, `//`.
const schemes = /([\p{L}\p{N}][:\ufe13\ufe55\uff1a](?=\S)|[/\uff0f](?=[/\uff0f]))/gu;

/**
 * `text` with a space behind each dot, colon and slash that could make a mail program take it for
 * an address and a link; names without such read as they are.
 */
export function withoutWebAddresses(text: string): string {
  return text.replace(schemes, '$1 ').replace(dots, '$1 ');
}

/** Text that is not seen: joiners and variants are spelling of some scripts. */
const unseen = /(?!\u200c|\u200d|\p{Variation_Selector})\p{Default_Ignorable_Code_Point}/u;

/**
 * Why a name that a stranger gives must not stand in messages and documents of a company: mail
 * programs would make a link of it, it reorders the text around it, or nobody sees it. Undefined
 * for a name that may.
 */
export function claimedNameFault(name: string): string | undefined {
  if (withoutWebAddresses(name) !== name) {
    return 'expected a name, found a dot, colon or slash as in a web address';
  }
  if (/\p{Bidi_Control}/u.test(name)) return 'expected a name, found characters that reorder text';
  if (unseen.test(name)) return 'expected a name, found invisible characters';
  return /[\p{L}\p{N}]/u.test(name) ? undefined : 'expected a name with a letter or digit';
}
