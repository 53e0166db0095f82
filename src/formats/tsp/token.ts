import { InnsigliError } from '../../base/errors.ts';
import {
  childrenOf,
  contentOf,
  type DerNode,
  der,
  derOf,
  oids,
  readBoolean,
  readDer,
  readIntegerBytes,
  readOid,
  readSequence,
  readSmallInteger,
  readTimeMs,
} from '../asn1/index.ts';
import { type SignedData, signedDataOf } from '../cms/index.ts';
import type { DigestAlgorithm } from '../x509/index.ts';
import { asTspError, readMessageImprint, readOptional } from './request.ts';

/** Input of {@link buildTstInfo}. */
export interface TstInfoInput {
  /** Object identifier. */
  readonly policy: string;
  /** MessageImprint, DER, as in the request. */
  readonly imprintDer: Uint8Array;
  /** Big-endian. */
  readonly serialNumber: Uint8Array;
  readonly genTimeMs: number;
  /** Accuracy in whole seconds. */
  readonly accuracySeconds?: number;
  /** Content bytes of the INTEGER, as in the request. */
  readonly nonce?: Uint8Array;
}

/**
 * A TSTInfo, DER.
 *
 *     TSTInfo { 1, policy, messageImprint, serialNumber, genTime, accuracy?, nonce? }
 *
 * @spec RFC 3161 §2.4.2
 */
export function buildTstInfo(input: TstInfoInput): Uint8Array {
  const fields = [
    der.smallInteger(1),
    der.oid(input.policy),
    input.imprintDer,
    der.unsignedInteger(input.serialNumber),
    der.generalizedTime(input.genTimeMs),
  ];
  if (input.accuracySeconds !== undefined) {
    fields.push(der.sequence(der.smallInteger(input.accuracySeconds)));
  }
  if (input.nonce !== undefined) fields.push(der.integerFromContent(input.nonce));
  return der.element(0x30, fields);
}

/** The contents of a time-stamp token. All byte fields are views. */
export interface TstInfo {
  /** Object identifier. */
  readonly policy: string;
  /** Undefined if the algorithm is unknown. */
  readonly digest: DigestAlgorithm | undefined;
  /** Dotted decimal form. */
  readonly digestOid: string;
  readonly imprint: Uint8Array;
  /** Content bytes of the INTEGER. */
  readonly serialNumber: Uint8Array;
  readonly genTimeMs: number;
  /** Maximum deviation of the actual time from {@link genTimeMs}. */
  readonly accuracyMs: number | undefined;
  readonly ordering: boolean;
  /** Content bytes of the INTEGER. */
  readonly nonce: Uint8Array | undefined;
  /** GeneralName of the authority, DER; informative only. */
  readonly tsa: Uint8Array | undefined;
  /** Critical extensions, none of which is supported. */
  readonly criticalExtensions: readonly string[];
}

/** A parsed token: its signature and its TSTInfo. */
export interface TimestampToken {
  readonly signedData: SignedData;
  readonly info: TstInfo;
  readonly tstInfoDer: Uint8Array;
}

/**
 * Parses a time-stamp token, without verification.
 *
 * @throws tsp.invalid if it is not a SignedData over a TSTInfo
 * @spec RFC 3161 §2.4.2
 */
export function parseTimestampToken(bytes: Uint8Array): TimestampToken {
  return asTspError('time-stamp token', () => {
    const signedData = signedDataOf(bytes);
    const { contentType, content } = signedData;
    if (contentType !== oids.tstInfo || content === undefined) {
      throw new InnsigliError('tsp.invalid', `expected content TSTInfo, found ${contentType}`);
    }
    return { signedData, info: parseTstInfo(content), tstInfoDer: content };
  });
}

function parseTstInfo(tstInfo: Uint8Array): TstInfo {
  const fields = readSequence(readDer(tstInfo), 'TSTInfo');
  const [version, policy, imprint, serial, time, ...rest] = fields;
  const number = readSmallInteger(version, 'version');
  if (number !== 1)
    throw new InnsigliError('tsp.invalid', `expected TSTInfo version 1, found ${number}`);
  if (time?.tag !== 0x18)
    throw new InnsigliError('tsp.invalid', 'genTime is not a GeneralizedTime');
  const [accuracy, ordering, nonce, tsa, extensions] = readOptional(
    rest,
    [0x30, 0x01, 0x02, 0xa0, 0xa1],
  );
  const { digest, digestOid, imprint: hashed } = readMessageImprint(imprint);
  const [name] = tsa === undefined ? [] : [readDer(contentOf(tsa))];
  return {
    policy: readOid(policy, 'policy'),
    digest,
    digestOid,
    imprint: hashed,
    serialNumber: readIntegerBytes(serial, 'serial number'),
    genTimeMs: readTimeMs(time, 'genTime'),
    accuracyMs: accuracy && readAccuracyMs(accuracy),
    ordering: ordering === undefined ? false : readBoolean(ordering, 'ordering'),
    nonce: nonce && readIntegerBytes(nonce, 'nonce'),
    tsa: name && derOf(name),
    criticalExtensions: extensions === undefined ? [] : readCritical(extensions),
  };
}

function readCritical(extensions: DerNode): readonly string[] {
  return childrenOf(extensions).flatMap((extension) => {
    const [name, critical] = readSequence(extension, 'extension');
    return critical?.tag === 0x01 && readBoolean(critical) ? [readOid(name)] : [];
  });
}

/** Accuracy { seconds?, [0] millis?, [1] micros? } */
function readAccuracyMs(node: DerNode): number {
  const [seconds, millis, micros] = readOptional(
    readSequence(node, 'accuracy'),
    [0x02, 0x80, 0x81],
  );
  return (
    (seconds === undefined ? 0 : readSmallInteger(seconds, 'seconds')) * 1000 +
    smallUnsigned(millis) +
    smallUnsigned(micros) / 1000
  );
}

/** Millis and micros are 1 to 999: two bytes. */
function smallUnsigned(node: DerNode | undefined): number {
  let value = 0;
  for (const byte of node === undefined ? [] : contentOf(node).subarray(-2)) {
    value = value * 256 + byte;
  }
  return value;
}
