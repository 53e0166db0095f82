import { isStale } from '../../app/screening/index.ts';
import {
  announceHost,
  bindStore,
  findRefusal,
  isFolderShared,
  listHosts,
  sampleContents,
} from '../../app/storage/index.ts';
import { type InnsigliError, onCode } from '../../base/errors.ts';
import { apartText } from '../service/clock-watch.ts';
import { requireHostTrust } from '../service/host-trust.ts';
import { hostOf, type OpenedStorage, openStorage } from '../service/open-storage.ts';
import { findRemains, hasDatabase } from '../service/parties.ts';
import type { Examination, Outcome, StorageFindings } from './diagnose.types.ts';
import { outcomeOfHeld } from './messages.ts';
import { outcomeOf, reasons, skipped, unopened } from './skipped.ts';

/** Number of blobs that are checked for existence. */
const SAMPLE = 20;
/** Number of lists that are named; the rest are counted. */
const SHOWN = 20;

const told = onCode(/./, (error) => outcomeOf(error));

/** State of database, key and blob folder, including whether they belong together. */
export async function examineStorage(examination: Examination): Promise<StorageFindings> {
  const without = onCode(/./, (error) => unopenedBy(error, examination));
  const opened = await openStorage(examination, { makesKey: false }).catch(without);
  if (!('ports' in opened)) return opened;
  const { store } = opened.ports;
  try {
    const { engine, version, schemaVersion, nowMs } = await store.health();
    const apart = apartText(examination.io.now(), nowMs);
    const held = await store.read(({ messages }) => messages.held());
    return {
      database:
        apart === undefined
          ? { status: 'ok', message: `${engine} ${version}, schema ${schemaVersion}` }
          : { status: 'warning', message: apart, reason: 'clock.differs' },
      vaultKey: { status: 'ok', message: 'the key is that of the database' },
      contents: await examineContents(examination, opened).catch(told),
      sealTrust: await examineTrust(examination, opened).catch(told),
      lists: await examineLists(examination, opened).catch(told),
      messages: outcomeOfHeld(held),
    };
  } finally {
    await store.close();
  }
}

async function unopenedBy(error: InnsigliError, { config }: Examination): Promise<StorageFindings> {
  if (error.code.startsWith('vault.')) {
    return unopened(reasons.noVaultKey, { vaultKey: outcomeOf(error) });
  }
  if (error.code !== 'config.datadir.missing') throw error;
  const outcome = outcomeOf(error, 'warning');
  // A database that has never been used has no key yet.
  if (hasDatabase(config)) return unopened(reasons.noVaultKey, { vaultKey: outcome });
  if (findRemains(config.dataDir) !== undefined) throw error;
  // The database is created on first use, which requires SQLite.
  const { requireSqlite } = await import('../../adapters/store/index.ts');
  const database = await requireSqlite().then(() => outcome, told);
  return unopened(reasons.newDatabase, { database });
}

async function examineContents(
  examination: Examination,
  { ports }: OpenedStorage,
): Promise<Outcome> {
  const id = await bindStore(ports);
  await announceHost(ports, hostOf(examination));
  const from = Buffer.from(ports.random(2)).toString('hex');
  const { sampled, missing } = await sampleContents(ports, SAMPLE, from);
  const hint = 'see innsigli store show';
  if (missing > 0) {
    const message = `${missing} of ${sampled} sampled documents are not in the folder`;
    return { status: missing * 2 >= sampled ? 'failed' : 'warning', message, hint };
  }
  const refusal = await findRefusal(ports);
  if (refusal !== undefined) {
    const message = `${refusal.due} of ${refusal.contents} contents are due for removal`;
    const why = refusal.isShared
      ? 'a different database uses the folder'
      : 'too many for one collection';
    return { status: 'warning', message: `${message}: ${why}`, hint };
  }
  if (await isFolderShared(ports)) {
    const message = 'a different database stores contents in this folder, or this one was restored';
    return { status: 'warning', message: `${message}: nothing is removed`, hint };
  }
  const hosts = await listHosts(ports);
  const count = `${hosts.length} host${hosts.length === 1 ? '' : 's'}`;
  return { status: 'ok', message: `store ${id.slice(0, 8)}, ${count}` };
}

async function examineTrust(examination: Examination, { ports }: OpenedStorage): Promise<Outcome> {
  const { config, signer } = examination;
  const isTest = config.key.kind === 'development';
  const seal = isTest || (signer?.certificate.der ?? false);
  const standing = await requireHostTrust(examination, ports.store, seal);
  if (seal === false) return skipped(reasons.noKey);
  if (standing === 'same') {
    return { status: 'ok', message: 'the keys are those of the other hosts' };
  }
  const message = 'another host seals with a newer certificate of the same subject';
  return {
    status: 'warning',
    message,
    hint: 'install the renewed key and certificate on this host',
  };
}

/** Reports which lists the companies screen against, and their dates. */
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
      const message = 'none imported: production does not screen without one';
      return { status: 'warning', message, reason: 'none is imported', hint };
    }
    const message = 'none imported: the embedded list of fictitious persons is searched, TEST ONLY';
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
  const age = `older than ${String(maxAgeDays)} days`;
  const reason = `a list is ${age}`;
  return { status: 'warning', message: `${message}; ${age}: ${names}`, reason, hint };
}
