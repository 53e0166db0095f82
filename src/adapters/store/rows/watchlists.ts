import type { StoredWatchlist, Watchlists } from '../../../app/ports/index.ts';
import type { CompanyKey } from '../../../domain/keys.ts';
import type { ListVersion } from '../../../domain/screening/index.ts';
import { prepared } from '../statements.ts';
import { fromJson, type Session, toJson } from '../tables.ts';

/** Number of versions of a list that are always retained, for comparison. */
const VERSIONS_KEPT = 5;
/** Retention of a version after its replacement, for the replay of screenings. */
const KEPT_MS = 90 * 86_400_000;

interface ListRow {
  readonly list: string;
  readonly content_sha256: string;
  readonly data: string;
}

/** Latest version of each list. Every screening reads it, and older ones may number hundreds. */
const newestVersions = prepared<{ readonly companyKey: string }, ListRow>((db, { companyKey }) =>
  db
    .selectFrom((inner) =>
      inner
        .selectFrom('watch_list')
        .select(['list', (e) => e.fn.max('imported_at').as('last')])
        .where('company_key', '=', companyKey)
        .groupBy('list')
        .as('newest'),
    )
    .innerJoin('watch_list as version', (join) =>
      join
        .on('version.company_key', '=', companyKey)
        .onRef('version.list', '=', 'newest.list')
        .onRef('version.imported_at', '=', 'newest.last'),
    )
    .select(['version.list', 'content_sha256', 'data'])
    .orderBy('version.list'),
);

/** All versions of all lists, latest first within each list. */
const allVersions = prepared<{ readonly companyKey: string }, ListRow>((db, { companyKey }) =>
  db
    .selectFrom('watch_list')
    .select(['list', 'content_sha256', 'data'])
    .where('company_key', '=', companyKey)
    .orderBy('list')
    .orderBy('imported_at', 'desc'),
);

/** Lists imported by companies for screening. */
export function watchlists(session: Session): Watchlists {
  const { db } = session;
  return {
    async companies(take) {
      const rows = await db
        .selectFrom('watch_list')
        .select(['company_key', (e) => e.fn.max('imported_at').as('last')])
        .groupBy('company_key')
        .orderBy('last', 'desc')
        .orderBy('company_key')
        .limit(take)
        .execute();
      return rows.map((row) => row.company_key as CompanyKey);
    },
    async current(companyKey) {
      const { rows } = await newestVersions(session, { companyKey });
      return rows.map(storedOf);
    },
    async versions(companyKey, list) {
      const { rows } = await allVersions(session, { companyKey });
      return rows.filter((row) => row.list === list).map(storedOf);
    },
    async add(companyKey, { version, contentSha256 }) {
      const { list, importedAtMs } = version;
      const own = { company_key: companyKey, list, content_sha256: contentSha256 };
      await db
        .insertInto('watch_list')
        .values({ ...own, imported_at: importedAtMs, data: toJson(version) })
        .onConflict((conflict) =>
          conflict
            .columns(['company_key', 'list', 'imported_at'])
            .doUpdateSet({ content_sha256: contentSha256, data: toJson(version) }),
        )
        .execute();
      const all = await db
        .selectFrom('watch_list')
        .select('imported_at')
        .where('company_key', '=', companyKey)
        .where('list', '=', list)
        .orderBy('imported_at', 'desc')
        .execute();
      // A version was replaced when the version after it was imported.
      const old = all.find(
        (_, at) => at >= VERSIONS_KEPT && (all[at - 1]?.imported_at ?? 0) < importedAtMs - KEPT_MS,
      );
      if (old === undefined) return;
      await db
        .deleteFrom('watch_list')
        .where('company_key', '=', companyKey)
        .where('list', '=', list)
        .where('imported_at', '<=', old.imported_at)
        .execute();
    },
    async remove(companyKey, list) {
      const { numDeletedRows } = await db
        .deleteFrom('watch_list')
        .where('company_key', '=', companyKey)
        .where('list', '=', list)
        .executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

function storedOf(row: {
  readonly content_sha256: string;
  readonly data: string;
}): StoredWatchlist {
  return { version: fromJson<ListVersion>(row.data), contentSha256: row.content_sha256 };
}
