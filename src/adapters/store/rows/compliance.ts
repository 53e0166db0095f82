import type { Selectable } from 'kysely';
import type { ComplianceRecords } from '../../../app/ports/index.ts';
import type { ComplianceRecord } from '../../../domain/compliance/index.ts';
import { rowForm } from '../statements.ts';
import { fromJson, type Session, type Tables } from '../tables.ts';

const form = rowForm<ComplianceRecord>()({
  id: 'id',
  companyKey: 'company_key',
  kind: 'kind',
  updatedAtMs: 'updated_at',
});

const columns = {
  ssn: 'ssn_index',
  contact: 'contact_index',
  name: 'name_index',
  email: 'email_index',
  phone: 'phone_index',
} as const;

/** Compliance records, encrypted and found by keyed digests. */
export function complianceRecords({ db, vault }: Session): ComplianceRecords {
  const context = (id: string) => `compliance_record.data:${id}`;
  const digest = (what: string, value: string | undefined) =>
    value === undefined ? null : vault.index(`compliance ${what} ${value}`);
  const recordOf = (row: Selectable<Tables['compliance_record']>) =>
    form.join(row, fromJson<object>(vault.decrypt(row.data, context(row.id))));
  return {
    async put(record) {
      const { id, data, ...cells } = form.row(record);
      const row = {
        ...cells,
        ssn_index: digest('ssn', record.ssn),
        contact_index: digest('contact', record.contactKey),
        name_index: digest('name', record.nameKey),
        email_index: digest('email', record.emailKey) ?? '',
        phone_index: digest('phone', record.phoneKey) ?? '',
        data: vault.encrypt(data, context(id)),
      };
      const query = db.insertInto('compliance_record').values({ id, ...row });
      await query.onConflict((conflict) => conflict.column('id').doUpdateSet(row)).execute();
    },
    async find(companyKey, kind, by) {
      const all = db
        .selectFrom('compliance_record')
        .selectAll()
        .where('company_key', '=', companyKey)
        .where('kind', '=', kind);
      const [[what, value] = ['', '']] = Object.entries(by);
      const column = columns[what as keyof typeof columns];
      const mayBeOld = what === 'email' || what === 'phone';
      const narrowed = all.where(({ eb, or }) =>
        or([eb(column, '=', digest(what, value)), ...(mayBeOld ? [eb(column, 'is', null)] : [])]),
      );
      const rows = await narrowed.orderBy('updated_at', 'desc').orderBy('id').execute();
      return rows.map(recordOf);
    },
    async list(companyKey, after = '', take) {
      const rows = await db
        .selectFrom('compliance_record')
        .selectAll()
        .where('company_key', '=', companyKey)
        .where('id', '>', after)
        .orderBy('id')
        .limit(take)
        .execute();
      return rows.map(recordOf);
    },
  };
}
