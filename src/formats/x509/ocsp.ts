import { createHash } from 'node:crypto';
import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import {
  contentOf,
  type DerNode,
  derOf,
  oids,
  readBitOctets,
  readBytes,
  readDer,
  readIntegerBytes,
  readOid,
  readSequence,
  readTimeMs,
  requireTag,
} from '../asn1/index.ts';
import type { Certificate } from './certificate.ts';
import { revocationReasons } from './crl-entries.ts';
import { readExtension } from './extensions.ts';
import { parsing } from './malformed.ts';
import { type DigestAlgorithm, parseDigestAlgorithm } from './signature-algorithm.ts';

/** CertID of a certificate: its serial number and hashes of its issuer. */
export interface OcspCertificateId {
  readonly digest: DigestAlgorithm;
  /** Digest identifier as encoded in the request, DER: a response repeats it. */
  readonly digestDer?: Uint8Array;
  /** Digest of the issuer's name, DER. */
  readonly issuerNameHash: Uint8Array;
  /** Digest of the issuer's public key bits. */
  readonly issuerKeyHash: Uint8Array;
  /** Content bytes. */
  readonly serialNumber: Uint8Array;
}

/**
 * The CertID of a certificate of `issuer`, with SHA-1, which every responder and client supports.
 *
 * @spec RFC 6960 §4.1.1
 */
export function ocspCertificateId(
  certificate: Certificate,
  issuer: Certificate,
): OcspCertificateId {
  const digest = (bytes: Uint8Array) => createHash('sha1').update(bytes).digest();
  return {
    digest: 'sha1',
    issuerNameHash: digest(issuer.subjectDer),
    issuerKeyHash: digest(issuer.publicKeyBits),
    serialNumber: certificate.serialNumber,
  };
}

/** The status of one certificate. */
export interface OcspSingleResponse {
  readonly certificateId: OcspCertificateId;
  readonly status: 'good' | 'revoked' | 'unknown';
  readonly revokedAtMs?: number;
  /** One of the `revocationReasons`. */
  readonly reason?: string;
  readonly thisUpdateMs: number;
  readonly nextUpdateMs?: number;
  /** The response covers certificates that expired at this time or later. @spec RFC 6960 §4.4.4 */
  readonly archiveCutoffMs?: number;
  /** Digest of the certificate in the responder's records. @spec Common PKI, CertHash */
  readonly certificateHash?: { readonly digest: DigestAlgorithm; readonly value: Uint8Array };
  /** Unsupported critical extensions. */
  readonly unknownCritical: readonly string[];
}

/** The signed part of an OCSP response. */
export interface OcspBasicResponse {
  /** ResponseData, the signed part. */
  readonly tbsDer: Uint8Array;
  /** BasicOCSPResponse, DER. */
  readonly der: Uint8Array;
  /** Name of the responder, DER, if it identifies itself by name. */
  readonly responderName?: Uint8Array;
  /** SHA-1 of the responder's public key bits, if it identifies itself by key. */
  readonly responderKeyHash?: Uint8Array;
  readonly producedAtMs: number;
  readonly responses: readonly OcspSingleResponse[];
  /** Included certificates, DER. */
  readonly certificates: readonly Uint8Array[];
  readonly signatureAlgorithm: DerNode;
  readonly signature: Uint8Array;
  readonly nonce?: Uint8Array;
  /** Unsupported critical extensions. */
  readonly unknownCritical: readonly string[];
}

/** OCSPResponseStatus numbers. @spec RFC 6960 §4.2.1 */
export const ocspStatusNumbers = {
  successful: 0,
  malformedRequest: 1,
  internalError: 2,
  tryLater: 3,
  sigRequired: 5,
  unauthorized: 6,
} as const;

/** The status of an OCSPResponse. */
export type OcspResponseStatus = keyof typeof ocspStatusNumbers;

const statuses = Object.keys(ocspStatusNumbers) as OcspResponseStatus[];

/** A parsed OCSPResponse. */
export interface OcspResponse {
  readonly status: OcspResponseStatus;
  /** Present if the status is successful. */
  readonly basic?: OcspBasicResponse;
}

/**
 * Parses an OCSP response.
 *
 * @throws x509.invalid if the bytes are not one well-formed OCSPResponse with a basic response
 * @throws algorithm.unsupported if a CertID uses an unknown digest
 * @spec RFC 6960 §4.2.1
 */
export function parseOcspResponse(bytes: Uint8Array): OcspResponse {
  return parsing('an OCSP response', () => {
    const [statusNode, wrapped] = readSequence(readDer(bytes), 'OCSP response');
    const code = contentOf(requireTag(statusNode, 0x0a, 'response status'))[0] ?? -1;
    const status = statuses.find((name) => ocspStatusNumbers[name] === code);
    if (status === undefined) throw invalid(`unknown status ${code}`);
    if (status !== 'successful') return { status };
    const [type, response] = readSequence(
      readDer(contentOf(requireTag(wrapped, 0xa0, 'response bytes'))),
      'response bytes',
    );
    const name = readOid(type, 'response type');
    if (name !== oids.ocspBasic) throw invalid(`unknown type ${name}`);
    return { status, basic: parseBasic(readBytes(response, 'response')) };
  });
}

function invalid(message: string): InnsigliError {
  return new InnsigliError('x509.invalid', `not an OCSP message: ${message}`);
}

function parseBasic(bytes: Uint8Array): OcspBasicResponse {
  const [tbs, signatureAlgorithm, signature, wrapped] = readSequence(readDer(bytes), 'response');
  const fields = readSequence(tbs, 'response data');
  const version = fields[0]?.tag === 0xa0 ? 1 : 0;
  const [responder, producedAt, list, extensions] = fields.slice(version);
  const responses = readSequence(list, 'responses');
  if (responses.length > limits.certificates) throw invalid('too many responses');
  readSequence(signatureAlgorithm, 'signature algorithm');
  const certificates =
    wrapped === undefined
      ? []
      : readSequence(readDer(contentOf(requireTag(wrapped, 0xa0, 'certificates'))), 'certificates');
  const { nonce, unknownCritical } = parseOcspExtensions(extensions, 0xa1);
  return {
    der: bytes,
    tbsDer: derOf(tbs as DerNode),
    ...parseResponderId(responder),
    producedAtMs: readTimeMs(producedAt, 'producedAt'),
    responses: responses.map(parseSingle),
    certificates: certificates.map(derOf),
    signatureAlgorithm: signatureAlgorithm as DerNode,
    signature: readBitOctets(signature, 'signature'),
    ...defined({ nonce }),
    unknownCritical,
  };
}

function parseResponderId(node: DerNode | undefined) {
  if (node?.tag === 0xa1) return { responderName: contentOf(node) };
  const inner = readDer(contentOf(requireTag(node, 0xa2, 'responder')));
  return { responderKeyHash: readBytes(inner, 'responder key hash') };
}

function parseSingle(node: DerNode): OcspSingleResponse {
  const [id, status, thisUpdate, ...rest] = readSequence(node, 'single response');
  const nextUpdate = rest[0]?.tag === 0xa0 ? readDer(contentOf(rest[0])) : undefined;
  const extensions = rest.find((field) => field.tag === 0xa1);
  return {
    certificateId: parseOcspCertificateId(id),
    ...parseStatus(status),
    thisUpdateMs: readTimeMs(thisUpdate, 'thisUpdate'),
    ...defined({
      nextUpdateMs: nextUpdate === undefined ? undefined : readTimeMs(nextUpdate, 'nextUpdate'),
    }),
    ...singleExtensions(parseOcspExtensions(extensions, 0xa1)),
  };
}

function singleExtensions({ archiveCutoff, certHash, unknownCritical }: OcspExtensions) {
  const [digest, value] = certHash === undefined ? [] : readSequence(readDer(certHash), 'CertHash');
  return {
    ...defined({
      archiveCutoffMs: archiveCutoff && readTimeMs(readDer(archiveCutoff), 'archive cutoff'),
      certificateHash: value && {
        digest: parseDigestAlgorithm(digest),
        value: readBytes(value, 'CertHash'),
      },
    }),
    unknownCritical,
  };
}

/** `[0] good`, `[1] revoked { time, [0] reason }` or `[2] unknown`, all IMPLICIT. */
function parseStatus(node: DerNode | undefined) {
  if (node?.tag === 0x80) return { status: 'good' as const };
  if (node?.tag === 0x82) return { status: 'unknown' as const };
  const revoked = requireTag(node, 0xa1, 'certificate status');
  const [time, reason] = readSequence({ ...revoked, tag: 0x30 }, 'revocation');
  const code = reason === undefined ? undefined : contentOf(readDer(contentOf(reason)))[0];
  return {
    status: 'revoked' as const,
    revokedAtMs: readTimeMs(time, 'revocation time'),
    ...(code === undefined ? {} : { reason: revocationReasons[code] ?? `reason ${code}` }),
  };
}

/** Values of the supported extensions, DER. */
interface OcspExtensions {
  readonly nonce?: Uint8Array;
  readonly archiveCutoff?: Uint8Array;
  readonly certHash?: Uint8Array;
  readonly unknownCritical: readonly string[];
}

function parseOcspExtensions(node: DerNode | undefined, tag: number): OcspExtensions {
  const found = new Map<string, Uint8Array>();
  const unknownCritical: string[] = [];
  const list =
    node === undefined
      ? []
      : readSequence(readDer(contentOf(requireTag(node, tag, 'extensions'))), 'extensions');
  for (const extension of list) {
    const { name, isCritical, content } = readExtension(extension);
    const value = content();
    if (understood.has(name)) found.set(name, value);
    else if (isCritical) unknownCritical.push(name);
  }
  return {
    ...defined({
      nonce: found.get(oids.ocspNonce),
      archiveCutoff: found.get(oids.ocspArchiveCutoff),
      certHash: found.get(oids.certHash),
    }),
    unknownCritical,
  };
}

const understood = new Set<string>([oids.ocspNonce, oids.ocspArchiveCutoff, oids.certHash]);

/** Parses a CertID. @throws asn1.invalid, algorithm.unsupported */
function parseOcspCertificateId(node: DerNode | undefined): OcspCertificateId {
  const [digest, nameHash, keyHash, serial] = readSequence(node, 'certificate identifier');
  return {
    digest: parseDigestAlgorithm(digest),
    issuerNameHash: readBytes(nameHash, 'issuer name hash'),
    issuerKeyHash: readBytes(keyHash, 'issuer key hash'),
    serialNumber: readIntegerBytes(serial, 'serial number'),
  };
}

/** A parsed OCSPRequest. */
export interface OcspRequest {
  readonly certificateIds: readonly OcspCertificateId[];
  /** Content of the nonce extension, to be repeated unchanged. */
  readonly nonce?: Uint8Array;
}

/**
 * Parses an OCSP request; its signature, if any, is ignored.
 *
 * @throws x509.invalid if the bytes are not one well-formed OCSPRequest
 * @throws algorithm.unsupported if a CertID uses an unknown digest
 * @spec RFC 6960 §4.1.1
 */
export function parseOcspRequest(bytes: Uint8Array): OcspRequest {
  return parsing('an OCSP request', () => {
    const [tbs] = readSequence(readDer(bytes), 'OCSP request');
    const fields = readSequence(tbs, 'TBSRequest');
    const list = readSequence(
      fields.find((field) => field.tag === 0x30),
      'request list',
    );
    if (list.length === 0 || list.length > limits.certificates) {
      throw invalid(`the request asks about ${list.length} certificates`);
    }
    const extensions = fields.find((field) => field.tag === 0xa2);
    const { nonce } = parseOcspExtensions(extensions, 0xa2);
    return {
      certificateIds: list.map((request) => {
        const [id] = readSequence(request, 'request');
        const [digest] = readSequence(id, 'certificate identifier');
        return {
          ...parseOcspCertificateId(id),
          ...defined({ digestDer: digest && derOf(digest) }),
        };
      }),
      ...defined({ nonce }),
    };
  });
}
