import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import { invalid, refuseWord } from '../../base/input.ts';
import type { CompanyKey } from '../../domain/keys.ts';
import {
  type DecisionKind,
  type MatchDecision,
  matchDecisions,
} from '../../domain/screening/index.ts';
import { requireScreening } from './audit-screenings.ts';
import type { ListPorts } from './lists/index.ts';
import { pairsOf } from './record-screening.ts';

/** A decision about one match of a screening. */
export interface DecisionRequest {
  /** ID or sequence number of the screening. */
  readonly screening: string;
  /** Position of the match in the screening, starting at 1. */
  readonly match: number;
  /**
   * `false_positive`: a different person; `confirmed`: the same person; `accepted`: the same
   * person, but the match no longer counts against them.
   */
  readonly decision: DecisionKind;
  readonly reason: string;
  /** The person who decided, for the record. */
  readonly by?: string | undefined;
}

const [REASON_MAX, BY_MAX] = [2000, 200];

/**
 * Records a decision about a match. It applies to the same person and the same list entry until the
 * names, dates, gender or countries of either change.
 *
 * @throws screening.not_found, validation.error
 */
export async function decideMatch(
  ports: Pick<ListPorts, 'store' | 'now'> & { random(count: number): Uint8Array },
  companyKey: CompanyKey,
  request: DecisionRequest,
): Promise<MatchDecision> {
  const { decision, match, by } = request;
  if (!matchDecisions.includes(decision)) {
    refuseWord('decision', matchDecisions, decision);
  }
  const reason = request.reason.trim();
  if (reason === '' || reason.length > REASON_MAX) {
    invalid('reason', `expected 1 to ${REASON_MAX} characters`);
  }
  if (by !== undefined && by.length > BY_MAX)
    invalid('by', `expected at most ${BY_MAX} characters`);
  const screening = await requireScreening(ports, companyKey, request.screening);
  const pair = pairsOf(screening)[match - 1];
  if (pair === undefined) {
    throw new InnsigliError(
      'validation.error',
      `match: expected 1 to ${screening.matches.length}, found ${match}`,
      { details: { field: 'match' } },
    );
  }
  const id = Buffer.from(ports.random(16)).toString('hex');
  return ports.store.write(async (unit) => {
    await unit.companies.lock(companyKey);
    const [before] = await unit.matchDecisions.findAll(companyKey, [pair]);
    // Strictly increasing, even within a millisecond or after a clock reset: the latest applies.
    const atMs = Math.max(ports.now(), (before?.atMs ?? 0) + 1);
    const about = { ...pair, companyKey, decision, reason, screeningId: screening.id };
    const made: MatchDecision = { ...about, ...defined({ by }), id, atMs };
    await unit.matchDecisions.add(made);
    return made;
  });
}

/** Lists the decisions of a company, newest first. */
export function listDecisions(
  { store }: Pick<ListPorts, 'store'>,
  companyKey: CompanyKey,
  take = 100,
): Promise<readonly MatchDecision[]> {
  const most = Math.min(Math.max(1, Math.floor(take)), 1000);
  return store.read((unit) => unit.matchDecisions.list(companyKey, most));
}
