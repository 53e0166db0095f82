/** Schemes of RFC 7292 Appendix C with SHA-1: cipher and key length in bytes. */
const oldSchemes: Record<string, readonly [cipher: '3DES' | 'RC2', keyBytes: number]> = {
  '1.2.840.113549.1.12.1.3': ['3DES', 24],
  '1.2.840.113549.1.12.1.4': ['3DES', 16],
  '1.2.840.113549.1.12.1.5': ['RC2', 16],
  '1.2.840.113549.1.12.1.6': ['RC2', 5],
};

/** Whether {@link decryptOldScheme} supports the scheme, given as an object identifier. */
export function isOldScheme(scheme: string): boolean {
  return Object.hasOwn(oldSchemes, scheme);
}

/**
 * Decrypts to plaintext that is a SEQUENCE; undefined if the password is wrong. RC2 is in a
 * provider of OpenSSL 3 that Node does not load; node-forge implements it in JavaScript.
 *
 * @spec RFC 7292 Appendix B, Appendix C
 */
export async function decryptOldScheme(
  scheme: string,
  salt: Uint8Array,
  rounds: number,
  encrypted: Uint8Array,
  password: string,
): Promise<Uint8Array | undefined> {
  const { default: forge } = await import('node-forge');
  const bufferOf = (bytes: Uint8Array) =>
    forge.util.createBuffer(Buffer.from(bytes).toString('latin1'));
  const [cipher, keyBytes] = oldSchemes[scheme] ?? ['3DES', 24];
  // For an empty password, some implementations hash a single zero character, others nothing.
  for (const form of password === '' ? ['', null] : [password]) {
    const derive = (purpose: 1 | 2, lengthBytes: number) =>
      forge.pkcs12.generateKey(form, bufferOf(salt), purpose, rounds, lengthBytes).getBytes();
    const key = derive(1, keyBytes);
    const iv = derive(2, 8);
    const decipher =
      cipher === 'RC2'
        ? forge.rc2.createDecryptionCipher(key, keyBytes * 8)
        : forge.cipher.createDecipher('3DES-CBC', (key + key).slice(0, 24));
    // The two ciphers expect the initialization vector in different forms.
    decipher.start((cipher === 'RC2' ? iv : { iv }) as string & { iv: string });
    decipher.update(bufferOf(encrypted));
    if (!decipher.finish()) continue;
    const plain = Buffer.from(decipher.output.getBytes(), 'latin1');
    if (plain[0] === 0x30) return plain;
  }
  return undefined;
}
