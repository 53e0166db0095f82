import type { CompiledQuery, Generated, Kysely, QueryResult, Sql } from 'kysely';
import type { Vault } from '../../app/ports/index.ts';
import type { ProcessKey } from '../../domain/keys.ts';
import type { JobKind } from '../../domain/process/index.ts';

/** Database engines that the store runs on. */
export type Engine = 'sqlite' | 'postgresql';

/** One transaction, and what its collections need. */
export interface Session {
  readonly db: Kysely<Tables>;
  /** Kysely's tag for pieces of SQL; handed in, because the package is loaded lazily. */
  readonly sql: Sql;
  readonly vault: Vault;
  readonly engine: Engine;
  /**
   * Runs a query that was compiled before. It may go past `db`, which hands each query through many
   * promises.
   */
  execute<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>>;
}

/**
 * The tables. Columns are what is searched, ordered or guarded; `data` is the rest of the value as
 * JSON text. Times are epoch milliseconds; `null` stands for absent.
 */
export interface Tables {
  readonly schema_version: { readonly version: number; readonly applied_at: number };
  readonly company: {
    readonly key: string;
    readonly created_at: number;
    /** Encrypted. */
    readonly ssn: string | null;
    /** Encrypted. */
    readonly webhook_signature_key: string | null;
    readonly data: string;
  };
  readonly api_key: {
    readonly id: string;
    readonly company_key: string;
    readonly sha256: string;
    readonly created_at: number;
    readonly revoked_at: number | null;
    readonly data: string;
  };
  readonly company_user: {
    readonly company_key: string;
    readonly email: string;
    readonly created_at: number;
    readonly data: string;
  };
  readonly store_fact: {
    readonly name: string;
    readonly value: string;
    readonly created_at: number;
  };
  readonly orphan_content: {
    readonly sha256: string;
    readonly store_id: string;
    readonly marked_at: number;
  };
  readonly kept_answer: {
    readonly company_key: string;
    readonly key: string;
    readonly request_hash: string;
    readonly created_at: number;
    /** The request that holds the name. */
    readonly owner: string;
    /** End of its claim, unless renewed, in epoch milliseconds. */
    readonly until: number;
    /** Transactions of the request that are written. */
    readonly steps: number;
    /** Encrypted; null while the request runs. */
    readonly data: string | null;
  };
  readonly flow: {
    readonly key: string;
    readonly company_key: string;
    readonly type: string;
    readonly created_at: number;
    readonly template_sha256: string | null;
    readonly data: string;
  };
  readonly flow_schema: {
    readonly flow_key: string;
    readonly version: string;
    readonly created_at: number;
    readonly updated_at: number;
    readonly data: string;
  };
  readonly process: ProcessRow;
  readonly process_search: {
    readonly id: Generated<number>;
    readonly process_key: string;
    readonly text: string;
  };
  readonly process_ssn: { readonly ssn_index: string; readonly process_key: string };
  readonly process_content: {
    readonly sha256: string;
    readonly process_key: string;
    /** 1 for an earlier revision of the document, which programs before version 4 removed. */
    readonly is_revision: number;
    /** 0 where it was not known. */
    readonly length_bytes: number;
  };
  readonly company_origin: {
    readonly origin: string;
    readonly company_key: string;
    readonly created_at: number;
  };
  readonly quota_use: {
    readonly company_key: string;
    readonly what: string;
    /** Empty for what has no day. */
    readonly day: string;
    readonly part: string;
    readonly amount: number;
  };
  readonly sequence: {
    readonly key: string;
    readonly company_key: string;
    readonly rev: number;
    readonly created_at: number;
    readonly data: string;
  };
  readonly activity: {
    readonly process_key: ProcessKey;
    readonly seq: number;
    readonly company_key: string;
    readonly created_at: number;
    readonly hash: string;
    readonly data: string;
  };
  readonly activity_personal: {
    readonly process_key: ProcessKey;
    readonly seq: number;
    readonly data: string;
  };
  readonly daily_root: {
    readonly company_key: string;
    readonly day: string;
    readonly count: number;
    readonly root: string;
    readonly token: Uint8Array | null;
    readonly created_at: number;
    readonly version: number;
  };
  readonly webhook: {
    readonly id: Generated<number>;
    readonly company_key: string;
    readonly flow_key: string;
    readonly type: string;
    /** Encrypted JSON array. */
    readonly secrets: string;
    readonly data: string;
  };
  readonly webhook_event: {
    readonly id: string;
    readonly company_key: string;
    readonly flow_key: string;
    readonly process_key: string | null;
    readonly seq: number;
    readonly type: string;
    readonly document_sha256: string | null;
    readonly created_at: number;
    /** Encrypted JSON array of the two parts: payloads carry national numbers. */
    readonly body: string;
  };
  readonly delivery: {
    readonly id: string;
    readonly event_id: string;
    readonly webhook_id: number;
    readonly company_key: string;
    readonly process_key: string | null;
    readonly state: string;
    readonly created_at: number;
    readonly data: string;
  };
  readonly delivery_attempt: {
    readonly delivery_id: string;
    readonly number: number;
    readonly data: string;
  };
  readonly message: {
    readonly id: string;
    readonly process_key: string | null;
    readonly company_key: string;
    readonly state: string;
    readonly created_at: number;
    /** Encrypted JSON object; null for none. */
    readonly secret_values: string | null;
    /** Code that keeps it and all like it from leaving; null when nothing does. */
    readonly held_by: string | null;
    readonly data: string;
  };
  readonly email_template: {
    readonly id: Generated<number>;
    readonly flow_key: string;
    readonly data: string;
  };
  readonly job: JobRow;
  readonly challenge: {
    readonly sha256: string;
    readonly expires_at: number;
    readonly data: string;
  };
  readonly login_session: {
    readonly key: string;
    readonly created_at: number;
    /** Encrypted. */
    readonly data: string;
  };
  readonly access_token: {
    readonly sha256: string;
    readonly expires_at: number;
    readonly data: string;
  };
  readonly tally: {
    /** Keyed digest of who or what is counted. */
    readonly key: string;
    readonly forgotten_at: number;
    /** Encrypted. */
    readonly data: string;
  };
  readonly form_draft: {
    /** Digest of the name that the browser has. */
    readonly key: string;
    readonly flow_key: string;
    readonly forgotten_at: number;
    /** Encrypted; empty while the first answers are being saved. */
    readonly data: string;
  };
  readonly poll_time: { readonly key: string; readonly polled_at: number };
  readonly compliance_record: {
    readonly id: string;
    readonly company_key: string;
    readonly kind: string;
    readonly ssn_index: string | null;
    readonly contact_index: string | null;
    readonly name_index: string | null;
    /** Null in records of earlier versions; empty where there is none. */
    readonly email_index: string | null;
    readonly phone_index: string | null;
    readonly updated_at: number;
    /** Encrypted. */
    readonly data: string;
  };
  readonly screening: {
    readonly id: string;
    readonly company_key: string;
    readonly seq: number;
    readonly created_at: number;
    readonly hash: string;
    /** Encrypted. */
    readonly data: string;
  };
  readonly match_decision: {
    readonly id: string;
    readonly company_key: string;
    /** Keyed digest of both sides. */
    readonly pair_index: string;
    readonly decided_at: number;
    /** Encrypted. */
    readonly data: string;
  };
  readonly customer: {
    readonly id: string;
    readonly company_key: string;
    readonly reference_index: string;
    readonly ssn_index: string | null;
    readonly next_at: number;
    /** Encrypted. */
    readonly data: string;
  };
  readonly watch_list: {
    readonly company_key: string;
    readonly list: string;
    readonly imported_at: number;
    readonly content_sha256: string;
    readonly data: string;
  };
}

/** A row of the table of processes. */
export interface ProcessRow {
  readonly key: string;
  readonly company_key: string;
  readonly flow_key: string;
  readonly flow_type: string;
  readonly status: string;
  readonly phase: string;
  readonly rev: number;
  readonly created_at: number;
  readonly expires_at: number;
  readonly purged_at: number | null;
  readonly user_email: string | null;
  readonly sequence_key: string | null;
  readonly data: string;
}

/** A row of the table of jobs. */
export interface JobRow {
  readonly kind: JobKind;
  readonly ref: string;
  readonly run_at: number;
  /**
   * Earliest time of a claim in epoch milliseconds: `run_at`, or for a claimed job the end of the
   * lease.
   */
  readonly due_at: number;
  readonly owner: string | null;
  readonly attempts: number;
}

/** `value` without the members that are undefined, as JSON text. */
export function toJson(value: object): string {
  return JSON.stringify(value);
}

/** The value of {@link toJson}; the caller says what it is. */
export function fromJson<T>(text: string): T {
  return JSON.parse(text) as T;
}

/** `{ [name]: value }`, or nothing for null: optional members are absent, not undefined. */
export function optional<Name extends string, T>(
  name: Name,
  value: T | null | undefined,
): { readonly [key in Name]?: T } {
  return (value === null || value === undefined ? {} : { [name]: value }) as {
    readonly [key in Name]?: T;
  };
}
