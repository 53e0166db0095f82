import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Activity, chainHash, chainStart } from '../../src/domain/activity/index.ts';
import { agreement, openTestService, type TestService } from './open-service.ts';

const dayMs = 86_400_000;
/** What `activity verify` exits with: 0 vouched for, 9 in doubt, 7 changed. */
type Exit = 0 | 7 | 9;

let it: TestService;
let keys: readonly string[];

/** One day: a process is made, signed and completed, and the worker does what is due. */
async function oneDay(name: string): Promise<string> {
  const process = await it.toolkit.processes.create({
    flowKey: it.flowKey,
    pdf: agreement,
    fileName: `${name}.pdf`,
    signees: [
      {
        name,
        email: `${name.toLowerCase()}@example.test`,
        ssn: '1201743399',
        signatureType: 'ClickToSign',
      },
    ],
    attachments: [{ fileName: 'terms.txt', content: Buffer.from(`terms of ${name}`) }],
  });
  const signeeKey = process.signees[0]?.key ?? '';
  const circumstances = { ip: '192.0.2.7' };
  await it.toolkit.signing.click({ processKey: process.key, signeeKey, circumstances });
  await it.service.work();
  it.pass(dayMs);
  await it.service.work();
  return process.key;
}

function database<T>(work: (db: Database.Database) => T): T {
  const db = new Database(join(it.folder, 'data', 'innsigli.db'));
  db.pragma('foreign_keys = OFF');
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/** Everything that an attacker with the database alone can do after an edit of rows. */
function rebuildChain(db: Database.Database, key: string): void {
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

function editRow(db: Database.Database, key: string): void {
  const edit = "UPDATE activity SET data = replace(data, 'click', 'phone') WHERE process_key = ?";
  expect(db.prepare(edit).run(key).changes).toBeGreaterThan(0);
}

function editData(db: Database.Database, key: string, change: (data: never) => void): void {
  const row = db.prepare('SELECT data FROM process WHERE key = ?').get(key) as { data: string };
  const data = JSON.parse(row.data);
  change(data as never);
  db.prepare('UPDATE process SET data = ? WHERE key = ?').run(JSON.stringify(data), key);
}

function removeProcess(db: Database.Database, key: string): void {
  for (const table of ['activity', 'activity_personal', 'process_search', 'process_ssn']) {
    db.prepare(`DELETE FROM ${table} WHERE process_key = ?`).run(key);
  }
  db.prepare('DELETE FROM process_content WHERE process_key = ?').run(key);
  db.prepare('DELETE FROM process WHERE key = ?').run(key);
}

const dayOfKey = (db: Database.Database, key: string): string => {
  const row = db.prepare('SELECT min(created_at) AS at FROM activity WHERE process_key = ?');
  const { at } = row.get(key) as { at: number };
  return new Date(at).toISOString().slice(0, 10);
};

/** Removes the roots from the day of a process on, so that the own worker makes them anew. */
function removeRoots(db: Database.Database, from: string): void {
  expect(db.prepare('DELETE FROM daily_root WHERE day >= ?').run(from).changes).toBeGreaterThan(0);
}

async function verified(): Promise<{ readonly exit: Exit; readonly faults: readonly string[] }> {
  const { isIntact, isVouched, chainFindings, dayFindings } = await it.toolkit.activity.verify();
  const faults = [...chainFindings, ...dayFindings].map(({ fault }) => fault);
  return { exit: isIntact ? (isVouched ? 0 : 9) : 7, faults: [...new Set(faults)] };
}

describe('the log against somebody who can write the database', () => {
  beforeEach(async () => {
    it = await openTestService();
    const made: string[] = [];
    for (const name of ['Anna', 'Ari', 'Elin']) made.push(await oneDay(name));
    keys = made;
    it.pass(dayMs);
    await it.service.work();
    expect(await verified()).toEqual({ exit: 0, faults: [] });
  }, 60_000);
  afterEach(() => it.close());

  /** A tamper, whether the own worker runs afterwards, and what is found then. */
  const tampers: readonly (readonly [
    what: string,
    tamper: (db: Database.Database, key: string) => void,
    exit: Exit,
    faults: readonly string[],
  ])[] = [
    ['an edited row', editRow, 7, ['row.changed']],
    [
      'an edited row, its chain rebuilt',
      (db, key) => {
        editRow(db, key);
        rebuildChain(db, key);
      },
      7,
      ['evidence.other', 'rows.changed'],
    ],
    [
      'an edited row, its chain rebuilt, roots made anew by the worker',
      (db, key) => {
        editRow(db, key);
        rebuildChain(db, key);
        removeRoots(db, dayOfKey(db, key));
      },
      7,
      ['evidence.other', 'root.changed'],
    ],
    [
      'roots made anew by the worker',
      (db, key) => removeRoots(db, dayOfKey(db, key)),
      9,
      ['token.late'],
    ],
    ['all roots made anew by the worker', (db) => removeRoots(db, '2000-01-01'), 9, ['token.late']],
    [
      'time-stamps taken away and made anew by the worker',
      (db) => db.prepare('UPDATE daily_root SET token = NULL').run(),
      9,
      ['token.late'],
    ],
    [
      'one root removed',
      (db, key) => db.prepare('DELETE FROM daily_root WHERE day = ?').run(dayOfKey(db, key)),
      7,
      ['root.changed', 'token.invalid'],
    ],
    [
      'a deleted row at the end',
      (db, key) =>
        db
          .prepare(
            `DELETE FROM activity WHERE process_key = $key
             AND seq = (SELECT max(seq) FROM activity WHERE process_key = $key)`,
          )
          .run({ key }),
      7,
      ['rows.missing'],
    ],
    ['a deleted process', removeProcess, 7, ['rows.missing']],
    [
      'a deleted process, roots made anew by the worker',
      (db, key) => {
        const day = dayOfKey(db, key);
        removeProcess(db, key);
        removeRoots(db, day);
      },
      7,
      ['root.changed'],
    ],
    [
      'two rows in another order',
      (db, key) => {
        const move = 'UPDATE activity SET seq = ? WHERE process_key = ? AND seq = ?';
        for (const [to, from] of [
          [-1, 2],
          [2, 3],
          [3, -1],
        ])
          db.prepare(move).run(to, key, from);
      },
      7,
      ['row.changed', 'rows.changed'],
    ],
    [
      'documents of two processes swapped',
      (db, key) => {
        const other = keys[1] ?? '';
        const read = db.prepare('SELECT data FROM process WHERE key = ?');
        const [one, two] = [key, other].map((each) =>
          JSON.parse((read.get(each) as never)['data']),
        );
        editData(db, key, (data: never) => Object.assign(data, { document: two.document }));
        editData(db, other, (data: never) => Object.assign(data, { document: one.document }));
      },
      7,
      ['document.changed'],
    ],
    [
      'an attachment replaced',
      (db, key) =>
        editData(db, key, ({ attachments }: { attachments: never[] }) => {
          const [first, last] = [attachments[0], attachments.at(-1)] as unknown as {
            document: 1;
          }[];
          if (first && last) first.document = last.document;
        }),
      7,
      ['document.changed'],
    ],
    [
      'an attachment removed',
      (db, key) =>
        editData(db, key, ({ attachments }: { attachments: never[] }) => attachments.splice(0, 1)),
      7,
      ['document.changed'],
    ],
    ...(['name', 'email', 'phoneNumber'] as const).map(
      (member) =>
        [
          `another ${member} of a signee`,
          (db: Database.Database, key: string) =>
            editData(db, key, ({ signees }: { signees: Record<string, string>[] }) => {
              Object.assign(signees[0] ?? {}, { [member]: 'Mallory' });
            }),
          7,
          ['signee.changed'],
        ] as const,
    ),
    [
      'another IP address of a signature',
      (db, key) =>
        editData(db, key, ({ signees }: { signees: { proof: { ip: string } }[] }) => {
          Object.assign(signees[0]?.proof ?? {}, { ip: '192.0.2.99' });
        }),
      7,
      ['signee.changed'],
    ],
    [
      'another time of a signature',
      (db, key) =>
        editData(db, key, ({ signees }: { signees: { signedAtMs: number }[] }) => {
          if (signees[0]) signees[0].signedAtMs -= 3_600_000;
        }),
      7,
      ['signee.changed'],
    ],
    [
      'a signee added to a completed process',
      (db, key) =>
        editData(db, key, ({ signees }: { signees: { key: string }[] }) => {
          const { ssn: _sealed, ...rest } = signees[0] as { key: string; ssn?: string };
          signees.push({ ...rest, key: `si${'0'.repeat(32)}` });
        }),
      7,
      ['signee.changed'],
    ],
    [
      'an edited IP address',
      (db, key) =>
        db
          .prepare(
            `UPDATE activity_personal SET data = replace(data, '192.0.2.7', '192.0.2.8')
             WHERE process_key = ?`,
          )
          .run(key),
      7,
      ['personal.changed'],
    ],
    [
      'salts taken away',
      (db, key) => db.prepare('DELETE FROM activity_personal WHERE process_key = ?').run(key),
      7,
      ['personal.missing'],
    ],
    [
      'another status',
      (db, key) => db.prepare("UPDATE process SET status = 'Canceled' WHERE key = ?").run(key),
      7,
      ['status.changed'],
    ],
  ];

  test.each(tampers)('%s', async (_, tamper, exit, faults) => {
    const [key = ''] = keys;
    database((db) => tamper(db, key));
    await it.toolkit.activity.anchor();
    const found = await verified();
    expect(found).toEqual({ exit, faults });
    // Nothing heals by itself.
    it.pass(dayMs);
    await it.service.work();
    expect((await verified()).exit).toBe(exit);
  });

  test('an export of a log that was written again is not vouched for', async () => {
    database((db) => {
      editRow(db, keys[0] ?? '');
      rebuildChain(db, keys[0] ?? '');
      removeRoots(db, '2000-01-01');
    });
    await it.toolkit.activity.anchor();
    const filter = { fromMs: 0, toMs: it.nowMs() };
    const request = { filter, format: 'jsonl', isAnonymous: false, by: 'System' } as const;
    const lines: string[] = [];
    for await (const line of it.toolkit.activity.export(request)) lines.push(line);
    const verdict = await it.verifyExport(lines.join(''));
    expect(verdict).toMatchObject({ isIntact: true, isVouched: false });
    const late = verdict.dayFindings.filter(({ fault }) => fault === 'token.late');
    expect(late.length).toBeGreaterThanOrEqual(2);
  });

  test('a database that was put back is found by evidence that somebody has kept', async () => {
    const before = join(it.folder, 'before.db');
    database((db) => void db.exec(`VACUUM INTO '${before}'`));
    const key = await oneDay('Una');
    const process = await it.toolkit.processes.show(key);
    const record = process.attachments.find(({ fileName }) => fileName.endsWith('evidence.json'));
    const kept = await it.toolkit.processes.attachment(key, record?.key ?? '');
    expect((await it.toolkit.activity.compare(kept)).faults).toEqual([]);
    const statement = JSON.parse(Buffer.from(kept).toString('utf8'));
    expect(statement.lastRoot.digest).toMatch(/^[0-9a-f]{64}$/);
    database((db) => {
      db.exec(`ATTACH '${before}' AS old`);
      for (const table of ['activity', 'activity_personal', 'daily_root', 'process']) {
        db.exec(`DELETE FROM main.${table}; INSERT INTO main.${table} SELECT * FROM old.${table}`);
      }
    });
    expect((await it.toolkit.activity.compare(kept)).faults).toEqual(['process.missing']);
  });

  test('a purge takes the salts away, and the chain stays whole', async () => {
    const [key = ''] = keys;
    await it.toolkit.processes.purge(key, 'System');
    const left = database((db) =>
      db.prepare('SELECT count(*) AS n FROM activity_personal WHERE process_key = ?').get(key),
    );
    expect(left).toEqual({ n: 0 });
    expect(await verified()).toEqual({ exit: 0, faults: [] });
  });

  test('a quiet company has a root every week, and a worker that stands still is told', async () => {
    for (let day = 0; day < 20; day++) {
      it.pass(dayMs);
      await it.service.work();
    }
    expect(await verified()).toEqual({ exit: 0, faults: [] });
    it.pass(12 * dayMs);
    expect(await verified()).toEqual({ exit: 9, faults: ['root.missing'] });
  });
});
