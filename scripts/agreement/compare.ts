import { defined } from '../../src/base/defined.ts';
import type { SignatureConclusion } from '../../src/verify/report/report.ts';
import { findSharedStatement } from './clauses.table.ts';
import type { Verdicts } from './ours.ts';
import type { ReferenceAnswer, ReferenceSignature } from './reference.ts';

/** Counts of one kind: compared member → [agreed, compared]. */
export type Tally = Map<string, [number, number]>;

/** A statement on which the two validators disagree. */
export interface Difference {
  readonly file: string;
  readonly kind: string;
  readonly what: string;
  readonly which: string;
  readonly ours: string;
  readonly theirs: string;
  readonly detail: string;
  /** Passed here, but not there. */
  readonly isTooKind: boolean;
  /** Other validators that agree with us, and the reason: counted as agreed. */
  readonly sharedBy?: string;
}

type OurSignature = Verdicts['signatures'][number] | SignatureConclusion;

function countersignaturesOf(signature: OurSignature): readonly SignatureConclusion[] {
  return 'countersignatures' in signature ? (signature.countersignatures ?? []) : [];
}

/** Compares the two verdicts on a file, counts the result and returns the differences. */
export function compareFile(
  file: string,
  kind: string,
  theirs: ReferenceAnswer,
  ours: Verdicts,
  tally: Tally,
): readonly Difference[] {
  const found: Difference[] = [];
  const note = (what: string, which: string, mine: string, other: string, detail: string) => {
    const counted = tally.get(what) ?? [0, 0];
    const sharedBy = mine === other ? undefined : findSharedStatement(file, mine);
    const isAgreed = mine === other || sharedBy !== undefined;
    tally.set(what, [counted[0] + Number(isAgreed), counted[1] + 1]);
    if (mine === other) return;
    const isTooKind = what === 'indication' && mine === 'TOTAL-PASSED';
    const said = { file, kind, what, which, ours: mine, theirs: other, detail, isTooKind };
    found.push({ ...said, ...defined({ sharedBy }) });
  };
  const own = ours.signatures
    .filter((each) => each.kind === 'signature')
    .flatMap((each) => [each, ...countersignaturesOf(each)]);
  for (const [index, signature] of (theirs.signatures ?? []).entries()) {
    const mine = matching(own, signature, index);
    const which = signature.field ?? String(index);
    const detail = `${why(signature)} | ${ours.error ?? whyOurs(mine)}`;
    const indication = signature.indication.replace('_', '-');
    note('indication', which, mine?.indication ?? 'none', indication, detail);
    note('integrity', which, String(mine?.intact ?? false), String(signature.intact), detail);
    if (mine?.indication === indication) {
      const own = mine.subIndication;
      note('sub-indication', which, own ?? '', mapped(signature.subIndication, own), detail);
    }
    // Our level is one that the signature has been proved to reach. The reference validator also
    // names the form of a corrupt signature, and forms of EN 319 122-2 and EN 319 132-2, which are
    // not baseline levels.
    if (signature.intact && !extendedForm.test(signature.level) && !isUnproved(theirs)) {
      note('level', which, mine?.level ?? 'none', levelOf(signature.level), detail);
    }
    // EN 319 102-1 §5.5.4 step 2: other conclusions of the basic validation are final, and its
    // report has the time of validation. Here, the time proved by a time-stamp is reported even
    // then.
    const isDetermined = signature.bestTime?.slice(0, 19) !== ours.at.toISOString().slice(0, 19);
    if (mine?.timeProved === true && signature.bestTime != null && isDetermined) {
      const [a, b] = [mine.bestTime, signature.bestTime].map((time) => time.slice(0, 19));
      note('best time', which, String(a), String(b), detail);
    }
  }
  return found;
}

/**
 * The level named by the reference validator is that of the form. Its own verdict on a time-stamp
 * may be that it covers other data, so that it proves no level (RFC 3161 §2.4.2).
 */
function isUnproved({ signatures = [], timestamps = [] }: ReferenceAnswer): boolean {
  const broken = timestamps.filter(({ imprintIntact }) => !imprintIntact);
  return signatures.length === 1 && broken.length > 0;
}

const extendedForm = /-(?:C|X|XL|A|ERS)$/;

function matching(
  own: readonly OurSignature[],
  theirs: ReferenceSignature,
  index: number,
): OurSignature | undefined {
  const name = theirs.field;
  const isNamed = (field: string) => field === name || field.endsWith(`.${name}`);
  const byField = own.find((each) => 'field' in each && isNamed(each.field));
  return byField ?? (theirs.field == null ? own[index] : undefined);
}

function levelOf(level: string): string {
  const [, name] = /BASELINE-(B|T|LTA|LT)$/.exec(level) ?? [];
  return name === undefined ? 'none' : `B-${name}`;
}

/**
 * The reference validator reports CERTIFICATE_CHAIN_GENERAL_FAILURE for an unknown status; EN 319
 * 102-1 §5.2.6.4 requires OUT_OF_BOUNDS_NO_POE if the certificate has also expired.
 */
function mapped(theirs: string | null, ours: string | undefined): string {
  const isGeneral = theirs === 'CERTIFICATE_CHAIN_GENERAL_FAILURE';
  const isUnknown = ours === 'TRY_LATER' || ours === 'OUT_OF_BOUNDS_NO_POE';
  return isGeneral && isUnknown ? ours : (theirs ?? '');
}

function why({ subIndication, errors, warnings }: ReferenceSignature): string {
  const said = errors.length > 0 ? errors : warnings.map((each) => `warning ${each}`);
  return `${subIndication ?? ''} ${said.slice(0, 3).join(' ')}`;
}

function whyOurs(mine: OurSignature | undefined): string {
  if (mine === undefined) return 'no such signature';
  const said = mine.findings.filter(({ severity }) => severity !== 'info');
  const codes = said.slice(0, 4).map(({ code, message }) => `${code} (${message.slice(0, 160)})`);
  return `${mine.subIndication ?? ''} ${codes.join(' ')}`;
}

/** Returns one row of the table. */
export function tallyLine(kind: string, files: number, tally: Tally): string {
  const figures = [...tally].map(([what, [agreed, all]]) => {
    const share = all === 0 ? '–' : `${((100 * agreed) / all).toFixed(1)} %`;
    return `${what} ${agreed}/${all} (${share})`;
  });
  return `${kind}, ${files} files: ${figures.join(' · ')}`;
}
