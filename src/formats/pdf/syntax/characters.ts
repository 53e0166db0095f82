/** White space. Regular characters have class 0. */
export const SPACE = 1;
/** One of `( ) < > [ ] { } / %`. */
export const DELIMITER = 2;

/** Class of each byte. @spec ISO 32000-1 §7.2.2 */
export const characterClasses: Uint8Array = classify();

/** Value of each hexadecimal digit, 255 for any other byte. */
export const hexValues: Uint8Array = hexTable();

function classify(): Uint8Array {
  const classes = new Uint8Array(256);
  for (const byte of [0x00, 0x09, 0x0a, 0x0c, 0x0d, 0x20]) classes[byte] = SPACE;
  for (const character of '()<>[]{}/%') classes[character.charCodeAt(0)] = DELIMITER;
  return classes;
}

function hexTable(): Uint8Array {
  const values = new Uint8Array(256).fill(255);
  for (let digit = 0; digit < 16; digit++) {
    const text = digit.toString(16);
    values[text.charCodeAt(0)] = digit;
    values[text.toUpperCase().charCodeAt(0)] = digit;
  }
  return values;
}
