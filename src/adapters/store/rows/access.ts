import type { AccessTokens, LoginSessions, PollTimes } from '../../../app/ports/index.ts';
import type { AccessToken, LoginSession } from '../../../domain/auth/index.ts';
import { countRemoved, locking, rowForm } from '../statements.ts';
import { fromJson, type Session } from '../tables.ts';

const sessions = rowForm<LoginSession>()({ key: 'key', createdAtMs: 'created_at' });
const tokens = rowForm<AccessToken>()({ sha256: 'sha256', expiresAtMs: 'expires_at' });

/** Logins of persons; all but their time is sealed. */
export function logins(session: Session): LoginSessions {
  const { db, vault } = session;
  const context = (key: string) => `login_session.data:${key}`;
  const byKey = (key: string) => db.selectFrom('login_session').selectAll().where('key', '=', key);
  const toRow = (login: LoginSession) => {
    const { data, ...cells } = sessions.row(login);
    return { ...cells, data: vault.encrypt(data, context(login.key)) };
  };
  const fromRow = (row: { key: string; created_at: number; data: string }) =>
    sessions.join(row, fromJson<object>(vault.decrypt(row.data, context(row.key))));
  return {
    async add(login) {
      await db.insertInto('login_session').values(toRow(login)).execute();
    },
    async find(key) {
      const row = await byKey(key).executeTakeFirst();
      return row && fromRow(row);
    },
    async lock(key) {
      const row = await locking(session, byKey(key)).executeTakeFirst();
      return row && fromRow(row);
    },
    async save(login) {
      const { key, data } = toRow(login);
      await db.updateTable('login_session').set({ data }).where('key', '=', key).execute();
    },
    removeOld: (startedBeforeMs) =>
      countRemoved(db.deleteFrom('login_session').where('created_at', '<', startedBeforeMs)),
  };
}

/** Tokens that open places of signees, by their digests. */
export function accessTokens({ db }: Session): AccessTokens {
  return {
    async put(token) {
      const query = db.insertInto('access_token').values(tokens.row(token));
      await query.onConflict((conflict) => conflict.column('sha256').doNothing()).execute();
    },
    async find(sha256) {
      const query = db.selectFrom('access_token').selectAll().where('sha256', '=', sha256);
      const row = await query.executeTakeFirst();
      return row && tokens.value(row);
    },
    removeExpired: (nowMs) =>
      countRemoved(db.deleteFrom('access_token').where('expires_at', '<=', nowMs)),
  };
}

/**
 * The times of the last polls: one statement writes a time or refuses, so that concurrent polls
 * cannot both pass.
 */
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
    async release(key) {
      await db.deleteFrom('poll_time').where('key', '=', key).execute();
    },
    async find(key) {
      const query = db.selectFrom('poll_time').select('polled_at').where('key', '=', key);
      return (await query.executeTakeFirst())?.polled_at;
    },
    removeOld: (beforeMs) =>
      countRemoved(db.deleteFrom('poll_time').where('polled_at', '<', beforeMs)),
  };
}
