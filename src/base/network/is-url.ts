/**
 * True for a text that `new URL` takes. The function of the platform for that, `URL.canParse`,
 * refuses texts with letters such as þ or ö in Node 20 as soon as it has been compiled, because
 * it then reads their bytes as UTF-8.
 */
export function isUrl(text: string): boolean {
  try {
    new URL(text);
    return true;
  } catch {
    return false;
  }
}
