import type { Processes } from '../../../../app/ports/index.ts';
import type { CompanyKey } from '../../../../domain/keys.ts';
import type { SigningProcess } from '../../../../domain/process/index.ts';
import { insertRow, prepared } from '../../statements.ts';
import type { ProcessRow, Session } from '../../tables.ts';
import { addStoredBytes } from '../quota-uses.ts';
import { countProcesses, listProcesses, referencedContents } from './process-list.ts';
import {
  auditedProcess,
  type ContentLink,
  hasSameLinks,
  linksOf,
  listedProcessOf,
  type ProcessLinks,
  processRow,
} from './process-row.ts';
import { readProcesses } from './read-processes.ts';

/** Columns that a change may write. The type check detects a column missing from the statement. */
type ChangedColumns = Omit<ProcessRow, 'key' | 'company_key' | 'created_at'>;

const update = prepared((db, values: ProcessRow & { readonly revBefore: number }) =>
  db
    .updateTable('process')
    .set({
      flow_key: values.flow_key,
      flow_type: values.flow_type,
      status: values.status,
      phase: values.phase,
      rev: values.rev,
      expires_at: values.expires_at,
      purged_at: values.purged_at,
      user_email: values.user_email,
      sequence_key: values.sequence_key,
      data: values.data,
    } satisfies ChangedColumns)
    .where('key', '=', values.key)
    .where('rev', '=', values.revBefore),
);

/** Signing processes with their signees; national numbers are encrypted. */
export function processes(session: Session): Processes {
  const { vault } = session;
  const { seen, ...reading } = readProcesses(session);
  const audited = (companyKey: CompanyKey) =>
    session.db.selectFrom('process').selectAll().where('company_key', '=', companyKey);
  return {
    async add(process) {
      await insertRow(session, 'process', processRow(process, vault));
      await addLinks(session, process, linksOf(process, vault));
      seen.set(process.key, process);
    },
    ...reading,
    async save(next) {
      const row = { ...processRow(next, vault), revBefore: next.rev - 1 };
      const { numAffectedRows } = await update(session, row);
      if (numAffectedRows === 0n) return false;
      await saveLinks(session, seen.get(next.key), next);
      seen.set(next.key, next);
      return true;
    },
    async list(filter) {
      const rows = await listProcesses(session, filter);
      return rows.map((row) => listedProcessOf(row, vault));
    },
    count: (filter) => countProcesses(session, filter),
    audit: async (companyKey, key) => {
      const rows = await audited(companyKey).where('key', '=', key).execute();
      return rows.map((row) => auditedProcess(row, vault));
    },
    auditAfter: async (companyKey, after, take) => {
      const query = audited(companyKey);
      const page = after === undefined ? query : query.where('key', '>', after);
      const rows = await page.orderBy('key').limit(take).execute();
      return rows.map((row) => auditedProcess(row, vault));
    },
    referenced: (sha256s) => referencedContents(session, sha256s),
  };
}

// Writes only differences: reindexing the searched text costs more than everything else.
async function saveLinks(
  session: Session,
  old: SigningProcess | undefined,
  next: SigningProcess,
): Promise<void> {
  const { db, vault } = session;
  if (old !== undefined && hasSameLinks(old, next)) return;
  const before = old === undefined ? undefined : linksOf(old, vault);
  const links = linksOf(next, vault);
  const changed: { -readonly [name in keyof ProcessLinks]?: ProcessLinks[name] } = {};
  if (before?.text !== links.text) {
    await db.deleteFrom('process_search').where('process_key', '=', next.key).execute();
    changed.text = links.text;
  }
  if (before?.ssnIndexes.join() !== links.ssnIndexes.join()) {
    await db.deleteFrom('process_ssn').where('process_key', '=', next.key).execute();
    changed.ssnIndexes = links.ssnIndexes;
  }
  changed.contents = await replaceContents(session, next, before?.contents, links.contents);
  await addLinks(session, next, changed);
}

/** Removes references that `next` does not contain, and returns those to be added. */
async function replaceContents(
  session: Session,
  { key, companyKey }: SigningProcess,
  before: readonly ContentLink[] | undefined,
  next: readonly ContentLink[],
): Promise<readonly ContentLink[]> {
  const all = session.db.deleteFrom('process_content').where('process_key', '=', key);
  const remove = async (query: typeof all) => {
    const rows = await query.returning(['sha256', 'length_bytes']).execute();
    const lengths = new Map(rows.map((row) => [row.sha256, row.length_bytes]));
    const bytes = rows.reduce((sum, row) => sum + row.length_bytes, 0);
    await addStoredBytes(session, companyKey, key, -bytes);
    return (link: ContentLink) => ({ lengthBytes: lengths.get(link.sha256) ?? 0, ...link });
  };
  if (before === undefined) return next.map(await remove(all));
  const nameOf = ({ sha256, isRevision }: ContentLink) => `${sha256} ${isRevision}`;
  const had = new Set(before.map(nameOf));
  const has = new Set(next.map(nameOf));
  const gone = before.filter((each) => !has.has(nameOf(each)));
  const added = next.filter((each) => !had.has(nameOf(each)));
  if (gone.length === 0) return added;
  const names = gone.map(({ sha256 }) => sha256);
  // A document that becomes an earlier revision keeps its recorded length.
  return added.map(await remove(all.where('sha256', 'in', names)));
}

async function addLinks(
  session: Session,
  { key, companyKey }: SigningProcess,
  { text, ssnIndexes = [], contents = [] }: Partial<ProcessLinks>,
): Promise<void> {
  if (text !== undefined) await insertRow(session, 'process_search', { process_key: key, text });
  if (ssnIndexes.length > 0) {
    const rows = ssnIndexes.map((ssn_index) => ({ ssn_index, process_key: key }));
    await session.db.insertInto('process_ssn').values(rows).execute();
  }
  if (contents.length > 0) {
    const rows = contents.map(({ sha256, isRevision, lengthBytes: length_bytes = 0 }) => {
      return { sha256, process_key: key, is_revision: isRevision, length_bytes };
    });
    await session.db.insertInto('process_content').values(rows).execute();
    const bytes = rows.reduce((sum, { length_bytes }) => sum + length_bytes, 0);
    await addStoredBytes(session, companyKey, key, bytes);
  }
}
