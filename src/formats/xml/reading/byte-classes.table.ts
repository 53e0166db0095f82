/** Bits that say what a byte may be; every byte of a character above U+007F counts as a name. */
export const byteBits = {
  /** Part of a name, the colon included; first characters are checked once for each name. */
  name: 1,
  /** Tab, line feed, carriage return, space: nothing else is white space in XML. */
  space: 2,
  /** Ends a run of character data that needs no look: `< & ]`, what is forbidden, U+F…. */
  textStop: 4,
  /** Ends a run of an attribute value that needs no look: `" ' < &`, what is forbidden, U+F…. */
  valueStop: 8,
  /** Character data that canonical form writes differently: `& > CR` and markup. */
  canonicalTextStop: 16,
  /** Attribute values that canonical form writes differently: `& " < TAB LF CR`. */
  canonicalValueStop: 32,
} as const;

/** {@link byteBits} of each byte. */
export const byteClass: Uint8Array = classify();

function classify(): Uint8Array {
  const classes = new Uint8Array(256);
  const mark = (bit: number, bytes: Iterable<number>) => {
    for (const byte of bytes) classes[byte] = (classes[byte] as number) | bit;
  };
  const codes = (text: string) => Array.from(text, (character) => character.charCodeAt(0));
  const range = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => from + index);
  const white = codes('\t\n\r ');
  const forbidden = range(0, 0x1f).filter((byte) => !white.includes(byte));
  // U+FFFE and U+FFFF are EF BF BE and EF BF BF.
  const suspicious = [...forbidden, 0xef];
  mark(byteBits.name, [...range(0x61, 0x7a), ...range(0x41, 0x5a), ...range(0x30, 0x39)]);
  mark(byteBits.name, [...codes('_-.:'), ...range(0x80, 0xff)]);
  mark(byteBits.space, white);
  mark(byteBits.textStop, [...codes('<&]'), ...suspicious]);
  mark(byteBits.valueStop, [...codes(`"'<&`), ...suspicious]);
  mark(byteBits.canonicalTextStop, codes('<&>\r'));
  mark(byteBits.canonicalValueStop, codes('&"<\t\n\r'));
  return classes;
}
