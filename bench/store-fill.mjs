import Database from 'better-sqlite3';
import { openSqliteStore } from '../build/adapters/store/index.js';
import { openVault } from '../build/adapters/vault/index.js';

/** The vault of the measurements. */
export const vault = openVault(Buffer.alloc(32, 7));
/** The company that owns everything. */
export const companyKey = 'c0ffee000001';
/** Time of the first process; each following one is a minute later. */
export const startMs = Date.UTC(2026, 0, 1);
/** Log rows of each process. */
export const rowsOfProcess = 10;

const flowKey = 'f10a00000001';

/** Returns a process as stored; `number` determines its keys. */
export function benchProcess(number) {
  const hex = number.toString(16).padStart(32, '0');
  return {
    key: `sp${hex}`,
    companyKey,
    flowKey,
    flowType: 'DropAndSign',
    flowName: 'Agreements',
    status: 'Active',
    phase: 'Open',
    rev: 1,
    fileName: `Agreement ${number}.pdf`,
    original: { sha256: `${hex}${hex}`, lengthBytes: 13_000 },
    documentRev: 0,
    signees: [
      {
        key: `si${hex}`,
        name: `Signee ${number}`,
        email: `signee${number}@example.is`,
        order: 0,
        state: 'Invited',
        signatureType: 'ClickToSign',
        delivery: 'Email',
        hidePersonalCode: false,
      },
    ],
    requiresAuth: false,
    signInOrder: false,
    signatureLocation: 'BottomLastPage',
    flattenDocument: false,
    user: 'owner@example.is',
    meta: {},
    attachments: [],
    createdAtMs: startMs + number * 60_000,
    expiresAtMs: startMs + number * 60_000 + 30 * 86_400_000,
    leaseToken: 0,
    finalization: { attempts: 0 },
    policy: { sealLevel: 'B-B', language: 'Is', retentionDays: 30 },
  };
}

/** Returns a log row of a process. */
export function benchActivity(process, seq) {
  return {
    processKey: process.key,
    seq,
    companyKey,
    flowKey,
    status: 'SigneeSigned',
    createdAtMs: process.createdAtMs + seq,
    createdBy: 'System',
    description: 'signed by a click',
    commitments: { ip: 'ab'.repeat(32), userAgent: 'cd'.repeat(32) },
    hash: 'ef'.repeat(32),
  };
}

/** Adds the company and the flow. */
export async function addOwner(unit) {
  await unit.companies.add({ key: companyKey, name: 'Bench', createdAtMs: 1 });
  const common = {
    language: 'Is',
    settings: {},
    css: '',
    meta: {},
    createdAtMs: 1,
    updatedAtMs: 1,
  };
  const flow = { key: flowKey, companyKey, name: 'A', type: 'DropAndSign', isActive: true };
  await unit.flows.add({ ...flow, ...common });
}

/**
 * Creates a store with `rows` log rows. The store creates the first process; SQLite copies its rows
 * under other keys, because a million calls would take longer than the measurement.
 */
export async function fillLog(path, rows) {
  const store = await openSqliteStore({ path, vault, now: () => 1, durability: 'normal' });
  const first = benchProcess(0);
  await store.write(async (unit) => {
    await addOwner(unit);
    await unit.processes.add(first);
    for (let seq = 1; seq <= rowsOfProcess; seq++) {
      const personal = seq === 1 ? [{ name: 'ip', salt: '00', value: '192.0.2.1' }] : [];
      await unit.activity.append([{ row: benchActivity(first, seq), personal }]);
    }
  });
  await store.close();
  const db = new Database(path);
  const key = "printf('sp%032x', n)";
  const count = Math.round(rows / rowsOfProcess);
  const numbers = `WITH RECURSIVE numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers
    WHERE n + 1 < ${count})`;
  db.exec(`BEGIN;
    INSERT INTO process ${numbers} SELECT ${key}, company_key, flow_key, flow_type, status, phase,
      rev, created_at + n * 60000, expires_at, purged_at, user_email, sequence_key, data
      FROM numbers, (SELECT * FROM process);
    INSERT INTO process_search (process_key, text) ${numbers}
      SELECT ${key}, replace(${key} || ';agreement ' || n || '.pdf;signee ' || n || ';signee' || n
      || '@example.is', ';', char(10)) FROM numbers;
    INSERT INTO activity ${numbers} SELECT ${key}, seq, company_key, created_at + n * 60000, hash,
      data FROM numbers, (SELECT * FROM activity);
    INSERT INTO activity_personal ${numbers} SELECT ${key}, seq, data
      FROM numbers, (SELECT * FROM activity_personal);
    COMMIT`);
  db.close();
}
