import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { verifyDocument } from '../../src/index.ts';
import type { VerificationReport } from '../../src/verify/report/report.ts';

interface Asked {
  readonly roots: string;
  readonly at: Date;
  readonly isRelaxed: boolean;
  /** The detached file that it covers. */
  readonly beside?: string;
}

/** Our verdict on a file: its report, or the error code. */
export interface Verdicts {
  readonly error?: string;
  /** Time of verification. */
  readonly at: Date;
  readonly signatures: VerificationReport['signatures'];
}

const anchors = new Map<string, readonly Uint8Array[]>();

/** Returns our verdict on a file. */
export async function verdictsOf(file: string, asked: Asked): Promise<Verdicts> {
  const { roots, at, isRelaxed, beside } = asked;
  const trust = anchors.get(roots) ?? readRoots(roots);
  anchors.set(roots, trust);
  try {
    const { signatures } = await verifyDocument(readFileSync(file), {
      trust,
      at,
      ...(beside === undefined ? {} : { detached: [besideOf(beside)] }),
      ...(isRelaxed ? { revocationMode: 'ignore' as const } : {}),
    });
    return { at, signatures };
  } catch (error) {
    const { code, message } = error as { readonly code?: string; readonly message: string };
    return { error: code ?? message, at, signatures: [] };
  }
}

function besideOf(file: string): { readonly name: string; readonly content: Uint8Array } {
  return { name: basename(file), content: readFileSync(file) };
}

function readRoots(folder: string): readonly Uint8Array[] {
  return readdirSync(folder).map((name) => readFileSync(join(folder, name)));
}
