import { requireUsableSigner } from '../app/documents/check-signer.ts';
import { documentFormat } from '../app/documents/document-format.ts';
import { augmentPdf } from '../app/documents/pdf/augment-pdf.ts';
import { sealPdf } from '../app/documents/pdf/seal-pdf.ts';
import { type SealedDocument, withMembers } from '../app/documents/sealed-document.ts';
import { verifyDocument } from '../app/documents/verify-document.ts';
import type { ByteSource } from '../base/bytes.ts';
import { defined } from '../base/defined.ts';
import { isInnsigliError } from '../base/errors.ts';
import type { VerificationReport } from '../verify/report/index.ts';
import { developmentAccess, findTestKeys } from './development.ts';
import { namedFile } from './files/named-file.ts';
import { checkerOf } from './parties/checker.ts';
import {
  openArchive,
  openedParties,
  openSeal,
  type ToolkitContext,
} from './parties/opened-parties.ts';
import { anchorsOf } from './parties/trust.ts';
import { trustResponses } from './serve/trust.ts';
import type {
  FileObjectSource,
  OpenToolkit,
  SealOptions,
  Toolkit,
  VerifyDocumentOptions,
} from './toolkit.types.ts';

export type {
  Diagnosis,
  FileObjectSource,
  InitOutcome,
  OpenToolkit,
  SealFilesOptions,
  SealOptions,
  SealXmlOptions,
  Toolkit,
  ToolkitIo,
  TrustServer,
  VerifyDocumentOptions,
  WarningCode,
} from './toolkit.types.ts';

/** Loads the container functions of the command line on demand. */
export function loadContainerTools(): Promise<typeof import('./container-tools.ts')> {
  return import('./container-tools.ts');
}

/**
 * Opens the use cases for a configuration. Nothing is opened until a method needs it.
 *
 * @throws nothing itself; its methods throw InnsigliError
 */
export const openToolkit: OpenToolkit = (config, io): Toolkit => {
  const development = developmentAccess(config, io);
  const parties = openedParties(config, development, io);
  const context = { config, io, development, parties };
  return {
    seal: (input, options) => seal(context, input, options),
    sealXml: async (input, options) => {
      const { sealOneXml } = await import('./toolkit-documents.ts');
      return sealOneXml(context, input, options);
    },
    sealFiles: async (files, options) => {
      const { sealSeveral } = await import('./toolkit-documents.ts');
      return sealSeveral(context, files, options);
    },
    augment: (input, detached) => archive(context, input, detached),
    planArchive: async (input, detached) => {
      const { planDocument } = await import('./toolkit-documents.ts');
      return planDocument(context, input, detached);
    },
    timestamp: async (input, name, form) => {
      const { timestampDocument } = await import('./toolkit-documents.ts');
      return timestampDocument(context, input, name, form);
    },
    verify: (input, detached, options) => verify(context, input, detached, options),
    verifyLogExport: async (chunks) => {
      const { verifyExport } = await import('../app/activity/index.ts');
      const anchors = await anchorsOf(await parties.anchors(), development, []);
      return verifyExport(chunks, { anchors, nowMs: io.now() });
    },
    initialise: async (company) => {
      const { initialise } = await import('./initialise.ts');
      return initialise(context, company);
    },
    diagnose: async (options) => {
      const { diagnose } = await import('./diagnose/diagnose.ts');
      return diagnose(config, io, development, options);
    },
    requireStrongKey: () => requireStrongKey(context),
    service: async (options) => {
      const { openService } = await import('./service/service.ts');
      return openService(context, options);
    },
    storage: async () => {
      const { storageService } = await import('./service/storage-service.ts');
      return storageService(context);
    },
    register: async () => {
      const { registerService } = await import('./service/register-service.ts');
      return registerService(context);
    },
    serveTrust: async (address) => {
      const { serveTrust } = await import('./serve/trust.ts');
      return serveTrust(address, io, development);
    },
    pages: config.service.pages,
    trustService: () => trustResponses(config, io, development),
    close: () => parties.close(),
  };
};

async function seal(
  context: ToolkitContext,
  source: ByteSource,
  options: SealOptions,
): Promise<SealedDocument> {
  const { development, parties } = context;
  const { level: _level, digest: _digest, scheme: _scheme, ...details } = options;
  const opened = await openSeal(context, options);
  const { level, ports, signerName, silentCertificate, requests } = opened;
  const opening = await parties.opening();
  const sealed = await sealPdf({ source, level, ...opening, ...details }, ports);
  // An authority contacted over HTTP can be the one of the development trust.
  if (level !== 'B-B' && (await findTestKeys(sealed.report, development)) !== undefined) {
    development.announce();
  }
  const timestampRequests = requests();
  return withMembers(sealed, {
    signer: signerName,
    ...defined({ silentCertificate }),
    timestampRequests,
  });
}

async function archive(
  context: ToolkitContext,
  source: ByteSource,
  detached: readonly FileObjectSource[] = [],
): Promise<SealedDocument> {
  if (documentFormat(source) !== 'pdf') {
    const { augmentOther } = await import('./toolkit-documents.ts');
    return augmentOther(context, source, detached);
  }
  const { ports, requests } = await openArchive(context);
  const archived = await augmentPdf(source, ports, await context.parties.opening());
  return withMembers(archived, {
    signer: archived.report.signatures.at(-1)?.signer?.subject ?? '',
    timestampRequests: requests(),
  });
}

async function verify(
  { config, io, development, parties }: ToolkitContext,
  source: ByteSource,
  detached: readonly FileObjectSource[] = [],
  options: VerifyDocumentOptions = {},
): Promise<VerificationReport> {
  const anchors = await anchorsOf(await parties.anchors(), development, []);
  const opening = await parties.opening();
  const asked = await checkerOf(options.secondOpinion);
  const { certificates, ocsp, crls } = await parties.validationData();
  const { revocation = config.revocation } = options;
  const report = await verifyDocument({
    source,
    anchors,
    certificates,
    validationData: { ocsp, crls },
    revocation,
    algorithms: await parties.algorithms(),
    ...(revocation === 'online' ? { revocationSource: await parties.inquiry() } : {}),
    nowMs: options.atMs ?? io.now(),
    qualifier: await parties.qualifier(),
    detached: detached.map(namedFile),
    ...opening,
    ...asked,
  });
  const tested = await findTestKeys(report, development);
  if (tested !== undefined) {
    const what = tested === 'signature' ? '' : 'a time-stamp is ';
    development.announce(
      `${what}trusted only by the development trust: TEST ONLY keys, of no legal value`,
    );
    return { ...report, testOnly: true };
  }
  return report;
}

/**
 * Rejects a configured key that is too weak. Other problems are reported when it signs.
 *
 * @throws key.weak
 */
async function requireStrongKey(context: ToolkitContext): Promise<void> {
  if (context.config.key.kind === 'development') return;
  try {
    const { ports } = await openSeal(context, { level: 'B-B' });
    requireUsableSigner(ports, context.io.now());
  } catch (error) {
    if (!isInnsigliError(error) || error.code === 'key.weak') throw error;
  }
}
