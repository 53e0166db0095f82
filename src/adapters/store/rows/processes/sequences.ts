import type { Sequences } from '../../../../app/ports/index.ts';
import type { CompanyKey, SequenceKey } from '../../../../domain/keys.ts';
import type { Sequence } from '../../../../domain/sequence.ts';
import { fromJson, type Session, type Tables, toJson } from '../../tables.ts';

type Columns = 'key' | 'companyKey' | 'rev' | 'createdAtMs';

/** Sequences, guarded by their `rev`. */
export function sequences({ db, engine }: Session): Sequences {
  const byKey = (key: SequenceKey) => db.selectFrom('sequence').selectAll().where('key', '=', key);
  return {
    async add(sequence) {
      await db.insertInto('sequence').values(toRow(sequence)).execute();
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
    async save(next) {
      const { key, rev, data } = toRow(next);
      const query = db.updateTable('sequence').set({ rev, data }).where('key', '=', key);
      const result = await query.where('rev', '=', rev - 1).executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },
    async list(companyKey, { skip, take }) {
      const rows = await db
        .selectFrom('sequence')
        .selectAll()
        .where('company_key', '=', companyKey)
        .orderBy('created_at', 'desc')
        .orderBy('key')
        .limit(take)
        .offset(skip)
        .execute();
      return rows.map(fromRow);
    },
  };
}

function toRow({ key, companyKey, rev, createdAtMs, ...rest }: Sequence): Tables['sequence'] {
  return { key, company_key: companyKey, rev, created_at: createdAtMs, data: toJson(rest) };
}

function fromRow(row: Tables['sequence']): Sequence {
  return Object.assign(fromJson<Omit<Sequence, Columns>>(row.data), {
    key: row.key as SequenceKey,
    companyKey: row.company_key as CompanyKey,
    rev: row.rev,
    createdAtMs: row.created_at,
  });
}
