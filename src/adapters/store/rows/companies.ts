import type { Companies, Origins } from '../../../app/ports/index.ts';
import { defined } from '../../../base/defined.ts';
import type { ApiKeyRecord, Company, CompanyUser } from '../../../domain/company.ts';
import type { CompanyKey } from '../../../domain/keys.ts';
import { allOf, findDecrypted, firstOf, firstRow, prepared, rowForm, run } from '../statements.ts';
import type { Session, Tables } from '../tables.ts';

type CompanyRow = Omit<Tables['company'], 'webhook_signature_key'>;

const form = rowForm<Omit<Company, 'ssn'>>()({ key: 'key', createdAtMs: 'created_at' });
const apiKeyForm = rowForm<ApiKeyRecord>()({
  id: 'id',
  companyKey: 'company_key',
  sha256: 'sha256',
  createdAtMs: 'created_at',
  revokedAtMs: 'revoked_at',
});
const userForm = rowForm<CompanyUser>()({
  companyKey: 'company_key',
  email: 'email',
  createdAtMs: 'created_at',
});

const columns = ['key', 'created_at', 'ssn', 'data'] as const;
const find = prepared((db, { key }: { readonly key: CompanyKey }) =>
  db.selectFrom('company').select(columns).where('key', '=', key),
);

/** Associated data for encrypting the webhook signature key of a company. */
export const signatureContext = (key: string): string => `company.webhook_signature_key:${key}`;

/** Companies, their API keys and users; national numbers and secrets are encrypted. */
export function companies(session: Session): Companies {
  const { db, vault, engine } = session;
  const ssnContext = (key: string) => `company.ssn:${key}`;

  const toRow = ({ ssn, ...rest }: Company): CompanyRow => ({
    ...form.row(rest),
    ssn: ssn === undefined ? null : vault.encrypt(ssn, ssnContext(rest.key)),
  });
  const ssnOf = ({ key, ssn }: CompanyRow) =>
    ssn === null ? undefined : vault.decrypt(ssn, ssnContext(key));
  const fromRow = (row: CompanyRow, ssn: string | undefined): Company =>
    Object.assign(form.value(row), defined({ ssn }));
  const read = (row: CompanyRow) => fromRow(row, ssnOf(row));
  const listed = (row: CompanyRow) =>
    fromRow(
      row,
      findDecrypted(() => ssnOf(row)),
    );

  return {
    add: (company) => run(db.insertInto('company').values(toRow(company))),
    find: (key) => firstRow(find(session, { key }), read),
    async lock(key) {
      // A write transaction of SQLite locks the whole database.
      if (engine === 'sqlite') return;
      const query = db.selectFrom('company').select('key').where('key', '=', key);
      await query.forNoKeyUpdate().execute();
    },
    list: () =>
      allOf(db.selectFrom('company').select(columns).orderBy('created_at').orderBy('key'), listed),
    async save(company) {
      const { key, ...rest } = toRow(company);
      await db.updateTable('company').set(rest).where('key', '=', key).execute();
    },
    ...apiKeys(db),
    ...companyUsers(db),
    async webhookSignatureKey(key) {
      const query = db.selectFrom('company').select('webhook_signature_key as sealed');
      const row = await query.where('key', '=', key).executeTakeFirst();
      const sealed = row?.sealed ?? undefined;
      return sealed === undefined ? undefined : vault.decrypt(sealed, signatureContext(key));
    },
    async setWebhookSignatureKey(key, secret) {
      const sealed = vault.encrypt(secret, signatureContext(key));
      const query = db.updateTable('company').set({ webhook_signature_key: sealed });
      await query.where('key', '=', key).execute();
    },
  };
}

function apiKeys(db: Session['db']) {
  return {
    addApiKey: (record) => run(db.insertInto('api_key').values(apiKeyForm.row(record))),
    findApiKey: (sha256) =>
      firstOf(db.selectFrom('api_key').selectAll().where('sha256', '=', sha256), apiKeyForm.value),
    async apiKeys(key) {
      const query = db.selectFrom('api_key').selectAll().where('company_key', '=', key);
      const rows = await query.where('revoked_at', 'is', null).orderBy('created_at').execute();
      return rows.map(apiKeyForm.value);
    },
    async revokeApiKey(id, atMs) {
      const query = db.updateTable('api_key').set({ revoked_at: atMs }).where('id', '=', id);
      const result = await query.where('revoked_at', 'is', null).executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },
  } satisfies Partial<Companies>;
}

function companyUsers(db: Session['db']) {
  return {
    async addUser(user) {
      const row = userForm.row(user);
      await db
        .insertInto('company_user')
        .values(row)
        .onConflict((conflict) =>
          conflict.columns(['company_key', 'email']).doUpdateSet({ data: row.data }),
        )
        .execute();
    },
    async users(key) {
      const query = db.selectFrom('company_user').selectAll().where('company_key', '=', key);
      return (await query.orderBy('created_at').orderBy('email').execute()).map(userForm.value);
    },
  } satisfies Partial<Companies>;
}

/** Origins of pages, by company. */
export function origins({ db }: Session): Origins {
  return {
    async list(companyKey) {
      const query = db.selectFrom('company_origin').select('origin');
      const own = query.where('company_key', '=', companyKey);
      const rows = await own.orderBy('created_at').orderBy('origin').execute();
      return rows.map(({ origin }) => origin);
    },
    async has(origin, companyKey) {
      const all = db.selectFrom('company_origin').select('origin').where('origin', '=', origin);
      const own = companyKey === undefined ? all : all.where('company_key', '=', companyKey);
      return (await own.limit(1).executeTakeFirst()) !== undefined;
    },
    async put(companyKey, origin, nowMs) {
      const row = { origin, company_key: companyKey, created_at: nowMs };
      const query = db.insertInto('company_origin').values(row);
      await query.onConflict((conflict) => conflict.doNothing()).execute();
    },
    async remove(companyKey, origin) {
      const query = db.deleteFrom('company_origin').where('origin', '=', origin);
      const result = await query.where('company_key', '=', companyKey).executeTakeFirst();
      return result.numDeletedRows > 0n;
    },
  };
}
