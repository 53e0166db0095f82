/** SQL fragments that differ between the engines. */
export interface ColumnTypes {
  /** Text type that is compared byte by byte. */
  readonly key: string;
  /** 64-bit integer type. */
  readonly big: string;
  readonly blob: string;
  /** Primary key that counts from 1 and never reuses a number. */
  readonly counter: string;
  /** Statements that allow explicit values for the ids of a table, which used to be generated. */
  readonly explicitIds: (table: string) => readonly string[];
  /** End of the definition of a table whose rows are stored in primary key order, if supported. */
  readonly clustered: string;
  /** Statements that create a substring index on `process_search.text`. */
  readonly searchIndex: readonly string[];
  /** Statements that limit the growth of tables whose rows change often. */
  readonly tuning: readonly string[];
  /** Expression for a member of the JSON object in the column `data`, as text. */
  readonly member: (name: string) => string;
  /** Expression for a text column as JSON, to which `->` and `->>` can be applied. */
  readonly json: (column: string) => string;
  /** Function that returns the elements of a JSON array as rows with the column `value`. */
  readonly elements: string;
}

/** Version from which on the roots of a log cover every week. */
export const rootsWithoutGaps = 5;

/** One version of the schema. It is applied once, in one transaction, and never edited. */
export interface Migration {
  readonly version: number;
  statements(types: ColumnTypes): readonly string[];
}

/** All migrations in order. */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    statements: (types) => [
      ...companies(types),
      ...processes(types),
      ...activity(types),
      ...outbox(types),
      ...types.searchIndex,
    ],
  },
  { version: 2, statements: (types) => [...identities(types), ...repeats(types)] },
  { version: 3, statements: digestsAndLists },
  { version: 4, statements: factsAndRevisions },
  { version: rootsWithoutGaps, statements: versionsOfRoots },
  { version: 6, statements: heldMessages },
  { version: 7, statements: (types) => [...holdsOfAnswers(types), ...types.tuning] },
  { version: 8, statements: personsByOneContact },
  { version: 9, statements: tallies },
  {
    version: 10,
    statements: (types) => [
      ...quotas(types),
      ...types.explicitIds('webhook'),
      ...types.explicitIds('email_template'),
    ],
  },
  { version: 11, statements: originsOfPages },
  { version: 12, statements: versionsOfLists },
  { version: 13, statements: screenedPersons },
  { version: 14, statements: draftsOfForms },
  { version: 15, statements: screeningsInSequence },
  { version: 16, statements: leasesByOneTime },
  { version: 17, statements: listsInOrder },
];

function companies({ key, big }: ColumnTypes): readonly string[] {
  return [
    `CREATE TABLE company (key ${key} NOT NULL PRIMARY KEY, created_at ${big} NOT NULL,
      ssn TEXT, webhook_signature_key TEXT, data TEXT NOT NULL)`,
    `CREATE TABLE api_key (id ${key} NOT NULL PRIMARY KEY,
      company_key ${key} NOT NULL REFERENCES company (key), sha256 TEXT NOT NULL UNIQUE,
      created_at ${big} NOT NULL, revoked_at ${big}, data TEXT NOT NULL)`,
    'CREATE INDEX api_key_company ON api_key (company_key, created_at)',
    `CREATE TABLE company_user (company_key ${key} NOT NULL REFERENCES company (key),
      email TEXT NOT NULL, created_at ${big} NOT NULL, data TEXT NOT NULL,
      PRIMARY KEY (company_key, email))`,
    `CREATE TABLE flow (key ${key} NOT NULL PRIMARY KEY,
      company_key ${key} NOT NULL REFERENCES company (key), type TEXT NOT NULL,
      created_at ${big} NOT NULL, template_sha256 TEXT, data TEXT NOT NULL)`,
    'CREATE INDEX flow_company ON flow (company_key, type, created_at)',
    'CREATE INDEX flow_template ON flow (template_sha256) WHERE template_sha256 IS NOT NULL',
    `CREATE TABLE flow_schema (flow_key ${key} NOT NULL REFERENCES flow (key),
      version ${key} NOT NULL, created_at ${big} NOT NULL, updated_at ${big} NOT NULL,
      data TEXT NOT NULL, PRIMARY KEY (flow_key, version))`,
  ];
}

// One index for each filter of a list; each ends with the columns of the list order.
function processes({ key, big, counter, clustered }: ColumnTypes): readonly string[] {
  return [
    `CREATE TABLE process (key ${key} NOT NULL PRIMARY KEY,
      company_key ${key} NOT NULL REFERENCES company (key),
      flow_key ${key} NOT NULL REFERENCES flow (key), flow_type TEXT NOT NULL,
      status TEXT NOT NULL, phase TEXT NOT NULL, rev ${big} NOT NULL, created_at ${big} NOT NULL,
      expires_at ${big} NOT NULL, purged_at ${big}, user_email TEXT, sequence_key ${key},
      data TEXT NOT NULL)`,
    'CREATE INDEX process_list ON process (company_key, created_at, key)',
    'CREATE INDEX process_status ON process (company_key, status, created_at, key)',
    'CREATE INDEX process_user ON process (company_key, user_email, created_at, key)',
    'CREATE INDEX process_type ON process (company_key, flow_type, created_at, key)',
    'CREATE INDEX process_flow ON process (flow_key, created_at, key)',
    `CREATE TABLE process_search (id ${counter},
      process_key ${key} NOT NULL UNIQUE REFERENCES process (key), text TEXT NOT NULL)`,
    `CREATE TABLE process_ssn (ssn_index TEXT NOT NULL,
      process_key ${key} NOT NULL REFERENCES process (key),
      PRIMARY KEY (ssn_index, process_key)) ${clustered}`,
    'CREATE INDEX process_ssn_process ON process_ssn (process_key)',
    `CREATE TABLE process_content (sha256 TEXT NOT NULL,
      process_key ${key} NOT NULL REFERENCES process (key),
      PRIMARY KEY (sha256, process_key)) ${clustered}`,
    'CREATE INDEX process_content_process ON process_content (process_key)',
    `CREATE TABLE sequence (key ${key} NOT NULL PRIMARY KEY,
      company_key ${key} NOT NULL REFERENCES company (key), rev ${big} NOT NULL,
      created_at ${big} NOT NULL, data TEXT NOT NULL)`,
    `CREATE TABLE challenge (token ${key} NOT NULL PRIMARY KEY, expires_at ${big} NOT NULL,
      data TEXT NOT NULL)`,
    'CREATE INDEX challenge_expiry ON challenge (expires_at)',
  ];
}

function activity({ key, big, blob, clustered }: ColumnTypes): readonly string[] {
  return [
    `CREATE TABLE activity (process_key ${key} NOT NULL REFERENCES process (key),
      seq ${big} NOT NULL, company_key ${key} NOT NULL, created_at ${big} NOT NULL,
      hash TEXT NOT NULL, data TEXT NOT NULL, PRIMARY KEY (process_key, seq)) ${clustered}`,
    'CREATE INDEX activity_day ON activity (company_key, created_at)',
    `CREATE TABLE activity_personal (process_key ${key} NOT NULL REFERENCES process (key),
      seq ${big} NOT NULL, data TEXT NOT NULL, PRIMARY KEY (process_key, seq)) ${clustered}`,
    `CREATE TABLE daily_root (company_key ${key} NOT NULL REFERENCES company (key),
      day TEXT NOT NULL, count ${big} NOT NULL, root TEXT NOT NULL, token ${blob},
      created_at ${big} NOT NULL, PRIMARY KEY (company_key, day))`,
  ];
}

function outbox({ key, big, counter, clustered }: ColumnTypes): readonly string[] {
  return [
    `CREATE TABLE webhook (id ${counter}, company_key ${key} NOT NULL REFERENCES company (key),
      flow_key ${key} NOT NULL REFERENCES flow (key), type TEXT NOT NULL, secrets TEXT NOT NULL,
      data TEXT NOT NULL)`,
    'CREATE INDEX webhook_flow ON webhook (flow_key, id)',
    `CREATE TABLE webhook_event (id ${key} NOT NULL PRIMARY KEY, company_key ${key} NOT NULL,
      flow_key ${key} NOT NULL, process_key ${key}, seq ${big} NOT NULL, type TEXT NOT NULL,
      document_sha256 TEXT, created_at ${big} NOT NULL, body TEXT NOT NULL,
      UNIQUE (process_key, seq))`,
    `CREATE INDEX webhook_event_document ON webhook_event (document_sha256)
      WHERE document_sha256 IS NOT NULL`,
    `CREATE TABLE delivery (id ${key} NOT NULL PRIMARY KEY,
      event_id ${key} NOT NULL REFERENCES webhook_event (id), webhook_id ${big} NOT NULL,
      company_key ${key} NOT NULL, process_key ${key}, state TEXT NOT NULL,
      created_at ${big} NOT NULL, data TEXT NOT NULL)`,
    'CREATE INDEX delivery_list ON delivery (company_key, created_at, id)',
    'CREATE INDEX delivery_state ON delivery (company_key, state, created_at, id)',
    'CREATE INDEX delivery_webhook ON delivery (webhook_id, state, created_at, id)',
    'CREATE INDEX delivery_process ON delivery (process_key, webhook_id, created_at, id)',
    `CREATE TABLE delivery_attempt (delivery_id ${key} NOT NULL REFERENCES delivery (id),
      number ${big} NOT NULL, data TEXT NOT NULL, PRIMARY KEY (delivery_id, number)) ${clustered}`,
    `CREATE TABLE message (id ${key} NOT NULL PRIMARY KEY, process_key ${key},
      created_at ${big} NOT NULL, secret_values TEXT, data TEXT NOT NULL)`,
    'CREATE INDEX message_process ON message (process_key, created_at, id)',
    `CREATE TABLE email_template (id ${counter}, flow_key ${key} NOT NULL REFERENCES flow (key),
      data TEXT NOT NULL)`,
    'CREATE INDEX email_template_flow ON email_template (flow_key, id)',
    `CREATE TABLE job (kind ${key} NOT NULL, ref ${key} NOT NULL, run_at ${big} NOT NULL,
      due_at ${big} NOT NULL, owner TEXT, attempts ${big} NOT NULL,
      PRIMARY KEY (kind, ref)) ${clustered}`,
    'CREATE INDEX job_due ON job (kind, due_at)',
  ];
}

function identities({ key, big, clustered }: ColumnTypes): readonly string[] {
  return [
    `CREATE TABLE login_session (key ${key} NOT NULL PRIMARY KEY, created_at ${big} NOT NULL,
      data TEXT NOT NULL)`,
    'CREATE INDEX login_session_age ON login_session (created_at)',
    `CREATE TABLE access_token (sha256 ${key} NOT NULL PRIMARY KEY, expires_at ${big} NOT NULL,
      data TEXT NOT NULL)`,
    'CREATE INDEX access_token_expiry ON access_token (expires_at)',
    `CREATE TABLE poll_time (key ${key} NOT NULL PRIMARY KEY, polled_at ${big} NOT NULL)
      ${clustered}`,
    'CREATE INDEX poll_time_age ON poll_time (polled_at)',
    `CREATE TABLE compliance_record (id ${key} NOT NULL PRIMARY KEY,
      company_key ${key} NOT NULL REFERENCES company (key), kind TEXT NOT NULL, ssn_index TEXT,
      contact_index TEXT, name_index TEXT, updated_at ${big} NOT NULL, data TEXT NOT NULL)`,
    'CREATE INDEX compliance_ssn ON compliance_record (company_key, ssn_index)',
    'CREATE INDEX compliance_contact ON compliance_record (company_key, contact_index)',
    'CREATE INDEX compliance_name ON compliance_record (company_key, name_index)',
    `CREATE TABLE watch_entry (company_key ${key} NOT NULL REFERENCES company (key),
      list ${key} NOT NULL, number ${big} NOT NULL, data TEXT NOT NULL,
      PRIMARY KEY (company_key, list, number)) ${clustered}`,
  ];
}

function repeats({ key, big, clustered }: ColumnTypes): readonly string[] {
  return [
    `CREATE TABLE kept_answer (company_key ${key} NOT NULL REFERENCES company (key),
      key ${key} NOT NULL, request_hash TEXT NOT NULL, created_at ${big} NOT NULL, data TEXT,
      PRIMARY KEY (company_key, key)) ${clustered}`,
    'CREATE INDEX kept_answer_age ON kept_answer (created_at)',
  ];
}

// Pending challenges live only for minutes, so they are deleted and have to be requested again.
function digestsAndLists({ key, member }: ColumnTypes): readonly string[] {
  return [
    'DELETE FROM challenge',
    'ALTER TABLE challenge RENAME COLUMN token TO sha256',
    `ALTER TABLE message ADD COLUMN company_key ${key} NOT NULL DEFAULT ''`,
    `ALTER TABLE message ADD COLUMN state TEXT NOT NULL DEFAULT ''`,
    `UPDATE message SET company_key = ${member('companyKey')}, state = ${member('state')}`,
    'CREATE INDEX message_list ON message (company_key, state, created_at, id)',
  ];
}

// Earlier revisions of a document are needed as long as the process: signatures refer to them.
function factsAndRevisions({ key, big, json, elements }: ColumnTypes): readonly string[] {
  const ofSignees = ['viewedSha256', 'shownSha256'].map((name) => `s.value ->> '${name}'`);
  const ofProofs = ['shownSha256', 'signedSha256'].map(
    (name) => `s.value -> 'proof' ->> '${name}'`,
  );
  const revisions = [...ofSignees, ...ofProofs].map(
    (digest) => `SELECT ${digest} AS sha256, p.key AS process_key
      FROM process p, ${elements}(${json('p.data')} -> 'signees') s WHERE p.purged_at IS NULL`,
  );
  const signed = `SELECT ${json('data')} -> 'finalization' ->> 'signedSha256', key FROM process
    WHERE purged_at IS NULL`;
  return [
    `CREATE TABLE store_fact (name ${key} NOT NULL PRIMARY KEY, value TEXT NOT NULL,
      created_at ${big} NOT NULL)`,
    `CREATE TABLE orphan_content (sha256 ${key} NOT NULL PRIMARY KEY, store_id TEXT NOT NULL,
      marked_at ${big} NOT NULL)`,
    'CREATE INDEX orphan_content_age ON orphan_content (marked_at)',
    `ALTER TABLE process_content ADD COLUMN is_revision ${big} NOT NULL DEFAULT 0`,
    `INSERT INTO process_content (sha256, process_key, is_revision)
      SELECT sha256, process_key, 1 FROM (${[...revisions, signed].join(' UNION ')}) r
      WHERE sha256 IS NOT NULL ON CONFLICT DO NOTHING`,
  ];
}

function versionsOfRoots({ big }: ColumnTypes): readonly string[] {
  return [`ALTER TABLE daily_root ADD COLUMN version ${big} NOT NULL DEFAULT 1`];
}

// Index to count the messages held until a setting is corrected, without reading all messages.
function heldMessages(): readonly string[] {
  return [
    'ALTER TABLE message ADD COLUMN held_by TEXT',
    'CREATE INDEX message_held ON message (held_by, created_at) WHERE held_by IS NOT NULL',
  ];
}

// For earlier requests without a response, it is unknown whether their work was done.
function holdsOfAnswers({ big }: ColumnTypes): readonly string[] {
  return [
    `ALTER TABLE kept_answer ADD COLUMN owner TEXT NOT NULL DEFAULT ''`,
    `ALTER TABLE kept_answer ADD COLUMN until ${big} NOT NULL DEFAULT 0`,
    `ALTER TABLE kept_answer ADD COLUMN steps ${big} NOT NULL DEFAULT 1`,
  ];
}

// Null: the record was written before and has to be decrypted to be found. Empty: it has no value.
function personsByOneContact(): readonly string[] {
  return ['email', 'phone'].flatMap((what) => [
    `ALTER TABLE compliance_record ADD COLUMN ${what}_index TEXT`,
    `CREATE INDEX compliance_${what} ON compliance_record (company_key, ${what}_index)`,
  ]);
}

function tallies({ key, big, clustered }: ColumnTypes): readonly string[] {
  return [
    `CREATE TABLE tally (key ${key} NOT NULL PRIMARY KEY, forgotten_at ${big} NOT NULL,
      data TEXT NOT NULL) ${clustered}`,
    'CREATE INDEX tally_age ON tally (forgotten_at)',
  ];
}

// The lengths of earlier revisions were not recorded.
function quotas({ key, big, clustered, json, elements }: ColumnTypes): readonly string[] {
  const lengthOf = (place: string) =>
    `${place} ->> 'sha256' AS sha256, CAST(${place} ->> 'lengthBytes' AS BIGINT) AS length_bytes`;
  const data = json('p.data');
  const known = [
    ...['original', 'document'].map(
      (name) => `SELECT p.key AS process_key, ${lengthOf(`(${data} -> '${name}')`)}
        FROM process p WHERE p.purged_at IS NULL`,
    ),
    `SELECT p.key AS process_key, ${lengthOf(`(a.value -> 'document')`)}
      FROM process p, ${elements}(${data} -> 'attachments') a WHERE p.purged_at IS NULL`,
  ];
  return [
    `CREATE TABLE quota_use (company_key ${key} NOT NULL REFERENCES company (key),
      what ${key} NOT NULL, day ${key} NOT NULL, part ${key} NOT NULL, amount ${big} NOT NULL,
      PRIMARY KEY (company_key, what, day, part)) ${clustered}`,
    `ALTER TABLE process_content ADD COLUMN length_bytes ${big} NOT NULL DEFAULT 0`,
    `UPDATE process_content SET length_bytes = k.length_bytes
      FROM (${known.join(' UNION ')}) k WHERE k.sha256 = process_content.sha256
      AND k.process_key = process_content.process_key AND k.length_bytes IS NOT NULL`,
    `INSERT INTO quota_use (company_key, what, day, part, amount)
      SELECT p.company_key, 'storedBytes', '', '', SUM(c.length_bytes)
      FROM process_content c JOIN process p ON p.key = c.process_key GROUP BY p.company_key`,
  ];
}

function originsOfPages({ key, big, clustered }: ColumnTypes): readonly string[] {
  return [
    `CREATE TABLE company_origin (origin ${key} NOT NULL,
      company_key ${key} NOT NULL REFERENCES company (key), created_at ${big} NOT NULL,
      PRIMARY KEY (origin, company_key)) ${clustered}`,
    'CREATE INDEX company_origin_list ON company_origin (company_key, created_at)',
  ];
}

// Lists are now stored as blobs with an index of names, so they have to be imported again.
function versionsOfLists({ key, big, clustered }: ColumnTypes): readonly string[] {
  return [
    `CREATE TABLE watch_list (company_key ${key} NOT NULL REFERENCES company (key),
      list ${key} NOT NULL, imported_at ${big} NOT NULL, content_sha256 ${key} NOT NULL,
      data TEXT NOT NULL, PRIMARY KEY (company_key, list, imported_at)) ${clustered}`,
    'CREATE INDEX watch_list_content ON watch_list (content_sha256)',
    'DROP TABLE watch_entry',
  ];
}

function screenedPersons({ key, big, clustered }: ColumnTypes): readonly string[] {
  return [
    `CREATE TABLE screening (id ${key} NOT NULL PRIMARY KEY,
      company_key ${key} NOT NULL REFERENCES company (key), seq ${big} NOT NULL,
      created_at ${big} NOT NULL, hash TEXT NOT NULL, data TEXT NOT NULL) ${clustered}`,
    'CREATE UNIQUE INDEX screening_chain ON screening (company_key, seq)',
    `CREATE TABLE match_decision (id ${key} NOT NULL PRIMARY KEY,
      company_key ${key} NOT NULL REFERENCES company (key), pair_index ${key} NOT NULL,
      decided_at ${big} NOT NULL, data TEXT NOT NULL) ${clustered}`,
    'CREATE INDEX match_decision_pair ON match_decision (company_key, pair_index)',
    `CREATE TABLE customer (id ${key} NOT NULL PRIMARY KEY,
      company_key ${key} NOT NULL REFERENCES company (key), reference_index ${key} NOT NULL,
      ssn_index ${key}, next_at ${big} NOT NULL, data TEXT NOT NULL) ${clustered}`,
    'CREATE UNIQUE INDEX customer_reference ON customer (company_key, reference_index)',
    'CREATE INDEX customer_ssn ON customer (company_key, ssn_index)',
    'CREATE INDEX customer_due ON customer (company_key, next_at)',
  ];
}

function draftsOfForms({ key, big, clustered }: ColumnTypes): readonly string[] {
  return [
    `CREATE TABLE form_draft (key ${key} NOT NULL PRIMARY KEY,
      flow_key ${key} NOT NULL REFERENCES flow (key), forgotten_at ${big} NOT NULL,
      data TEXT NOT NULL) ${clustered}`,
    'CREATE INDEX form_draft_age ON form_draft (forgotten_at)',
    'CREATE INDEX form_draft_flow ON form_draft (flow_key, forgotten_at)',
  ];
}

// In a clustered table, SQLite moves the part of a row that exceeds a quarter of a page to overflow
// pages, and random ids scattered the rows (docs/adr/0076). In PostgreSQL, rows are already stored
// in sequence.
function screeningsInSequence({ key, big, clustered }: ColumnTypes): readonly string[] {
  if (clustered === '') return [];
  return [
    `CREATE TABLE screening_row (id ${key} NOT NULL PRIMARY KEY,
      company_key ${key} NOT NULL REFERENCES company (key), seq ${big} NOT NULL,
      created_at ${big} NOT NULL, hash TEXT NOT NULL, data TEXT NOT NULL)`,
    `INSERT INTO screening_row (id, company_key, seq, created_at, hash, data)
      SELECT id, company_key, seq, created_at, hash, data FROM screening
      ORDER BY company_key, seq`,
    'DROP TABLE screening',
    'ALTER TABLE screening_row RENAME TO screening',
    'CREATE UNIQUE INDEX screening_chain ON screening (company_key, seq)',
  ];
}

// Frees jobs held by older programs: their leases ended by the hosts' clocks (docs/adr/0087).
function leasesByOneTime({ big }: ColumnTypes): readonly string[] {
  return [
    'DROP INDEX job_due',
    'ALTER TABLE job DROP COLUMN due_at',
    `ALTER TABLE job ADD COLUMN held_until ${big}`,
    'CREATE INDEX job_due ON job (kind, run_at)',
  ];
}

// Indexes for the order of lists, and for finding the deliveries of a deleted event.
function listsInOrder(): readonly string[] {
  return [
    'CREATE INDEX sequence_list ON sequence (company_key, created_at DESC, key)',
    'CREATE INDEX match_decision_list ON match_decision (company_key, decided_at, id)',
    'CREATE INDEX customer_list ON customer (company_key, id)',
    'CREATE INDEX compliance_list ON compliance_record (company_key, id)',
    'CREATE INDEX delivery_event ON delivery (event_id)',
  ];
}
