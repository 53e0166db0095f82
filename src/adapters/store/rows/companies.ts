import type { Companies } from '../../../app/ports/index.ts';
import type { ApiKeyRecord, Company, CompanyUser } from '../../../domain/company.ts';
import type { CompanyKey } from '../../../domain/keys.ts';
import { prepared } from '../prepared.ts';
import { readable } from '../readable.ts';
import { fromJson, optional, type Session, type Tables, toJson } from '../tables.ts';

type CompanyRow = Omit<Tables['company'], 'webhook_signature_key'>;

const columns = ['key', 'created_at', 'ssn', 'data'] as const;
const find = prepared((db, { key }: { readonly key: CompanyKey }) =>
  db.selectFrom('company').select(columns).where('key', '=', key),
);

/** What the key of the webhook signatures of a company is encrypted under. */
export const signatureContext = (key: string): string => `company.webhook_signature_key:${key}`;

/** Companies, their API keys and users; national numbers and secrets are sealed. */
export function companies(session: Session): Companies {
  const { db, vault, engine } = session;
  const ssnContext = (key: string) => `company.ssn:${key}`;

  const toRow = ({ key, createdAtMs, ssn, ...rest }: Company): CompanyRow => ({
    key,
    created_at: createdAtMs,
    ssn: ssn === undefined ? null : vault.encrypt(ssn, ssnContext(key)),
    data: toJson(rest),
  });
  const ssnOf = ({ key, ssn }: CompanyRow) =>
    ssn === null ? undefined : vault.decrypt(ssn, ssnContext(key));
  const fromRow = (row: CompanyRow) => companyOf(row, ssnOf(row));
  const listed = (row: CompanyRow) =>
    companyOf(
      row,
      readable(() => ssnOf(row)),
    );

  return {
    async add(company) {
      await db.insertInto('company').values(toRow(company)).execute();
    },
    async find(key) {
      const { rows } = await find(session, { key });
      return rows[0] && fromRow(rows[0]);
    },
    async lock(key) {
      // A write transaction of SQLite has the whole database to itself.
      if (engine === 'sqlite') return;
      const query = db.selectFrom('company').select('key').where('key', '=', key);
      await query.forNoKeyUpdate().execute();
    },
    async list() {
      const query = db.selectFrom('company').select(columns).orderBy('created_at').orderBy('key');
      return (await query.execute()).map(listed);
    },
    async save(company) {
      const { key, ...rest } = toRow(company);
      await db.updateTable('company').set(rest).where('key', '=', key).execute();
    },
    ...apiKeys(db),
    async addUser({ companyKey, email, createdAtMs, ...rest }) {
      const row = { company_key: companyKey, email, created_at: createdAtMs, data: toJson(rest) };
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
      return (await query.orderBy('created_at').orderBy('email').execute()).map(userOf);
    },
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
    async addApiKey(record) {
      await db.insertInto('api_key').values(apiKeyRow(record)).execute();
    },
    async findApiKey(sha256) {
      const query = db.selectFrom('api_key').selectAll().where('sha256', '=', sha256);
      const row = await query.executeTakeFirst();
      return row && apiKeyOf(row);
    },
    async apiKeys(key) {
      const query = db.selectFrom('api_key').selectAll().where('company_key', '=', key);
      const rows = await query.where('revoked_at', 'is', null).orderBy('created_at').execute();
      return rows.map(apiKeyOf);
    },
    async revokeApiKey(id, atMs) {
      const query = db.updateTable('api_key').set({ revoked_at: atMs }).where('id', '=', id);
      const result = await query.where('revoked_at', 'is', null).executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },
  } satisfies Partial<Companies>;
}

function companyOf({ data, key, created_at }: CompanyRow, ssn: string | undefined): Company {
  return Object.assign(fromJson<Omit<Company, 'key' | 'createdAtMs' | 'ssn'>>(data), {
    key: key as CompanyKey,
    createdAtMs: created_at,
    ...optional('ssn', ssn),
  });
}

function apiKeyRow(record: ApiKeyRecord): Tables['api_key'] {
  const { id, companyKey, sha256, createdAtMs, revokedAtMs, ...rest } = record;
  return {
    id,
    company_key: companyKey,
    sha256,
    created_at: createdAtMs,
    revoked_at: revokedAtMs ?? null,
    data: toJson(rest),
  };
}

function apiKeyOf(row: Tables['api_key']): ApiKeyRecord {
  return Object.assign(fromJson<Pick<ApiKeyRecord, 'label' | 'scopes' | 'expiresAtMs'>>(row.data), {
    id: row.id,
    companyKey: row.company_key as CompanyKey,
    sha256: row.sha256,
    createdAtMs: row.created_at,
    ...optional('revokedAtMs', row.revoked_at),
  });
}

function userOf(row: Tables['company_user']): CompanyUser {
  return Object.assign(fromJson<Pick<CompanyUser, 'name'>>(row.data), {
    companyKey: row.company_key as CompanyKey,
    email: row.email,
    createdAtMs: row.created_at,
  });
}
