import { defined } from '../../../base/defined.ts';
import { codeOf } from '../../../base/errors.ts';
import type { Identity } from '../../../domain/person/index.ts';
import type { Challenge, ShownPrompt } from '../../../domain/signing/index.ts';
import { parseCertificate } from '../../../formats/x509/index.ts';
import type { EidCertificates, IdentityRequest } from '../../ports/index.ts';
import { readSignee, type SigneeRequest, type SigningPorts } from '../find-signee.ts';
import { failSession } from './eid-session.ts';
import { requireOwnCertificate } from './own-certificate.ts';
import { prepareSignature } from './prepare-signature.ts';
import { returnAddress } from './return-address.ts';

/** A session in which the person has provided the certificate. */
type CertifiedSession = Challenge & {
  readonly providerRef: string;
  readonly start: IdentityRequest;
};

/** A second prompt for the person. */
export interface SecondPrompt extends ShownPrompt {
  readonly state: 'waiting';
}

/** Maximum time to prepare a signature and start it at the provider. */
const PREPARED_WITHIN_MS = 60_000;

/**
 * Starts the signature once the person's certificate is known, under the same token. Of several
 * concurrent polls only one does so, so that the person gets one prompt.
 *
 * @returns undefined if a different poll does so, or the session has changed
 * @throws authentication.error.signee.logon.mismatch if the certificate is a different person's
 */
export async function startSignatureStep(
  ports: SigningPorts,
  place: SigneeRequest,
  session: CertifiedSession,
  identity: Identity,
): Promise<SecondPrompt | undefined> {
  const { store } = ports;
  const flight = `prepared ${session.token}`;
  const waitMs = await store.write((unit) => unit.polls.take(flight, PREPARED_WITHIN_MS));
  if (waitMs > 0) return undefined;
  try {
    const kept = await store.read((unit) => unit.challenges.find(session.token));
    return isSame(session, kept)
      ? await startSignature(ports, place, session, identity)
      : undefined;
  } finally {
    await store.write((unit) => unit.polls.release(flight));
  }
}

async function startSignature(
  ports: SigningPorts,
  place: SigneeRequest,
  session: CertifiedSession,
  identity: Identity,
) {
  const provider = ports.identity;
  const certificates = await provider.certificates(session.providerRef);
  await requireOwn(ports, session, certificates, identity);
  const found = await readSignee(ports, place);
  const { order, prepared } = await prepareSignature(ports, found, certificates);
  const back = returnAddress(ports, provider, { kind: 'signing', token: session.token });
  const started = await provider.start({ ...session.start, order, ...back });
  const { ref, verificationCode: code, qrData, autoStartToken, redirectUrl } = started;
  const verificationCode = code === '' ? undefined : code;
  // Stored with the session: the response to this poll may be lost, and there may be other pollers.
  const shown = defined({ verificationCode, qrData, autoStartToken, redirectUrl });
  const { start: _, ...rest } = session;
  const isKept = await ports.store.write(async (unit) => {
    if (!isSame(session, await unit.challenges.find(session.token))) return false;
    await unit.challenges.save({ ...rest, prepared, shown, providerRef: ref });
    return true;
  });
  if (isKept) return { state: 'waiting', ...shown } as const;
  // The result could not be received, so the prompt is cancelled.
  await provider.cancel(ref);
  return undefined;
}

/** False if the session has ended or a different poll has advanced it. */
function isSame({ providerRef }: CertifiedSession, kept: Challenge | undefined): boolean {
  return kept?.state === 'waiting' && kept.providerRef === providerRef;
}

/** Rejects a different person's certificate before anything is signed with it. */
async function requireOwn(
  ports: SigningPorts,
  session: Challenge,
  { certificates: [der] }: EidCertificates,
  identity: Identity,
): Promise<void> {
  if (der === undefined) return;
  try {
    requireOwnCertificate(parseCertificate(der).subjectDer, identity);
  } catch (error) {
    await failSession(ports, session, codeOf(error));
    throw error;
  }
}
