/** Actions of an attacker who can write to the database, and has no other access. */
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type Activity, chainHash, chainStart } from '../../src/domain/activity/index.ts';
import type { TestService } from './open-service.ts';

/** Members of a stored process edited here. */
export interface ProcessData {
  readonly signees: Record<string, unknown>[];
  readonly attachments: Record<string, unknown>[];
  readonly policy: Record<string, unknown>;
  readonly document?: { readonly sha256: string };
  readonly original?: object;
}

/** Applies `work` to the database file of a service. */
export function openDatabase<T>(
  { folder }: Pick<TestService, 'folder'>,
  work: (db: Database.Database) => T,
): T {
  const db = new Database(join(folder, 'data', 'innsigli.db'));
  db.pragma('foreign_keys = OFF');
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** The stored process. */
export function dataOf(db: Database.Database, key: string): ProcessData {
  const row = db.prepare('SELECT data FROM process WHERE key = ?').get(key) as { data: string };
  return JSON.parse(row.data);
}

/** Edits the stored process. */
export function editData(
  db: Database.Database,
  key: string,
  change: (data: ProcessData) => void,
): void {
  const data = dataOf(db, key);
  change(data);
  db.prepare('UPDATE process SET data = ? WHERE key = ?').run(JSON.stringify(data), key);
}

/** Appends a row with a valid hash. */
export function addRow(
  db: Database.Database,
  key: string,
  more: object,
  atMs: number,
  company?: string,
): void {
  const newest = 'SELECT * FROM activity WHERE process_key = ? ORDER BY seq DESC LIMIT 1';
  const row = db.prepare(newest).get(key) as Record<string, never>;
  const { flowKey } = JSON.parse(row['data'] ?? '{}');
  const record = {
    ...{ flowKey, createdBy: 'System', commitments: {}, ...more },
    processKey: key,
    seq: Number(row['seq']) + 1,
    companyKey: company ?? row['company_key'],
    createdAtMs: atMs,
  };
  const hash = chainHash(row['hash'] ?? '', record as never);
  const { processKey, seq, companyKey, createdAtMs, ...data } = record;
  db.prepare(
    `INSERT INTO activity (process_key, seq, company_key, created_at, hash, data)
     VALUES (?, ?, ?, ?, ?, ?)`,
  ).run(processKey, seq, companyKey, createdAtMs, hash, JSON.stringify(data));
}

/** Edits the rows of a status, and keeps their hashes. */
export function editRows(
  db: Database.Database,
  key: string,
  status: string,
  change: (data: Record<string, unknown>) => void,
): void {
  const rows = db.prepare('SELECT seq, data FROM activity WHERE process_key = ?').all(key);
  const update = db.prepare('UPDATE activity SET data = ? WHERE process_key = ? AND seq = ?');
  for (const { seq, data } of rows as { seq: number; data: string }[]) {
    const row = JSON.parse(data);
    if (row.status !== status) continue;
    change(row);
    update.run(JSON.stringify(row), key, seq);
  }
}

/** Recomputes all hashes of a chain. */
export function rebuildChain(db: Database.Database, key: string): void {
  const rows = db
    .prepare('SELECT * FROM activity WHERE process_key = ? ORDER BY seq')
    .all(key) as Record<string, never>[];
  let previous = chainStart;
  for (const row of rows) {
    const { process_key, seq, company_key, created_at, data } = row;
    const record = {
      ...JSON.parse(data ?? '{}'),
      processKey: process_key,
      seq,
      companyKey: company_key,
      createdAtMs: created_at,
    } as Activity;
    previous = chainHash(previous, record);
    const update = 'UPDATE activity SET hash = ? WHERE process_key = ? AND seq = ?';
    db.prepare(update).run(previous, process_key, seq);
  }
}

/** Makes a job due for the worker. */
export function addJob(db: Database.Database, kind: string, ref: string, atMs: number): void {
  db.prepare('DELETE FROM job WHERE kind = ? AND ref = ?').run(kind, ref);
  db.prepare('INSERT INTO job (kind, ref, run_at, owner, attempts) VALUES (?, ?, ?, NULL, 0)').run(
    kind,
    ref,
    atMs,
  );
}

/** The time at which a job is due. Undefined if there is none. */
export function jobTime(db: Database.Database, kind: string, ref: string): number | undefined {
  const row = db.prepare('SELECT run_at FROM job WHERE kind = ? AND ref = ?').get(kind, ref);
  return (row as { run_at: number } | undefined)?.run_at;
}
