/**
 * Whether `new URL` accepts the text. `URL.canParse` cannot be used: once compiled, it rejects
 * texts with letters such as þ or ö in Node 20, because it then reads their bytes as UTF-8.
 */
export function isUrl(text: string): boolean {
  try {
    new URL(text);
    return true;
  } catch {
    return false;
  }
}
