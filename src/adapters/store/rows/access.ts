import type { AccessTokens, LoginSessions, PollTimes } from '../../../app/ports/index.ts';
import type { AccessToken, LoginSession } from '../../../domain/auth/index.ts';
import { fromJson, type Session, toJson } from '../tables.ts';

/** Logins of persons; all but their time is sealed. */
export function logins({ db, vault, engine }: Session): LoginSessions {
  const context = (key: string) => `login_session.data:${key}`;
  const byKey = (key: string) => db.selectFrom('login_session').selectAll().where('key', '=', key);
  const toRow = ({ key, createdAtMs, ...rest }: LoginSession) => ({
    key,
    created_at: createdAtMs,
    data: vault.encrypt(toJson(rest), context(key)),
  });
  const fromRow = (row: { key: string; created_at: number; data: string }): LoginSession => ({
    ...fromJson<Omit<LoginSession, 'key' | 'createdAtMs'>>(
      vault.decrypt(row.data, context(row.key)),
    ),
    key: row.key,
    createdAtMs: row.created_at,
  });
  return {
    async add(session) {
      await db.insertInto('login_session').values(toRow(session)).execute();
    },
    async find(key) {
      const row = await byKey(key).executeTakeFirst();
      return row && fromRow(row);
    },
    async lock(key) {
      // A write transaction of SQLite has the whole database to itself.
      const query = engine === 'postgresql' ? byKey(key).forUpdate() : byKey(key);
      const row = await query.executeTakeFirst();
      return row && fromRow(row);
    },
    async save(session) {
      const { key, data } = toRow(session);
      await db.updateTable('login_session').set({ data }).where('key', '=', key).execute();
    },
    async removeOld(startedBeforeMs) {
      const query = db.deleteFrom('login_session').where('created_at', '<', startedBeforeMs);
      return Number((await query.executeTakeFirst()).numDeletedRows);
    },
  };
}

/** Tokens that open places of signees, by their digests. */
export function accessTokens({ db }: Session): AccessTokens {
  return {
    async put({ sha256, expiresAtMs, ...rest }) {
      const row = { sha256, expires_at: expiresAtMs, data: toJson(rest) };
      const query = db.insertInto('access_token').values(row);
      await query.onConflict((conflict) => conflict.column('sha256').doNothing()).execute();
    },
    async find(sha256) {
      const query = db.selectFrom('access_token').selectAll().where('sha256', '=', sha256);
      const row = await query.executeTakeFirst();
      if (row === undefined) return undefined;
      const rest = fromJson<Omit<AccessToken, 'sha256' | 'expiresAtMs'>>(row.data);
      return { ...rest, sha256: row.sha256, expiresAtMs: row.expires_at };
    },
    async removeExpired(nowMs) {
      const query = db.deleteFrom('access_token').where('expires_at', '<=', nowMs);
      return Number((await query.executeTakeFirst()).numDeletedRows);
    },
  };
}

/** When something was polled last: one statement notes it or refuses, whoever is faster. */
export function polls({ db }: Session): PollTimes {
  return {
    async take(key, nowMs, gapMs) {
      const query = db
        .insertInto('poll_time')
        .values({ key, polled_at: nowMs })
        .onConflict((conflict) =>
          conflict
            .column('key')
            .doUpdateSet({ polled_at: nowMs })
            .where('poll_time.polled_at', '<=', nowMs - gapMs),
        );
      const result = await query.executeTakeFirst();
      if ((result.numInsertedOrUpdatedRows ?? 0n) > 0n) return 0;
      const last = db.selectFrom('poll_time').select('polled_at').where('key', '=', key);
      const row = await last.executeTakeFirst();
      return Math.max(1, (row?.polled_at ?? nowMs) + gapMs - nowMs);
    },
    async find(key) {
      const query = db.selectFrom('poll_time').select('polled_at').where('key', '=', key);
      return (await query.executeTakeFirst())?.polled_at;
    },
    async removeOld(beforeMs) {
      const query = db.deleteFrom('poll_time').where('polled_at', '<', beforeMs);
      return Number((await query.executeTakeFirst()).numDeletedRows);
    },
  };
}
