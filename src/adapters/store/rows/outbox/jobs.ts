import type { RawBuilder } from 'kysely';
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

const challengeForm = rowForm<Omit<Challenge, 'token'>>()({ expiresAtMs: 'expires_at' });

const put = prepared((db, { kind, ref, runAtMs }: JobDraft) => {
  const fresh = { run_at: runAtMs, due_at: runAtMs, owner: null, attempts: 0 };
  return db
    .insertInto('job')
    .values({ kind, ref, ...fresh })
    .onConflict((conflict) => conflict.columns(['kind', 'ref']).doUpdateSet(fresh));
});

/** Work that waits for its time, guarded by the name of who holds it. */
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
        UPDATE job SET run_at = v.column3, due_at = v.column3, owner = NULL FROM ${list} AS v
        WHERE job.kind = ${kind} AND job.ref = v.column1 AND job.owner = v.column2 RETURNING ref`;
      return (await query.execute(db)).rows.map(({ ref }) => ref);
    },
    async release(kind, ref, owner, runAtMs, isCounted = true) {
      const query = db
        .updateTable('job')
        .set((e) => ({
          run_at: runAtMs,
          due_at: runAtMs,
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
      // The index has the kinds first.
      const some = query.where('kind', 'in', jobKinds);
      return (await some.where('due_at', '<=', nowMs).executeTakeFirstOrThrow()).n;
    },
    async dueByKind(nowMs) {
      const counted = db
        .selectFrom('job')
        .select((e) => ['kind', e.fn.countAll<number>().as('n'), e.fn.min('due_at').as('since')])
        .where('kind', 'in', jobKinds)
        .where('due_at', '<=', nowMs);
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
    async renew(kind, refs, owner, untilMs) {
      const query = db.updateTable('job').set({ due_at: untilMs }).where('kind', '=', kind);
      const held = query.where('ref', 'in', keyList(session, refs)).where('owner', '=', owner);
      await held.execute();
    },
    async releaseClaim(kinds, owner, untilMs) {
      if (kinds.length === 0) return;
      await db
        .updateTable('job')
        .set((e) => ({ due_at: e.ref('run_at'), owner: null, attempts: e('attempts', '-', 1) }))
        .where('kind', 'in', [...kinds])
        .where('due_at', '=', untilMs)
        .where('owner', '=', owner)
        .execute();
    },
  } satisfies Partial<Jobs>;
}

/** True when there is anything to claim; costs no lock, for workers that look often. */
export async function hasDueJobs(session: Session, claim: JobClaim): Promise<boolean> {
  if (claim.kinds.length === 0 || claim.limit <= 0) return false;
  const one = dueOfKinds(session, { ...claim, limit: 1 });
  const { rows } = await session.sql`${one} LIMIT 1`.execute(session.db);
  return rows.length > 0;
}

/** Takes the jobs that have been due longest, and gives them in that order. */
export async function claimDueJobs(session: Session, claim: JobClaim): Promise<readonly Job[]> {
  const { db, sql, engine } = session;
  const { owner, nowMs, leaseMs, limit, ownFact } = claim;
  const own =
    ownFact &&
    sql`AND EXISTS (SELECT 1 FROM store_fact
    WHERE name = ${ownFact.name} AND value = ${ownFact.value})`;
  // Several workers choose at the same time: each skips what another has in hand.
  const lock = engine === 'postgresql' ? sql`FOR UPDATE SKIP LOCKED` : undefined;
  const { rows } = await sql<JobRow>`
    WITH due AS (${dueOfKinds(session, claim, lock)}),
      chosen AS (SELECT kind, ref FROM due ORDER BY due_at, kind LIMIT ${limit})
    UPDATE job SET owner = ${owner}, due_at = ${nowMs + leaseMs}, attempts = attempts + 1
    WHERE (kind, ref) IN (SELECT kind, ref FROM chosen) ${own ?? sql``} RETURNING *`.execute(db);
  return [...rows]
    .sort((a, b) => a.run_at - b.run_at)
    .map((row) => ({ ...draftOf(row), attempts: row.attempts, owner }));
}

// Each kind is looked up in its own part of the index, so that a backlog of one kind does not slow
// down the others.
function dueOfKinds(
  session: Session,
  { kinds, refs, nowMs, limit, horizonMs, unheld }: JobClaim,
  lock = session.sql``,
): RawBuilder<unknown> {
  const { sql } = session;
  const own = refs === undefined ? sql`` : sql`AND ref IN ${keyList(session, refs)}`;
  const free = unheld === true ? sql`AND owner IS NULL` : sql``;
  const order = sql`ORDER BY due_at LIMIT ${limit} ${lock}`;
  const times = [sql`<= ${nowMs}`];
  if (horizonMs !== undefined) times.push(sql`> ${nowMs + horizonMs}`);
  const parts = [...new Set(kinds)].flatMap((kind) =>
    times.map(
      (time) => sql`SELECT * FROM (SELECT kind, ref, due_at FROM job
        WHERE kind = ${kind} AND due_at ${time} ${own} ${free} ${order}) AS own`,
    ),
  );
  return sql.join(parts, sql` UNION ALL `);
}

function draftOf(row: JobRow): JobDraft {
  return { kind: row.kind, ref: row.ref, runAtMs: row.run_at };
}

/** One-time codes and e-ID sessions, by the digests of their tokens: no token is kept. */
export function challenges({ db }: Session): Challenges {
  return {
    async add({ token, ...rest }) {
      const row = { sha256: sha256Of(token), ...challengeForm.row(rest) };
      await db.insertInto('challenge').values(row).execute();
    },
    async find(token) {
      // The time of the look-up reveals nothing about a partly correct token.
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
