import {
  announceHost,
  bindStore,
  findRefusal,
  isFolderShared,
  listHosts,
  sampleContents,
} from '../../app/storage/index.ts';
import { defined } from '../../base/defined.ts';
import { type InnsigliError, isInnsigliError } from '../../base/errors.ts';
import { requireHostTrust } from '../service/host-trust.ts';
import { hostOf, type OpenedStorage, openStorage } from '../service/open-storage.ts';
import { findRemains, hasDatabase } from '../service/parties.ts';
import type { Examination, Outcome, StorageFindings } from './diagnose.types.ts';
import { examineLists } from './lists.ts';
import { outcomeOfHeld } from './messages.ts';
import { reasons, skipped, unopened } from './skipped.ts';

/** Contents that are looked for, out of all. */
const SAMPLE = 20;

/** State of database, key and folder of contents, including whether they belong together. */
export async function examineStorage(examination: Examination): Promise<StorageFindings> {
  let opened: OpenedStorage;
  try {
    opened = await openStorage(examination, { makesKey: false });
  } catch (error) {
    if (!isInnsigliError(error)) throw error;
    return await unopenedBy(error, examination);
  }
  const { store } = opened.ports;
  try {
    const { engine, version, schemaVersion } = await store.health();
    const held = await store.read(({ messages }) => messages.held());
    return {
      database: { status: 'ok', message: `${engine} ${version}, schema ${schemaVersion}` },
      vaultKey: { status: 'ok', message: 'the key is that of the database' },
      contents: await coded(() => examineContents(examination, opened)),
      sealTrust: await coded(() => examineTrust(examination, opened)),
      lists: await coded(() => examineLists(examination, opened)),
      messages: outcomeOfHeld(held),
    };
  } finally {
    await store.close();
  }
}

async function unopenedBy(error: InnsigliError, { config }: Examination): Promise<StorageFindings> {
  if (error.code.startsWith('vault.')) {
    return unopened(reasons.noVaultKey, { vaultKey: outcomeOf(error, 'failed') });
  }
  if (error.code !== 'config.datadir.missing') throw error;
  const outcome = outcomeOf(error, 'warning');
  // A database that was never used has no key yet.
  if (hasDatabase(config)) return unopened(reasons.noVaultKey, { vaultKey: outcome });
  if (findRemains(config.dataDir) !== undefined) throw error;
  const database = await coded(async () => {
    // It is made when it is first needed, and cannot be without this.
    const { requireSqlite } = await import('../../adapters/store/index.ts');
    await requireSqlite();
    return outcome;
  });
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
      ? 'another database uses the folder'
      : 'too many for one collection';
    return { status: 'warning', message: `${message}: ${why}`, hint };
  }
  if (await isFolderShared(ports)) {
    const message = 'another database stores contents in this folder, or this one was put back';
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
  return { status: 'warning', message, hint: 'give this host the renewed key and certificate' };
}

async function coded(look: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await look();
  } catch (error) {
    if (isInnsigliError(error)) return outcomeOf(error, 'failed');
    throw error;
  }
}

function outcomeOf(
  { message, code, hint }: { message: string; code: string; hint?: string | undefined },
  status: 'failed' | 'warning',
): Outcome {
  const line = `${message} [${code}]`;
  return { status, message: line, ...defined({ hint }) };
}
