import { latin1Text } from '../../base/bytes.ts';
import { attempt, InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { parseCertificate, parseCrl, parseOcspResponse } from '../../formats/x509/index.ts';
import type { RevocationData } from '../../seal/ports.ts';
import { countGiven, filesAt, readConfigured } from './files.ts';
import { tooManyGiven } from './read-certificates.ts';

const VALIDATION_FILE = /\.(pem|crt|cer|der|crl|ocsp|ors)$/i;
const VALIDATION_KINDS = '.pem, .crt, .cer, .der, .crl, .ocsp or .ors';
const block = /-----BEGIN (X509 CRL|(?:X509 |TRUSTED )?CERTIFICATE)-----([^-]*)-----END/g;

/** Validation data from the configured paths, not yet verified. */
export interface GivenValidationData extends RevocationData {
  readonly certificates: readonly Uint8Array[];
}

/**
 * Reads certificates, CRLs and OCSP responses of PEM or DER files, and of all such files in the
 * folders.
 *
 * @throws config.invalid if a path cannot be read or contains none, or if a PEM block is malformed
 * @throws limit.exceeded for more than any plausible need
 */
export async function loadValidationData(paths: readonly string[]): Promise<GivenValidationData> {
  const all: GivenValidationData[] = [];
  const count = countGiven();
  for (const path of paths) {
    for (const file of await filesAt(path, VALIDATION_FILE, VALIDATION_KINDS)) {
      const bytes = await readConfigured(file, 'validation data', 'config.invalid');
      const found = validationDataIn(file, bytes);
      if (found === undefined) {
        throw new InnsigliError('config.invalid', `${file}: no certificate, CRL or OCSP response`, {
          hint: 'pass the response from the address in the certificate, PEM or DER',
        });
      }
      count(bytes.length, found.certificates.length + found.ocsp.length + found.crls.length);
      all.push(found);
    }
  }
  return {
    certificates: all.flatMap(({ certificates }) => certificates),
    ocsp: all.flatMap(({ ocsp }) => ocsp),
    crls: all.flatMap(({ crls }) => crls),
  };
}

function validationDataIn(file: string, bytes: Uint8Array): GivenValidationData | undefined {
  const none = { certificates: [], ocsp: [], crls: [] };
  const found = blocksIn(file, bytes);
  if (found.certificates.length + found.crls.length > 0) return { ...none, ...found };
  if (attempt(() => parseCertificate(bytes)) !== undefined)
    return { ...none, certificates: [bytes] };
  if (attempt(() => parseCrl(bytes)) !== undefined) return { ...none, crls: [bytes] };
  const answer = attempt(() => parseOcspResponse(bytes))?.basic;
  return answer === undefined ? undefined : { ...none, ocsp: [bytes] };
}

/** The certificates and CRLs of PEM text. Malformed ones are reported. */
function blocksIn(file: string, bytes: Uint8Array) {
  const certificates: Uint8Array[] = [];
  const crls: Uint8Array[] = [];
  const blocks = [...latin1Text(bytes).matchAll(block)];
  if (blocks.length > limits.givenObjects) throw tooManyGiven();
  for (const [index, [, label, base64 = '']] of blocks.entries()) {
    const der = Buffer.from(base64, 'base64');
    const isCrl = label === 'X509 CRL';
    const parsed = attempt(() => (isCrl ? parseCrl(der) : parseCertificate(der)));
    if (parsed === undefined) {
      const what = isCrl ? 'CRL' : 'certificate';
      const message = `${file}: block ${index + 1} is a damaged ${what}`;
      throw new InnsigliError('config.invalid', message, {
        details: { file, block: index + 1 },
        hint: 'download it again, or remove the block from the file',
      });
    }
    (isCrl ? crls : certificates).push(der);
  }
  return { certificates, crls };
}
