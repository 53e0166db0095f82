import type {
  Customers,
  MatchDecisions,
  ScreeningRow,
  Screenings,
} from '../../../app/ports/index.ts';
import { defined } from '../../../base/defined.ts';
import { getOrCompute } from '../../../base/memo.ts';
import type {
  Customer,
  MatchDecision,
  MatchPair,
  ScreeningRecord,
} from '../../../domain/screening/index.ts';
import {
  allOf,
  changes,
  findDecrypted,
  firstOf,
  insertRow,
  type Prepared,
  prepared,
} from '../statements.ts';
import { fromJson, type Session, toJson } from '../tables.ts';

type Place = { readonly seq: number; readonly hash: string };

// A literal, because SQLite prepares a statement again whenever a value is bound to its LIMIT.
const lastPlace = prepared<{ readonly companyKey: string }, Place>((db, { companyKey }, { sql }) =>
  db
    .selectFrom('screening')
    .select(['seq', 'hash'])
    .where('company_key', '=', companyKey)
    .orderBy('seq', 'desc')
    .limit(sql.lit(1)),
);

/** Screenings of companies, encrypted and chained. */
export function screenings(session: Session): Screenings {
  const { db, vault } = session;
  const context = (id: string) => `screening.data:${id}`;
  const rowOf = (row: { id: string; hash: string; data: string }): ScreeningRow => {
    const text = vault.decrypt(row.data, context(row.id));
    return { record: fromJson<ScreeningRecord>(text), text, hash: row.hash };
  };
  const rowsOf = (companyKey: string) =>
    db.selectFrom('screening').select(['id', 'hash', 'data']).where('company_key', '=', companyKey);
  const behind = (companyKey: string, afterSeq: number, take: number) =>
    rowsOf(companyKey).where('seq', '>', afterSeq).orderBy('seq').limit(take);
  return {
    last: async (companyKey) => (await lastPlace(session, { companyKey })).rows[0],
    add: ({ record, text, hash }) => {
      const { id, companyKey, seq, atMs } = record;
      const data = vault.encrypt(text, context(id));
      const row = { id, company_key: companyKey, seq, created_at: atMs, hash, data };
      return insertRow(session, 'screening', row);
    },
    find: (companyKey, id) => firstOf(rowsOf(companyKey).where('id', '=', id), rowOf),
    chain: (companyKey, afterSeq, take) =>
      allOf(behind(companyKey, afterSeq, take), (row) => {
        return { hash: row.hash, ...defined({ row: findDecrypted(() => rowOf(row)) }) };
      }),
    list: (companyKey, afterSeq, take) => allOf(behind(companyKey, afterSeq, take), rowOf),
  };
}

interface DecisionRow {
  readonly id: string;
  readonly pair_index: string;
  readonly data: string;
}

/** Returns a row if the company has decided about any match. */
const anyDecision = prepared<{ readonly companyKey: string }, { readonly id: string }>(
  (db, { companyKey }, { sql }) =>
    db
      .selectFrom('match_decision')
      .select('id')
      .where('company_key', '=', companyKey)
      .limit(sql.lit(1)),
);

type DecisionsOf = Prepared<Readonly<Record<string, string>>, DecisionRow>;

const decisionQueries = new Map<number, DecisionsOf>();

/**
 * Decisions about a number of pairs, oldest first. There is one statement per power of two rather
 * than per number of pairs: hundreds of statements would evict each other from the cache.
 */
function decisionsOf(pairs: number): DecisionsOf {
  return getOrCompute(decisionQueries, nextPowerOfTwo(pairs), (count) =>
    prepared((db, values) => {
      const indexes = Array.from({ length: count }, (_, at) => values[`index${at}`] as string);
      return db
        .selectFrom('match_decision')
        .select(['id', 'pair_index', 'data'])
        .where('company_key', '=', values['companyKey'] as string)
        .where('pair_index', 'in', indexes)
        .orderBy('decided_at')
        .orderBy('id');
    }),
  );
}

/** The smallest power of two that is not less than `count`. */
function nextPowerOfTwo(count: number): number {
  let room = 1;
  while (room < count) room *= 2;
  return room;
}

/** The values, padded to a power of two by repeating the last one. */
function padded(values: readonly string[]): readonly string[] {
  const last = values.at(-1) as string;
  return Array.from({ length: nextPowerOfTwo(values.length) }, (_, at) => values[at] ?? last);
}

/** Decisions about matches, encrypted and found by a keyed digest of both sides. */
export function matchDecisions(session: Session): MatchDecisions {
  const { db, vault } = session;
  const context = (id: string) => `match_decision.data:${id}`;
  const pairIndex = ({ subject, list, key, identity }: MatchPair) =>
    vault.index(`match ${JSON.stringify([subject, list, key, identity])}`);
  const decisionOf = (row: { id: string; data: string }) =>
    fromJson<MatchDecision>(vault.decrypt(row.data, context(row.id)));
  return {
    add: (decision) => {
      const { id, companyKey, atMs } = decision;
      return insertRow(session, 'match_decision', {
        ...{ id, company_key: companyKey, pair_index: pairIndex(decision), decided_at: atMs },
        data: vault.encrypt(toJson(decision), context(id)),
      });
    },
    async findAll(companyKey, pairs) {
      // Checking for any decisions is cheaper than computing the keyed digests of many pairs.
      const isAny =
        pairs.length > 0 && (await anyDecision(session, { companyKey })).rows.length > 0;
      if (!isAny) return pairs.map(() => undefined);
      const indexes = pairs.map(pairIndex);
      const distinct = [...new Set(indexes)];
      const { rows } = await decisionsOf(distinct.length)(session, {
        companyKey,
        ...Object.fromEntries(padded(distinct).map((index, at) => [`index${at}`, index])),
      });
      const newest = new Map(rows.map((row) => [row.pair_index, row]));
      return indexes.map((index) => {
        const row = newest.get(index);
        return row && decisionOf(row);
      });
    },
    async list(companyKey, take) {
      const rows = await db
        .selectFrom('match_decision')
        .select(['id', 'data'])
        .where('company_key', '=', companyKey)
        .orderBy('decided_at', 'desc')
        .orderBy('id', 'desc')
        .limit(take)
        .execute();
      return rows.map(decisionOf);
    },
  };
}

/** Persons who are screened repeatedly, encrypted. */
export function customers({ db, vault }: Session): Customers {
  const context = (id: string) => `customer.data:${id}`;
  const digest = (what: string, value: string) => vault.index(`customer ${what} ${value}`);
  const customerOf = (row: { id: string; data: string }) =>
    fromJson<Customer>(vault.decrypt(row.data, context(row.id)));
  const rowsOf = (companyKey: string) =>
    db.selectFrom('customer').select(['id', 'data']).where('company_key', '=', companyKey);
  return {
    async put(customer) {
      const { id, companyKey, reference, ssn, nextAtMs } = customer;
      const row = {
        company_key: companyKey,
        reference_index: digest('reference', reference),
        ssn_index: ssn === undefined ? null : digest('ssn', ssn),
        next_at: nextAtMs,
        data: vault.encrypt(toJson(customer), context(id)),
      };
      const query = db.insertInto('customer').values({ id, ...row });
      await query.onConflict((conflict) => conflict.column('id').doUpdateSet(row)).execute();
    },
    findByReference(companyKey, reference) {
      const index = digest('reference', reference);
      return firstOf(rowsOf(companyKey).where('reference_index', '=', index), customerOf);
    },
    findBySsn: (companyKey, ssn) =>
      allOf(rowsOf(companyKey).where('ssn_index', '=', digest('ssn', ssn)), customerOf),
    list: (companyKey, afterId, take) =>
      allOf(rowsOf(companyKey).where('id', '>', afterId).orderBy('id').limit(take), customerOf),
    due(companyKey, nowMs, take) {
      const rows = rowsOf(companyKey).where('next_at', '<=', nowMs);
      // A stable order: customers due at the same time are returned in the same order each time.
      return allOf(rows.orderBy('next_at').orderBy('id').limit(take), customerOf);
    },
    async nextAtMs(companyKey) {
      const row = await db
        .selectFrom('customer')
        .select('next_at')
        .where('company_key', '=', companyKey)
        .orderBy('next_at')
        .limit(1)
        .executeTakeFirst();
      return row?.next_at;
    },
    remove: (companyKey, reference) =>
      changes(
        db
          .deleteFrom('customer')
          .where('company_key', '=', companyKey)
          .where('reference_index', '=', digest('reference', reference)),
      ),
  };
}
