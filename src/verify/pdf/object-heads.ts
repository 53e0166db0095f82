/** Where an indirect object begins in a text. */
export interface ObjectHead {
  readonly objectNumber: number;
  /** Of the first digit. */
  readonly at: number;
}

/**
 * Every `N G obj` in the text, one character for each byte. They are looked for from the keyword:
 * signatures are long rows of digits.
 */
export function* objectHeads(text: string): Generator<ObjectHead> {
  for (let end = text.indexOf('obj'); end >= 0; end = text.indexOf('obj', end + 3)) {
    const generationEnd = startOf(text, end, isSpace);
    const generation = startOf(text, generationEnd, isDigit);
    const numberEnd = startOf(text, generation, isSpace);
    const at = startOf(text, numberEnd, isDigit);
    const isWhole =
      at < numberEnd && numberEnd < generation && generation < generationEnd && generationEnd < end;
    if (isWhole) yield { objectNumber: Number(text.slice(at, numberEnd)), at };
  }
}

/** Where the characters of a kind begin that stand in front of `end`; `end` when there are none. */
function startOf(text: string, end: number, isOne: (code: number) => boolean): number {
  let at = end;
  while (at > 0 && isOne(text.charCodeAt(at - 1))) at--;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isSpace(code: number): boolean {
  return (
    code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09 || code === 0 || code === 0x0c
  );
}
