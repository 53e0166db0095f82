import { readable } from '../../base/errors.ts';
import { der, oids } from '../../formats/asn1/index.ts';
import type { XmlElement } from '../../formats/xml/index.ts';
import { namespaces, readBase64 } from '../../formats/xmldsig/index.ts';
import type { KeyHolder } from '../../trust/signature.ts';

const { dsig, dsig11 } = namespaces;
const oidUri = /^urn:oid:([0-2](?:\.[0-9]{1,10}){1,16})$/;

/**
 * The public key of a ds:KeyValue (RSA, DSA, named curve) or dsig11:DEREncodedKeyValue; undefined
 * when it is of another kind or malformed. Its owner is not known.
 *
 * @spec XML-Signature Syntax and Processing 1.1 §4.5.2, §4.5.2.1, §4.5.6
 */
export function readKeyValue(element: XmlElement): KeyHolder | undefined {
  return readable(() => {
    if (element.is(dsig11, 'DEREncodedKeyValue')) return { spkiDer: readBase64(element) };
    const rsa = element.child(dsig, 'RSAKeyValue');
    if (rsa !== undefined) return readRsa(rsa);
    const dsa = element.child(dsig, 'DSAKeyValue');
    if (dsa !== undefined) return readDsa(dsa);
    const curve = element.child(dsig11, 'ECKeyValue');
    return curve && readCurvePoint(curve);
  });
}

function readRsa(element: XmlElement): KeyHolder | undefined {
  const modulus = element.child(dsig, 'Modulus');
  const exponent = element.child(dsig, 'Exponent');
  if (modulus === undefined || exponent === undefined) return undefined;
  const numbers = [modulus, exponent].map((each) => der.unsignedInteger(readBase64(each)));
  const algorithm = der.sequence(der.oid(oids.rsaEncryption), der.nil());
  return { spkiDer: der.sequence(algorithm, der.bitString(der.sequence(...numbers))) };
}

/** Without P, Q and G the key is one of a domain that is not named here. */
function readDsa(element: XmlElement): KeyHolder | undefined {
  const numbers = ['P', 'Q', 'G', 'Y'].flatMap((name) => element.child(dsig, name) ?? []);
  const [p, q, g, y] = numbers.map((each) => der.unsignedInteger(readBase64(each)));
  if (p === undefined || q === undefined || g === undefined || y === undefined) return undefined;
  const algorithm = der.sequence(der.oid(oids.dsaPublicKey), der.sequence(p, q, g));
  return { spkiDer: der.sequence(algorithm, der.bitString(y)) };
}

function readCurvePoint(element: XmlElement): KeyHolder | undefined {
  const curve = oidUri.exec(element.child(dsig11, 'NamedCurve')?.attribute('URI') ?? '')?.[1];
  const point = element.child(dsig11, 'PublicKey');
  if (curve === undefined || point === undefined) return undefined;
  const algorithm = der.sequence(der.oid(oids.ecPublicKey), der.oid(curve));
  return { spkiDer: der.sequence(algorithm, der.bitString(readBase64(point))) };
}
