import type { Tallies } from '../../../../app/ports/index.ts';
import type { Tally } from '../../../../domain/login-bounds.ts';
import { countChanged } from '../../statements.ts';
import { fromJson, type Session, toJson } from '../../tables.ts';

const nothing: Tally = { timesMs: [], open: [] };

/** Counters of actions, by a keyed digest of their subject. */
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
      // A missing row cannot be locked: two transactions would both begin at nothing.
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
      // The holder of a locked row rewrites it: two waiting for each other would never end.
      const free = engine === 'sqlite' ? stale : stale.forUpdate().skipLocked();
      return countChanged(db.deleteFrom('tally').where('key', 'in', free));
    },
  };
}
