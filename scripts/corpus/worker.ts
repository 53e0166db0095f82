/**
 * Seals the files that its parent names, one after the other, and says what happened. It may be
 * killed at any moment: by the parent, or for lack of memory.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import {
  isCoreError,
  keyObjectSigner,
  localTimestampAuthority,
  type SealLevel,
  sealPdf,
  verifyDocument,
} from '../../src/index.ts';
import { openDevelopmentTrust } from '../../src/toolkit.ts';
import type { CorpusFile } from './files.ts';

/** What the parent asks for. */
export interface SealTask {
  readonly file: CorpusFile;
  readonly level: SealLevel;
  /** Where the result goes. */
  readonly output: string;
}

/** What came of it. */
export type SealAnswer =
  | { readonly kind: 'sealed'; readonly warnings: readonly string[] }
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }
  /** An error that is no answer. */
  | { readonly kind: 'crashed'; readonly message: string }
  | { readonly kind: 'broken'; readonly message: string }
  | { readonly kind: 'lost'; readonly message: string };

async function main(directory: string): Promise<void> {
  const random = (count: number) => new Uint8Array(randomBytes(count));
  const trust = await openDevelopmentTrust({ directory, now: Date.now, random });
  const options = {
    signer: keyObjectSigner(await trust.seal('ec')),
    timestampAuthority: localTimestampAuthority({ ...(await trust.tsa()), now: Date.now, random }),
    revocation: trust.revocationSource(),
    trust: [trust.rootCertificate],
  };
  process.on('message', async ({ file, level, output }: SealTask) => {
    process.send?.(await sealOne(file, level, output, options));
  });
  process.send?.('ready');
}

type Options = Omit<Parameters<typeof sealPdf>[1], 'level'>;

async function sealOne(
  file: CorpusFile,
  level: SealLevel,
  output: string,
  options: Options,
): Promise<SealAnswer> {
  const { password } = file;
  const opened = password === undefined ? {} : { password };
  try {
    const input = new Uint8Array(readFileSync(file.path));
    const { bytes, warnings } = await sealPdf(input, { ...options, ...opened, level });
    writeFileSync(output, bytes);
    if (Buffer.compare(bytes.subarray(0, input.length), input) !== 0) {
      return { kind: 'broken', message: 'the result does not start with the input' };
    }
    const trust = options.trust ?? [];
    const before = await verifyDocument(input, { trust, ...opened });
    const after = await verifyDocument(bytes, { trust, ...opened });
    for (const { field, intact } of before.signatures) {
      const now = after.signatures.find((signature) => signature.field === field);
      if (intact && now?.intact !== true) {
        return { kind: 'lost', message: `«${field}» is not intact any more` };
      }
    }
    const made = after.signatures.filter(
      ({ kind, field }) =>
        kind === 'signature' && !before.signatures.some((earlier) => earlier.field === field),
    );
    const [own] = made;
    if (made.length !== 1 || own?.intact !== true || own.level !== level || !own.trusted) {
      const found = `${made.length} new, level ${own?.level}, ${own?.indication}`;
      return { kind: 'broken', message: `one seal at ${level} expected, found ${found}` };
    }
    return { kind: 'sealed', warnings };
  } catch (error) {
    if (isCoreError(error) && error.code !== 'internal.unexpected') {
      const kind = error.code === 'seal.selfcheck.failed' ? 'broken' : 'refused';
      if (kind === 'broken') return { kind, message: `${error.code}: ${error.message}` };
      return { kind, code: error.code, message: error.message };
    }
    return { kind: 'crashed', message: error instanceof Error ? `${error.stack}` : String(error) };
  }
}

await main(process.argv[2] as string);
