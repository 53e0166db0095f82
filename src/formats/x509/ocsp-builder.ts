import { der, oids } from '../asn1/index.ts';
import { type OcspCertificateId, type OcspResponseStatus, ocspStatusNumbers } from './ocsp.ts';
import {
  type SignatureAlgorithm,
  serializeDigestAlgorithm,
  serializeSignatureAlgorithm,
} from './signature-algorithm.ts';

function certificateId(id: OcspCertificateId): Uint8Array {
  return der.sequence(
    id.digestDer ?? serializeDigestAlgorithm(id.digest),
    der.octetString(id.issuerNameHash),
    der.octetString(id.issuerKeyHash),
    der.integerFromContent(id.serialNumber),
  );
}

function nonceExtension(tag: number, nonce: Uint8Array | undefined): Uint8Array[] {
  if (nonce === undefined) return [];
  const extension = der.sequence(der.oid(oids.ocspNonce), der.octetString(nonce));
  return [der.explicit(tag, der.sequence(extension))];
}

/**
 * An unsigned OCSPRequest. `nonce` is the content of the extension: DER of an OCTET STRING.
 *
 * @spec RFC 6960 §4.1.1
 */
export function buildOcspRequest(
  ids: readonly OcspCertificateId[],
  nonce?: Uint8Array,
): Uint8Array {
  const list = der.sequence(...ids.map((id) => der.sequence(certificateId(id))));
  return der.sequence(der.sequence(list, ...nonceExtension(2, nonce)));
}

/** Content of a new OCSP response. */
export interface OcspResponseInput {
  /** SHA-1 of the responder's public key bits. */
  readonly responderKeyHash: Uint8Array;
  readonly producedAtMs: number;
  readonly responses: readonly {
    readonly certificateId: OcspCertificateId;
    readonly status: 'good' | 'revoked' | 'unknown';
    /** Required if revoked. */
    readonly revokedAtMs?: number;
    readonly reasonCode?: number;
    readonly thisUpdateMs: number;
    readonly nextUpdateMs?: number;
  }[];
  /** Certificates to include, DER. */
  readonly certificates: readonly Uint8Array[];
  readonly nonce?: Uint8Array;
  readonly algorithm: SignatureAlgorithm;
}

function singleResponse(input: OcspResponseInput['responses'][number]): Uint8Array {
  const status =
    input.status === 'revoked'
      ? der.element(0xa1, [
          wholeSeconds(input.revokedAtMs ?? 0),
          ...(input.reasonCode === undefined
            ? []
            : [der.explicit(0, der.enumerated(input.reasonCode))]),
        ])
      : Uint8Array.of(input.status === 'good' ? 0x80 : 0x82, 0);
  return der.sequence(
    certificateId(input.certificateId),
    status,
    wholeSeconds(input.thisUpdateMs),
    ...(input.nextUpdateMs === undefined
      ? []
      : [der.explicit(0, wholeSeconds(input.nextUpdateMs))]),
  );
}

/** RFC 6960 requires GeneralizedTime without fractions, like RFC 5280 §4.1.2.5.2. */
function wholeSeconds(timeMs: number): Uint8Array {
  return der.generalizedTime(Math.floor(timeMs / 1000) * 1000);
}

/**
 * A successful OCSPResponse, with its ResponseData signed by `sign`.
 *
 * @spec RFC 6960 §4.2.1
 */
export function buildOcspResponse(
  input: OcspResponseInput,
  sign: (tbsDer: Uint8Array) => Uint8Array,
): Uint8Array {
  const tbsDer = der.sequence(
    der.explicit(2, der.octetString(input.responderKeyHash)),
    wholeSeconds(input.producedAtMs),
    der.sequence(...input.responses.map(singleResponse)),
    ...nonceExtension(1, input.nonce),
  );
  const basic = der.sequence(
    tbsDer,
    serializeSignatureAlgorithm(input.algorithm),
    der.bitString(sign(tbsDer)),
    ...(input.certificates.length === 0
      ? []
      : [der.explicit(0, der.sequence(...input.certificates))]),
  );
  return der.sequence(
    der.enumerated(0),
    der.explicit(0, der.sequence(der.oid(oids.ocspBasic), der.octetString(basic))),
  );
}

/** An unsigned OCSPResponse with an error status. @spec RFC 6960 §2.3 */
export function buildOcspFailure(status: Exclude<OcspResponseStatus, 'successful'>): Uint8Array {
  return der.sequence(der.enumerated(ocspStatusNumbers[status]));
}
