import { archivePdf } from '../app/archive-pdf.ts';
import { sealPdf } from '../app/seal-pdf.ts';
import { verifyDocument } from '../app/verify-document.ts';
import type { ByteSource } from '../base/bytes.ts';
import { describeName } from '../formats/x509/index.ts';
import { internCertificate } from '../trust/certificates.ts';
import type { VerificationReport } from '../verify/report.ts';
import { anchorsOf } from './anchors.ts';
import type { ResolvedConfig } from './config.ts';
import { type DevelopmentAccess, developmentAccess } from './development.ts';
import { loadFonts } from './fonts.ts';
import { type OpenedParties, openedParties } from './opened-parties.ts';
import type { OpenToolkit, SealOptions, SealOutcome, Toolkit, ToolkitIo } from './toolkit.types.ts';

export type {
  Diagnosis,
  InitOutcome,
  OpenToolkit,
  SealOptions,
  SealOutcome,
  Toolkit,
  ToolkitIo,
  TrustServer,
  WarningCode,
} from './toolkit.types.ts';

/**
 * The use cases over a configuration. Nothing is opened until a method needs it.
 *
 * @throws nothing itself; its methods throw CoreError
 */
export const openToolkit: OpenToolkit = (config, io): Toolkit => {
  const development = developmentAccess(config, io);
  const parties = openedParties(config, development, io);
  const context = { config, io, development, parties };
  return {
    seal: (input, options) => seal(context, input, options),
    archive: (input) => archive(context, input),
    verify: (input) => verify(context, input),
    initialise: async () => {
      const { initialise } = await import('./initialise.ts');
      return initialise(config, development);
    },
    diagnose: async () => {
      const { diagnose } = await import('./diagnose.ts');
      return diagnose(config, io, development);
    },
    serveTrust: async (address) => {
      const { serveTrust } = await import('./serve-trust.ts');
      return serveTrust(address, io, development);
    },
    close: () => parties.close(),
  };
};

interface ToolkitContext {
  readonly config: ResolvedConfig;
  readonly io: ToolkitIo;
  readonly development: DevelopmentAccess;
  readonly parties: OpenedParties;
}

async function seal(
  { config, io, development, parties }: ToolkitContext,
  source: ByteSource,
  { level = config.level, digest = config.digest, scheme, ...details }: SealOptions,
): Promise<SealOutcome> {
  const wishes = { digest, ...(scheme === undefined ? {} : { scheme }) };
  const signer = await parties.signer(wishes);
  const longTerm = level === 'B-LT' || level === 'B-LTA';
  const embedded = level !== 'B-B' && config.tsa.length === 0;
  if (embedded) await development.use();
  const anchors = await anchorsOf(await parties.anchors(), development, signer.chain);
  const counted = level === 'B-B' ? undefined : await parties.authority(anchors);
  const sealed = await sealPdf(
    { source, level, ...(await parties.opening()), ...details },
    {
      signer,
      anchors,
      now: io.now,
      random: io.random,
      fonts: loadFonts,
      ...(counted === undefined ? {} : { authority: counted.authority }),
      ...(longTerm ? { revocation: await parties.revocation(true) } : {}),
    },
  );
  const { tail, field, sealCount, warnings } = sealed;
  // An authority that was asked over HTTP can be the one of the development trust.
  if (level !== 'B-B' && (await leadsToTestKeys(sealed.report(), development))) {
    await development.use();
  }
  const subject = internCertificate(signer.certificate).subjectDer;
  return {
    tail,
    level,
    field,
    sealCount,
    warnings,
    // Made when it is read: of many documents hardly anybody reads it.
    get report() {
      return sealed.report();
    },
    signer: describeName(subject),
    timestampRequests: counted?.requests() ?? 0,
  };
}

async function archive(
  { config, io, development, parties }: ToolkitContext,
  source: ByteSource,
): Promise<SealOutcome> {
  if (config.tsa.length === 0) await development.use();
  const anchors = await anchorsOf(await parties.anchors(), development, []);
  const counted = await parties.authority(anchors);
  const ports = {
    authority: counted.authority,
    revocation: await parties.revocation(false),
    anchors,
    now: io.now,
    random: io.random,
  };
  const archived = await archivePdf(source, ports, await parties.opening());
  const last = archived.report.signatures.at(-1);
  return {
    ...archived,
    field: last?.field ?? '',
    signer: last?.signer?.subject ?? '',
    timestampRequests: counted.requests(),
  };
}

async function verify(
  { io, development, parties }: ToolkitContext,
  source: ByteSource,
): Promise<VerificationReport> {
  const anchors = await anchorsOf(await parties.anchors(), development, []);
  const opening = await parties.opening();
  const report = verifyDocument({ source, anchors, nowMs: io.now(), ...opening });
  if (await leadsToTestKeys(report, development)) {
    const message = 'trusted only by the development trust: TEST ONLY keys, of no legal value';
    io.warn(message, 'trust.development');
  }
  return report;
}

/** True when a signature or time-stamp is trusted through the development root. */
async function leadsToTestKeys(
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
