import { archivePdf } from '../app/archive-pdf.ts';
import { sealPdf } from '../app/seal-pdf.ts';
import { verifyDocument } from '../app/verify-document.ts';
import type { ByteSource } from '../base/bytes.ts';
import { type Certificate, describeName, parseCertificate } from '../formats/x509/index.ts';
import type { VerificationReport } from '../verify/report.ts';
import type { ResolvedConfig } from './config.ts';
import { type DevelopmentAccess, developmentAccess } from './development.ts';
import { loadCertificates } from './files.ts';
import { loadFonts } from './fonts.ts';
import { openAuthority, openRevocation } from './outside-parties.ts';
import { openSigner } from './signer.ts';
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
} from './toolkit.types.ts';

/**
 * The use cases over a configuration. Nothing is opened until a method needs it.
 *
 * @throws nothing itself; its methods throw CoreError
 */
export const openToolkit: OpenToolkit = (config, io): Toolkit => {
  const development = developmentAccess(config, io);
  const context = { config, io, development };
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
  };
};

interface ToolkitContext {
  readonly config: ResolvedConfig;
  readonly io: ToolkitIo;
  readonly development: DevelopmentAccess;
}

async function seal(
  { config, io, development }: ToolkitContext,
  source: ByteSource,
  { level = config.level, digest = config.digest, scheme, ...details }: SealOptions,
): Promise<SealOutcome> {
  const wishes = { digest, ...(scheme === undefined ? {} : { scheme }) };
  const signer = await openSigner(config, wishes, development, io);
  const longTerm = level === 'B-LT' || level === 'B-LTA';
  const embedded = level !== 'B-B' && config.tsa.length === 0;
  if (embedded) await development.use();
  const anchors = await anchorsOf(config, development, signer.chain);
  const counted =
    level === 'B-B' ? undefined : await openAuthority(config, development, io, anchors);
  try {
    const sealed = await sealPdf(
      { source, level, ...details },
      {
        signer,
        anchors,
        now: io.now,
        random: io.random,
        fonts: loadFonts,
        ...(counted === undefined ? {} : { authority: counted.authority }),
        ...(longTerm ? { revocation: await openRevocation(config, development, true) } : {}),
      },
    );
    const subject = parseCertificate(signer.certificate).subjectDer;
    return {
      ...sealed,
      signer: describeName(subject),
      timestampRequests: counted?.requests() ?? 0,
    };
  } finally {
    counted?.close();
  }
}

async function archive(
  { config, io, development }: ToolkitContext,
  source: ByteSource,
): Promise<SealOutcome> {
  if (config.tsa.length === 0) await development.use();
  const anchors = await anchorsOf(config, development, []);
  const counted = await openAuthority(config, development, io, anchors);
  try {
    const archived = await archivePdf(source, {
      authority: counted.authority,
      revocation: await openRevocation(config, development, false),
      anchors,
      now: io.now,
      random: io.random,
    });
    const last = archived.report.signatures.at(-1);
    return {
      ...archived,
      field: last?.field ?? '',
      signer: last?.signer?.subject ?? '',
      timestampRequests: counted.requests(),
    };
  } finally {
    counted.close();
  }
}

async function verify(
  { config, io, development }: ToolkitContext,
  source: ByteSource,
): Promise<VerificationReport> {
  const anchors = await anchorsOf(config, development, []);
  const report = verifyDocument({ source, anchors, nowMs: io.now() });
  const trust = await development.existing();
  if (trust !== undefined) {
    const root = describeName(parseCertificate(trust.rootCertificate).subjectDer);
    if (report.signatures.some(({ anchor }) => anchor === root)) {
      io.warn('trusted only by the development trust: TEST ONLY keys, of no legal value');
    }
  }
  return report;
}

/**
 * What the user trusts: the configured anchors, the development root where it exists, and roots
 * that stand in the user's own chain.
 */
async function anchorsOf(
  config: ResolvedConfig,
  development: DevelopmentAccess,
  chain: readonly Uint8Array[],
): Promise<readonly Certificate[]> {
  const anchors = [...(await loadCertificates(config.trust))];
  const trust = await development.existing();
  if (trust !== undefined) anchors.push(parseCertificate(trust.rootCertificate));
  for (const der of chain) {
    const certificate = parseCertificate(der);
    if (Buffer.compare(certificate.subjectDer, certificate.issuerDer) === 0) {
      anchors.push(certificate);
    }
  }
  return anchors;
}
