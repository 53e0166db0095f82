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
