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
import { type CopiedDocument, copyBytes, copyDocument } from '../../base/taken.ts';
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
import {
  takeClock,
  timeOf,
  wrapCmsSigner,
  wrapRevocationSource,
  wrapSigner,
} from './take-ports.ts';

/** Entries of a PDF signature dictionary that viewers show. */
export interface SignatureTexts {
  /** Name of an empty signature field of the document, or of a new one. Default: a new name. */
  readonly field?: string;
  /** Reason for signing, such as `Approved` (`/Reason`). Default: none. */
  readonly reason?: string;
  /** Place of signing, such as `Reykjavík` (`/Location`). Default: none. */
  readonly location?: string;
  /** Name of the signer (`/Name`). Default: none; viewers show the name in the certificate. */
  readonly name?: string;
  /** Contact of the signer, such as a telephone number (`/ContactInfo`). Default: none. */
  readonly contact?: string;
}

/** Options for sealing a PDF. */
export interface SealPdfOptions extends LongTermOptions, SignatureTexts {
  /** The key to sign with. */
  readonly signer: Signer;
  /** Level. Default: `B-LTA` with `timestampAuthority` and `revocation`; otherwise required. */
  readonly level?: SealLevel;
  /**
   * Certify the document: 1 permits no changes, 2 form filling and signing, 3 annotations as well.
   * Default: an approval signature.
   */
  readonly certify?: 1 | 2 | 3;
  /** Create a field even if the encrypted document only permits filling fields. Default: false. */
  readonly ignorePermissions?: boolean;
  /**
   * Appearance of the seal; false: never drawn, not even in an existing field with an area.
   * Default: invisible, but drawn in an existing field with an area.
   */
  readonly visible?: VisibleSeal | false;
}

/** Options of a verification. */
export interface VerifyOptions extends DocumentOptions {
  /** Trust anchors. Default: none, so that every signature is INDETERMINATE at best. */
  readonly trust?: readonly CertificateInput[];
  /**
   * Names of trust profiles, as created by `innsigli trust sync`. Their anchors are used in
   * addition to `trust`, and their lists determine which signatures are qualified. `system`: the
   * root certificates of this machine. Default: none.
   */
  readonly trustProfiles?: readonly string[];
  /** Data directory with the profiles. Default: the data directory of the command line. */
  readonly dataDir?: string;
  /** Further certificates for building paths. Default: those of the document. */
  readonly certificates?: readonly CertificateInput[];
  /** Files that a detached signature refers to. Default: none. */
  readonly detached?: readonly FileObject[];
  /** Return the bytes that each reference of an XML signature covers. Default: false. */
  readonly includeSignedData?: boolean;
  /**
   * Have XML signatures also verified by a second implementation, xmldsigjs. A signature that
   * passes here and fails there is INDETERMINATE, and a finding states both results. Default:
   * false.
   */
  readonly secondOpinion?: boolean;
  /**
   * With `require`, a certificate whose revocation status is unknown makes a signature
   * INDETERMINATE. `online` does the same after querying `revocation`. With `ignore`, it is a
   * finding only. Default: `require`.
   */
  readonly revocationMode?: RevocationMode;
  /** Revocation source for `online`. Default: the addresses in the certificates. */
  readonly revocation?: RevocationSource;
  /** OCSP responses and CRLs in addition to those of the document. Default: none. */
  readonly validationData?: Pick<RevocationData, 'ocsp' | 'crls'>;
  /** Expiry dates of algorithms. Default: the dates of ETSI TS 119 312. */
  readonly algorithms?: AlgorithmTable;
  /** Time of verification. Default: now. */
  readonly at?: Date;
}

/**
 * Seals a PDF and returns the sealed bytes, verified.
 *
 * @param pdf the document; the result starts with its bytes
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
  const document = copyDocument(pdf);
  const taken = takeOptions('sealPdf', options);
  const parties = portsOf(taken);
  const ports = { ...parties, signer: wrapSigner(taken.signer), fonts: loadFonts };
  const { level = defaultLevel(taken), field, reason, location, name, contact } = taken;
  const { certify, visible, password, ignorePermissions } = taken;
  const details = { field, reason, location, name, contact, certify, visible };
  const source = memorySource(document.bytes);
  const request = { source, level, password, ignorePermissions, ...details };
  return inMemory(document, await seal(request, ports));
}

/** Options of {@link sealPdfWithCms}. */
export interface SealWithCmsOptions extends DocumentOptions, SignatureTexts {
  /** External signer that creates the CMS. */
  readonly signer: CmsSigner;
  /** Format of the CMS: CAdES for PAdES, or plain CMS. Default: `adbe.pkcs7.detached`. */
  readonly subFilter?: CmsSubFilter;
  /** Trust anchors for the report of the result. Default: none. */
  readonly trust?: readonly CertificateInput[];
  /** Expiry dates of algorithms. Default: the dates of ETSI TS 119 312. */
  readonly algorithms?: AlgorithmTable;
  /** Clock. Default: the system clock. */
  readonly now?: () => Date;
}

/**
 * Seals a PDF with a CMS from an external signer, such as one of `@signpdf`, and verifies the
 * result. The report contains the level, unless the CMS is not a baseline signature.
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
  const document = copyDocument(pdf);
  const taken = takeOptions('sealPdfWithCms', options);
  const signer = wrapCmsSigner(taken.signer);
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
 * Augments a signed PDF to level B-LTA, or renews its archive time-stamp, and returns the new
 * bytes, verified.
 *
 * @throws pdf.*, archive.*, tsa.*, revocation.*, usage.invalid, limit.exceeded
 * @example
 * const { bytes } = await augmentPdf(sealed, { timestampAuthority, revocation, trust: [root] });
 */
export async function augmentPdf(
  pdf: Uint8Array,
  options: LongTermOptions,
): Promise<SealedDocument<PdfVerificationReport>> {
  const document = copyDocument(pdf);
  const taken = takeOptions('augmentPdf', options);
  const open = defined({ password: taken.password });
  return inMemory(document, await archive(memorySource(document.bytes), portsOf(taken), open));
}

/** Adds the complete bytes to the result: the copied document followed by the tail. */
function inMemory<Sealed extends Pick<SealedDocument, 'tail'>>(copy: CopiedDocument, made: Sealed) {
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
  // Checked even if it is not queried: a mode passed here by mistake would be ignored silently.
  const revocationSource = revocation && wrapRevocationSource(revocation);
  if (revocationMode !== 'online') return rules;
  if (revocationSource !== undefined) return { ...rules, revocationSource };
  const { inquiringRevocationSource } = await import('../../adapters/revocation/index.ts');
  return { ...rules, revocationSource: inquiringRevocationSource({}, { totalMs: 30_000 }) };
}

/**
 * Verifies every signature of a document. A failed verification is reported, not thrown.
 *
 * @throws pdf.*, xml.*, container.*, cms.* if the document cannot be read at all; usage.invalid
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
  const bytes = copyBytes('the document', document);
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
