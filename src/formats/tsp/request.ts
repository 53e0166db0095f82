import { attempt, InnsigliError, isInnsigliError } from '../../base/errors.ts';
import {
  type DerNode,
  der,
  derOf,
  readBoolean,
  readBytes,
  readDer,
  readIntegerBytes,
  readOid,
  readSequence,
  readSmallInteger,
} from '../asn1/index.ts';
import {
  type DigestAlgorithm,
  parseDigestAlgorithm,
  serializeDigestAlgorithm,
} from '../x509/index.ts';

/** Input of a time-stamp request. */
export interface TimestampRequestInput {
  readonly digest: DigestAlgorithm;
  /** Digest of the data. */
  readonly imprint: Uint8Array;
  /** A number that the response must repeat, big-endian; eight bytes are usual. */
  readonly nonce?: Uint8Array;
  /** Object identifier. */
  readonly policy?: string;
  /** Whether the token should contain certificates. Default: true. */
  readonly certReq?: boolean;
}

/** MessageImprint, DER. @spec RFC 3161 §2.4.1 */
export function buildMessageImprint(digest: DigestAlgorithm, imprint: Uint8Array): Uint8Array {
  return der.sequence(serializeDigestAlgorithm(digest), der.octetString(imprint));
}

/**
 * A TimeStampReq, DER.
 *
 * @spec RFC 3161 §2.4.1
 */
export function buildTimestampRequest(input: TimestampRequestInput): Uint8Array {
  const fields = [der.smallInteger(1), buildMessageImprint(input.digest, input.imprint)];
  if (input.policy !== undefined) fields.push(der.oid(input.policy));
  if (input.nonce !== undefined) fields.push(der.unsignedInteger(input.nonce));
  if (input.certReq ?? true) fields.push(der.boolean(true));
  return der.element(0x30, fields);
}

/** A parsed TimeStampReq. All byte fields are views. */
export interface TimestampRequest {
  readonly version: number;
  /** Undefined if the algorithm is unknown. */
  readonly digest: DigestAlgorithm | undefined;
  readonly imprint: Uint8Array;
  /** The whole MessageImprint: the response repeats it byte for byte. */
  readonly imprintDer: Uint8Array;
  readonly policy: string | undefined;
  /** Content bytes of the INTEGER. */
  readonly nonce: Uint8Array | undefined;
  readonly certReq: boolean;
  /** Whether the request has extensions. */
  readonly extended: boolean;
}

/**
 * Parses a TimeStampReq.
 *
 * @throws tsp.invalid if it is something else
 * @spec RFC 3161 §2.4.1
 */
export function parseTimestampRequest(bytes: Uint8Array): TimestampRequest {
  return asTspError('TimeStampReq', () => {
    const [version, imprintNode, ...rest] = readSequence(readDer(bytes), 'TimeStampReq');
    const [policy, nonce, certReq, extensions] = readOptional(rest, [0x06, 0x02, 0x01, 0xa0]);
    return {
      version: readSmallInteger(version, 'version'),
      ...readMessageImprint(imprintNode),
      policy: policy && readOid(policy, 'policy'),
      nonce: nonce && readIntegerBytes(nonce, 'nonce'),
      certReq: certReq === undefined ? false : readBoolean(certReq, 'certReq'),
      extended: extensions !== undefined,
    };
  });
}

/** The parts of a MessageImprint. @throws asn1.invalid */
export function readMessageImprint(
  node: DerNode | undefined,
): Pick<TimestampRequest, 'digest' | 'imprint' | 'imprintDer'> & { readonly digestOid: string } {
  const [algorithm, imprint] = readSequence(node, 'message imprint');
  const digestOid = readOid(readSequence(algorithm, 'digest algorithm')[0], 'digest algorithm');
  return {
    digest: attempt(() => parseDigestAlgorithm(algorithm)),
    digestOid,
    imprint: readBytes(imprint, 'imprint'),
    imprintDer: derOf(node as DerNode),
  };
}

/** The optional fields of a SEQUENCE by tag, in order. @throws tsp.invalid for other fields */
export function readOptional(
  nodes: readonly DerNode[],
  tags: readonly number[],
): (DerNode | undefined)[] {
  let next = 0;
  const found = tags.map((tag) => (nodes[next]?.tag === tag ? nodes[next++] : undefined));
  if (next === nodes.length) return found;
  const tag = nodes[next]?.tag.toString(16).padStart(2, '0');
  throw new InnsigliError('tsp.invalid', `unexpected field with tag 0x${tag}`);
}

/** Runs `read` and turns ASN.1 errors into time-stamping errors. */
export function asTspError<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!isInnsigliError(error)) throw error;
    throw new InnsigliError('tsp.invalid', `not a ${what}: ${error.message}`, { cause: error });
  }
}
