import { latin1Text } from '../base/bytes.ts';
import { CoreError, isCoreError } from '../base/errors.ts';
import { parseCrl, parseOcspResponse } from '../formats/x509/index.ts';
import type { RevocationData } from '../seal/ports.ts';
import { filesAt, readConfigured } from './files.ts';
import { readCertificates } from './read-certificates.ts';

const VALIDATION_FILE = /\.(pem|crt|cer|der|crl|ocsp|ors)$/i;
const crlBlock = /-----BEGIN X509 CRL-----([^-]*)-----END/g;

/** What was given for paths: nothing of it is verified yet. */
export interface GivenValidationData extends RevocationData {
  readonly certificates: readonly Uint8Array[];
}

/**
 * Certificates, CRLs and OCSP answers of PEM or DER files, and of every such file in the folders.
 *
 * @throws config.invalid when a path cannot be read or holds none
 */
export async function loadValidationData(paths: readonly string[]): Promise<GivenValidationData> {
  const all: GivenValidationData[] = [];
  for (const path of paths) {
    for (const file of await filesAt(path, VALIDATION_FILE)) {
      const bytes = await readConfigured(file, 'validation data', 'config.invalid');
      const found = validationDataIn(bytes);
      if (found === undefined) {
        throw new CoreError('config.invalid', `${file}: no certificate, CRL or OCSP answer`, {
          hint: 'give what the address in the certificate answers, PEM or DER',
        });
      }
      all.push(found);
    }
  }
  return {
    certificates: all.flatMap(({ certificates }) => certificates),
    ocsp: all.flatMap(({ ocsp }) => ocsp),
    crls: all.flatMap(({ crls }) => crls),
  };
}

function validationDataIn(bytes: Uint8Array): GivenValidationData | undefined {
  const none = { certificates: [], ocsp: [], crls: [] };
  const certificates = attempt(() => readCertificates(bytes))?.map(({ der }) => der) ?? [];
  const crls = [...latin1Text(bytes).matchAll(crlBlock)].flatMap(([, base64 = '']) => {
    const der = Buffer.from(base64, 'base64');
    return attempt(() => parseCrl(der)) === undefined ? [] : [der];
  });
  if (certificates.length + crls.length > 0) return { ...none, certificates, crls };
  if (attempt(() => parseCrl(bytes)) !== undefined) return { ...none, crls: [bytes] };
  const answer = attempt(() => parseOcspResponse(bytes))?.basic;
  return answer === undefined ? undefined : { ...none, ocsp: [bytes] };
}

/** What `parse` gives; undefined for what is of another kind. */
function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (isCoreError(error)) return undefined;
    throw error;
  }
}
