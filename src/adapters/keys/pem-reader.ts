import { createPrivateKey, type KeyObject } from 'node:crypto';
import { asBuffer } from '../../base/bytes.ts';
import { attemptAny, InnsigliError } from '../../base/errors.ts';
import { systemCode } from '../../base/os-errors.ts';
import { readDer, readSequence } from '../../formats/asn1/index.ts';

const BLOCK = /-----BEGIN ([A-Z0-9 ]{1,40})-----([^-]*)-----END \1-----/g;
const MAX_BYTES = 4 * 1024 * 1024;

/** Hint for a password that does not decrypt a key. */
export const wrongPasswordHint =
  'check the password: it is used exactly as given, including spaces';

/**
 * Reads the certificates of a PEM text in order, DER; a single DER certificate is accepted as well.
 *
 * @throws key.unreadable if there is none
 */
export function readCertificates(input: string | Uint8Array, what: string): Uint8Array[] {
  const bytes = typeof input === 'string' ? Buffer.from(input, 'latin1') : asBuffer(input);
  if (bytes.length > MAX_BYTES) throw unreadable(what, 'it is larger than 4 MiB');
  if (bytes[0] === 0x30) return [bytes];
  const found: Uint8Array[] = [];
  for (const [, label = '', body = ''] of bytes.toString('latin1').matchAll(BLOCK)) {
    if (!/^(X509 |TRUSTED )?CERTIFICATE$/.test(label)) continue;
    found.push(Buffer.from(body.replace(/[^:\n]*:[^\n]*\n/g, ''), 'base64'));
  }
  if (found.length === 0) throw unreadable(what, 'it has no -----BEGIN CERTIFICATE----- block');
  return found;
}

/**
 * Reads a private key from PEM or DER: PKCS #8, possibly encrypted, PKCS #1 or SEC 1.
 *
 * @throws key.password.missing, key.password.wrong if it is encrypted
 * @throws key.unreadable if it is not a private key
 */
export function readPrivateKey(input: string | Uint8Array, password?: string): KeyObject {
  const bytes = typeof input === 'string' ? Buffer.from(input, 'latin1') : asBuffer(input);
  if (bytes.length > MAX_BYTES) throw unreadable('the key', 'it is larger than 4 MiB');
  return bytes[0] === 0x30 ? readDerKey(bytes, password) : readPemKey(bytes, password);
}

function readPemKey(bytes: Buffer, password: string | undefined): KeyObject {
  const text = bytes.toString('latin1');
  const block =
    /-----BEGIN ((?:[A-Z0-9]{1,12} ){0,2}PRIVATE KEY)-----[\s\S]*?-----END \1-----/.exec(text);
  if (block === null) throw unreadable('the key', 'it has no -----BEGIN … PRIVATE KEY----- block');
  const [pem, label] = block;
  const encrypted = label === 'ENCRYPTED PRIVATE KEY' || /^Proc-Type: 4,ENCRYPTED/m.test(pem);
  return open({ key: pem, format: 'pem' }, encrypted, password);
}

function readDerKey(bytes: Buffer, password: string | undefined): KeyObject {
  for (const type of ['pkcs8', 'pkcs1', 'sec1'] as const) {
    try {
      return createPrivateKey({ key: bytes, format: 'der', type });
    } catch {
      // Try the next format; an encrypted key matches none of them.
    }
  }
  // EncryptedPrivateKeyInfo starts with two nested sequences; the other formats start with a
  // version, which is 3 in PKCS #12.
  const second = (bytes[1] as number) < 0x80 ? 2 : 2 + ((bytes[1] as number) & 0x7f);
  if (bytes[second] === 0x02 && bytes[second + 2] === 3) {
    throw new InnsigliError('key.unreadable', 'the key: expected PEM or DER, found PKCS#12', {
      hint: 'for PKCS #12 use --p12 FILE; in the library p12Signer',
    });
  }
  if (bytes[second] !== 0x30) throw unreadable('the key', 'not a known private key format');
  return open({ key: bytes, format: 'der', type: 'pkcs8' }, true, password);
}

function open(
  input: { key: string | Buffer; format: 'pem' | 'der'; type?: 'pkcs8' },
  encrypted: boolean,
  password: string | undefined,
): KeyObject {
  if (encrypted && password === undefined) {
    throw new InnsigliError('key.password.missing', 'the private key is encrypted', {
      hint: 'pass its password',
    });
  }
  try {
    return createPrivateKey(encrypted ? { ...input, passphrase: password ?? '' } : input);
  } catch (cause) {
    if (encrypted && isWrongPassword(cause, input.key)) {
      throw new InnsigliError(
        'key.password.wrong',
        'the password of the private key is incorrect',
        {
          cause,
          hint: wrongPasswordHint,
        },
      );
    }
    throw unreadable('the key', 'it is damaged or has an unknown format', cause);
  }
}

/**
 * A wrong password usually results in invalid padding. One time in 256 it does not, and OpenSSL
 * finds no key in the decrypted data. A damaged file has the same symptom, so its outer structure
 * must be intact.
 */
function isWrongPassword(error: unknown, key: string | Buffer): boolean {
  const code = systemCode(error) ?? '';
  if (code === 'ERR_OSSL_BAD_DECRYPT') return true;
  return /^ERR_OSSL_(UNSUPPORTED$|ASN1_)/.test(code) && isWholeFrame(key);
}

function isWholeFrame(key: string | Buffer): boolean {
  if (typeof key === 'string' && key.includes('Proc-Type:')) return true;
  const bytes =
    typeof key === 'string' ? Buffer.from(key.replace(/-----[^-]*-----/g, ''), 'base64') : key;
  const info = attemptAny(() => readSequence(readDer(bytes), 'EncryptedPrivateKeyInfo'));
  return info?.length === 2;
}

function unreadable(what: string, why: string, cause?: unknown): InnsigliError {
  return new InnsigliError('key.unreadable', `${what} cannot be read: ${why}`, {
    hint: 'pass PEM or DER: PKCS #8, PKCS #1 or SEC 1 for a key, X.509 for a certificate',
    cause,
  });
}
