import { isStale } from '../../app/screening/index.ts';
import type { OpenedStorage } from '../service/open-storage.ts';
import type { Examination, Outcome } from './diagnose.types.ts';

/** Lists that are named; more are counted. */
const SHOWN = 20;

/** Says which lists the companies screen against, of which dates. */
export async function examineLists(
  { config }: Pick<Examination, 'config'>,
  { ports }: Pick<OpenedStorage, 'ports'>,
): Promise<Outcome> {
  const stored = await ports.store.read(async (unit) => {
    const companies = await unit.companies.list();
    const lists = [];
    for (const { key } of companies) lists.push(...(await unit.watchlists.current(key)));
    return lists;
  });
  const hint = 'innsigli screen lists import FILE, or innsigli screen lists update';
  if (stored.length === 0) {
    if (config.production) {
      const message = 'none imported: production refuses to screen without one';
      return { status: 'warning', message, hint };
    }
    const message = 'none imported: the embedded one of made-up persons is searched, TEST ONLY';
    return { status: 'ok', message };
  }
  const { maxAgeDays } = config.service.screening;
  const old: string[] = [];
  const lines = stored.map(({ version }) => {
    const { list, publishedDate, importedAtMs } = version;
    if (isStale(version, ports.now(), maxAgeDays)) old.push(list);
    const imported = `imported ${new Date(importedAtMs).toISOString().slice(0, 10)}`;
    return publishedDate === undefined
      ? `${list} (${imported})`
      : `${list} (of ${publishedDate}, ${imported})`;
  });
  const shown = [...new Set(lines)];
  const more = shown.length > SHOWN ? `, and ${String(shown.length - SHOWN)} more` : '';
  const message = `${shown.slice(0, SHOWN).join(', ')}${more}`;
  if (old.length === 0) return { status: 'ok', message };
  const names = [...new Set(old)].slice(0, SHOWN).join(', ');
  const reason = `older than ${String(maxAgeDays)} days: ${names}`;
  return { status: 'warning', message: `${message}; ${reason}`, hint };
}
