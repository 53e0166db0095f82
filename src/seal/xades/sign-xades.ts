import { concatBytes } from '../../base/bytes.ts';
import type { Certificate, DigestAlgorithm } from '../../formats/x509/index.ts';
import {
  canonicalUris,
  digestUri,
  namespaces,
  referenceTypes,
  signatureUri,
} from '../../formats/xmldsig/index.ts';
import { digestOf } from '../../trust/signature.ts';
import type { Signer } from '../ports.ts';
import { strongDigest } from '../signing.ts';
import { type DataObject, digestObject } from './data-objects.ts';
import type { SignatureIds } from './signature-ids.ts';
import { keyInfoText, referenceDigest, requireReliableDigest, signBytes } from './signature-key.ts';
import { signedPropertiesText, type XadesClaims } from './signed-properties.ts';
import { openElement, writeBase64, writeElement } from './write-element.ts';

/** Input of {@link signXades}. */
export interface SignXadesInput {
  readonly ids: SignatureIds;
  /** At least one. */
  readonly objects: readonly DataObject[];
  readonly claims: XadesClaims;
  readonly signedAtMs: number;
  readonly signer: Signer;
  readonly certificate: Certificate;
}

/** A new signature, and its inputs. */
export interface SignedXades {
  /** ds:Signature, UTF-8. */
  readonly bytes: Uint8Array;
  /** The canonical ds:SignedInfo that the key signed. */
  readonly signedBytes: Uint8Array;
  /** ECDSA as r and s. */
  readonly value: Uint8Array;
}

/**
 * Creates a ds:Signature at level B-B. It declares every prefix that it uses, so that its text is
 * the same at any position. Its signed parts (SignedInfo, SignedProperties) are written in
 * exclusive canonical form, including namespace declarations, so their canonical bytes equal their
 * text.
 *
 * @throws key.sign.failed, algorithm.unsupported
 * @spec ETSI EN 319 132-1 §6.3, Exclusive XML Canonicalization 1.0 §3
 */
export async function signXades(input: SignXadesInput): Promise<SignedXades> {
  const { ids, objects, claims, signedAtMs, signer, certificate } = input;
  requireReliableDigest(signer);
  const digest = referenceDigest(signer);
  const properties = signedPropertiesText(ids, {
    ...claims,
    signedAtMs,
    certificate,
    digest: strongDigest(digest),
    mimeTypes: objects.map(({ mimeType }) => mimeType),
  });
  const signedInfo = signedInfoText(input, digestOf(digest, Buffer.from(properties)));
  const signedBytes = Buffer.from(signedInfo);
  const value = await signBytes(signer, certificate, signedBytes);
  const qualifying = writeElement(
    'xades:QualifyingProperties',
    { 'xmlns:xades': namespaces.xades132, Target: `#${ids.signature}` },
    properties,
  );
  const head =
    openElement('ds:Signature', { 'xmlns:ds': namespaces.dsig, Id: ids.signature }) +
    signedInfo +
    writeElement('ds:SignatureValue', { Id: ids.value }, writeBase64(value)) +
    keyInfoText(signer) +
    writeElement('ds:Object', {}, qualifying);
  const bytes = concatBytes([
    Buffer.from(head),
    ...objects.flatMap(({ object = [] }) => object),
    Buffer.from('</ds:Signature>'),
  ]);
  return { bytes, signedBytes, value };
}

function signedInfoText(
  { ids, objects, signer }: SignXadesInput,
  propertiesDigest: Uint8Array,
): string {
  const { algorithm } = signer;
  const digest = referenceDigest(signer);
  const references = objects.map((object, index) => {
    const attributes = { Id: ids.reference(index), Type: object.type, URI: object.uri };
    return referenceText(attributes, object.transforms, digest, digestObject(object, digest));
  });
  const properties = referenceText(
    { Type: referenceTypes.signedProperties, URI: `#${ids.properties}` },
    writeElement('ds:Transform', { Algorithm: canonicalUris.exclusive }),
    digest,
    propertiesDigest,
  );
  return writeElement(
    'ds:SignedInfo',
    { 'xmlns:ds': namespaces.dsig },
    writeElement('ds:CanonicalizationMethod', { Algorithm: canonicalUris.exclusive }),
    writeElement('ds:SignatureMethod', { Algorithm: signatureUri(algorithm) }),
    ...references,
    properties,
  );
}

function referenceText(
  attributes: { Id?: string; Type?: string | undefined; URI: string },
  transforms: string,
  digest: DigestAlgorithm,
  value: Uint8Array,
): string {
  return writeElement(
    'ds:Reference',
    attributes,
    transforms === '' ? '' : writeElement('ds:Transforms', {}, transforms),
    writeElement('ds:DigestMethod', { Algorithm: digestUri(digest) }),
    writeElement('ds:DigestValue', {}, writeBase64(value)),
  );
}
