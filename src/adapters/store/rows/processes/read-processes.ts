import { type Processes, requireStoredStatus } from '../../../../app/ports/index.ts';
import type { ChainOwner } from '../../../../domain/activity/index.ts';
import type { ProcessKey } from '../../../../domain/keys.ts';
import type { SigningProcess } from '../../../../domain/process/index.ts';
import { firstRow, locking, prepared, rowForm } from '../../statements.ts';
import type { ProcessRow, Session } from '../../tables.ts';
import { keyList } from '../row-list.ts';
import { processOf } from './process-row.ts';

const ownerForm = rowForm<ChainOwner>()({
  key: 'key',
  companyKey: 'company_key',
  flowKey: 'flow_key',
  sequenceKey: 'sequence_key',
});

type Key = { readonly key: ProcessKey };

const find = prepared((db, { key }: Key) =>
  db.selectFrom('process').selectAll().where('key', '=', key),
);
const findForUpdate = prepared((db, { key }: Key) =>
  db.selectFrom('process').selectAll().where('key', '=', key).forUpdate(),
);

/** Reads and locks processes by key. */
export interface ProcessReading
  extends Pick<Processes, 'find' | 'findAll' | 'lock' | 'lockAll' | 'lockOwners'> {
  /**
   * Processes read in this unit of work. Their values for lookups are in separate tables, which are
   * written only if these values change.
   */
  readonly seen: Map<ProcessKey, SigningProcess>;
}

/** Creates a {@link ProcessReading} for a session. */
export function readProcesses(session: Session): ProcessReading {
  const { vault, engine, db } = session;
  const seen = new Map<ProcessKey, SigningProcess>();
  const take = (row: ProcessRow) => {
    requireStoredStatus(row);
    const found = processOf(row, vault);
    seen.set(found.key, found);
    return found;
  };
  const load = (key: ProcessKey, query = find) => firstRow(query(session, { key }), take);
  const loadAll = async (keys: readonly ProcessKey[], how: 'find' | 'lock') => {
    if (keys.length === 0) return [];
    const all = db.selectFrom('process').selectAll();
    const wanted = all.where('key', 'in', keyList(session, keys)).orderBy('key');
    return (await (how === 'lock' ? wanted.forUpdate() : wanted).execute()).map(take);
  };
  return {
    seen,
    find: (key) => load(key),
    async findAll(keys) {
      const found = new Map((await loadAll(keys, 'find')).map((each) => [each.key, each]));
      return keys.flatMap((key) => found.get(key) ?? []);
    },
    async lock(key) {
      if (engine === 'postgresql') return load(key, findForUpdate);
      // A write transaction of SQLite locks the whole database.
      return seen.get(key) ?? load(key);
    },
    async lockAll(keys) {
      if (engine === 'postgresql') return loadAll(keys, 'lock');
      const unseen = keys.filter((key) => !seen.has(key));
      await loadAll(unseen, 'find');
      return [...new Set(keys)].sort().flatMap((key) => seen.get(key) ?? []);
    },
    async lockOwners(keys) {
      const query = db
        .selectFrom('process')
        .select(['key', 'company_key', 'flow_key', 'sequence_key'])
        .where('key', 'in', keyList(session, keys))
        .orderBy('key');
      // A write transaction of SQLite locks the whole database.
      return (await locking(session, query).execute()).map((row) => ownerForm.join(row, {}));
    },
  };
}
