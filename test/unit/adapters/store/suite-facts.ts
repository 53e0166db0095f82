import { expect, test } from 'vitest';
import {
  addTestFlow,
  testCompany,
  testFlow,
  testProcess,
  testSignee,
  testVault,
} from '../../../support/store.ts';
import { execute, type NewPlace, openStoreAt, withStore } from './store-place.ts';

const sha = (digit: string) => digit.repeat(64);
const ref = (digit: string) => ({ sha256: sha(digit), lengthBytes: 1 });

/**
 * The version from which {@link undoVersion16} starts; the statements for older versions start with
 * it. Each new migration adds the statements that undo it.
 */
export const undoneVersion = 17;

/** Statements that take the schema back to version 15, on both engines. */
export const undoVersion16 = `DROP INDEX sequence_list; DROP INDEX match_decision_list;
  DROP INDEX customer_list; DROP INDEX compliance_list; DROP INDEX delivery_event;
  DROP INDEX job_due;
  ALTER TABLE job DROP COLUMN held_until;
  ALTER TABLE job ADD COLUMN due_at BIGINT NOT NULL DEFAULT 0;
  UPDATE job SET due_at = run_at;
  CREATE INDEX job_due ON job (kind, due_at);
  DELETE FROM schema_version WHERE version >= 16;`;

/** Statements that take the schema back to version 7, on both engines. */
const undoVersion8 = `${undoVersion16}
  DROP TABLE form_draft;
  DROP TABLE screening; DROP TABLE match_decision; DROP TABLE customer;
  DROP TABLE watch_list; DROP TABLE company_origin; DROP TABLE tally;
  CREATE TABLE watch_entry (company_key TEXT NOT NULL, list TEXT NOT NULL,
    number BIGINT NOT NULL, data TEXT NOT NULL);
  DROP INDEX compliance_email; DROP INDEX compliance_phone;
  ALTER TABLE compliance_record DROP COLUMN email_index;
  ALTER TABLE compliance_record DROP COLUMN phone_index;
  DROP TABLE quota_use;
  ALTER TABLE process_content DROP COLUMN length_bytes;
  DELETE FROM schema_version WHERE version >= 8;`;

/** Statements that take the schema back to version 3, on both engines. */
export const undoVersion4 = `${undoVersion8}
  ALTER TABLE kept_answer DROP COLUMN owner;
  ALTER TABLE kept_answer DROP COLUMN until; ALTER TABLE kept_answer DROP COLUMN steps;
  DROP INDEX message_held;
  ALTER TABLE message DROP COLUMN held_by;
  ALTER TABLE daily_root DROP COLUMN version;
  DROP TABLE store_fact; DROP TABLE orphan_content;
  DELETE FROM process_content WHERE is_revision = 1;
  ALTER TABLE process_content DROP COLUMN is_revision;
  DELETE FROM schema_version WHERE version >= 4;`;

/** Facts about the store as a whole and about its blobs. */
export function factCases(newPlace: NewPlace): void {
  test('facts keep their first value until it is changed', () =>
    withStore(newPlace, async (store) => {
      await store.write(async ({ facts }) => {
        expect(await facts.find('store.id')).toBeUndefined();
        expect(await facts.putOnce('store.id', 'a', 1)).toBe('a');
        expect(await facts.putOnce('store.id', 'b', 2)).toBe('a');
        await facts.put('probe:2', 'x', 3);
        await facts.put('probe:1', 'y', 4);
        await facts.put('probe:1', 'z', 5);
        expect(await facts.swap('store.id', 'b', 'c', 6)).toBe(false);
        expect(await facts.swap('none', 'b', 'c', 6)).toBe(false);
        expect(await facts.swap('store.id', 'a', 'c', 6)).toBe(true);
        expect(await facts.swap('store.id', undefined, 'd', 6)).toBe(false);
        expect(await facts.swap('new', undefined, 'd', 6)).toBe(true);
      });
      await store.read(async ({ facts }) => {
        expect(await facts.find('store.id')).toBe('c');
        expect(await facts.list('probe:')).toEqual([
          { name: 'probe:1', value: 'z', createdAtMs: 5 },
          { name: 'probe:2', value: 'x', createdAtMs: 3 },
        ]);
      });
      await store.write(({ facts }) => facts.remove('probe:1'));
      expect(await store.read(({ facts }) => facts.find('probe:1'))).toBeUndefined();
    }));

  test('facts written concurrently end with a single value', () =>
    withStore(newPlace, async (store, place) => {
      const stores = [store, await openStoreAt(place), await openStoreAt(place)];
      const all = await Promise.all(
        ['a', 'b', 'c', 'd', 'e', 'f'].map((value, at) =>
          (stores[at % 3] ?? store).write(({ facts }) => facts.putOnce('store.id', value, 1)),
        ),
      );
      expect(new Set(all).size).toBe(1);
      const [stands = ''] = all;
      const swapped = await Promise.all(
        ['a', 'b', 'c', 'd', 'e', 'f'].map((value, at) =>
          (stores[at % 3] ?? store).write(({ facts }) =>
            facts.swap('store.id', stands, `${value}2`, 1),
          ),
        ),
      );
      expect(swapped.filter((each) => each)).toHaveLength(1);
      for (const other of stores.slice(1)) await other.close();
    }));

  test('the encrypted sample is the webhook signature key of the first company', () =>
    withStore(newPlace, async (store) => {
      const sample = () => store.read(({ facts }) => facts.sealedSample());
      expect(await sample()).toBeUndefined();
      await store.write(({ companies }) =>
        companies.setWebhookSignatureKey(testCompany.key, 'a secret'),
      );
      const { sealed = '', context = '' } = (await sample()) ?? {};
      expect(testVault.decrypt(sealed, context)).toBe('a secret');
    }));

  test('orphan marks keep their first time, and those of a different store are ignored', () =>
    withStore(newPlace, async (store) => {
      const named = ['a', 'b', 'c', 'd', 'e'].map(sha);
      const mark = (digit: string, markedAtMs: number) => ({ sha256: sha(digit), markedAtMs });
      await store.write(async ({ contents }) => {
        await contents.markOrphans('s', [sha('b'), sha('a')], 5);
        await contents.markOrphans('s', [sha('a'), sha('c')], 7);
        await contents.markOrphans('s', [], 7);
        await contents.markOrphans('other', [sha('d')], 1);
      });
      await store.read(async ({ contents }) => {
        const marked = [mark('a', 5), mark('b', 5), mark('c', 7)];
        expect(await contents.marksOf('s', named)).toEqual(marked);
        expect(await contents.marksOf('s', [sha('b')])).toEqual([mark('b', 5)]);
        expect(await contents.marksOf('s', [])).toEqual([]);
        expect(await contents.countOrphans('s', 6)).toBe(2);
        expect(await contents.countOrphans('other', 6)).toBe(1);
      });
      await store.write(async ({ contents }) => {
        await contents.unmarkOrphans([sha('a')]);
        await contents.unmarkOrphans([]);
        await contents.markOrphans('s', [sha('d')], 9);
        expect(await contents.marksOf('s', named)).toEqual([
          mark('b', 5),
          mark('c', 7),
          mark('d', 9),
        ]);
        await contents.unmarkAll(7);
        expect(await contents.marksOf('s', named)).toEqual([mark('d', 9)]);
        await contents.unmarkAll();
        expect(await contents.marksOf('s', named)).toEqual([]);
      });
    }));

  test('every revision of a document is referenced until its process is purged', () =>
    withStore(newPlace, async (store) => {
      const named = ['1', '2', '3', '4', '5', '6'].map(sha);
      const needed = () => store.read(({ processes }) => processes.referenced(named));
      const begun = testProcess(1, { original: ref('1'), document: ref('1') });
      const proof = { method: 'click', shownSha256: sha('4'), signedSha256: sha('5') };
      const seen = { viewedSha256: sha('2'), shownSha256: sha('3'), proof };
      const signed = {
        ...begun,
        rev: 2,
        document: ref('6'),
        signees: [testSignee(1, seen)],
        finalization: { attempts: 1, signedSha256: sha('5') },
      };
      await store.write(({ processes }) => processes.add(begun));
      expect(await needed()).toEqual([sha('1')]);
      await store.write(async ({ processes, flows }) => {
        await processes.lock(begun.key);
        await processes.save(signed);
        await flows.save({ ...testFlow, templateSha256: sha('0') });
      });
      expect(await needed()).toEqual(named);
      await store.read(async ({ contents }) => {
        expect(await contents.ofProcess(begun.key)).toEqual(named);
        expect(await contents.sample(9, '')).toEqual([sha('0'), sha('1'), sha('6')]);
        expect(await contents.sample(1, '1')).toEqual([sha('1')]);
        expect(await contents.sample(9, '2')).toEqual([sha('6')]);
      });
      const { original: _, document: __, ...purged } = { ...signed, rev: 3, purgedAtMs: 9 };
      await store.write(({ processes }) => processes.save(purged));
      expect(await needed()).toEqual([]);
    }));

  test('a database of version 7 is migrated to the current schema and keeps its data', async () => {
    const place = await newPlace();
    const process = testProcess(2, { original: ref('1') });
    const older = await openStoreAt(place);
    await older.write(async (unit) => {
      await addTestFlow(unit);
      await unit.processes.add(process);
    });
    await older.close();
    await execute(place, undoVersion8);
    const newer = await openStoreAt(place);
    const whole = { timesMs: [1], open: [], count: 7 };
    const quota = { companyKey: testCompany.key, what: 'storedBytes', day: '' } as const;
    await newer.write(({ tallies }) => tallies.save('passcode of p', whole, 9));
    await newer.read(async ({ tallies, processes, quotas, compliance }) => {
      expect(await tallies.find('passcode of p')).toEqual(whole);
      expect(await processes.find(process.key)).toEqual(process);
      expect(await quotas.used(quota)).toBeGreaterThan(0);
      expect(await compliance.find(testCompany.key, 'person', { email: 'a@b.is' })).toEqual([]);
    });
    await newer.close();
    await place.remove();
  });

  test('a schema before version 4 is migrated to track referenced revisions', async () => {
    const place = await newPlace();
    const named = ['1', '2', '3', '4', '5', '6'].map(sha);
    const [document = '', viewedSha256 = '', shownSha256 = '', shown = '', signed = ''] = named;
    const proof = { method: 'click', shownSha256: shown, signedSha256: signed };
    const process = testProcess(2, {
      original: ref('1'),
      signees: [testSignee(2, { viewedSha256, shownSha256, proof }), testSignee(3)],
      finalization: { attempts: 1, signedSha256: sha('6') },
    });
    const { original: _, ...purged } = { ...process, ...testProcess(4), purgedAtMs: 5 };
    const older = await openStoreAt(place);
    await older.write(async (unit) => {
      await addTestFlow(unit);
      await unit.processes.add(process);
      await unit.processes.add(testProcess(3));
      await unit.processes.add({
        ...purged,
        finalization: { attempts: 1, signedSha256: sha('7') },
      });
    });
    await older.close();
    await execute(place, undoVersion4);
    const newer = await openStoreAt(place);
    const asked = [...named, sha('7')];
    expect(await newer.read(({ processes }) => processes.referenced(asked))).toEqual(named);
    expect(await newer.read(({ contents }) => contents.sample(9, ''))).toEqual([document]);
    const stored = { companyKey: testCompany.key, what: 'storedBytes', day: '' } as const;
    const bytes = await newer.read(({ quotas }) => quotas.used(stored));
    expect(bytes).toBeGreaterThan(0);
    // Recorded lengths are those of the first program; for revisions none was recorded.
    expect(bytes).toBe(
      [process, testProcess(3)]
        .flatMap((each) => [
          each.original,
          each.document,
          ...each.attachments.map((a) => a.document),
        ])
        .filter((each, at, all) => all.indexOf(each) === at)
        .reduce((sum, each) => sum + (each?.lengthBytes ?? 0), 0),
    );
    await newer.close();
    await place.remove();
  });
}
