/**
 * The parts with the identifier and length octets of an element before them; nothing is joined.
 * Large structures are framed level by level and joined once: a level that copies costs more
 * than all the rest of its writing.
 *
 * @spec X.690 §8.1.3, §10.1
 */
export function frame(tag: number, parts: readonly Uint8Array[]): Uint8Array[] {
  let length = 0;
  for (const part of parts) length += part.length;
  return [header(tag, length), ...parts];
}

function header(tag: number, length: number): Uint8Array {
  if (length < 0x80) return Uint8Array.of(tag, length);
  if (length < 0x100) return Uint8Array.of(tag, 0x81, length);
  if (length < 0x10000) return Uint8Array.of(tag, 0x82, length >> 8, length & 0xff);
  const [top, ...rest] = [24, 16, 8, 0].map((shift) => (length >>> shift) & 0xff);
  if (top === 0) return Uint8Array.of(tag, 0x83, ...rest);
  return Uint8Array.of(tag, 0x84, top as number, ...rest);
}
