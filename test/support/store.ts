import { existsSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openContentsFolder, openFileBlobs } from '../../src/adapters/blobs/index.ts';
import { openSqliteStore } from '../../src/adapters/store/index.ts';
import { openVault } from '../../src/adapters/vault/index.ts';
import type {
  BlobStore,
  ContentsFolder,
  Store,
  StoreUnit,
  Vault,
} from '../../src/app/ports/index.ts';
import type { Company } from '../../src/domain/company.ts';
import type { Flow } from '../../src/domain/flow/flow.ts';
import { asKey } from '../../src/domain/keys.ts';
import type { ActivityDraft } from '../../src/domain/process/index.ts';
import type { Signee, SigningProcess } from '../../src/domain/process/process.ts';
import { newTemporaryFolder } from './folders.ts';

/** A store with its dependencies, in a separate folder. */
export interface TestStore {
  readonly store: Store;
  readonly vault: Vault;
  readonly blobs: BlobStore;
  readonly contentsFolder: ContentsFolder;
  readonly folder: string;
  /** Closes it and removes the folder. */
  close(): Promise<void>;
}

/** A vault with a fixed key. */
export const testVault: Vault = openVault(Buffer.alloc(32, 7));

/** The start time of all tests: 2026-01-02T03:04:05Z. */
export const testNowMs = Date.UTC(2026, 0, 2, 3, 4, 5);

/** The company and flow that {@link openTestStore} has created. */
export const testCompany: Company = {
  key: asKey('company', 'c0ffee000001'),
  name: 'Prófun ehf.',
  createdAtMs: testNowMs,
};

/** A flow of {@link testCompany}. */
export const testFlow: Flow = {
  key: asKey('flow', 'f10a00000001'),
  companyKey: testCompany.key,
  name: 'Agreements',
  type: 'DropAndSign',
  isActive: true,
  language: 'Is',
  settings: {
    signatureType: 'ClickToSign',
    requiresAuth: false,
    signInOrder: false,
    signatureLocation: 'BottomLastPage',
    defaultSignees: [],
    sealLevel: 'B-B',
    evidencePage: false,
    mayDecline: false,
    expiresAfterDays: 30,
    retentionDays: 30,
    confirmSignees: false,
    confirmUser: false,
  },
  css: '',
  meta: {},
  createdAtMs: testNowMs,
  updatedAtMs: testNowMs,
};

/** A real SQLite store with {@link testCompany} and {@link testFlow} in it. */
export async function openTestStore(
  options: { readonly empty?: boolean; readonly leaseNow?: () => number } = {},
): Promise<TestStore> {
  const folder = newTemporaryFolder('store');
  const store = await openSqliteStore({
    path: join(folder, 'innsigli.db'),
    vault: testVault,
    now: () => testNowMs,
    // Leases end when a test decides.
    leaseNow: options.leaseNow ?? (() => testNowMs),
    durability: 'normal',
  });
  if (options.empty !== true) await store.write(addTestFlow);
  return {
    store,
    vault: testVault,
    blobs: openFileBlobs(folder),
    contentsFolder: openContentsFolder(folder),
    folder,
    async close() {
      await store.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Ages the stored contents of a data directory, as if the clock of its disk had advanced. */
export function ageContents(dataDir: string, ms: number): void {
  const root = join(dataDir, 'objects');
  if (ms <= 0 || !existsSync(root)) return;
  for (const name of readdirSync(root, { recursive: true }).map(String)) {
    if (!/[0-9a-f]{64}$/.test(name)) continue;
    const atS = Math.max(0, statSync(join(root, name)).mtimeMs - ms) / 1000;
    utimesSync(join(root, name), atS, atS);
  }
}

/** Adds {@link testCompany} and {@link testFlow}. */
export async function addTestFlow(unit: StoreUnit): Promise<void> {
  await unit.companies.add(testCompany);
  await unit.flows.add(testFlow);
}

/** A process of {@link testFlow} with one signee; `number` determines its key. */
export function testProcess(number: number, changes: Partial<SigningProcess> = {}): SigningProcess {
  const hex = number.toString(16);
  return {
    key: asKey('process', `sp${hex.padStart(32, '0')}`),
    companyKey: testCompany.key,
    flowKey: testFlow.key,
    flowType: testFlow.type,
    flowName: testFlow.name,
    status: 'Active',
    phase: 'Open',
    rev: 1,
    fileName: `Agreement ${number}.pdf`,
    documentRev: 0,
    signees: [testSignee(number)],
    requiresAuth: false,
    signInOrder: false,
    signatureLocation: 'BottomLastPage',
    flattenDocument: false,
    user: 'owner@example.is',
    meta: {},
    attachments: [],
    createdAtMs: testNowMs + number,
    expiresAtMs: testNowMs + number + 30 * 86_400_000,
    leaseToken: 0,
    finalization: { attempts: 0 },
    policy: {
      sealLevel: 'B-B',
      evidencePage: false,
      mayDecline: false,
      retentionDays: 30,
      confirmSignees: false,
      confirmUser: false,
      language: 'Is',
    },
    ...changes,
  };
}

/** The log of a process that is open, or that was cancelled. */
export function testDrafts({ status, signees }: SigningProcess): readonly ActivityDraft[] {
  const createdBy = 'System';
  return [
    { status: 'Created', createdBy },
    ...signees.map(({ key }) => ({ status: 'SigneeAdded', createdBy, signeeKey: key })),
    { status: 'Started', createdBy },
    ...(status === 'Canceled' ? [{ status, createdBy }] : []),
  ];
}

/** A signee by click; `number` determines the key. */
export function testSignee(number: number, changes: Partial<Signee> = {}): Signee {
  return {
    key: asKey('signee', `si${number.toString(16).padStart(32, '0')}`),
    name: `Þórður Ðagnýjarson ${number}`,
    email: `thordur${number}@example.is`,
    order: 0,
    state: 'Invited',
    signatureType: 'ClickToSign',
    delivery: 'Email',
    hidePersonalCode: false,
    ...changes,
  };
}
