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

/** A session whose person has given their certificate. */
type CertifiedSession = Challenge & {
  readonly providerRef: string;
  readonly start: IdentityRequest;
};

/** The person has to answer once more. */
export interface StartedAgain extends ShownPrompt {
  readonly state: 'waiting';
}

/** Time within which a signature is prepared and started at its provider. */
const PREPARED_WITHIN_MS = 60_000;

/**
 * Behind the certificate of the person: starts the signature, under the same token. Of several
 * polls at the same time one does, and the person is asked once.
 *
 * @returns undefined when another poll does it, or the session is not the same any more
 * @throws authentication.error.signee.logon.mismatch for the certificate of somebody else
 */
export async function goOnToSign(
  ports: SigningPorts,
  place: SigneeRequest,
  session: CertifiedSession,
  identity: Identity,
): Promise<StartedAgain | undefined> {
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
  // Kept with the session: the answer to this poll may be lost, and others poll too.
  const shown = defined({ verificationCode, qrData, autoStartToken, redirectUrl });
  const { start: _, ...rest } = session;
  const isKept = await ports.store.write(async (unit) => {
    if (!isSame(session, await unit.challenges.find(session.token))) return false;
    await unit.challenges.save({ ...rest, prepared, shown, providerRef: ref });
    return true;
  });
  if (isKept) return { state: 'waiting', ...shown } as const;
  // Nobody would hear of the answer: the person is not asked.
  await provider.cancel(ref);
  return undefined;
}

/** False when the session has ended, or another poll has gone on with it. */
function isSame({ providerRef }: CertifiedSession, kept: Challenge | undefined): boolean {
  return kept?.state === 'waiting' && kept.providerRef === providerRef;
}

/** Refuses the certificate of another person before anything is signed with it. */
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
