import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import type { XmlElement } from '../xml/index.ts';
import { readBase64, signatureInvalid } from '../xmldsig/index.ts';

/** Revocation data of a property. */
export interface RevocationValues {
  /** CertificateList values, DER. */
  readonly crls: readonly Uint8Array[];
  /** OCSPResponse values, DER. */
  readonly ocsps: readonly Uint8Array[];
}

/**
 * The EncapsulatedX509Certificate children, DER.
 *
 * @throws xml.signature.invalid if one is not base64, or there are too many
 * @spec ETSI EN 319 132-1 §5.4.1
 */
export function parseCertificateValues(element: XmlElement | undefined): readonly Uint8Array[] {
  return encapsulated(element, 'EncapsulatedX509Certificate');
}

/**
 * The CRLs and OCSP responses of a RevocationValues element; other forms are ignored.
 *
 * @throws xml.signature.invalid if one is not base64, or there are too many
 * @spec ETSI EN 319 132-1 §5.4.2
 */
export function parseRevocationValues(element: XmlElement | undefined): RevocationValues {
  const group = (name: string) => element?.child(element.namespaceUri, name);
  return {
    crls: encapsulated(group('CRLValues'), 'EncapsulatedCRLValue'),
    ocsps: encapsulated(group('OCSPValues'), 'EncapsulatedOCSPValue'),
  };
}

function encapsulated(element: XmlElement | undefined, localName: string): readonly Uint8Array[] {
  const found = element?.childrenNamed(element.namespaceUri, localName) ?? [];
  if (element !== undefined && found.length > limits.certificates) {
    throw signatureInvalid(element, `more than ${limits.certificates} values`);
  }
  return found.map((value) => {
    requireShort(value);
    return readBase64(value);
  });
}

/** Rejects elements with too much validation data: skipping a part could hide a revocation. */
function requireShort({ startOffset, endOffset }: XmlElement): void {
  const most = 2 * limits.evidenceBytes;
  if (endOffset - startOffset <= most) return;
  const found = endOffset - startOffset;
  const message = `validation data of ${found} characters: at most ${most} are read`;
  throw new InnsigliError('limit.exceeded', message);
}
