import { createHash } from 'node:crypto';
import { signToken, type TimestampIssuer } from '../../src/adapters/tsa/index.ts';
import { der, oids } from '../../src/formats/asn1/index.ts';
import { buildSignedData } from '../../src/formats/cms/index.ts';
import {
  buildMessageImprint,
  buildTimestampResponse,
  buildTstInfo,
  parseTimestampRequest,
  type TstInfoInput,
} from '../../src/formats/tsp/index.ts';
import type { TimestampAuthority } from '../../src/seal/ports.ts';
import { signWith, type TestMember, type TestPki } from './pki.ts';

/** Faults of an authority, and the code that each must lead to. */
export const tsaFaults = {
  garbage: 'tsa.response.invalid',
  empty: 'tsa.response.invalid',
  noToken: 'tsa.response.invalid',
  tokenIsGarbage: 'tsa.response.invalid',
  rejection: 'tsa.refused',
  waiting: 'tsa.refused',
  wrongImprint: 'tsa.imprint.mismatch',
  wrongDigest: 'tsa.imprint.mismatch',
  wrongNonce: 'tsa.nonce.mismatch',
  noNonce: 'tsa.nonce.mismatch',
  wrongPolicy: 'tsa.policy.mismatch',
  noCertificate: 'tsa.certificate.invalid',
  wrongKey: 'tsa.signature.invalid',
  changedContent: 'tsa.signature.invalid',
  unboundCertificate: 'tsa.signature.invalid',
  notCritical: 'tsa.certificate.invalid',
  otherPurpose: 'tsa.certificate.invalid',
  severalPurposes: 'tsa.certificate.invalid',
  expired: 'tsa.certificate.expired',
  untrusted: 'tsa.certificate.untrusted',
  late: 'tsa.time.skewed',
  early: 'tsa.time.skewed',
} as const;

/** Name of a fault. */
export type TsaFault = keyof typeof tsaFaults;

/** Policy of the test authorities. */
export const testPolicy = '2.999.1';

/** Issuer data from a member of the test PKI. */
export function issuerOf(pki: TestPki, member: TestMember): TimestampIssuer {
  return {
    certificate: member.certificate,
    chain: member.chain,
    privateKey: member.privateKey,
    now: () => pki.nowMs,
    random: (count) => new Uint8Array(count).fill(7),
    policy: testPolicy,
    digest: 'sha256',
  };
}

/** An authority in this process with exactly one fault; none if no fault is given. */
export function testAuthority(pki: TestPki, fault?: TsaFault): TimestampAuthority {
  return {
    name: fault ?? 'honest',
    timestamp: async (request) => answerWithFault(pki, request, fault),
  };
}

/** The response to a request with one fault in it. */
export function answerWithFault(pki: TestPki, request: Uint8Array, fault?: TsaFault): Uint8Array {
  switch (fault) {
    case 'garbage':
      return Buffer.from('<html>It works!</html>');
    case 'empty':
      return new Uint8Array(0);
    case 'noToken':
      return buildTimestampResponse({ status: 'granted' });
    case 'tokenIsGarbage':
      return buildTimestampResponse({ status: 'granted', token: der.sequence(der.nil()) });
    case 'rejection':
      return buildTimestampResponse({
        status: 'rejection',
        statusText: 'no more today',
        failure: 'systemFailure',
      });
    case 'waiting':
      return buildTimestampResponse({ status: 'waiting' });
    default:
      return buildTimestampResponse({ status: 'granted', token: faultyToken(pki, request, fault) });
  }
}

function faultyToken(pki: TestPki, bytes: Uint8Array, fault: TsaFault | undefined): Uint8Array {
  const request = parseTimestampRequest(bytes);
  const issuer = issuerOf(pki, signerFor(pki, fault));
  const other = createHash('sha256').update('other').digest();
  const imprintDer =
    fault === 'wrongImprint'
      ? buildMessageImprint('sha256', other)
      : fault === 'wrongDigest'
        ? buildMessageImprint('sha512', createHash('sha512').update('other').digest())
        : request.imprintDer;
  const nonce = fault === 'wrongNonce' ? Uint8Array.of(0x55) : request.nonce;
  const shiftMs = fault === 'late' ? -3_600_000 : fault === 'early' ? 3_600_000 : 0;
  const statement: TstInfoInput = {
    policy: fault === 'wrongPolicy' ? '2.999.2' : testPolicy,
    imprintDer,
    serialNumber: Uint8Array.of(1, 2, 3),
    genTimeMs: pki.nowMs + shiftMs,
    accuracySeconds: 1,
    ...(nonce === undefined || fault === 'noNonce' ? {} : { nonce }),
  };
  if (fault === 'unboundCertificate') return unboundToken(pki, buildTstInfo(statement));
  const signer = fault === 'wrongKey' ? { ...issuer, privateKey: otherKey(pki) } : issuer;
  const token = signToken(signer, fault !== 'noCertificate', statement);
  if (fault !== 'changedContent') return token;
  const at = Buffer.from(token).indexOf(Buffer.of(0x02, 0x03, 1, 2, 3));
  if (at < 0) throw new Error('the token has another serial number');
  return token.with(at + 4, 4);
}

function otherKey(pki: TestPki) {
  return pki.member('signer').privateKey;
}

function signerFor(pki: TestPki, fault: TsaFault | undefined): TestMember {
  const extendedKeyUsage: string[] = [oids.timeStamping];
  switch (fault) {
    case 'notCritical':
      return pki.member('tsaNotCritical');
    case 'expired':
      return pki.member('tsaExpired');
    case 'otherPurpose':
      return pki.member('tlsServer');
    case 'severalPurposes':
      return pki.issue({
        name: 'several',
        extensions: {
          extendedKeyUsage: [...extendedKeyUsage, oids.ocspSigning],
          extendedKeyUsageCritical: true,
        },
      });
    case 'untrusted': {
      const issuer = pki.issue({
        name: 'stranger',
        extensions: { basicConstraints: { ca: true } },
      });
      const alone = { ...issuer, certificate: issuer.certificate, chain: [] };
      return pki.issue({
        name: 'tsa of a stranger',
        issuer: { ...alone, privateKey: otherKey(pki) },
        extensions: { extendedKeyUsage, extendedKeyUsageCritical: true },
      });
    }
    default:
      return pki.member('tsa');
  }
}

/** A correctly signed token that binds no certificate in the signed attributes. */
function unboundToken(pki: TestPki, content: Uint8Array): Uint8Array {
  const member = pki.member('tsa');
  const attribute = (type: string, value: Uint8Array) =>
    der.sequence(der.oid(type), der.setOf(value));
  const digest = createHash('sha256').update(content).digest();
  const signedAttributes = der.setOf(
    attribute(oids.contentType, der.oid(oids.tstInfo)),
    attribute(oids.messageDigest, der.octetString(digest)),
  );
  return buildSignedData({
    digest: 'sha256',
    signedAttributes,
    signatureAlgorithm: member.algorithm,
    signature: signWith(member, signedAttributes),
    certificate: member.certificate,
    certificates: member.chain,
    encapsulated: { type: oids.tstInfo, content },
  });
}

/** A valid response by the member, regardless of its key; it signs with this digest. */
export function answerBy(
  pki: TestPki,
  member: TestMember,
  bytes: Uint8Array,
  digest: 'sha1' | 'sha256' = 'sha256',
): Uint8Array {
  const { imprintDer, nonce } = parseTimestampRequest(bytes);
  const token = signToken({ ...issuerOf(pki, member), digest }, true, {
    policy: testPolicy,
    imprintDer,
    serialNumber: Uint8Array.of(1, 2, 3),
    genTimeMs: pki.nowMs,
    accuracySeconds: 1,
    ...(nonce === undefined ? {} : { nonce }),
  });
  return buildTimestampResponse({ status: 'granted', token });
}
