import { requireUsableSigner } from '../app/documents/check-signer.ts';
import type { ArchivePorts, SealPorts } from '../app/documents/seal-ports.ts';
import { defined } from '../base/defined.ts';
import { isInnsigliError } from '../base/errors.ts';
import { reachesLevel, type SealLevel } from '../base/level.ts';
import { describeName } from '../formats/x509/index.ts';
import { internCertificate } from '../trust/certificates.ts';
import type { VerificationReport } from '../verify/report.ts';
import type { ResolvedConfig } from './config/config.ts';
import type { DevelopmentAccess } from './development.ts';
import { loadFonts } from './fonts.ts';
import { anchorsOf, worksWithTestKeys } from './parties/anchors.ts';
import type { OpenedParties } from './parties/opened-parties.ts';
import { silentCertificate } from './parties/silent-certificate.ts';
import type { SealXmlOptions, ToolkitIo } from './toolkit.types.ts';

/** What every use case of a toolkit stands on. */
export interface ToolkitContext {
  readonly config: ResolvedConfig;
  readonly io: ToolkitIo;
  readonly development: DevelopmentAccess;
  readonly parties: OpenedParties;
}

/** The ports of one seal, and what is to be told of it afterwards. */
export interface OpenedSeal {
  readonly level: SealLevel;
  readonly ports: SealPorts;
  /** Subject of the signing certificate. */
  readonly signerName: string;
  /** As {@link SealedParts} has it. */
  readonly silentCertificate?: string;
  /** Requests to time-stamp authorities since this was opened. */
  requests(): number;
}

/** Opens key, anchors and what the level needs. @throws key.*, config.* */
export async function openSeal(
  { config, io, development, parties }: ToolkitContext,
  { level = config.level, digest = config.digest, scheme }: SealXmlOptions,
): Promise<OpenedSeal> {
  const wishes = { digest, ...defined({ scheme }) };
  const signer = await parties.signer(wishes);
  const embedded = level !== 'B-B' && config.tsa.length === 0;
  if (embedded) await development.use();
  const isAtWork = worksWithTestKeys(config, level);
  const configured = await parties.anchors();
  const anchors = await anchorsOf(configured, development, signer.chain, isAtWork);
  const counted = level === 'B-B' ? undefined : await parties.authority(anchors);
  // The development trust answers for its own certificates, and from B-LT on all is there.
  const isOpen = config.key.kind !== 'development' && !reachesLevel(level, 'B-LT');
  const silent =
    isOpen && config.validationData.length === 0
      ? silentCertificate(signer, anchors, io.now())
      : undefined;
  return {
    ...defined({ silentCertificate: silent }),
    level,
    ports: {
      signer,
      anchors,
      now: io.now,
      random: io.random,
      fonts: loadFonts,
      ...defined({ authority: counted?.authority }),
      certificates: await parties.certificates(),
      ...(reachesLevel(level, 'B-LT') ? { revocation: await parties.revocation() } : {}),
    },
    signerName: describeName(internCertificate(signer.certificate).subjectDer),
    requests: () => counted?.requests() ?? 0,
  };
}

/**
 * Refuses a configured key that is too weak. What else may be wrong with it is told when it signs.
 *
 * @throws key.weak
 */
export async function requireStrongKey(context: ToolkitContext): Promise<void> {
  if (context.config.key.kind === 'development') return;
  try {
    const { ports } = await openSeal(context, { level: 'B-B' });
    requireUsableSigner(ports, context.io.now());
  } catch (error) {
    if (!isInnsigliError(error) || error.code === 'key.weak') throw error;
  }
}

/** The ports of archiving, with the count of requests. */
export async function openArchive({
  config,
  io,
  development,
  parties,
}: ToolkitContext): Promise<{ readonly ports: ArchivePorts; requests(): number }> {
  if (config.tsa.length === 0) await development.use();
  const isAtWork = config.tsa.length === 0;
  const anchors = await anchorsOf(await parties.anchors(), development, [], isAtWork);
  const counted = await parties.authority(anchors);
  const ports = {
    authority: counted.authority,
    revocation: await parties.revocation(),
    certificates: await parties.certificates(),
    anchors,
    now: io.now,
    random: io.random,
  };
  return { ports, requests: counted.requests };
}

/** True when a signature or time-stamp is trusted through the development root. */
export async function leadsToTestKeys(
  report: VerificationReport,
  development: DevelopmentAccess,
): Promise<boolean> {
  const trust = await development.existing();
  if (trust === undefined) return false;
  const root = describeName(internCertificate(trust.rootCertificate).subjectDer);
  return report.signatures.some(
    ({ anchor, timestamps }) =>
      anchor === root || timestamps.some((stamp) => stamp.anchor === root),
  );
}
