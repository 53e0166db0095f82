import type { ContentNames } from '../../../app/ports/index.ts';
import { run } from '../statements.ts';
import type { Session } from '../tables.ts';
import { keyList, rowList } from './row-list.ts';

/** References to stored blobs, and marks of orphaned ones. */
export function contentNames(session: Session): ContentNames {
  const { db, sql } = session;
  return {
    async ofProcess(key) {
      const query = db.selectFrom('process_content').select('sha256');
      const rows = await query.where('process_key', '=', key).orderBy('sha256').execute();
      return rows.map(({ sha256 }) => sha256);
    },
    async sample(take, from) {
      const ofProcesses = db
        .selectFrom('process_content')
        .select('sha256')
        .distinct()
        .where('is_revision', '=', 0)
        .where('sha256', '>=', from);
      const ofFlows = db
        .selectFrom('flow')
        .select('template_sha256 as sha256')
        .where('template_sha256', 'is not', null)
        .where('template_sha256', '>=', from);
      const ofLists = db
        .selectFrom('watch_list')
        .select('content_sha256 as sha256')
        .where('content_sha256', '>=', from);
      const found = [
        ...(await ofLists.orderBy('content_sha256').limit(take).execute()),
        ...(await ofProcesses.orderBy('sha256').limit(take).execute()),
        ...(await ofFlows.orderBy('template_sha256').limit(take).execute()),
      ];
      const digests = found.flatMap(({ sha256 }) => (sha256 === null ? [] : [sha256]));
      return [...new Set(digests)].sort().slice(0, take);
    },
    async markOrphans(storeId, sha256s, nowMs) {
      if (sha256s.length === 0) return;
      const rows = sha256s.map((sha256) => [sha256, storeId, nowMs]);
      const list = rowList(session, rows, ['TEXT', 'TEXT', 'BIGINT']);
      // A mark made for a different blob store is not valid for this one.
      await sql`INSERT INTO orphan_content (sha256, store_id, marked_at)
        SELECT column1, column2, column3 FROM ${list} AS v WHERE true
        ON CONFLICT (sha256) DO UPDATE SET store_id = excluded.store_id,
          marked_at = excluded.marked_at WHERE orphan_content.store_id <> excluded.store_id
        `.execute(db);
    },
    async unmarkOrphans(sha256s) {
      if (sha256s.length === 0) return;
      const named = keyList(session, sha256s);
      await db.deleteFrom('orphan_content').where('sha256', 'in', named).execute();
    },
    unmarkAll: (markedUntilMs = Number.MAX_SAFE_INTEGER) =>
      run(db.deleteFrom('orphan_content').where('marked_at', '<=', markedUntilMs)),
    async marksOf(storeId, sha256s) {
      if (sha256s.length === 0) return [];
      const query = db
        .selectFrom('orphan_content')
        .select(['sha256', 'marked_at as markedAtMs'])
        .where('sha256', 'in', keyList(session, sha256s))
        .where('store_id', '=', storeId);
      return query.orderBy('sha256').execute();
    },
    async countOrphans(storeId, markedUntilMs) {
      const query = db
        .selectFrom('orphan_content')
        .select((e) => e.fn.countAll<number>().as('n'))
        .where('store_id', '=', storeId)
        .where('marked_at', '<=', markedUntilMs);
      return (await query.executeTakeFirstOrThrow()).n;
    },
  };
}
