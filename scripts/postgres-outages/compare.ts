import type { Told } from './load.ts';
import type { Site } from './site.ts';

/** Acknowledged requests compared with the rows of the database. */
export interface Comparison {
  readonly lines: readonly string[];
  /** Number of lost, duplicated and rejected requests; 0 if all is well. */
  readonly faults: number;
}

const DRAIN_MS = 180_000;

/** Waits until everything accepted is sealed and sent; returns the seconds this took. */
export async function drain(site: Site): Promise<number> {
  const beganAt = performance.now();
  const open = `SELECT (SELECT count(*) FROM job WHERE kind IN ('finalize', 'message', 'webhook'))
    + (SELECT count(*) FROM process WHERE phase = 'Finalizing') AS n`;
  while (performance.now() - beganAt < DRAIN_MS) {
    const [row] = await site.query(open);
    if (Number(row?.['n']) === 0) break;
    await new Promise((done) => setTimeout(done, 500));
  }
  return (performance.now() - beganAt) / 1000;
}

/** Compares the responses that clients received with every row. */
export async function compare(site: Site, told: readonly Told[]): Promise<Comparison> {
  const created = new Map(told.flatMap((each) => [...each.created]));
  const clicked = new Set(told.flatMap((each) => [...each.clicked]));
  const refused = told.flatMap((each) => each.refused);
  const rows = await site.query(
    `SELECT key, status, data::json ->> 'fileName' AS name FROM process`,
  );
  const byName = new Map<string, string[]>();
  for (const { key, name } of rows) {
    const own = String(name).replace(/\.pdf$/, '');
    byName.set(own, [...(byName.get(own) ?? []), String(key)]);
  }
  const statusOf = new Map(rows.map(({ key, status }) => [String(key), String(status)]));
  const lost = [...created].filter(([name, key]) => !(byName.get(name) ?? []).includes(key));
  const doubled = [...byName].filter(([, keys]) => keys.length > 1);
  const unknown = [...byName].filter(([name]) => !created.has(name) && !name.startsWith('first-'));

  const log = await site.query(
    `SELECT process_key AS key, data::json ->> 'status' AS status, count(*)::int AS n
      FROM activity GROUP BY 1, 2`,
  );
  const times = new Map(log.map(({ key, status, n }) => [`${key} ${status}`, Number(n)]));
  const unsigned = [...clicked].filter((key) => (times.get(`${key} SigneeSigned`) ?? 0) === 0);
  const twice = [...times].filter(([what, n]) => /(Signed|Completed)$/.test(what) && n > 1);
  const unsealed = [...clicked].filter((key) => statusOf.get(key) !== 'Completed');

  const mails = countBy(site.smtp.mails.map(({ raw }) => /^Message-ID: *(.*)$/im.exec(raw)?.[1]));
  const sent = await site.query(`SELECT count(*)::int AS n FROM message WHERE state = 'sent'`);
  const due = await site.query(
    `SELECT count(*)::int AS n FROM message WHERE state IN ('waiting', 'failed')`,
  );
  const events = await site.query('SELECT count(*)::int AS n FROM webhook_event');
  const mailedTwice = [...mails.values()].filter((n) => n > 1).length;
  const postedTwice = [...site.events.values()].filter((n) => n > 1).length;
  const eventsMissing = Number(events[0]?.['n']) - site.events.size;
  const lines = [
    `processes: ${created.size} acknowledged, ${rows.length} rows; lost ${lost.length}, ` +
      `duplicated ${doubled.length}, never acknowledged ${unknown.length}`,
    `signatures: ${clicked.size} acknowledged; lost ${unsigned.length}, Signed or Completed ` +
      `twice ${twice.length}, not sealed ${unsealed.length}`,
    `mails: ${sent[0]?.['n']} rows sent, ${due[0]?.['n']} not yet, ${mails.size} received, ` +
      `${mailedTwice} more than once`,
    `events: ${events[0]?.['n']} rows, ${site.events.size} received, ` +
      `${postedTwice} more than once (same webhook-id)`,
    `rejected requests: ${refused.length} ${refused.slice(0, 3).join('; ')}`,
  ];
  const all = [lost, doubled, unknown, unsigned, twice, unsealed, refused];
  const faults = all.reduce((sum, each) => sum + each.length, 0);
  return { lines, faults: faults + mailedTwice + Math.abs(eventsMissing) };
}

/** Counts how often each item occurs. */
export function countBy(items: readonly (string | undefined)[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) {
    if (item !== undefined) counts.set(item, (counts.get(item) ?? 0) + 1);
  }
  return counts;
}
