import type { RawBuilder, SelectQueryBuilder } from 'kysely';
import type { ProcessFilter, ProcessPage } from '../../../../app/ports/index.ts';
import type { ProcessRow, Session, Tables } from '../../tables.ts';
import { digits, searchable } from './process-row.ts';

/** Matches up to which a list is gathered and sorted; with more, it is scanned in its order. */
const GATHER_AT_MOST = 2000;
/** Maximum number of trigrams looked up in the index; the text itself is compared anyway. */
const TRIGRAMS_AT_MOST = 24;

/** Maximum number of digests per statement. */
const DIGESTS_AT_ONCE = 500;
/** Pattern of a complete national number; shorter numbers are parts of phone numbers. */
const NATIONAL_NUMBER = /^[0-9]{6,20}$/;

type Condition = RawBuilder<boolean>;
type ProcessQuery<T> = SelectQueryBuilder<Tables, 'process', T>;

/** One page of a list, newest first. */
export async function listProcesses(
  session: Session,
  filter: ProcessPage,
): Promise<readonly ProcessRow[]> {
  const all = session.db.selectFrom('process').selectAll();
  const query = await narrowed(session, all, filter);
  const ordered = query.orderBy('created_at', 'desc').orderBy('key', 'desc');
  return ordered.limit(filter.take).offset(filter.skip).execute();
}

/** The number of processes that match a filter. */
export async function countProcesses(session: Session, filter: ProcessFilter): Promise<number> {
  const all = session.db.selectFrom('process').select((e) => e.fn.countAll<number>().as('n'));
  const query = await narrowed(session, all, filter);
  return (await query.executeTakeFirstOrThrow()).n;
}

async function narrowed<T>(
  session: Session,
  all: ProcessQuery<T>,
  filter: ProcessFilter,
): Promise<ProcessQuery<T>> {
  const { companyKey, createdFromMs, createdToMs, status, user, ...more } = filter;
  const { processKey, flowKey, flowType, behind, search = '', ...rest } = more;
  // A filter member without a condition here is a compile error.
  rest satisfies Readonly<Record<string, never>>;
  let query = all.where('company_key', '=', companyKey);
  if (processKey !== undefined) query = query.where('key', '=', processKey);
  if (createdFromMs !== undefined) query = query.where('created_at', '>=', createdFromMs);
  if (createdToMs !== undefined) query = query.where('created_at', '<', createdToMs);
  if (status !== undefined) query = query.where('status', 'in', [status].flat());
  if (behind !== undefined) {
    const { createdAtMs, key } = behind;
    query = query.where(session.sql<boolean>`(created_at, key) < (${createdAtMs}, ${key})`);
  }
  if (user !== undefined) query = query.where('user_email', '=', user.toLowerCase());
  if (flowKey !== undefined) query = query.where('flow_key', '=', flowKey);
  if (flowType !== undefined) query = query.where('flow_type', '=', flowType);
  const wanted = searchable(search);
  if (wanted === '') return query;
  const conditions = [await containing(session, wanted)];
  const number = digits(wanted);
  if (NATIONAL_NUMBER.test(number)) {
    const found = session.db.selectFrom('process_ssn').select('process_key');
    const owners = found.where('ssn_index', '=', session.vault.index(number));
    conditions.push(session.sql<boolean>`key IN ${owners}`);
  }
  return query.where((e) => e.or(conditions));
}

/** The condition that the searched text of a process contains `wanted`. */
async function containing(session: Session, wanted: string): Promise<Condition> {
  const { sql, engine } = session;
  if (engine === 'postgresql') {
    const pattern = `%${wanted.replace(/[\\%_]/g, '\\$&')}%`;
    return sql<boolean>`key IN (SELECT process_key FROM process_search WHERE text LIKE ${pattern})`;
  }
  const grams = trigrams(wanted);
  const keys = grams === undefined ? undefined : await gathered(session, grams, wanted);
  if (keys !== undefined) return sql<boolean>`key IN (SELECT value FROM json_each(${keys}))`;
  return sql<boolean>`EXISTS (SELECT 1 FROM process_search s
    WHERE s.process_key = process.key AND instr(s.text, ${wanted}) > 0)`;
}

// If there are few matches, returns their keys from the trigram index, as a JSON array. Undefined
// for a text that nearly every process contains, such as ".pdf", because scanning the list in its
// own order finds enough of them quickly.
async function gathered(
  { db, sql }: Session,
  grams: string,
  wanted: string,
): Promise<string | undefined> {
  const { rows } = await sql<{ readonly key: string; readonly hit: number }>`
    SELECT s.process_key AS key, instr(s.text, ${wanted}) AS hit FROM (SELECT rowid AS id
      FROM process_fts WHERE process_fts MATCH ${grams} LIMIT ${GATHER_AT_MOST + 1}) f
    CROSS JOIN process_search s ON s.id = f.id`.execute(db);
  if (rows.length > GATHER_AT_MOST) return undefined;
  return JSON.stringify(rows.filter(({ hit }) => hit > 0).map(({ key }) => key));
}

/** The trigrams of `wanted` as an FTS5 query; undefined if it is shorter than a trigram. */
function trigrams(wanted: string): string | undefined {
  const letters = [...wanted];
  if (letters.length < 3) return undefined;
  const grams = new Set<string>();
  for (let at = 0; at + 3 <= letters.length && grams.size < TRIGRAMS_AT_MOST; at++) {
    grams.add(letters.slice(at, at + 3).join(''));
  }
  return [...grams].map((gram) => `"${gram.replaceAll('"', '""')}"`).join(' AND ');
}

/** Returns those of `sha256s` that are still referenced by a process, flow, event or list. */
export async function referencedContents(
  { db }: Session,
  sha256s: readonly string[],
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (let at = 0; at < sha256s.length; at += DIGESTS_AT_ONCE) {
    const some = sha256s.slice(at, at + DIGESTS_AT_ONCE);
    // The document of an event is retained for replays until its process is purged.
    const ofEvents = db
      .selectFrom('webhook_event')
      .leftJoin('process', 'process.key', 'webhook_event.process_key')
      .select('webhook_event.document_sha256 as sha256')
      .where('webhook_event.document_sha256', 'in', some)
      .where('process.purged_at', 'is', null);
    const ofFlows = db
      .selectFrom('flow')
      .select('template_sha256 as sha256')
      .where('template_sha256', 'in', some);
    const ofProcesses = db
      .selectFrom('process_content')
      .select('sha256')
      .where('sha256', 'in', some);
    const ofLists = db
      .selectFrom('watch_list')
      .select('content_sha256 as sha256')
      .where('content_sha256', 'in', some);
    for (const query of [ofProcesses, ofFlows, ofEvents, ofLists]) {
      for (const { sha256 } of await query.execute()) if (sha256 !== null) found.add(sha256);
    }
  }
  return sha256s.filter((sha256) => found.has(sha256));
}
