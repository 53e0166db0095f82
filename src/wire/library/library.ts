import { augmentPdf as archive } from '../../app/documents/pdf/augment-pdf.ts';
import { sealPdf as seal } from '../../app/documents/pdf/seal-pdf.ts';
import { sealWithCms } from '../../app/documents/pdf/seal-with-cms.ts';
import type { VisibleSeal } from '../../app/documents/pdf/visible-seal.ts';
import { type SealedDocument, withMembers } from '../../app/documents/sealed-document.ts';
import { verifyDocument as verify } from '../../app/documents/verify-document.ts';
import type { FileObject } from '../../app/documents/xml/request.ts';
import { memorySource } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import type { SealLevel } from '../../base/level.ts';
import type { RevocationMode } from '../../base/revocation-mode.ts';
import { type TakenDocument, takenBytes, takenDocument } from '../../base/taken.ts';
import type { CmsSigner, RevocationData, RevocationSource, Signer } from '../../seal/ports.ts';
import type { CmsSubFilter } from '../../seal/signature-dictionary.ts';
import type { AlgorithmTable } from '../../trust/algorithms/index.ts';
import type { PdfVerificationReport, VerificationReport } from '../../verify/report/index.ts';
import { loadFonts } from '../fonts.ts';
import { checkerOf } from '../parties/checker.ts';
import {
  type CertificateInput,
  certificatesOf,
  countUnreadable,
  type DocumentOptions,
  defaultLevel,
  type LongTermOptions,
  portsOf,
} from './ports.ts';
import { takeOptions } from './take-arguments.ts';
import { takeClock, takeCmsSigner, takeRevocation, takeSigner, timeOf } from './take-ports.ts';

/** Texts of a signature in the dictionary of a PDF. */
export interface SignatureTexts {
  /** An empty signature field of the document, or the name of a new one. Default: a new name. */
  readonly field?: string;
  /** Reason for signing, such as `Approved` (`/Reason`). Default: none. */
  readonly reason?: string;
  /** Place of signing, such as `Reykjavík` (`/Location`). Default: none. */
  readonly location?: string;
  /** Name of the signer (`/Name`). Default: none, viewers show that of the certificate. */
  readonly name?: string;
  /** Contact of the signer, such as a telephone number (`/ContactInfo`). Default: none. */
  readonly contact?: string;
}

/** Options for sealing a PDF. */
export interface SealPdfOptions extends LongTermOptions, SignatureTexts {
  /** The key that signs. */
  readonly signer: Signer;
  /**
   * Level of the seal. Default: `B-LTA` with a time-stamp authority and a revocation source;
   * without them it must be named.
   */
  readonly level?: SealLevel;
  /**
   * Certify the document: 1 permits no changes, 2 form filling and signing, 3 annotations too.
   * Default: an approval signature.
   */
  readonly certify?: 1 | 2 | 3;
  /**
   * Make a new field although the encrypted document permits its users to fill fields only.
   * Default: false.
   */
  readonly ignorePermissions?: boolean;
  /**
   * Appearance of the seal; false: never drawn, not even in an existing field with an area.
   * Default: invisible, and drawn in an existing field with an area.
   */
  readonly visible?: VisibleSeal | false;
}

/** Options of a verification. */
export interface VerifyOptions extends DocumentOptions {
  /** Trust anchors. Default: none, and no signature can be more than INDETERMINATE. */
  readonly trust?: readonly CertificateInput[];
  /**
   * Names of trust profiles, as `innsigli trust sync` makes them: their anchors count beside
   * `trust`, and their lists say what is qualified. `system`: the roots of this machine.
   * Default: none.
   */
  readonly trustProfiles?: readonly string[];
  /** Folder in which the profiles are. Default: the data directory of the command line. */
  readonly dataDir?: string;
  /** Further certificates for building paths. Default: those of the document. */
  readonly certificates?: readonly CertificateInput[];
  /** Files that a detached signature refers to. Default: none. */
  readonly detached?: readonly FileObject[];
  /** Give the bytes that each reference of an XML signature covers. Default: false. */
  readonly includeSignedData?: boolean;
  /**
   * Ask another implementation, xmldsigjs, about XML signatures, too: one that passes here and not
   * there is INDETERMINATE, and a finding says what it says of each. Default: false.
   */
  readonly secondOpinion?: boolean;
  /**
   * A certificate whose revocation status is not known makes a signature INDETERMINATE with
   * `require` and with `online`, which asks `revocation` first; with `ignore` it is a finding.
   * Default: `require`.
   */
  readonly revocationMode?: RevocationMode;
  /** Revocation source for `online`. Default: the addresses that certificates name. */
  readonly revocation?: RevocationSource;
  /** OCSP responses and CRLs besides those of the document. Default: none. */
  readonly validationData?: Pick<RevocationData, 'ocsp' | 'crls'>;
  /** Expiry dates of algorithms. Default: the dates of ETSI TS 119 312. */
  readonly algorithms?: AlgorithmTable;
  /** Time of verification. Default: now. */
  readonly at?: Date;
}

/**
 * Seals a PDF and gives the sealed bytes, verified.
 *
 * @param pdf the document; its bytes are the beginning of the result
 * @throws pdf.*, key.*, tsa.*, revocation.*, seal.*, certificate.*, usage.invalid, limit.exceeded
 * @example
 * const { bytes, level } = await sealPdf(pdf, { signer, level: 'B-B', reason: 'Approved' });
 * @example
 * const timestampAuthority = httpTimestampAuthority({ url: 'https://tsa.example/tsr' });
 * const longTerm = { timestampAuthority, revocation: httpRevocationSource(), trust: [root] };
 * const { bytes } = await sealPdf(pdf, { signer, ...longTerm, visible: { corner: 'top-right' } });
 */
export async function sealPdf(
  pdf: Uint8Array,
  options: SealPdfOptions,
): Promise<SealedDocument<PdfVerificationReport>> {
  const document = takenDocument(pdf);
  const taken = takeOptions('sealPdf', options);
  const parties = portsOf(taken);
  const ports = { ...parties, signer: takeSigner(taken.signer), fonts: loadFonts };
  const { level = defaultLevel(taken), field, reason, location, name, contact } = taken;
  const { certify, visible, password, ignorePermissions } = taken;
  const details = { field, reason, location, name, contact, certify, visible };
  const source = memorySource(document.bytes);
  const request = { source, level, password, ignorePermissions, ...details };
  return inMemory(document, await seal(request, ports));
}

/** Options for sealing with a CMS from an external signer. */
export interface SealWithCmsOptions extends DocumentOptions, SignatureTexts {
  /** Signer that makes the CMS. */
  readonly signer: CmsSigner;
  /** Format of the CMS: CAdES for PAdES, or plain CMS. Default: `adbe.pkcs7.detached`. */
  readonly subFilter?: CmsSubFilter;
  /** Trust anchors for the report. Default: none. */
  readonly trust?: readonly CertificateInput[];
  /** Expiry dates of algorithms. Default: the dates of ETSI TS 119 312. */
  readonly algorithms?: AlgorithmTable;
  /** Clock. Default: that of the system. */
  readonly now?: () => Date;
}

/**
 * Seals a PDF with a CMS from a foreign signer, such as one of `@signpdf`, and verifies the
 * result. Its level is in the report: absent when the CMS is no baseline signature.
 *
 * @throws pdf.*, key.sign.failed, seal.*, usage.invalid, limit.exceeded
 * @example
 * const signer = fromSignpdfSigner(() => new P12Signer(file, { passphrase }));
 * const { bytes, report } = await sealPdfWithCms(pdf, { signer });
 */
export async function sealPdfWithCms(
  pdf: Uint8Array,
  options: SealWithCmsOptions,
): Promise<Omit<SealedDocument<PdfVerificationReport>, 'level'>> {
  const document = takenDocument(pdf);
  const taken = takeOptions('sealPdfWithCms', options);
  const signer = takeCmsSigner(taken.signer);
  const {
    signer: _,
    subFilter = 'adbe.pkcs7.detached',
    trust,
    now,
    algorithms,
    ...details
  } = taken;
  const source = memorySource(document.bytes);
  const ports = { signer, algorithms, anchors: certificatesOf(trust), now: takeClock(now) };
  return inMemory(document, await sealWithCms({ source, subFilter, ...details }, ports));
}

/**
 * Brings a signed PDF to level B-LTA, or renews it, and gives the new bytes, verified.
 *
 * @throws pdf.*, archive.*, tsa.*, revocation.*, usage.invalid, limit.exceeded
 * @example
 * const { bytes } = await augmentPdf(sealed, { timestampAuthority, revocation, trust: [root] });
 */
export async function augmentPdf(
  pdf: Uint8Array,
  options: LongTermOptions,
): Promise<SealedDocument<PdfVerificationReport>> {
  const document = takenDocument(pdf);
  const taken = takeOptions('augmentPdf', options);
  const open = defined({ password: taken.password });
  return inMemory(document, await archive(memorySource(document.bytes), portsOf(taken), open));
}

/** The result whose bytes are those of the copy, and of the room behind it. */
function inMemory<Sealed extends Pick<SealedDocument, 'tail'>>(copy: TakenDocument, made: Sealed) {
  return withMembers(made, { bytes: copy.followedBy(made.tail) });
}

async function trustOf({ trust, trustProfiles = [], dataDir }: VerifyOptions) {
  const named = certificatesOf(trust);
  const unreadable = countUnreadable(trust);
  const told = unreadable === 0 ? [] : [`trust anchors that cannot be read: ${unreadable}`];
  if (trustProfiles.length === 0) return { known: { anchors: named }, told };
  const { loadProfiles } = await import('../parties/trust.ts');
  const { configFromObject } = await import('../config/resolve.ts');
  const config = configFromObject(defined({ dataDir }), process.cwd());
  const warn = (message: string) => told.push(message);
  const question = { dataDir: config.dataDir, nowMs: Date.now(), named, warn };
  return { known: await loadProfiles(trustProfiles, question), told };
}

async function inquiryOf({ revocationMode, revocation, validationData }: VerifyOptions) {
  const rules = defined({ revocation: revocationMode, validationData });
  // Also where it is not asked: a mode in its place would do nothing, in silence.
  const revocationSource = revocation && takeRevocation(revocation);
  if (revocationMode !== 'online') return rules;
  if (revocationSource !== undefined) return { ...rules, revocationSource };
  const { inquiringRevocationSource } = await import('../../adapters/revocation/index.ts');
  return { ...rules, revocationSource: inquiringRevocationSource({}, { totalMs: 30_000 }) };
}

/**
 * Checks every signature of a document. A negative conclusion is a value of the report.
 *
 * @throws pdf.*, xml.*, container.*, cms.* when the document cannot be read at all; usage.invalid
 * @throws trust.profile.*, trust.list.expired for trust profiles
 * @example
 * const report = await verifyDocument(bytes, { trust: [await readFile('root.pem')] });
 * if (report.indication === 'TOTAL-PASSED') console.log(report.coverage);
 * @example
 * const report = await verifyDocument(bytes, { trust: [root], revocationMode: 'online' });
 * @example
 * const { signatures } = await verifyDocument(bytes, { trustProfiles: ['eu'] });
 * console.log(signatures[0]?.qualification?.result);
 */
export async function verifyDocument(
  document: Uint8Array,
  options: VerifyOptions = {},
): Promise<VerificationReport> {
  const bytes = takenBytes('the document', document);
  const taken = takeOptions('verifyDocument', options);
  const { told, known } = await trustOf(taken);
  const report = await verify({
    source: memorySource(bytes),
    ...known,
    certificates: certificatesOf(taken.certificates).map(({ der }) => der),
    nowMs: timeOf('at', taken.at ?? new Date()),
    detached: taken.detached ?? [],
    includeSignedData: taken.includeSignedData === true,
    ...(await inquiryOf(taken)),
    ...(await checkerOf(taken.secondOpinion)),
    ...defined({ password: taken.password, algorithms: taken.algorithms }),
  });
  if (told.length === 0) return report;
  return { ...report, notJudged: [...report.notJudged, ...told] };
}
