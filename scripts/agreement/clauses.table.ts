import type { Difference } from './compare.ts';

/** A signature that passes here and not in the reference validator, and why that is right. */
export interface JustifiedPass {
  readonly file: RegExp;
  /** Of the detail: what the reference validator says. */
  readonly theirs: RegExp;
  readonly why: string;
}

/** What passes here and not there, each with the clause that supports us. */
export const justifiedPasses: readonly JustifiedPass[] = [
  {
    file: /\/dss1987\/data2sign-signed-xades-enveloped-baseline-(cts-)?lta\.xml$/,
    theirs: /BBB_XCV_(CCCBB_SIG|DCIDNMSDNIC)_ANS/,
    why:
      'RFC 5280 §7.1: the issuer is a PrintableString, the subject of the anchor a UTF8String ' +
      'with the same letters; the names match, and the key of the anchor made the signature',
  },
  {
    file: /\/minimal-signed-twice-no-sig-type\.pdf$/,
    theirs: /BBB_XCV_CCCBB_SIG_ANS/,
    why:
      'RFC 5280 §6.1: the path of Sig2 leads to an anchor (openssl verify agrees); the issuer ' +
      'stands twice in the file, with one name and one key in two certificates',
  },
];

/** A file that is refused here for what was added to it, and elsewhere too. */
interface SharedRefusal {
  readonly file: RegExp;
  readonly why: string;
}

/** Files that the reference validator passes; each counts as agreed, and is listed. */
const sharedRefusals: readonly SharedRefusal[] = [
  {
    file: /\/coverage-anomalies\/tail-uncovered\.pdf$/,
    why:
      'ISO 32000-2 §12.8.1: the range is the entire file; pyHanko refuses the bytes after it ' +
      'as well (modification OTHER, not valid)',
  },
];

/** Who else refuses a file, and why; undefined when nobody does. */
export function findSharedRefusal(file: string): string | undefined {
  return sharedRefusals.find((row) => row.file.test(file))?.why;
}

/** Why a difference is no false valid; undefined when nothing supports us. */
export function findJustification({ file, detail }: Difference): string | undefined {
  const found = justifiedPasses.find((row) => row.file.test(file) && row.theirs.test(detail));
  return found?.why;
}
