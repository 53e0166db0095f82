import type { RawBuilder, SqlBool } from 'kysely';
import type { Challenges, Job, JobClaim, Jobs } from '../../../../app/ports/index.ts';
import { sha256Of } from '../../../../base/bytes.ts';
import type { JobDraft, JobKind } from '../../../../domain/process/index.ts';
import type { Challenge } from '../../../../domain/signing/index.ts';
import { changes, countChanged, firstOf, prepared, rowForm } from '../../statements.ts';
import type { JobRow, Session } from '../../tables.ts';
import { keyList, rowList } from '../row-list.ts';

const everyKind: Readonly<Record<JobKind, true>> = {
  finalize: true,
  expire: true,
  remind: true,
  message: true,
  webhook: true,
  purge: true,
  anchor: true,
  rescreen: true,
};
const jobKinds = Object.keys(everyKind) as readonly JobKind[];

/**
 * Tolerated clock difference between hosts. A run time beyond the horizon by no more than this was
 * set by another host, and does not mean that the clock went back.
 */
const clocksApartMs = 3_600_000;

const challengeForm = rowForm<Omit<Challenge, 'token'>>()({ expiresAtMs: 'expires_at' });

const put = prepared((db, { kind, ref, runAtMs }: JobDraft) => {
  const fresh = { run_at: runAtMs, held_until: null, owner: null, attempts: 0 };
  return db
    .insertInto('job')
    .values({ kind, ref, ...fresh })
    .onConflict((conflict) => conflict.columns(['kind', 'ref']).doUpdateSet(fresh));
});

/** Scheduled jobs, guarded by the name of their holder. */
export function jobs(session: Session): Jobs {
  const { db } = session;
  return {
    ...holds(session),
    async put(draft) {
      await put(session, draft);
    },
    async finish(kind, ref, owner) {
      const query = db.deleteFrom('job').where('kind', '=', kind).where('ref', '=', ref);
      const guarded = owner === undefined ? query : query.where('owner', '=', owner);
      return changes(guarded);
    },
    async finishAll(kind, refs, owner) {
      const held = db.deleteFrom('job').where('kind', '=', kind).where('owner', '=', owner);
      const rows = await held.where('ref', 'in', keyList(session, refs)).returning('ref').execute();
      return rows.map(({ ref }) => ref);
    },
    async releaseAll(kind, jobs) {
      const rows = jobs.map(({ ref, owner, runAtMs }) => [ref, owner, runAtMs]);
      const list = rowList(session, rows, ['TEXT', 'TEXT', 'BIGINT']);
      const query = session.sql<{ ref: string }>`
        UPDATE job SET run_at = v.column3, held_until = NULL, owner = NULL FROM ${list} AS v
        WHERE job.kind = ${kind} AND job.ref = v.column1 AND job.owner = v.column2 RETURNING ref`;
      return (await query.execute(db)).rows.map(({ ref }) => ref);
    },
    async release(kind, ref, owner, runAtMs, isCounted = true) {
      const query = db
        .updateTable('job')
        .set((e) => ({
          run_at: runAtMs,
          held_until: null,
          owner: null,
          attempts: e('attempts', '-', isCounted ? 0 : 1),
        }))
        .where('kind', '=', kind)
        .where('ref', '=', ref)
        .where('owner', '=', owner);
      return changes(query);
    },
    async find(kind, ref) {
      const query = db.selectFrom('job').selectAll().where('kind', '=', kind);
      return firstOf(query.where('ref', '=', ref), draftOf);
    },
    async due(nowMs) {
      const query = db.selectFrom('job').select((e) => e.fn.countAll<number>().as('n'));
      // The index starts with the kind.
      const some = query.where('kind', 'in', jobKinds).where('run_at', '<=', nowMs);
      return (await some.where(isOver(session)).executeTakeFirstOrThrow()).n;
    },
    async dueByKind(nowMs) {
      const counted = db
        .selectFrom('job')
        .select((e) => ['kind', e.fn.countAll<number>().as('n'), e.fn.min('run_at').as('since')])
        .where('kind', 'in', jobKinds)
        .where('run_at', '<=', nowMs)
        .where(isOver(session));
      const rows = await counted.groupBy('kind').execute();
      return rows.map(({ kind, n, since }) => {
        return { kind, count: Number(n), sinceMs: Number(since) };
      });
    },
  };
}

function holds(session: Session) {
  const { db } = session;
  return {
    async renew(kind, refs, owner, leaseMs) {
      const until = { held_until: leaseEnd(session, leaseMs) };
      const query = db.updateTable('job').set(until).where('kind', '=', kind);
      const held = query.where('ref', 'in', keyList(session, refs)).where('owner', '=', owner);
      await held.execute();
    },
    async releaseClaim(kinds, owner) {
      if (kinds.length === 0) return;
      await db
        .updateTable('job')
        .set((e) => ({ held_until: null, owner: null, attempts: e('attempts', '-', 1) }))
        .where('kind', 'in', [...kinds])
        .where('owner', '=', owner)
        .execute();
    },
    async isHeld({ kind, ref, owner }) {
      const query = db.selectFrom('job').select('ref').where('kind', '=', kind);
      const held = query.where('ref', '=', ref).where('owner', '=', owner);
      return (await held.executeTakeFirst()) !== undefined;
    },
  } satisfies Partial<Jobs>;
}

function leaseEnd({ sql, leaseTime }: Session, leaseMs: number): RawBuilder<number> {
  return sql<number>`${leaseTime()} + ${leaseMs}`;
}

/** Condition for jobs that are not held, or whose lease has ended. */
function isOver({ sql, leaseTime }: Session): RawBuilder<SqlBool> {
  return sql<SqlBool>`(held_until IS NULL OR held_until <= ${leaseTime()})`;
}

/** Whether there is a job to claim. It takes no lock, for workers that poll often. */
export async function hasDueJobs(session: Session, claim: JobClaim): Promise<boolean> {
  if (claim.kinds.length === 0 || claim.limit <= 0) return false;
  const one = dueOfKinds(session, { ...claim, limit: 1 });
  const { rows } = await session.sql`${one} LIMIT 1`.execute(session.db);
  return rows.length > 0;
}

/** Claims the jobs that have been due longest, and returns them in that order. */
export async function claimDueJobs(session: Session, claim: JobClaim): Promise<readonly Job[]> {
  const { db, sql, engine } = session;
  const { owner, leaseMs, limit, ownFact } = claim;
  const own =
    ownFact &&
    sql`AND EXISTS (SELECT 1 FROM store_fact
    WHERE name = ${ownFact.name} AND value = ${ownFact.value})`;
  // Several workers claim concurrently; each skips the rows locked by others.
  const lock = engine === 'postgresql' ? sql`FOR UPDATE SKIP LOCKED` : undefined;
  const { rows } = await sql<JobRow>`
    WITH due AS (${dueOfKinds(session, claim, lock)}),
      chosen AS (SELECT kind, ref FROM due ORDER BY run_at, kind LIMIT ${limit})
    UPDATE job SET owner = ${owner}, held_until = ${leaseEnd(session, leaseMs)},
      attempts = attempts + 1
    WHERE (kind, ref) IN (SELECT kind, ref FROM chosen) ${own ?? sql``} RETURNING *`.execute(db);
  return [...rows]
    .sort((a, b) => a.run_at - b.run_at)
    .map((row) => ({ ...draftOf(row), attempts: row.attempts, owner }));
}

// Looks each kind up in its own part of the index: a backlog of one does not delay the rest.
function dueOfKinds(
  session: Session,
  { kinds, refs, nowMs, leaseMs, limit, horizonMs, unheld }: JobClaim,
  lock = session.sql``,
): RawBuilder<unknown> {
  const { sql } = session;
  const own = refs === undefined ? sql`` : sql`AND ref IN ${keyList(session, refs)}`;
  // A lease that ends later than any granted now was granted before the lease time went back: the
  // system counter restarts with the machine, and the clock of a database server can be set.
  const over = sql`(${isOver(session)} OR held_until > ${leaseEnd(session, 2 * leaseMs)})`;
  const free = unheld === true ? sql`owner IS NULL` : over;
  const order = sql`ORDER BY run_at LIMIT ${limit} ${lock}`;
  const times = [sql`<= ${nowMs}`];
  if (horizonMs !== undefined) times.push(sql`> ${nowMs + horizonMs + clocksApartMs}`);
  const parts = [...new Set(kinds)].flatMap((kind) =>
    times.map(
      (time) => sql`SELECT * FROM (SELECT kind, ref, run_at FROM job
        WHERE kind = ${kind} AND run_at ${time} AND ${free} ${own} ${order}) AS own`,
    ),
  );
  return sql.join(parts, sql` UNION ALL `);
}

function draftOf(row: JobRow): JobDraft {
  return { kind: row.kind, ref: row.ref, runAtMs: row.run_at };
}

/** One-time codes and e-ID sessions, by digest of their token; the token itself is not stored. */
export function challenges({ db }: Session): Challenges {
  return {
    async add({ token, ...rest }) {
      const row = { sha256: sha256Of(token), ...challengeForm.row(rest) };
      await db.insertInto('challenge').values(row).execute();
    },
    async find(token) {
      // The digest ensures that lookup time reveals nothing about a partly correct token.
      const query = db.selectFrom('challenge').selectAll().where('sha256', '=', sha256Of(token));
      return firstOf(query, (row) => ({ ...challengeForm.value(row), token }));
    },
    async save({ token, ...rest }) {
      const query = db.updateTable('challenge').set(challengeForm.row(rest));
      await query.where('sha256', '=', sha256Of(token)).execute();
    },
    removeExpired: (beforeMs) =>
      countChanged(db.deleteFrom('challenge').where('expires_at', '<', beforeMs)),
  };
}
