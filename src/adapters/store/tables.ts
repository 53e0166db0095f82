import type { CompiledQuery, Generated, Kysely, QueryResult, RawBuilder, Sql } from 'kysely';
import type { Vault } from '../../app/ports/index.ts';
import type { ProcessKey } from '../../domain/keys.ts';
import type { JobKind } from '../../domain/process/index.ts';

/** Database engines of the store. */
export type Engine = 'sqlite' | 'postgresql';

/** A transaction with the dependencies of its collections. */
export interface Session {
  readonly db: Kysely<Tables>;
  /** Kysely's tag for SQL fragments, passed along because the package is loaded lazily. */
  readonly sql: Sql;
  readonly vault: Vault;
  readonly engine: Engine;
  /** Time in milliseconds that is common to all processes that use the store. */
  leaseTime(): RawBuilder<number>;
  /** Runs a compiled query. It may bypass `db`, which passes each query through many promises. */
  execute<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>;
}

/** Columns of a table by type: texts, numbers, and texts that may be null. */
type Row<Text extends string, Count extends string = never, Absent extends string = never> = {
  readonly [name in Text]: string;
} & { readonly [name in Count]: number } & { readonly [name in Absent]: string | null };

/**
 * The tables. Columns are used for search, order or guards; `data` is the rest of the value as JSON
 * text. Times are epoch milliseconds; `null` means absent.
 */
export interface Tables {
  readonly schema_version: Row<never, 'version' | 'applied_at'>;
  /** Encrypted: `ssn` and `webhook_signature_key`. */
  readonly company: Row<'key' | 'data', 'created_at', 'ssn' | 'webhook_signature_key'>;
  readonly api_key: Row<'id' | 'company_key' | 'sha256' | 'data', 'created_at'> & {
    readonly revoked_at: number | null;
  };
  readonly company_user: Row<'company_key' | 'email' | 'data', 'created_at'>;
  readonly store_fact: Row<'name' | 'value', 'created_at'>;
  readonly orphan_content: Row<'sha256' | 'store_id', 'marked_at'>;
  /**
   * `owner`: the request that holds the key. `until`: end of its claim, unless renewed, by
   * {@link Session.leaseTime}. `steps`: number of the request's transactions that are committed.
   * `data`: encrypted; null while the request runs.
   */
  readonly kept_answer: Row<
    'company_key' | 'key' | 'request_hash' | 'owner',
    'created_at' | 'until' | 'steps',
    'data'
  >;
  readonly flow: Row<'key' | 'company_key' | 'type' | 'data', 'created_at', 'template_sha256'>;
  readonly flow_schema: Row<'flow_key' | 'version' | 'data', 'created_at' | 'updated_at'>;
  readonly process: ProcessRow;
  readonly process_search: Row<'process_key' | 'text'> & { readonly id: Generated<number> };
  readonly process_ssn: Row<'ssn_index' | 'process_key'>;
  /**
   * `is_revision`: 1 for an earlier revision of the document, which programs before version 4
   * removed. `length_bytes`: 0 if unknown.
   */
  readonly process_content: Row<'sha256' | 'process_key', 'is_revision' | 'length_bytes'>;
  readonly company_origin: Row<'origin' | 'company_key', 'created_at'>;
  /** `day`: empty for quotas that are not per day. */
  readonly quota_use: Row<'company_key' | 'what' | 'day' | 'part', 'amount'>;
  readonly sequence: Row<'key' | 'company_key' | 'data', 'rev' | 'created_at'>;
  readonly activity: Row<'company_key' | 'hash' | 'data', 'seq' | 'created_at'> & {
    readonly process_key: ProcessKey;
  };
  readonly activity_personal: Row<'data', 'seq'> & { readonly process_key: ProcessKey };
  readonly daily_root: Row<'company_key' | 'day' | 'root', 'count' | 'created_at' | 'version'> & {
    readonly token: Uint8Array | null;
  };
  /** `secrets`: encrypted JSON array. */
  readonly webhook: Row<'company_key' | 'flow_key' | 'type' | 'secrets' | 'data'> & {
    readonly id: Generated<number>;
  };
  /** `body`: encrypted JSON array of its two parts, because payloads contain national numbers. */
  readonly webhook_event: Row<
    'id' | 'company_key' | 'flow_key' | 'type' | 'body',
    'seq' | 'created_at',
    'process_key' | 'document_sha256'
  >;
  readonly delivery: Row<
    'id' | 'event_id' | 'company_key' | 'state' | 'data',
    'webhook_id' | 'created_at',
    'process_key'
  >;
  readonly delivery_attempt: Row<'delivery_id' | 'data', 'number'>;
  /**
   * `secret_values`: encrypted JSON object; null if there are none. `held_by`: code of the error
   * that holds back this message and all like it; null if the message is not held.
   */
  readonly message: Row<
    'id' | 'company_key' | 'state' | 'data',
    'created_at',
    'process_key' | 'secret_values' | 'held_by'
  >;
  readonly email_template: Row<'flow_key' | 'data'> & { readonly id: Generated<number> };
  readonly job: JobRow;
  readonly challenge: Row<'sha256' | 'data', 'expires_at'>;
  /** Encrypted: `data`. */
  readonly login_session: Row<'key' | 'data', 'created_at'>;
  readonly access_token: Row<'sha256' | 'data', 'expires_at'>;
  /** `key`: keyed digest of the subject that is counted. `data`: encrypted. */
  readonly tally: Row<'key' | 'data', 'forgotten_at'>;
  /**
   * `key`: digest of the flow and of the draft's name, which only the browser has. `data`:
   * encrypted; empty while the first answers are being saved.
   */
  readonly form_draft: Row<'key' | 'flow_key' | 'data', 'forgotten_at'>;
  readonly poll_time: Row<'key', 'polled_at'>;
  /** `email_index`: null in older records; empty without an address. `data`: encrypted. */
  readonly compliance_record: Row<
    'id' | 'company_key' | 'kind' | 'data',
    'updated_at',
    'ssn_index' | 'contact_index' | 'name_index' | 'email_index' | 'phone_index'
  >;
  /** Encrypted: `data`. */
  readonly screening: Row<'id' | 'company_key' | 'hash' | 'data', 'seq' | 'created_at'>;
  /** `pair_index`: keyed digest of both sides. `data`: encrypted. */
  readonly match_decision: Row<'id' | 'company_key' | 'pair_index' | 'data', 'decided_at'>;
  /** Encrypted: `data`. */
  readonly customer: Row<'id' | 'company_key' | 'reference_index' | 'data', 'next_at', 'ssn_index'>;
  readonly watch_list: Row<'company_key' | 'list' | 'content_sha256' | 'data', 'imported_at'>;
}

/** A row of the table `process`. */
export type ProcessRow = Row<
  'key' | 'company_key' | 'flow_key' | 'flow_type' | 'status' | 'phase' | 'data',
  'rev' | 'created_at' | 'expires_at',
  'user_email' | 'sequence_key'
> & { readonly purged_at: number | null };

/**
 * A row of the table `job`. `run_at`: earliest time of a claim in epoch milliseconds. `held_until`:
 * end of the lease by {@link Session.leaseTime}; null if the job is not held.
 */
export type JobRow = Row<'ref', 'run_at' | 'attempts', 'owner'> & {
  readonly kind: JobKind;
  readonly held_until: number | null;
};

/** Serializes `value` as JSON text, without undefined members. */
export function toJson(value: object): string {
  return JSON.stringify(value);
}

/** Parses the text of {@link toJson}; the caller supplies the type. */
export function fromJson<T>(text: string): T {
  return JSON.parse(text) as T;
}
