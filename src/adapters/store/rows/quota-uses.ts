import type { QuotaCount, QuotaUses } from '../../../app/ports/index.ts';
import type { CompanyKey, ProcessKey } from '../../../domain/keys.ts';
import type { Session } from '../tables.ts';

/** Usage counters for the quotas of companies. */
export function quotaUses(session: Session): QuotaUses {
  const { db, vault } = session;
  const indexOf = (part: string) => vault.index(`quota:${part}`);
  return {
    add: (count, part, amount) => addUse(session, count, indexOf(part), amount),
    async used({ companyKey, what, day }, part) {
      const all = db
        .selectFrom('quota_use')
        .select((e) => e.fn.sum<number | string | null>('amount').as('sum'))
        .where('company_key', '=', companyKey)
        .where('what', '=', what)
        .where('day', '=', day);
      const query = part === undefined ? all : all.where('part', '=', indexOf(part));
      return Number((await query.executeTakeFirst())?.sum ?? 0);
    },
    async removeBefore(companyKey, day) {
      const query = db.deleteFrom('quota_use').where('company_key', '=', companyKey);
      await query.where('day', '!=', '').where('day', '<', day).execute();
    },
  };
}

/** Adds a number of stored bytes to the counter, or subtracts it if negative. */
export async function addStoredBytes(
  session: Session,
  companyKey: CompanyKey,
  processKey: ProcessKey,
  bytes: number,
): Promise<void> {
  if (bytes === 0) return;
  const count = { companyKey, what: 'storedBytes', day: '' } as const;
  // The counter is split into several rows, so that concurrent writes do not wait for one row.
  await addUse(session, count, processKey.slice(-1), bytes);
}

async function addUse(
  { db }: Session,
  { companyKey, what, day }: QuotaCount,
  part: string,
  amount: number,
): Promise<void> {
  const row = { company_key: companyKey, what, day, part, amount };
  await db
    .insertInto('quota_use')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['company_key', 'what', 'day', 'part'])
        .doUpdateSet((e) => ({ amount: e('quota_use.amount', '+', amount) })),
    )
    .execute();
}
