/** Character class bits of a byte; bytes of characters above U+007F count as name characters. */
export const byteBits = {
  /** Name character, including the colon; first characters are checked once per name. */
  name: 1,
  /** Tab, line feed, carriage return, space: XML has no other white space. */
  space: 2,
  /** Ends a run of character data that needs no check: `< & ]`, forbidden characters, U+F…. */
  textStop: 4,
  /** Ends a run of a value that needs no check: `" ' < &`, forbidden characters, U+F…. */
  valueStop: 8,
  /** Character data that differs in canonical form: `& > CR` and markup. */
  canonicalTextStop: 16,
  /** Attribute values that differ in canonical form: `& " < TAB LF CR`. */
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
