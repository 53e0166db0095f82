import { randomBytes } from 'node:crypto';
import type { Signer as SignpdfSigner } from '@signpdf/signpdf';
import { asBuffer, createDigest, equalBytes, hexOf } from '../../base/bytes.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { requireGiven } from '../../base/given.ts';
import { copyBytes, readableOptions } from '../../base/taken.ts';
import { oids } from '../../formats/asn1/index.ts';
import {
  buildAttribute,
  buildSignedAttributes,
  buildSignedData,
  parseSignedData,
  readMessageDigest,
  trimContents,
} from '../../formats/cms/index.ts';
import {
  buildTimestampRequest,
  parseTimestampResponse,
  parseTimestampToken,
} from '../../formats/tsp/index.ts';
import type { CmsSigner, RandomSource, Signer, TimestampAuthority } from '../../seal/ports.ts';
import { parseGivenCertificate } from './key-object.ts';

/** Options of {@link toSignpdfSigner}. */
export interface ToSignpdfOptions {
  /**
   * Adds a signature time-stamp. Imprint and nonce are compared; whether the authority is trusted
   * is decided by the verifier of the file.
   */
  readonly timestampAuthority?: TimestampAuthority;
  /** Random source of the nonce. Default: the generator of the system. */
  readonly random?: RandomSource;
}

/**
 * Adapts a signer to `@signpdf/signpdf`, for CAdES signatures with
 * `/SubFilter /ETSI.CAdES.detached`. As PAdES requires, the signing time is in `/M` of the
 * placeholder, not in the signature.
 *
 * @throws key.unreadable, key.sign.failed and, from the returned signer, the errors of the
 * authority
 */
export async function toSignpdfSigner(
  signer: Signer,
  options: ToSignpdfOptions = {},
): Promise<SignpdfSigner> {
  const { Signer: Base } = await import('@signpdf/signpdf');
  const certificate = parseGivenCertificate(signer.certificate);
  const { digest } = signer.algorithm;
  const adapted = new Base();
  adapted.sign = async (content) => {
    const signedAttributes = buildSignedAttributes({
      contentType: oids.data,
      messageDigest: createDigest(digest).update(content).digest(),
      certificate,
      certificateDigest: digest,
    });
    const signature = await signer.sign(signedAttributes);
    const token = await requestToken(signature, options);
    const cms = buildSignedData({
      digest,
      signedAttributes,
      signatureAlgorithm: signer.algorithm,
      signature,
      certificate,
      certificates: [signer.certificate, ...signer.chain],
      unsignedAttributes:
        token === undefined ? [] : [buildAttribute(oids.signatureTimeStampToken, token)],
    });
    return asBuffer(cms);
  };
  return adapted;
}

async function requestToken(
  signature: Uint8Array,
  { timestampAuthority, random = randomBytes }: ToSignpdfOptions,
): Promise<Uint8Array | undefined> {
  if (timestampAuthority === undefined) return undefined;
  const { name } = timestampAuthority;
  const imprint = createDigest('sha256').update(signature).digest();
  const nonce = new Uint8Array(random(8));
  nonce[0] = ((nonce[0] as number) & 0x3f) | 0x40;
  const request = buildTimestampRequest({ digest: 'sha256', imprint, nonce });
  const { token, status, info } = readAnswer(await timestampAuthority.timestamp(request), name);
  if (token === undefined || info === undefined) {
    throw new InnsigliError('tsa.refused', `${name} answered ${status}`);
  }
  if (info.digest !== 'sha256' || !equalBytes(info.imprint, imprint)) {
    const message = `${name}: expected imprint ${hexOf(imprint)}, found ${hexOf(info.imprint)}`;
    throw new InnsigliError('tsa.imprint.mismatch', message);
  }
  if (info.nonce === undefined || !equalBytes(info.nonce, nonce)) {
    const message = `${name}: the nonce differs from the one sent`;
    throw new InnsigliError('tsa.nonce.mismatch', message);
  }
  return token;
}

function readAnswer(bytes: Uint8Array, name: string) {
  try {
    const { token, status } = parseTimestampResponse(bytes);
    return { token, status, info: token && parseTimestampToken(token).info };
  } catch (cause) {
    if (!isInnsigliError(cause)) throw cause;
    throw new InnsigliError('tsa.response.invalid', `${name}: ${cause.message}`, { cause });
  }
}

/** Options of {@link fromSignpdfSigner}. */
export interface FromSignpdfOptions {
  /** Bytes to reserve for the signature. Default: 8192, as in `@signpdf` itself. */
  readonly estimatedLengthBytes?: number;
  /** Passed on as the signing time; the `@signpdf` signer may ignore it. Default: none. */
  readonly signedAt?: Date;
}

/**
 * Adapts any `@signpdf` signer for sealing. Pass a function if the signer can be used only once, as
 * `P12Signer`: the function is called for each signature.
 *
 * @example
 * const signer = fromSignpdfSigner(() => new P12Signer(file, { passphrase }));
 */
export function fromSignpdfSigner(
  foreign: SignpdfSigner | (() => SignpdfSigner),
  options: FromSignpdfOptions = {},
): CmsSigner {
  const names = { estimatedLengthBytes: 1, signedAt: 1 };
  const known = readableOptions('fromSignpdfSigner', options, names);
  const { estimatedLengthBytes = 8192, signedAt } = known;
  const isTime = signedAt === undefined || signedAt instanceof Date;
  requireGiven('signedAt', 'a Date', signedAt, isTime);
  return {
    estimatedLengthBytes,
    async signContent(content) {
      let cms: Uint8Array;
      try {
        const signer = typeof foreign === 'function' ? foreign() : foreign;
        cms = copyBytes('its CMS', await signer.sign(asBuffer(content), signedAt));
        if (cms.length === 0) throw new Error('its CMS is empty');
      } catch (cause) {
        if (isInnsigliError(cause) && cause.code !== 'usage.invalid') throw cause;
        const why = cause instanceof Error ? cause.message : 'no reason given';
        throw new InnsigliError('key.sign.failed', `the @signpdf signer failed: ${why}`, { cause });
      }
      return requireSignatureOver(cms, content);
    },
  };
}

/** The CMS without padding. It must have exactly one signer, and the digest of the content. */
function requireSignatureOver(cms: Uint8Array, content: Uint8Array): Uint8Array {
  const trimmed = trimContents(cms);
  const { signerInfos } = parseSignedData(trimmed);
  const [signer] = signerInfos;
  if (signer === undefined || signerInfos.length !== 1) {
    const message = `expected one signature from the @signpdf signer, found ${signerInfos.length}`;
    throw new InnsigliError('key.sign.failed', message);
  }
  const stated = readMessageDigest(signer);
  const { digest } = signer;
  if (stated !== undefined && digest !== undefined) {
    if (!equalBytes(stated, createDigest(digest).update(content).digest())) {
      throw new InnsigliError('key.sign.failed', 'the @signpdf signer signed different bytes');
    }
  }
  return trimmed;
}
