import { asBuffer } from '../../base/bytes.ts';
import { getOrCompute } from '../../base/memo.ts';
import {
  childrenOf,
  contentOf,
  type DerNode,
  der,
  derOf,
  namedBitsIn,
  readDer,
} from '../../formats/asn1/index.ts';
import {
  type Certificate,
  type CertificateList,
  comparableName,
} from '../../formats/x509/index.ts';
import { namesOf } from '../certificates.ts';

/** Maximum names and points compared for one certificate: both lists come from the input. */
const MAX_NAMES = 64;

/** All reasons that a CRL can cover: bits 1 to 8. @spec RFC 5280 §4.2.1.13 */
export const allReasons = 0x1fe;

interface Point {
  readonly name: DerNode | undefined;
  readonly reasons: number;
  /** Directory names of cRLIssuer, DER. */
  readonly issuers: readonly Uint8Array[];
}

/**
 * Bits of the reasons that a CRL covers for a certificate, given the distribution points of both. 0
 * if the CRL is for another point; undefined if its authority is not responsible for the
 * certificate.
 *
 * @throws asn1.invalid if a name is malformed
 * @spec RFC 5280 §6.3.3 (b), (d)
 */
export function findReach(crl: CertificateList, certificate: Certificate): number | undefined {
  const list = listNameOf(crl);
  const isDirect = list === namesOf(certificate).issuer;
  // A point without a cRLIssuer belongs to the issuer of the certificate.
  const own = (point: Point) =>
    point.issuers.length === 0
      ? isDirect
      : point.issuers.some((one) => comparableName(one) === list);
  if (!isDirect && crl.scope?.indirect !== true) return undefined;
  const points = pointsOf(certificate).filter(own);
  if (!isDirect && points.length === 0) return undefined;
  const restriction = crl.scope?.distributionPoint;
  // A CRL of the issuer without a distribution point covers every certificate of the issuer.
  if (isDirect && restriction === undefined) return allReasons;
  const wanted =
    restriction === undefined ? undefined : new Set(pointNames(restriction, crl.issuerDer));
  let reasons = 0;
  for (const point of points) {
    if (wanted !== undefined && !namesOfPoint(point, certificate).some((one) => wanted.has(one))) {
      continue;
    }
    reasons |= point.reasons;
  }
  if (isDirect && wanted?.has(directory(certificate.issuerDer)) === true) reasons |= allReasons;
  return reasons;
}

const listNames = new WeakMap<CertificateList, string>();

/** The name of a CRL's issuer as a text that is equal when the names match; cached per CRL. */
export function listNameOf(crl: CertificateList): string {
  return getOrCompute(listNames, crl, ({ issuerDer }) => comparableName(issuerDer));
}

/** `DistributionPoint { [0] distributionPoint, [1] reasons, [2] cRLIssuer }` */
function pointsOf({ extensions }: Certificate): readonly Point[] {
  return extensions.crlDistributionPoints.slice(0, MAX_NAMES).map((point) => {
    const fields = childrenOf(point);
    const field = (tag: number) => fields.find((one) => one.tag === tag);
    const [name, reasons, issuers] = [field(0xa0), field(0x81), field(0xa2)];
    return {
      name: name === undefined ? undefined : readDer(contentOf(name)),
      reasons: reasons === undefined ? allReasons : namedBitsIn(contentOf(reasons)) & allReasons,
      issuers: (issuers === undefined ? [] : childrenOf(issuers))
        .slice(0, MAX_NAMES)
        .filter(({ tag }) => tag === 0xa4)
        .map((one) => contentOf(one)),
    };
  });
}

/** The names of a point, or those of its CRL issuer if it has none. */
function namesOfPoint({ name, issuers }: Point, certificate: Certificate): readonly string[] {
  if (name === undefined) return issuers.map(directory);
  return pointNames(name, issuers[0] ?? certificate.issuerDer);
}

/** `[0] fullName { GeneralName … }` or `[1] nameRelativeToCRLIssuer { attributes }`. */
function pointNames(point: DerNode, issuerDer: Uint8Array): string[] {
  if (point.tag === 0xa0) return childrenOf(point).slice(0, MAX_NAMES).map(comparableGeneralName);
  const issuer = childrenOf(readDer(issuerDer)).map(derOf);
  const relative = der.element(0x31, [contentOf(point)]);
  return [directory(der.sequence(...issuer, relative))];
}

function directory(nameDer: Uint8Array): string {
  return `directory ${comparableName(nameDer)}`;
}

function comparableGeneralName(name: DerNode): string {
  if (name.tag === 0xa4) return directory(contentOf(name));
  return `${name.tag} ${asBuffer(contentOf(name)).toString('latin1')}`;
}
