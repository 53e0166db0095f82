import { asBuffer } from '../base/bytes.ts';
import { childrenOf, contentOf, type DerNode, der, derOf, readDer } from '../formats/asn1/index.ts';
import { type Certificate, comparableName } from '../formats/x509/index.ts';

/** Names compared for one certificate: both lists come from the input. */
const MAX_NAMES = 64;

/**
 * True when a CRL's distribution point is one that the certificate names, in any of its forms.
 *
 * @throws asn1.invalid when a name is damaged
 * @spec RFC 5280 §6.3.3 (b)(2)
 */
export function isSamePoint(crlPoint: DerNode, certificate: Certificate): boolean {
  const wanted = new Set(pointNames(crlPoint, certificate));
  for (const point of certificate.extensions.crlDistributionPoints.slice(0, MAX_NAMES)) {
    const name = childrenOf(point).find((field) => field.tag === 0xa0);
    if (name === undefined) continue;
    const names = pointNames(readDer(contentOf(name)), certificate);
    if (names.some((one) => wanted.has(one))) return true;
  }
  return false;
}

/** `[0] fullName { GeneralName … }` or `[1] nameRelativeToCRLIssuer { attributes }`. */
function pointNames(point: DerNode, certificate: Certificate): string[] {
  if (point.tag === 0xa0) return childrenOf(point).slice(0, MAX_NAMES).map(comparableGeneralName);
  const issuer = childrenOf(readDer(certificate.issuerDer)).map(derOf);
  const relative = der.element(0x31, [contentOf(point)]);
  return [`directory ${comparableName(der.sequence(...issuer, relative))}`];
}

function comparableGeneralName(name: DerNode): string {
  if (name.tag === 0xa4) return `directory ${comparableName(contentOf(name))}`;
  return `${name.tag} ${asBuffer(contentOf(name)).toString('latin1')}`;
}
