import { createHash } from 'node:crypto';
import { defined } from '../../../base/defined.ts';
import { InnsigliError } from '../../../base/errors.ts';
import type { PreparedSignature } from '../../../domain/signing/index.ts';
import {
  commonNameOf,
  parseCertificate,
  type SignatureAlgorithm,
} from '../../../formats/x509/index.ts';
import type { CmsSigner, Signer } from '../../../seal/ports.ts';
import { publicKeyOf } from '../../../trust/signature.ts';
import type {
  EidCertificates,
  EidSigning,
  EidSignOrder,
  IdentityProvider,
} from '../../ports/index.ts';
import type { SigneeInProcess, SigningPorts } from '../find-signee.ts';
import { type SignatureSource, signDocument } from '../sign-document.ts';
import { requireDocument } from '../view-document.ts';

/** Space reserved for a CMS with the signer's certificates and a time-stamp. */
const RESERVED_BYTES = 24_576;

/** The request to the provider, and the facts that must be unchanged when its response arrives. */
export interface SignaturePreparation {
  readonly order: EidSignOrder;
  readonly prepared: PreparedSignature;
}

/**
 * Computes the digest that a signee is asked to sign, and everything that determines it: time,
 * space, name and certificate. The document is processed twice, now and after the response, and
 * both results must be identical; only these facts are stored in between.
 *
 * @param found certificates of the person, if the signature needs one
 * @throws authentication.error.idp.start if there is no certificate
 * @throws pdf.*, seal.*, key.* if the document cannot be signed this way
 * @spec ETSI EN 319 142-1 §6.3
 */
export async function prepareSignature(
  ports: SigningPorts,
  place: SigneeInProcess,
  found: EidCertificates | undefined,
): Promise<SignaturePreparation> {
  const { process, signee } = place;
  const { signing } = ports.identity;
  if (signing === undefined) throw noSignature(ports.identity);
  const [certificate] = found?.certificates ?? [];
  if (signing.delivery === 'raw' && certificate === undefined) throw noSignature(ports.identity);
  const named = certificate && commonNameOf(parseCertificate(certificate).subjectDer);
  const facts = {
    ...{ signedAtMs: ports.now(), reservedBytes: RESERVED_BYTES, name: named ?? signee.name },
    ...defined({ ssn: signee.ssn }),
  };
  const ordered = await orderOf(ports, place, signing, found?.certificates ?? [], facts);
  return {
    order: { ...ordered, label: process.fileName, ...defined({ linked: found?.linked }) },
    prepared: {
      ...facts,
      digest: Buffer.from(ordered.digest).toString('hex'),
      seenSha256: process.document?.sha256 ?? '',
      certificates: (found?.certificates ?? []).map((der) => Buffer.from(der).toString('base64')),
    },
  };
}

type Facts = Pick<PreparedSignature, 'signedAtMs' | 'reservedBytes' | 'name' | 'ssn'>;

async function orderOf(
  ports: SigningPorts,
  place: SigneeInProcess,
  signing: EidSigning,
  certificates: readonly Uint8Array[],
  facts: Facts,
): Promise<Omit<EidSignOrder, 'label' | 'linked'>> {
  const digestOf = (bytes: Uint8Array) => createHash(signing.digest).update(bytes).digest();
  const [certificate, ...chain] = certificates;
  const note = createNote();
  if (signing.delivery === 'raw' && certificate !== undefined) {
    const algorithm = signatureAlgorithm(signing, certificate);
    const signer: Signer = { certificate, chain, algorithm, sign: note.take };
    await note.from(() => rehearse(ports, place, facts, { kind: 'key', signer }));
    const signedBytes = note.bytes();
    return { digest: digestOf(signedBytes), signedBytes, certificates };
  }
  if (signing.delivery === 'cms') {
    const estimatedLengthBytes = facts.reservedBytes;
    const signer: CmsSigner = { estimatedLengthBytes, signContent: note.take };
    await note.from(() => rehearse(ports, place, facts, { kind: 'cms', signer }));
    return { digest: digestOf(note.bytes()) };
  }
  const { sha256 } = requireDocument(place.process.document, place.process.key);
  const document = await ports.blobs.get(sha256);
  const digest = digestOf(document);
  return signing.delivery === 'document' ? { digest, document } : { digest };
}

/** Runs the creation of the signature up to the point where its value is needed. */
async function rehearse(
  ports: SigningPorts,
  { process, signee }: SigneeInProcess,
  { signedAtMs, reservedBytes, ...shown }: Facts,
  by: SignatureSource,
): Promise<void> {
  const own = { by, ...shown, fixed: { signedAtMs, reservedBytes } };
  const isTest = ports.identity.isSimulated;
  await signDocument({ process, signee, method: 'eid', own, isTest }, ports);
}

/** Creates a signer that records the bytes to be signed and aborts. */
function createNote() {
  let noted: Uint8Array | undefined;
  return {
    async take(bytes: Uint8Array): Promise<never> {
      noted = bytes;
      throw new InnsigliError('key.sign.failed', 'the signature is created later');
    },
    /** Runs `work` until it reaches the signature. */
    async from(work: () => Promise<unknown>): Promise<void> {
      try {
        await work();
      } catch (error) {
        if (noted === undefined) throw error;
      }
    },
    bytes(): Uint8Array {
      if (noted !== undefined) return noted;
      throw new InnsigliError('key.sign.failed', 'there is nothing to sign');
    },
  };
}

/** The signature algorithm for the key of a certificate at a provider. */
export function signatureAlgorithm(
  { digest, rsaPadding = 'pkcs1' }: EidSigning,
  der: Uint8Array,
): SignatureAlgorithm {
  const { asymmetricKeyType } = publicKeyOf(parseCertificate(der));
  if (asymmetricKeyType === 'ec') return { scheme: 'ecdsa', digest };
  if (rsaPadding === 'pkcs1') return { scheme: 'rsa-pkcs1', digest };
  const saltLengthBytes = createHash(digest).digest().length;
  return { scheme: 'rsa-pss', digest, saltLengthBytes };
}

/** The error for a provider that only identifies persons, or has no certificate for this person. */
export function noSignature({ name }: Pick<IdentityProvider, 'name'>): InnsigliError {
  const message = `${name} has no signature certificate for this person`;
  return new InnsigliError('authentication.error.idp.start', message, {
    hint: 'choose a different signing method, or ask the provider for a certificate',
  });
}
