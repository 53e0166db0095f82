/**
 * Seals the files named by its parent, one after another, and reports the results. It may be killed
 * at any moment, by the parent or for lack of memory.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import {
  isInnsigliError,
  keyObjectSigner,
  localTimestampAuthority,
  type PdfVerificationReport,
  type SealLevel,
  type SignatureReport,
  sealPdf,
  verifyDocument,
} from '../../src/index.ts';
import { openDevelopmentTrust } from '../../src/toolkit.ts';
import type { CorpusFile } from './files.ts';

/** Request of the parent. */
export interface SealTask {
  readonly file: CorpusFile;
  readonly level: SealLevel;
  /** Path of the result. */
  readonly output: string;
}

/** Result of a task. */
export type SealAnswer =
  | { readonly kind: 'sealed'; readonly warnings: readonly string[] }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  /** An error without a code. */
  | { readonly kind: 'crashed'; readonly message: string }
  | { readonly kind: 'broken'; readonly message: string }
  | { readonly kind: 'lost'; readonly message: string };

async function main(directory: string): Promise<void> {
  const trust = await openDevelopmentTrust({ directory });
  const options = {
    signer: keyObjectSigner(trust.seal('ec')),
    timestampAuthority: localTimestampAuthority(trust.tsa()),
    revocation: trust.revocationSource(),
    trust: [trust.rootCertificate],
  };
  process.on('message', async ({ file, level, output }: SealTask) => {
    process.send?.(await sealOne(file, level, output, options));
  });
  // Only now has run-ts.mjs removed the bundle; a process killed earlier leaves it behind.
  setImmediate(() => process.send?.('ready'));
}

type Options = Omit<Parameters<typeof sealPdf>[1], 'level'>;

async function sealOne(
  file: CorpusFile,
  level: SealLevel,
  output: string,
  options: Options,
): Promise<SealAnswer> {
  const opened = file.password === undefined ? {} : { password: file.password };
  try {
    const input = new Uint8Array(readFileSync(file.path));
    // Nothing is drawn, so that the appearance in viewers must not change.
    const sealed = await sealPdf(input, { ...options, ...opened, level, visible: false });
    writeFileSync(output, sealed.bytes);
    if (Buffer.compare(sealed.bytes.subarray(0, input.length), input) !== 0) {
      return { kind: 'broken', message: 'the result does not start with the input' };
    }
    const verifying = { trust: options.trust ?? [], ...opened };
    const before = await verifyOrSay('input', input, verifying);
    if (typeof before === 'string') return { kind: 'broken', message: before };
    const after = await verifyOrSay('result', sealed.bytes, verifying);
    if (typeof after === 'string') return { kind: 'broken', message: after };
    return judgeResult(before, after, level) ?? { kind: 'sealed', warnings: sealed.warnings };
  } catch (error) {
    if (isInnsigliError(error) && error.code !== 'internal.unexpected') {
      if (error.code !== 'seal.selfcheck.failed') {
        return { kind: 'refused', code: error.code, message: error.message };
      }
      return { kind: 'broken', message: `${error.code}: ${error.message}` };
    }
    return { kind: 'crashed', message: error instanceof Error ? `${error.stack}` : String(error) };
  }
}

/**
 * A sealed file must be verifiable: a rejection here means a corrupt result, not a rejected input.
 */
async function verifyOrSay(
  what: string,
  bytes: Uint8Array,
  options: Parameters<typeof verifyDocument>[1],
): Promise<PdfVerificationReport | string> {
  try {
    // Seals at B-B and B-T contain no revocation data, and are valid without.
    const report = await verifyDocument(bytes, { revocationMode: 'ignore', ...options });
    if (report.format !== 'pdf') throw new Error(`expected a PDF, found ${report.format}`);
    return report;
  } catch (error) {
    if (!isInnsigliError(error) || error.code === 'internal.unexpected') throw error;
    return `sealed, but the ${what} cannot be verified: ${error.code}: ${error.message}`;
  }
}

/** Undefined if every earlier signature is as valid as before and the new one has its level. */
function judgeResult(
  before: PdfVerificationReport,
  after: PdfVerificationReport,
  level: SealLevel,
): SealAnswer | undefined {
  const earlier = new Set(before.signatures.map(identityOf));
  for (const old of before.signatures) {
    const now = after.signatures.filter((each) => identityOf(each) === identityOf(old));
    if (old.intact && (now.length === 0 || now.some(({ intact }) => !intact))) {
      return { kind: 'lost', message: `"${old.field}" is no longer intact` };
    }
    const worse = now.map((each) => whatIsWorse(old, each)).find((why) => why !== undefined);
    if (worse !== undefined) return { kind: 'lost', message: `"${old.field}": ${worse}` };
  }
  const made = after.signatures.filter(
    (each) => each.kind === 'signature' && !earlier.has(identityOf(each)),
  );
  const [own] = made;
  const good = own?.intact && own.trusted && own.level === level;
  if (made.length === 1 && good && own.indication === 'TOTAL-PASSED') return undefined;
  const why = own?.findings.find(({ severity }) => severity !== 'info')?.message ?? 'no finding';
  const found = `${made.length} new, level ${own?.level}, ${own?.indication} (${why})`;
  return { kind: 'broken', message: `expected one seal at ${level}, found ${found}` };
}

/** A signature whose digest still matches is lost too if the update is a change that it forbids. */
function whatIsWorse(old: SignatureReport, now: SignatureReport): string | undefined {
  const changed = ({ findings }: SignatureReport) =>
    findings.find(({ code }) => code === 'document.changed')?.message;
  if (changed(old) === undefined && changed(now) !== undefined) return changed(now);
  if (old.indication === now.indication || now.indication !== 'TOTAL-FAILED') return undefined;
  return `was ${old.indication}, is now TOTAL-FAILED`;
}

/** Fields may share a name in damaged files; the byte range of a signature is stable. */
function identityOf({ field, byteRange }: SignatureReport): string {
  return `${field} ${byteRange.join(' ')}`;
}

await main(process.argv[2] as string);
