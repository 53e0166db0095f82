import { asBuffer } from '../../base/bytes.ts';
import { attempt } from '../../base/errors.ts';
import { getOrCompute } from '../../base/memo.ts';
import {
  contentOf,
  der,
  derOf,
  oids,
  readDer,
  readOid,
  readSequence,
} from '../../formats/asn1/index.ts';
import type { Certificate } from '../../formats/x509/index.ts';

const dsaOid = der.oid(oids.dsaPublicKey);
/** Leading bytes of a SubjectPublicKeyInfo that contain its algorithm. */
const HEAD_BYTES = 24;

/** Certificates with completed keys, by the certificate that supplied the parameters. */
const completed = new WeakMap<Certificate, WeakMap<Certificate, Certificate>>();
const parents = new WeakMap<Certificate, Certificate>();

/** Whether the key of a certificate is a DSA key that inherits parameters from the issuer's key. */
export function lacksParameters({ spkiDer }: Certificate): boolean {
  if (asBuffer(spkiDer).subarray(0, HEAD_BYTES).indexOf(dsaOid) < 0) return false;
  return parametersOf(spkiDer) === undefined;
}

/**
 * Returns the certificate with the DSA parameters of `parent`, whose key must have signed it.
 * Always the same value for the same pair. Undefined if the parent has no parameters.
 *
 * @spec RFC 5280 §6.1.4 (d), (e); RFC 3279 §2.3.2
 */
export function withParametersOf(
  certificate: Certificate,
  parent: Certificate,
): Certificate | undefined {
  const parameters = parametersOf(parent.spkiDer);
  if (parameters === undefined) return undefined;
  const byParent = getOrCompute(completed, certificate, () => new WeakMap());
  let found = byParent.get(parent);
  if (found === undefined) {
    const [, key] = readSequence(readDer(certificate.spkiDer), 'public key');
    if (key === undefined) return undefined;
    const spkiDer = der.sequence(der.sequence(dsaOid, parameters), derOf(key));
    found = { ...certificate, spkiDer };
    byParent.set(parent, found);
    parents.set(found, parent);
  }
  return found;
}

/** The certificate whose parameters a completed one inherited: only it may follow in a path. */
export function parameterSourceOf(certificate: Certificate): Certificate | undefined {
  return parents.get(certificate);
}

/** The parameters of a DSA key; undefined if it has none or is not a DSA key. */
function parametersOf(spkiDer: Uint8Array): Uint8Array | undefined {
  return attempt(() => {
    const [algorithm] = readSequence(readDer(spkiDer), 'public key');
    const [name, parameters] = readSequence(algorithm, 'key algorithm');
    if (readOid(name) !== oids.dsaPublicKey || parameters?.tag !== 0x30) return undefined;
    return contentOf(parameters).length === 0 ? undefined : derOf(parameters);
  });
}
