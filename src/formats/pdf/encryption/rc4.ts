/**
 * Data encrypted or decrypted with RC4, which old PDF files use and OpenSSL moved to its legacy
 * provider.
 *
 * @spec ISO 32000-1 §7.6.1
 */
export function rc4(key: Uint8Array, data: Uint8Array): Uint8Array {
  const state = new Uint8Array(256);
  for (let i = 0; i < 256; i++) state[i] = i;
  let j = 0;
  for (let i = 0; i < 256; i++) {
    const value = state[i] as number;
    j = (j + value + (key[i % key.length] as number)) & 255;
    state[i] = state[j] as number;
    state[j] = value;
  }
  const result = new Uint8Array(data.length);
  let a = 0;
  let b = 0;
  for (let at = 0; at < data.length; at++) {
    a = (a + 1) & 255;
    const value = state[a] as number;
    b = (b + value) & 255;
    const other = state[b] as number;
    state[a] = other;
    state[b] = value;
    result[at] = (data[at] as number) ^ (state[(value + other) & 255] as number);
  }
  return result;
}
