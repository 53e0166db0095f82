import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asKey } from '../../src/domain/keys.ts';
import { sampleOf } from '../support/sample.ts';
import { agreement, preparedService, type TestService } from './open-service.ts';
import {
  addRow,
  dataOf,
  editData,
  editRows,
  openDatabase,
  rebuildChain,
} from './tampered-database.ts';

const dayMs = 86_400_000;
/** Exit codes of `activity verify`: 0 vouched for, 9 in doubt, 7 changed. */
type Exit = 0 | 7 | 9;

let it: TestService;
let keys: readonly string[];

const database = <T>(work: (db: Database.Database) => T): T => openDatabase(it, work);

/** One day: a process is created, signed and completed, and the worker does the due jobs. */
async function oneDay(it: TestService, name: string): Promise<string> {
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
  await it.toolkit.signing.signByClick({ processKey: process.key, signeeKey, circumstances });
  await it.service.work();
  it.pass(dayMs);
  await it.service.work();
  return process.key;
}

function editRow(db: Database.Database, key: string): void {
  const edit = "UPDATE activity SET data = replace(data, 'click', 'phone') WHERE process_key = ?";
  expect(db.prepare(edit).run(key).changes).toBeGreaterThan(0);
}

const nested = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;

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

/** Removes the roots from the day of a process on, so that the own worker rebuilds them. */
function removeRoots(db: Database.Database, from: string): void {
  expect(db.prepare('DELETE FROM daily_root WHERE day >= ?').run(from).changes).toBeGreaterThan(0);
}

async function verifiedBy(
  it: TestService,
): Promise<{ readonly exit: Exit; readonly faults: readonly string[] }> {
  const { isIntact, isVouched, chainFindings, dayFindings } = await it.toolkit.activity.verify();
  const faults = [...chainFindings, ...dayFindings].map(({ fault }) => fault);
  return { exit: isIntact ? (isVouched ? 0 : 9) : 7, faults: [...new Set(faults)] };
}

const verified = () => verifiedBy(it);

const openThreeDays = preparedService(async (made) => {
  const names: string[] = [];
  for (const name of ['Anna', 'Ari', 'Elin']) names.push(await oneDay(made, name));
  made.pass(dayMs);
  await made.service.work();
  expect(await verifiedBy(made)).toEqual({ exit: 0, faults: [] });
  return names;
});

describe('verification of the log against an attacker who can write to the database', () => {
  beforeEach(async () => {
    const opened = await openThreeDays();
    it = opened.it;
    keys = opened.facts;
  }, 60_000);
  afterEach(() => it.close());

  /** A tampering, and the exit code and faults that are then found. */
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
      'an edited row, its chain rebuilt, roots rebuilt by the worker',
      (db, key) => {
        editRow(db, key);
        rebuildChain(db, key);
        removeRoots(db, dayOfKey(db, key));
      },
      7,
      ['evidence.other', 'root.changed'],
    ],
    [
      'roots rebuilt by the worker',
      (db, key) => removeRoots(db, dayOfKey(db, key)),
      9,
      ['token.late'],
    ],
    ['all roots rebuilt by the worker', (db) => removeRoots(db, '2000-01-01'), 9, ['token.late']],
    [
      'time-stamps removed and rebuilt by the worker',
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
      'a deleted process, roots rebuilt by the worker',
      (db, key) => {
        const day = dayOfKey(db, key);
        removeProcess(db, key);
        removeRoots(db, day);
      },
      7,
      ['root.changed'],
    ],
    [
      'two rows swapped',
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
        const [one, two] = [key, other].map((each) => dataOf(db, each));
        editData(db, key, (data) => Object.assign(data, { document: two?.document }));
        editData(db, other, (data) => Object.assign(data, { document: one?.document }));
      },
      7,
      ['document.changed'],
    ],
    [
      'an attachment replaced',
      (db, key) =>
        editData(db, key, ({ attachments }) => {
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
      (db, key) => editData(db, key, ({ attachments }) => attachments.splice(0, 1)),
      7,
      ['document.changed'],
    ],
    ...(['name', 'email', 'phoneNumber'] as const).map(
      (member) =>
        [
          `another ${member} of a signee`,
          (db: Database.Database, key: string) =>
            editData(db, key, ({ signees }) => {
              Object.assign(signees[0] ?? {}, { [member]: 'Mallory' });
            }),
          7,
          ['signee.changed'],
        ] as const,
    ),
    [
      'a changed IP address of a signature',
      (db, key) =>
        editData(db, key, ({ signees }) => {
          Object.assign(signees[0]?.['proof'] ?? {}, { ip: '192.0.2.99' });
        }),
      7,
      ['signee.changed'],
    ],
    [
      'a forged login',
      (db, key) =>
        editData(db, key, ({ signees }) => {
          const login = { name: 'Somebody', ssn: 'v1.x', who: 'w', method: 'eid', atMs: 1 };
          Object.assign(signees[0] ?? {}, { login });
        }),
      7,
      ['signee.changed'],
    ],
    [
      'a changed time of a signature',
      (db, key) =>
        editData(db, key, ({ signees }) => {
          Object.assign(signees[0] ?? {}, { signedAtMs: 1 });
        }),
      7,
      ['signee.changed'],
    ],
    [
      'a signee added to a completed process',
      (db, key) =>
        editData(db, key, ({ signees }) => {
          const { ssn: _sealed, ...rest } = signees[0] ?? {};
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
      'removed salts',
      (db, key) => db.prepare('DELETE FROM activity_personal WHERE process_key = ?').run(key),
      7,
      ['personal.missing'],
    ],
    [
      'a changed status',
      (db, key) => db.prepare("UPDATE process SET status = 'Canceled' WHERE key = ?").run(key),
      7,
      ['status.changed'],
    ],
    ...['SigneeSigned', 'Extended', 'Canceled'].map(
      (status) =>
        [
          `a row ${status} appended, its chain intact`,
          (db: Database.Database, key: string) => addRow(db, key, { status }, it.nowMs()),
          7,
          ['row.late'],
        ] as const,
    ),
    [
      'edited rows of a process dated before 1970',
      (db, key) => {
        db.prepare('UPDATE process SET created_at = -1 WHERE key = ?').run(key);
        editRow(db, key);
      },
      7,
      ['row.changed'],
    ],
    [
      'a row of another company appended',
      (db, key) => addRow(db, key, { status: 'Extended' }, it.nowMs(), 'c0ffee000009'),
      7,
      ['row.foreign'],
    ],
    [
      'personal values added to the log, and the signee edited',
      (db, key) => {
        const read = 'SELECT seq, data FROM activity_personal WHERE process_key = ?';
        const { signees } = dataOf(db, key);
        const known: Record<string, string> = { 'signee.name': String(signees[0]?.['name']) };
        for (const { seq, data } of db.prepare(read).all(key) as { seq: number; data: string }[]) {
          const values = (JSON.parse(data) as { name: string }[]).map((each) =>
            known[each.name] === undefined ? each : { ...each, value: known[each.name] },
          );
          const write = 'UPDATE activity_personal SET data = ? WHERE process_key = ? AND seq = ?';
          db.prepare(write).run(JSON.stringify(values), key, seq);
        }
        editData(db, key, (data) => Object.assign(data.signees[0] ?? {}, { name: 'Mallory' }));
      },
      7,
      ['signee.changed'],
    ],
    [
      'a row that claims erasure, and the signee edited',
      (db, key) => {
        addRow(db, key, { status: 'PersonalErased' }, it.nowMs());
        db.prepare('DELETE FROM activity_personal WHERE process_key = ?').run(key);
        editData(db, key, (data) => Object.assign(data.signees[0] ?? {}, { name: 'Mallory' }));
      },
      7,
      ['personal.missing'],
    ],
    [
      'renamed evidence, rows edited and rebuilt, roots rebuilt',
      (db, key) => {
        editData(db, key, ({ attachments }) => {
          for (const each of attachments) each['fileName'] = 'x.json';
        });
        editRow(db, key);
        rebuildChain(db, key);
        removeRoots(db, dayOfKey(db, key));
      },
      7,
      ['evidence.other', 'root.changed'],
    ],
    [
      'an attachment without a name',
      (db, key) => editData(db, key, ({ attachments }) => delete attachments.at(-1)?.['fileName']),
      7,
      ['process.unreadable'],
    ],
    [
      'an attachment twice',
      (db, key) =>
        editData(db, key, ({ attachments }) => {
          attachments.unshift({ ...attachments[0], document: attachments.at(-1)?.['document'] });
        }),
      7,
      ['document.changed'],
    ],
    [
      'a signee twice',
      (db, key) =>
        editData(db, key, ({ signees }) => signees.unshift({ ...signees[0], name: 'Mallory' })),
      7,
      ['signee.changed'],
    ],
    [
      'a process marked as purged, and a changed document',
      (db, key) => {
        db.prepare('UPDATE process SET purged_at = 1 WHERE key = ?').run(key);
        editData(db, key, (data) => Object.assign(data, { document: data.original }));
      },
      7,
      ['process.changed'],
    ],
    [
      'a changed time of the process',
      (db, key) =>
        db.prepare('UPDATE process SET created_at = created_at - 1 WHERE key = ?').run(key),
      7,
      ['process.changed'],
    ],
    [
      'a changed retention',
      (db, key) => editData(db, key, ({ policy }) => Object.assign(policy, { retentionDays: 60 })),
      7,
      ['process.changed'],
    ],
    [
      'removed rules',
      (db, key) => editData(db, key, (data) => Object.assign(data, { policy: null })),
      7,
      ['process.unreadable'],
    ],
    ...([1, 9e15, 'x', undefined] as const).map(
      (endedAtMs) =>
        [
          `an end that is ${endedAtMs}`,
          (db: Database.Database, key: string) =>
            editData(db, key, (data) => Object.assign(data, { endedAtMs })),
          7,
          ['process.changed'],
        ] as const,
    ),
    [
      'a changed deadline',
      (db, key) =>
        db.prepare('UPDATE process SET expires_at = expires_at - 1 WHERE key = ?').run(key),
      7,
      ['process.changed'],
    ],
    [
      'a reopened process',
      (db, key) => db.prepare("UPDATE process SET phase = 'Open' WHERE key = ?").run(key),
      7,
      ['process.changed'],
    ],
    [
      'non-numeric terms in a row',
      (db, key) => {
        editRows(db, key, 'Created', (row) =>
          Object.assign(row, { terms: { retentionDays: 0.5 } }),
        );
      },
      7,
      ['row.changed'],
    ],
    [
      'a root of a future day',
      (db) =>
        db
          .prepare(
            `INSERT INTO daily_root (company_key, day, count, root, version, created_at)
             SELECT key, '9999-12-30', 0, ?, 1, 1 FROM company`,
          )
          .run('0'.repeat(64)),
      9,
      ['root.early'],
    ],
    [
      'a malformed root',
      (db) =>
        db
          .prepare(
            `INSERT INTO daily_root (company_key, day, count, root, version, created_at)
             SELECT key, 'zzzz', 1.5, 'x', 7, 'y' FROM company`,
          )
          .run(),
      7,
      ['root.malformed'],
    ],
    [
      'a time-stamp that is a number',
      (db, key) =>
        db.prepare('UPDATE daily_root SET token = 9999999999 WHERE day = ?').run(dayOfKey(db, key)),
      7,
      ['token.invalid'],
    ],
    ...(['{{{', 'null', '', '[null]', '{}', '{"flowKey":1.5}', nested] as const).flatMap(
      (text) =>
        [
          [
            `a row that holds ${text.slice(0, 20)}`,
            (db: Database.Database, key: string) =>
              db
                .prepare('UPDATE activity SET data = ? WHERE process_key = ? AND seq = 2')
                .run(text, key),
            7,
            ['row.changed'],
          ],
          [
            `personal values that are ${text.slice(0, 20)}`,
            (db: Database.Database, key: string) =>
              db
                .prepare('UPDATE activity_personal SET data = ? WHERE process_key = ? AND seq = 1')
                .run(text, key),
            7,
            ['personal.added'],
          ],
          [
            `a process that is ${text.slice(0, 20)}`,
            (db: Database.Database, key: string) =>
              db.prepare('UPDATE process SET data = ? WHERE key = ?').run(text, key),
            7,
            ['process.unreadable'],
          ],
        ] as const,
    ),
    [
      'a malformed national number',
      (db, key) =>
        editData(db, key, ({ signees }) => Object.assign(signees[0] ?? {}, { ssn: 'x' })),
      7,
      ['signee.changed'],
    ],
  ];

  test.each(sampleOf(tampers, 5))('detects the tampering: %s', async (_, tamper, exit, faults) => {
    const [key = ''] = keys;
    database((db) => tamper(db, key));
    await it.toolkit.activity.anchor();
    const found = await verified();
    expect(found).toEqual({ exit, faults });
    // Nothing repairs itself.
    it.pass(dayMs);
    await it.service.work();
    expect((await verified()).exit).toBe(exit);
  });

  test('the last days of an export are vouched for only while they are the newest', async () => {
    await it.toolkit.processes.cancel({ key: keys[2] ?? '', by: 'System' }).catch(() => undefined);
    const filter = { fromMs: 0, toMs: it.nowMs() };
    const request = { filter, format: 'jsonl', isAnonymous: true, by: 'System' } as const;
    const lines: string[] = [];
    for await (const line of it.toolkit.activity.export(request)) lines.push(line);
    expect(await it.verifyExport(lines.join(''))).toMatchObject({ isVouched: true });
    it.pass(4 * dayMs);
    const later = await it.verifyExport(lines.join(''));
    expect(later).toMatchObject({ isIntact: true, isVouched: false });
  });

  test('a forged "anonymous" header in an export does not hide a changed person', async () => {
    const filter = { fromMs: 0, toMs: it.nowMs() };
    const request = { filter, format: 'jsonl', isAnonymous: false, by: 'System' } as const;
    const lines: string[] = [];
    for await (const line of it.toolkit.activity.export(request)) lines.push(line);
    expect(lines.join('')).toContain('"value":"Anna"');
    const forged = lines.join('').replace('"filter":[]', '"filter":[],"anonymous":true');
    expect((await it.verifyExport(forged)).isIntact).toBe(true);
    const other = forged.replace('"value":"Anna"', '"value":"Mallory"');
    expect((await it.verifyExport(other)).chainFindings).toMatchObject([
      { fault: 'signee.changed' },
    ]);
  });

  test('an export of a rewritten log is not vouched for', async () => {
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

  test('a forged signature is not sealed', async () => {
    const names = ['Anna', 'Victim', 'Last'];
    const process = await it.toolkit.processes.create({
      flowKey: it.flowKey,
      pdf: agreement,
      signees: names.map((name) => ({
        name,
        email: `${name}@example.test`,
        signatureType: 'ClickToSign' as const,
      })),
    });
    const click = (at: number) =>
      it.toolkit.signing.signByClick({
        processKey: process.key,
        signeeKey: process.signees[at]?.key ?? '',
      });
    await click(0);
    database((db) =>
      editData(db, process.key, ({ signees }) => {
        const proof = { ...(signees[0]?.['proof'] as object), ip: '9.9.9.9' };
        Object.assign(signees[1] ?? {}, { state: 'Signed', signedAtMs: it.nowMs(), proof });
      }),
    );
    expect(await verified()).toEqual({ exit: 7, faults: ['signee.changed'] });
    await click(2);
    const { failed } = await it.service.work(['finalize']);
    expect(failed.map(({ code }) => code)).toEqual(['process.finalize.failed']);
  });

  test('the person who declined cannot be changed', async () => {
    const process = await it.toolkit.processes.create({
      flowKey: it.flowKey,
      pdf: agreement,
      signees: [{ name: 'Anna', email: 'anna@example.test', signatureType: 'ClickToSign' }],
    });
    database((db) =>
      editData(db, process.key, ({ policy }) => Object.assign(policy, { mayDecline: true })),
    );
    const signeeKey = process.signees[0]?.key ?? '';
    await it.toolkit.signing.decline({ processKey: process.key, signeeKey }, 'no');
    expect(await verified()).toEqual({ exit: 0, faults: [] });
    database((db) =>
      editData(db, process.key, ({ signees }) => {
        Object.assign(signees[0] ?? {}, { name: 'Mallory' });
      }),
    );
    expect(await verified()).toEqual({ exit: 7, faults: ['signee.changed'] });
  });

  test('contradictory evidence does not hide a change', async () => {
    const [key = ''] = keys;
    database((db) => {
      editRow(db, key);
      rebuildChain(db, key);
      removeRoots(db, dayOfKey(db, key));
      const away = 'UPDATE activity SET data = replace(data, \'"evidence":\', \'"other":\')';
      db.prepare(`${away} WHERE process_key = ?`).run(key);
      rebuildChain(db, key);
    });
    await it.toolkit.activity.anchor();
    await oneDay(it, 'Una');
    const { exit, faults } = await verified();
    expect(exit).toBe(7);
    expect(faults).toContain('root.changed');
  });

  test('a single process is verified against the roots of its days', async () => {
    const [, key = ''] = keys;
    database((db) => {
      editRow(db, key);
      const away = 'UPDATE activity SET data = replace(data, \'"evidence":\', \'"other":\')';
      db.prepare(`${away} WHERE process_key = ?`).run(key);
      rebuildChain(db, key);
    });
    const verdict = await it.toolkit.activity.verify({ processKey: asKey('process', key) });
    expect(verdict).toMatchObject({ isIntact: false, dayFindings: [{ fault: 'rows.changed' }] });
    const other = await it.toolkit.activity.verify({ processKey: asKey('process', keys[2] ?? '') });
    expect(other).toMatchObject({ isIntact: true, isVouched: true, days: 1 });
  });

  test.each([
    ['company', 'created_at', 9e15],
    ['company', 'created_at', 'x'],
    ['company', 'created_at', -62_135_596_800_000],
    ['schema_version', 'applied_at', 9e18],
    ['schema_version', 'applied_at', 'x'],
  ])('%s.%s = %s does not stop the verification', async (table, column, value) => {
    database((db) => {
      db.prepare(`UPDATE ${table} SET ${column} = ?`).run(value);
      removeRoots(db, '2000-01-01');
    });
    await it.toolkit.activity.anchor();
    expect((await verified()).exit).toBe(9);
  });

  test('a restored database is detected by evidence kept elsewhere', async () => {
    const before = join(it.folder, 'before.db');
    database((db) => void db.exec(`VACUUM INTO '${before}'`));
    const key = await oneDay(it, 'Una');
    const process = await it.toolkit.processes.show({ key });
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

  test('a purge removes the salts, and the chain stays intact', async () => {
    const [key = ''] = keys;
    await it.toolkit.processes.purge({ key, by: 'System' });
    const left = database((db) =>
      db.prepare('SELECT count(*) AS n FROM activity_personal WHERE process_key = ?').get(key),
    );
    expect(left).toEqual({ n: 0 });
    expect(await verified()).toEqual({ exit: 0, faults: [] });
  });

  test('a quiet company gets a root every week, and a stopped worker is reported', async () => {
    for (let day = 0; day < 20; day++) {
      it.pass(dayMs);
      await it.service.work();
    }
    expect(await verified()).toEqual({ exit: 0, faults: [] });
    it.pass(12 * dayMs);
    expect(await verified()).toEqual({ exit: 9, faults: ['root.missing'] });
  });
});
