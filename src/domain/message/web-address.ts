// A dot, or what readers take for one, with a word right behind it: `evil.example`.
const dots = /([.\u3002\uff0e\uff61])(?=[\p{L}\p{N}\p{M}\p{Cf}_-])/gu;
// What begins an address: `http:`, `mailto:`, `//`.
const schemes = /([\p{L}\p{N}]:(?=\S)|\/(?=\/))/gu;

/**
 * `text` with a space behind each dot, colon and slash that could make a mail program take it for
 * an address and a link; names without such read as they are.
 */
export function withoutWebAddresses(text: string): string {
  return text.replace(schemes, '$1 ').replace(dots, '$1 ');
}
