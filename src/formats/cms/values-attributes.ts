import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { childrenOf, type DerNode, derOf, readSequence } from '../asn1/index.ts';
import { aroundBasicOcsp, asCmsError } from './signed-data/index.ts';

/**
 * The certificates of a certificate-values attribute value, DER.
 *
 * @throws cms.invalid
 * @spec ETSI EN 319 122-1 §A.1.1.2
 */
export function parseCertificateValues(value: DerNode): readonly Uint8Array[] {
  return asCmsError(() => bounded(readSequence(value, 'certificate values')).map(derOf));
}

/**
 * CRLs and OCSP responses of a revocation-values attribute value, DER; each BasicOCSPResponse is
 * wrapped in an OCSPResponse.
 *
 *     RevocationValues { [0] { CertificateList* }?, [1] { BasicOCSPResponse* }?, [2] other? }
 *
 * @throws cms.invalid
 * @spec ETSI EN 319 122-1 §A.1.2.2
 */
export function parseRevocationValues(value: DerNode): {
  readonly crls: readonly Uint8Array[];
  readonly ocsp: readonly Uint8Array[];
} {
  return asCmsError(() => {
    const fields = readSequence(value, 'revocation values');
    const list = (tag: number) => {
      const field = fields.find((node) => node.tag === tag);
      const [inner] = field === undefined ? [] : childrenOf(field);
      return inner === undefined ? [] : bounded(readSequence(inner, 'values')).map(derOf);
    };
    return { crls: list(0xa0), ocsp: list(0xa1).map(aroundBasicOcsp) };
  });
}

function bounded(nodes: DerNode[]): DerNode[] {
  if (nodes.length <= limits.certificates) return nodes;
  throw new InnsigliError('cms.invalid', `too many values: ${nodes.length}`);
}
