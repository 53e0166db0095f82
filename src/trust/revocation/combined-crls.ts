import { equalBytes } from '../../base/bytes.ts';
import { defined } from '../../base/defined.ts';
import type { CertificateList } from '../../formats/x509/index.ts';
import { allReasons, listNameOf } from './distribution-point.ts';
import {
  checkFreshness,
  checkGood,
  type Evidence,
  type EvidenceQuestion,
  findWeakEvidence,
} from './revocation-evidence.ts';

/** Statement of one CRL about a certificate. */
export interface CrlStatement extends Evidence {
  readonly crl: CertificateList;
  /** Bits of the revocation reasons that it covers for the certificate. */
  readonly reasons: number;
}

/**
 * The statements of complete CRLs, each updated by the newest fresh delta CRL for it, and those of
 * delta CRLs that revoke. `removeFromCRL` lifts a hold only.
 *
 * @spec RFC 5280 §5.2.4, §6.3.3 (c), (d), (i), (k)
 */
export function combineDeltas(
  statements: readonly CrlStatement[],
  question: EvidenceQuestion,
): readonly CrlStatement[] {
  const deltas = statements.filter(({ crl }) => crl.baseCrlNumber !== undefined);
  if (deltas.length === 0) return statements;
  const fresh = deltas.filter(
    (delta) =>
      (delta.flaw === undefined || delta.status === 'revoked') &&
      checkFreshness('CRL', delta, question) === undefined,
  );
  const bases = statements.filter(({ crl }) => crl.baseCrlNumber === undefined);
  return [
    ...bases.map((base) => updated(base, fresh)),
    ...deltas.filter(({ status, reason }) => status === 'revoked' && reason !== LIFTED),
  ];
}

const LIFTED = 'removeFromCRL';
const HOLD = 'certificateHold';

function updated(base: CrlStatement, deltas: readonly CrlStatement[]): CrlStatement {
  const newest = deltas
    .filter(({ crl, responder }) => {
      return isUpdateOf(crl, base.crl) && equalBytes(responder.spkiDer, base.responder.spkiDer);
    })
    .reduce<CrlStatement | undefined>(
      (best, one) => (best === undefined || numberOf(one) > numberOf(best) ? one : best),
      undefined,
    );
  if (newest === undefined) return base;
  const { thisUpdateMs, nextUpdateMs } = newest;
  const { nextUpdateMs: _, ...rest } = base;
  const current = { ...rest, thisUpdateMs, ...defined({ nextUpdateMs }), further: [newest.der] };
  if (newest.reason !== LIFTED || base.status === 'good' || base.reason !== HOLD) return current;
  const { revokedAtMs: _at, reason: _reason, ...lifted } = current;
  return { ...lifted, status: 'good' };
}

function numberOf({ crl }: CrlStatement): bigint {
  return crl.crlNumber ?? 0n;
}

/** Same issuer, scope and key, and the base is no older than the base CRL number of the delta. */
function isUpdateOf(delta: CertificateList, base: CertificateList): boolean {
  const { crlNumber, baseCrlNumber } = delta;
  if (crlNumber === undefined || baseCrlNumber === undefined) return false;
  if (base.crlNumber === undefined) return false;
  return (
    base.crlNumber >= baseCrlNumber &&
    crlNumber >= base.crlNumber &&
    listNameOf(delta) === listNameOf(base) &&
    isSame(delta.scopeDer, base.scopeDer) &&
    isSame(delta.authorityKeyId, base.authorityKeyId)
  );
}

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  return one === undefined || other === undefined ? one === other : equalBytes(one, other);
}

/**
 * Evidence of CRLs: each one that revokes, each one that covers all reasons, and one combining
 * those that together cover all reasons.
 *
 * @spec RFC 5280 §6.3.3 (e), (l)
 */
export function combineReasons(
  statements: readonly CrlStatement[],
  question: EvidenceQuestion,
): readonly (Evidence | string)[] {
  const found: (Evidence | string)[] = [];
  const parts: CrlStatement[] = [];
  for (const statement of statements) {
    const isWhole = statement.reasons === allReasons || statement.flaw !== undefined;
    if (statement.status === 'revoked' || isWhole) found.push(evidenceOf(statement));
    else {
      const flaw = checkGood(statement, question);
      if (flaw === undefined) parts.push(statement);
      else found.push(flaw);
    }
  }
  const [first] = parts;
  if (first === undefined) return found;
  const covered = parts.reduce((bits, { reasons }) => bits | reasons, 0);
  if (covered !== allReasons) return [...found, 'the CRL covers only some reasons'];
  return [...found, joined(first, parts, question)];
}

/** As fresh as the oldest part, and as strong as the weakest part. */
function joined(
  first: CrlStatement,
  parts: readonly CrlStatement[],
  question: EvidenceQuestion,
): Evidence {
  const weakest = parts.find((part) => findWeakEvidence(part, question) !== undefined) ?? first;
  const { nextUpdateMs: _, ...evidence } = evidenceOf(weakest);
  const ends = parts.map(({ nextUpdateMs }) => nextUpdateMs);
  const nextUpdateMs = ends.includes(undefined)
    ? undefined
    : Math.min(...ends.flatMap((end) => end ?? []));
  return {
    ...evidence,
    thisUpdateMs: Math.min(...parts.map(({ thisUpdateMs }) => thisUpdateMs)),
    ...defined({ nextUpdateMs }),
    further: parts
      .filter((part) => part !== weakest)
      .flatMap(({ der, further = [] }) => [der, ...further])
      .concat(weakest.further ?? []),
  };
}

function evidenceOf({ crl: _crl, reasons: _reasons, ...evidence }: CrlStatement): Evidence {
  return evidence;
}
