import { createHash } from 'node:crypto';
import { defined } from '../../../base/defined.ts';
import { InnsigliError } from '../../../base/errors.ts';
import type { PreparedSignature } from '../../../domain/signing/index.ts';
import {
  commonNameOf,
  parseCertificate,
  type SignatureAlgorithm,
} from '../../../formats/x509/index.ts';
import type { Signer } from '../../../seal/ports.ts';
import { publicKeyOf } from '../../../trust/signature.ts';
import type {
  EidSignature,
  EidSigning,
  EidSignOrder,
  IdentityProvider,
  IdentityRequest,
} from '../../ports/index.ts';
import type { SigneeInProcess, SigningPorts } from '../find-signee.ts';
import { type OwnSignature, signDocument } from '../sign-document.ts';

/** Space for a CMS with the certificates of its signer and a time-stamp. */
const RESERVED_BYTES = 24_576;

/** What is handed to the provider, and what must be the same when its answer comes. */
export interface SignaturePreparation {
  readonly order: EidSignOrder;
  readonly prepared: PreparedSignature;
}

/**
 * The digest of the signed attributes that a signee is asked to sign, with all that fixes it: time,
 * space, name and certificate. The document is worked on twice, now and when the answer has come,
 * and must come out the same: nothing is kept meanwhile but these facts.
 *
 * @throws authentication.error.idp.start, eid.provider.error when there is no certificate
 * @throws pdf.*, seal.*, key.* when the document cannot be signed so
 * @spec ETSI EN 319 142-1 §6.3
 */
export async function prepareSignature(
  ports: SigningPorts,
  { process, signee }: SigneeInProcess,
  request: IdentityRequest,
): Promise<SignaturePreparation> {
  const { identity, now } = ports;
  const { signing } = identity;
  const found = await identity.findCertificates?.(request);
  const [certificate, ...chain] = found?.certificates ?? [];
  if (signing === undefined || certificate === undefined) throw noSignature(identity);
  const { subjectDer } = parseCertificate(certificate);
  const name = commonNameOf(subjectDer) ?? signee.name;
  const fixed = { signedAtMs: now(), reservedBytes: RESERVED_BYTES };
  const algorithm = algorithmOf(signing, certificate);
  const noted = notingSigner({ certificate, chain, algorithm });
  const shown = { name, ...defined({ ssn: signee.ssn }), fixed };
  const isTest = identity.isSimulated;
  const own = { signer: noted.signer, ...shown };
  const order = { process, signee, method: 'eid', own, isTest } as const;
  const signedBytes = await noted.from(() => signDocument(order, ports));
  const digest = createHash(signing.digest).update(signedBytes).digest();
  const certificates = [certificate, ...chain];
  return {
    order: {
      ...{ digest, signedBytes, certificates, label: process.fileName },
      ...defined({ linked: found?.linked }),
    },
    prepared: {
      ...shown.fixed,
      ...{ name, digest: digest.toString('hex') },
      ...defined({ ssn: signee.ssn }),
      seenSha256: process.document?.sha256 ?? '',
      certificates: certificates.map((der) => Buffer.from(der).toString('base64')),
    },
  };
}

/**
 * The signature of the signee from the answer of the provider. It signs nothing else than what was
 * prepared.
 *
 * @throws authentication.token.invalid when the answer carries another kind of signature
 */
export function deliveredSignature(
  signing: EidSigning,
  signature: EidSignature,
  prepared: PreparedSignature,
): OwnSignature {
  const { signedAtMs, reservedBytes, name, ssn, digest } = prepared;
  const [certificate, ...chain] = prepared.certificates.map((text) => Buffer.from(text, 'base64'));
  if (signature.delivery !== 'raw' || certificate === undefined) {
    throw new InnsigliError('authentication.token.invalid', 'the session has no such signature');
  }
  const { value } = signature;
  const signer: Signer = {
    ...{ certificate, chain, algorithm: algorithmOf(signing, certificate) },
    async sign(data) {
      const found = createHash(signing.digest).update(data).digest('hex');
      if (found === digest) return value;
      const message = 'the document came out differently from what the person has agreed to';
      throw new InnsigliError('process.conflict', message, { hint: 'start the signature again' });
    },
  };
  return { signer, name, ...defined({ ssn }), fixed: { signedAtMs, reservedBytes } };
}

/** Signer that notes what it would sign, and signs nothing. */
function notingSigner(facts: Pick<Signer, 'certificate' | 'chain' | 'algorithm'>) {
  let noted: Uint8Array | undefined;
  const signer: Signer = {
    ...facts,
    async sign(data) {
      noted = data;
      throw new InnsigliError('key.sign.failed', 'the signature is made later');
    },
  };
  return {
    signer,
    /** The bytes that `work` wanted to have signed. */
    async from(work: () => Promise<unknown>): Promise<Uint8Array> {
      try {
        await work();
      } catch (error) {
        if (noted === undefined) throw error;
      }
      if (noted === undefined) throw new InnsigliError('key.sign.failed', 'nothing was signed');
      return noted;
    },
  };
}

function algorithmOf(
  { digest, rsaPadding = 'pkcs1' }: EidSigning,
  der: Uint8Array,
): SignatureAlgorithm {
  const { asymmetricKeyType } = publicKeyOf(parseCertificate(der));
  if (asymmetricKeyType === 'ec') return { scheme: 'ecdsa', digest };
  if (rsaPadding === 'pkcs1') return { scheme: 'rsa-pkcs1', digest };
  const saltLengthBytes = createHash(digest).digest().length;
  return { scheme: 'rsa-pss', digest, saltLengthBytes };
}

/** The error for a provider that identifies persons only, or knows no certificate of this one. */
export function noSignature({ name }: Pick<IdentityProvider, 'name'>): InnsigliError {
  const message = `${name} has no certificate for signatures of this person`;
  return new InnsigliError('authentication.error.idp.start', message, {
    hint: 'choose another way to sign, or ask the provider for a certificate',
  });
}
