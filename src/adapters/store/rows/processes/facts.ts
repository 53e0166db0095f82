import type { StoreFacts } from '../../../../app/ports/index.ts';
import { changes, run } from '../../statements.ts';
import { fromJson, type Session } from '../../tables.ts';
import { signatureContext } from '../companies.ts';
import { ssnContext } from './process-row.ts';

/** Facts about the store as a whole. */
export function storeFacts(session: Session): StoreFacts {
  const { db } = session;
  const find = async (name: string) => {
    const query = db.selectFrom('store_fact').select('value').where('name', '=', name);
    return (await query.executeTakeFirst())?.value;
  };
  const add = async (name: string, value: string, nowMs: number) => {
    const query = db.insertInto('store_fact').values({ name, value, created_at: nowMs });
    const added = query.onConflict((conflict) => conflict.column('name').doNothing());
    return changes(added);
  };
  return {
    find,
    async list(prefix) {
      const query = db.selectFrom('store_fact').selectAll().where('name', '>=', prefix);
      const rows = await query.orderBy('name').execute();
      return rows
        .filter(({ name }) => name.startsWith(prefix))
        .map(({ name, value, created_at: createdAtMs }) => ({ name, value, createdAtMs }));
    },
    async putOnce(name, value, nowMs) {
      await add(name, value, nowMs);
      return (await find(name)) ?? value;
    },
    async put(name, value, nowMs) {
      const changed = { value, created_at: nowMs };
      const query = db.insertInto('store_fact').values({ name, ...changed });
      await query.onConflict((conflict) => conflict.column('name').doUpdateSet(changed)).execute();
    },
    async swap(name, expected, next, nowMs) {
      if (expected === undefined) return add(name, next, nowMs);
      const query = db.updateTable('store_fact').set({ value: next, created_at: nowMs });
      const swapped = query.where('name', '=', name).where('value', '=', expected);
      return changes(swapped);
    },
    remove: (name) => run(db.deleteFrom('store_fact').where('name', '=', name)),
    async sealedSample() {
      const query = db
        .selectFrom('company')
        .select(['key', 'webhook_signature_key as sealed'])
        .where('webhook_signature_key', 'is not', null);
      const row = await query.orderBy('created_at').limit(1).executeTakeFirst();
      if (row?.sealed) return { sealed: row.sealed, context: signatureContext(row.key) };
      return sealedNumber(session);
    },
  };
}

/** Encrypted national number of any process: older databases may contain no other secret. */
async function sealedNumber({ db }: Session): ReturnType<StoreFacts['sealedSample']> {
  const link = await db.selectFrom('process_ssn').select('process_key').limit(1).executeTakeFirst();
  if (link === undefined) return undefined;
  const query = db.selectFrom('process').select(['key', 'data']);
  const row = await query.where('key', '=', link.process_key).executeTakeFirst();
  if (row === undefined) return undefined;
  const { signees } = fromJson<{ readonly signees: readonly { key: string; ssn?: string }[] }>(
    row.data,
  );
  const signee = signees.find(({ ssn }) => ssn !== undefined);
  if (signee?.ssn === undefined) return undefined;
  return { sealed: signee.ssn, context: ssnContext(row.key, signee.key) };
}
