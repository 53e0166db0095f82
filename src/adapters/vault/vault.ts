import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';
import type { Vault } from '../../app/ports/index.ts';
import { InnsigliError } from '../../base/errors.ts';

/** Length of the master key, from which all other keys are derived. */
export const VAULT_KEY_BYTES = 32;

// Stored form: "v1." followed by nonce (12) ‖ ciphertext ‖ tag (16) in base64url.
const MARK = 'v1.';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Opens a vault with one key: AES-256-GCM bound to a context, and HMAC-SHA-256 for lookups and
 * codes. Each purpose has a separate key derived with HKDF, so that none reveals anything about
 * another.
 *
 * @param key 32 unpredictable bytes
 * @throws vault.invalid if the key has a different length
 */
export function openVault(key: Uint8Array): Vault {
  if (key.length !== VAULT_KEY_BYTES) {
    const found = `expected ${VAULT_KEY_BYTES} bytes, found ${key.length}`;
    throw new InnsigliError('vault.invalid', `the key of the vault is not usable: ${found}`);
  }
  const derive = (use: string) =>
    Buffer.from(hkdfSync('sha256', key, '', `innsigli.vault.${use}.v1`, 32));
  const [sealKey, indexKey, macKey] = [derive('seal'), derive('index'), derive('mac')];
  return {
    encrypt(plain, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', sealKey, nonce, { authTagLength: TAG_BYTES });
      cipher.setAAD(Buffer.from(context, 'utf8'));
      const body = cipher.update(plain, 'utf8');
      cipher.final();
      return MARK + Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url');
    },
    decrypt: (sealed, context) => openSealed(sealKey, sealed, context),
    index: (value) => createHmac('sha256', indexKey).update(value, 'utf8').digest('hex'),
    mac(value, context) {
      // The length distinguishes ("ab", "c") from ("a", "bc").
      const head = `${Buffer.byteLength(context, 'utf8')}:${context}`;
      return createHmac('sha256', macKey).update(head, 'utf8').update(value, 'utf8').digest('hex');
    },
  };
}

function openSealed(key: Buffer, sealed: string, context: string): string {
  const bytes = sealed.startsWith(MARK)
    ? Buffer.from(sealed.slice(MARK.length), 'base64url')
    : Buffer.alloc(0);
  if (bytes.length < NONCE_BYTES + TAG_BYTES) throw unreadable(context);
  const tagAt = bytes.length - TAG_BYTES;
  try {
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(context, 'utf8'));
    decipher.setAuthTag(bytes.subarray(tagAt));
    const plain = decipher.update(bytes.subarray(NONCE_BYTES, tagAt));
    decipher.final();
    return plain.toString('utf8');
  } catch (error) {
    throw unreadable(context, error);
  }
}

function unreadable(context: string, cause?: unknown): InnsigliError {
  return new InnsigliError('vault.invalid', `a stored secret cannot be decrypted: ${context}`, {
    hint:
      'the key of the data directory is not the one it was encrypted with, or the secret was ' +
      'changed',
    cause,
  });
}
