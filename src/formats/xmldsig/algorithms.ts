import { InnsigliError } from '../../base/errors.ts';
import { type DigestAlgorithm, digestLengths, type SignatureAlgorithm } from '../x509/index.ts';
import type { XmlElement } from '../xml/index.ts';
import { digestRows, rsaPssUri, signatureRows } from './algorithms.table.ts';
import { namespaces } from './namespaces.table.ts';
import { signatureInvalid } from './structure.ts';

const digestByUri = new Map(digestRows);
const uriByDigest = new Map(digestRows.map(([uri, digest]) => [digest, uri]));
const signatureByUri = new Map<string, SignatureAlgorithm>(
  signatureRows.map(([uri, scheme, digest]) => [uri, algorithmOf(scheme, digest)]),
);

function algorithmOf(
  scheme: SignatureAlgorithm['scheme'],
  digest: DigestAlgorithm,
): SignatureAlgorithm {
  if (scheme !== 'rsa-pss') return { scheme, digest };
  return { scheme, digest, saltLengthBytes: digestLengths[digest] };
}

/** The digest with an identifier; undefined if it is unknown or not accepted. */
export function findDigest(uri: string): DigestAlgorithm | undefined {
  return digestByUri.get(uri);
}

/**
 * The identifier of a digest.
 *
 * @throws algorithm.unsupported if there is none
 */
export function digestUri(digest: DigestAlgorithm): string {
  const uri = uriByDigest.get(digest);
  if (uri !== undefined) return uri;
  throw new InnsigliError('algorithm.unsupported', `${digest} has no identifier in XML signatures`);
}

/**
 * The identifier of a signature algorithm. For RSA-PSS, this is the form without parameters, whose
 * salt is as long as the digest.
 *
 * @throws algorithm.unsupported if there is none
 * @spec RFC 9231 §2.3
 */
export function signatureUri(algorithm: SignatureAlgorithm): string {
  const { scheme, digest, saltLengthBytes } = algorithm;
  const isEdwards = scheme === 'ed25519' || scheme === 'ed448';
  for (const [uri, rowScheme, rowDigest] of signatureRows) {
    if (rowScheme !== scheme || (rowDigest !== digest && !isEdwards)) continue;
    if (
      scheme === 'rsa-pss' &&
      (saltLengthBytes ?? digestLengths[digest]) !== digestLengths[digest]
    )
      break;
    return uri;
  }
  const message = `${scheme} with ${digest} has no identifier in XML signatures`;
  throw new InnsigliError('algorithm.unsupported', message);
}

/**
 * The algorithm of a ds:SignatureMethod; undefined if it is unknown or not accepted (HMAC).
 *
 * @throws xml.signature.invalid if its parameters are malformed
 * @spec RFC 9231 §2.3.9
 */
export function readSignatureMethod(method: XmlElement): SignatureAlgorithm | undefined {
  const uri = method.attribute('Algorithm') ?? '';
  if (uri !== rsaPssUri) return signatureByUri.get(uri);
  const parameters = method.child(namespaces.moreAlgorithms, 'RSAPSSParams');
  let digest: DigestAlgorithm | undefined = 'sha256';
  let maskDigest: DigestAlgorithm | undefined | 'as the digest' = 'as the digest';
  let salt: string | undefined;
  for (const child of parameters?.children ?? []) {
    const named = child.is(namespaces.dsig, 'DigestMethod') ? child : firstDigest(child);
    const value = named && findDigest(named.attribute('Algorithm') ?? '');
    if (child.localName === 'DigestMethod') digest = value;
    else if (child.localName === 'MaskGenerationFunction') maskDigest = value;
    else if (child.localName === 'SaltLength') salt = child.text.trim();
    else if (child.localName !== 'TrailerField' || child.text.trim() !== '1') return undefined;
  }
  if (digest === undefined) return undefined;
  if (maskDigest !== 'as the digest' && maskDigest !== digest) return undefined;
  if (salt !== undefined && !/^[0-9]{1,4}$/.test(salt)) {
    throw signatureInvalid(method, `the salt length is ${salt.slice(0, 20)}, not a number`);
  }
  const saltLengthBytes = salt === undefined ? digestLengths[digest] : Number(salt);
  return { scheme: 'rsa-pss', digest, saltLengthBytes };
}

function firstDigest(element: XmlElement): XmlElement | undefined {
  return element.child(namespaces.dsig, 'DigestMethod');
}
