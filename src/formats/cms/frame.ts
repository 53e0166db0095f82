/**
 * The parts, preceded by the identifier and length bytes of an element, without joining them. Large
 * structures are framed level by level and joined once: copying at each level would cost more than
 * the rest of the encoding.
 *
 * @spec X.690 §8.1.3, §10.1
 */
export function frame(tag: number, parts: readonly Uint8Array[]): Uint8Array[] {
  let length = 0;
  for (const part of parts) length += part.length;
  return [header(tag, length), ...parts];
}

function header(tag: number, length: number): Uint8Array {
  const count = length < 0x80 ? 0 : Math.ceil((32 - Math.clz32(length)) / 8);
  const bytes = new Uint8Array(2 + count);
  bytes[0] = tag;
  bytes[1] = count === 0 ? length : 0x80 | count;
  for (let i = 0; i < count; i++) bytes[2 + i] = length >>> (8 * (count - 1 - i));
  return bytes;
}
