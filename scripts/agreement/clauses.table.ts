import type { Difference } from './compare.ts';

/**
 * A signature that passes here but not in the reference validator, and the reason why passing is
 * correct.
 */
export interface JustifiedPass {
  readonly file: RegExp;
  /** Pattern of the detail: the statement of the reference validator. */
  readonly theirs: RegExp;
  readonly why: string;
}

/** Signatures that pass only here, each with the clause that supports us. */
export const justifiedPasses: readonly JustifiedPass[] = [
  {
    file: /\/dss1987\/data2sign-signed-xades-enveloped-baseline-(cts-)?lta\.xml$/,
    theirs: /BBB_XCV_(CCCBB_SIG|DCIDNMSDNIC)_ANS/,
    why:
      'RFC 5280 §7.1: the issuer is a PrintableString, the subject of the anchor a UTF8String ' +
      'with the same characters; the names match, and the signature is by the key of the anchor',
  },
  {
    file: /\/minimal-signed-twice-no-sig-type\.pdf$/,
    theirs: /BBB_XCV_CCCBB_SIG_ANS/,
    why:
      'RFC 5280 §6.1: the path of Sig2 leads to an anchor (openssl verify agrees); the file ' +
      'contains two certificates of the issuer, with the same name and key',
  },
];

/** A statement about a file that other validators than the reference validator share with us. */
interface SharedStatement {
  readonly file: RegExp;
  /** Our value. */
  readonly ours: readonly string[];
  readonly why: string;
}

/** Files on which only the reference validator differs. Each counts as agreed, and is listed. */
const sharedStatements: readonly SharedStatement[] = [
  {
    file: /\/coverage-anomalies\/tail-uncovered\.pdf$/,
    ours: ['TOTAL-FAILED', 'false'],
    why:
      'ISO 32000-2 §12.8.1: the range is the entire file; pyHanko rejects the bytes after it ' +
      'as well (modification OTHER, not valid)',
  },
  {
    file: /\/phaos-xmldsig-three\/signature-rsa-xpath-transform-enveloped\.xml$/,
    ours: ['true'],
    why:
      'XML-Signature §6.6.3.1: the expression calls here(), which the XPath library of the ' +
      'reference validator lacks; xmlsec1 verifies the reference, and the suite lists it as valid',
  },
  {
    file: /\/interop\/c14n\/Y5\/signature(Commented)?\.xml$/,
    ours: ['true'],
    why:
      'XPath 1.0 §5.4: each element has its own namespace nodes, which the XPath library of ' +
      'the reference validator confuses in 3 of 27 references; xmlsec1 verifies all 27, and ' +
      'the bytes in the suite for these three (c14n-3, -10, -19) have the signed digests',
  },
];

/**
 * Returns the other validators that agree with us on a file, and the reason. Undefined if there are
 * none.
 */
export function findSharedStatement(file: string, ours: string): string | undefined {
  return sharedStatements.find((row) => row.file.test(file) && row.ours.includes(ours))?.why;
}

/**
 * Returns the reason why a difference is not a false positive. Undefined if no clause supports us.
 */
export function findJustification({ file, detail }: Difference): string | undefined {
  const found = justifiedPasses.find((row) => row.file.test(file) && row.theirs.test(detail));
  return found?.why;
}
