import type { SqlBool } from 'kysely';
import type { AccessTokens, LoginSessions, PollTimes, Tallies } from '../../../app/ports/index.ts';
import type { AccessToken, LoginSession } from '../../../domain/auth/index.ts';
import type { Tally } from '../../../domain/login-bounds.ts';
import {
  countChanged,
  firstOf,
  firstRow,
  insertRow,
  locking,
  prepared,
  rowForm,
  run,
} from '../statements.ts';
import { fromJson, type Session, toJson } from '../tables.ts';

const sessions = rowForm<LoginSession>()({ key: 'key', createdAtMs: 'created_at' });
const tokens = rowForm<AccessToken>()({ sha256: 'sha256', expiresAtMs: 'expires_at' });

interface Key {
  readonly key: string;
}

const loginByKey = (db: Session['db'], key: string) =>
  db.selectFrom('login_session').selectAll().where('key', '=', key);
const findLogin = prepared((db, { key }: Key) => loginByKey(db, key));
const lockLogin = prepared((db, { key }: Key, session) => locking(session, loginByKey(db, key)));
const saveLogin = prepared((db, { key, data }: Key & { readonly data: string }) =>
  db.updateTable('login_session').set({ data }).where('key', '=', key),
);

/** Logins of persons; everything but their time is encrypted. */
export function logins(session: Session): LoginSessions {
  const { db, vault } = session;
  const context = (key: string) => `login_session.data:${key}`;
  const toRow = (login: LoginSession) => {
    const { data, ...cells } = sessions.row(login);
    return { ...cells, data: vault.encrypt(data, context(login.key)) };
  };
  const fromRow = (row: { key: string; created_at: number; data: string }) =>
    sessions.join(row, fromJson<object>(vault.decrypt(row.data, context(row.key))));
  return {
    add: (login) => insertRow(session, 'login_session', toRow(login)),
    find: (key) => firstRow(findLogin(session, { key }), fromRow),
    lock: (key) => firstRow(lockLogin(session, { key }), fromRow),
    async save(login) {
      const { key, data } = toRow(login);
      await saveLogin(session, { key, data });
    },
    removeOld: (startedBeforeMs) =>
      countChanged(db.deleteFrom('login_session').where('created_at', '<', startedBeforeMs)),
  };
}

/** Tokens for the pages of signees, stored as digests. */
export function accessTokens({ db }: Session): AccessTokens {
  return {
    async put(token) {
      const query = db.insertInto('access_token').values(tokens.row(token));
      await query.onConflict((conflict) => conflict.column('sha256').doNothing()).execute();
    },
    find: (sha256) =>
      firstOf(db.selectFrom('access_token').selectAll().where('sha256', '=', sha256), tokens.value),
    removeExpired: (nowMs) =>
      countChanged(db.deleteFrom('access_token').where('expires_at', '<=', nowMs)),
  };
}

/**
 * Times of the last polls. A single statement records a poll or rejects it, so that concurrent
 * polls cannot both pass.
 */
export function polls(session: Session): PollTimes {
  const { db, sql, leaseTime } = session;
  // A time in the future was recorded before the time of the store went back.
  const isOver = (ms: number) =>
    sql<SqlBool>`(poll_time.polled_at <= ${leaseTime()} - ${ms}
      OR poll_time.polled_at > ${leaseTime()} + ${ms})`;
  const ageMs = async (key: string) => {
    const age = sql<number>`${leaseTime()} - polled_at`.as('age');
    const row = await db.selectFrom('poll_time').select(age).where('key', '=', key).execute();
    return row[0] === undefined ? undefined : Number(row[0].age);
  };
  return {
    ageMs,
    async take(key, gapMs) {
      const taken = await sql`INSERT INTO poll_time (key, polled_at) VALUES (${key}, ${leaseTime()})
        ON CONFLICT (key) DO UPDATE SET polled_at = excluded.polled_at
        WHERE ${isOver(gapMs)}`.execute(db);
      if ((taken.numAffectedRows ?? 0n) > 0n) return 0;
      return Math.max(1, gapMs - ((await ageMs(key)) ?? 0));
    },
    release: (key) => run(db.deleteFrom('poll_time').where('key', '=', key)),
    removeOld: (ms) => countChanged(db.deleteFrom('poll_time').where(isOver(ms))),
  };
}

const nothing: Tally = { timesMs: [], open: [] };

/** Counters of actions, by keyed digest of the subject. */
export function tallies({ db, vault, engine }: Session): Tallies {
  const keyOf = (subject: string) => vault.mac(subject, 'tally.key');
  const byKey = (key: string) => db.selectFrom('tally').select('data').where('key', '=', key);
  const contextOf = (key: string) => `tally.data:${key}`;
  const opened = (key: string, row: { readonly data: string } | undefined): Tally =>
    row === undefined || row.data === ''
      ? nothing
      : fromJson<Tally>(vault.decrypt(row.data, contextOf(key)));
  return {
    async find(subject) {
      const key = keyOf(subject);
      return opened(key, await byKey(key).executeTakeFirst());
    },
    async lock(subject) {
      const key = keyOf(subject);
      if (engine === 'sqlite') return opened(key, await byKey(key).executeTakeFirst());
      // A missing row cannot be locked: two transactions would both start from zero.
      const row = { key, forgotten_at: 0, data: '' };
      const insert = db.insertInto('tally').values(row);
      await insert.onConflict((conflict) => conflict.column('key').doNothing()).execute();
      return opened(key, await byKey(key).forUpdate().executeTakeFirst());
    },
    async save(subject, tally, forgottenAtMs) {
      const key = keyOf(subject);
      const fresh = {
        forgotten_at: forgottenAtMs,
        data: vault.encrypt(toJson(tally), contextOf(key)),
      };
      const query = db.insertInto('tally').values({ key, ...fresh });
      await query.onConflict((conflict) => conflict.column('key').doUpdateSet(fresh)).execute();
    },
    removeForgotten(nowMs) {
      const stale = db.selectFrom('tally').select('key').where('forgotten_at', '<=', nowMs);
      // The holder of a locked row rewrites it. Waiting for that row could cause a deadlock.
      const free = engine === 'sqlite' ? stale : stale.forUpdate().skipLocked();
      return countChanged(db.deleteFrom('tally').where('key', 'in', free));
    },
  };
}
