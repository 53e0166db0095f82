import { defined } from '../../base/defined.ts';
import { type ContentsSample, sampleContents } from './bind-store.ts';
import { factNames, markNames, type StoragePorts } from './claim-folder.ts';
import { findRefusal } from './collect-contents.ts';
import { listHosts } from './hosts.ts';

/** Figures of a database and its folder of blobs. */
export interface StorageFigures extends ContentsSample {
  /** ID of the store in the database. */
  readonly databaseId?: string;
  /** ID of the store in the folder of blobs. */
  readonly folderId?: string;
  /** Location of the folder. */
  readonly folder: string;
  /** Number of blobs in the folder. */
  readonly contents: number;
  /** Number of blobs that the database does not refer to. */
  readonly unknown: number;
  /** Number of blobs marked for deletion. */
  readonly marked: number;
  /** Names of the hosts that use the store. */
  readonly hosts: readonly string[];
  /** Number of blobs that the last garbage collection was refused to delete. */
  readonly refused?: number;
}

const SAMPLE = 1000;
const AT_ONCE = 500;

/** Reads the figures of both, whether or not they belong together. Changes nothing. */
export async function showStorage(ports: StoragePorts): Promise<StorageFigures> {
  const { store, blobs, contentsFolder } = ports;
  const databaseId = await store.read(({ facts }) => facts.find(factNames.id));
  const folderId = await contentsFolder.findMark(markNames.id);
  let [contents, unknown] = [0, 0];
  let batch: string[] = [];
  const count = async () => {
    const known = await store.read(({ processes }) => processes.referenced(batch));
    contents += batch.length;
    unknown += batch.length - known.length;
    batch = [];
  };
  for await (const { sha256 } of blobs.list()) {
    batch.push(sha256);
    if (batch.length >= AT_ONCE) await count();
  }
  if (batch.length > 0) await count();
  const marked = await store.read((unit) =>
    unit.contents.countOrphans(databaseId ?? '', Number.MAX_SAFE_INTEGER),
  );
  const refusal = await findRefusal(ports);
  return {
    ...defined({ databaseId, folderId }),
    folder: contentsFolder.place,
    ...(await sampleContents(ports, SAMPLE)),
    contents,
    unknown,
    marked,
    hosts: await listHosts(ports),
    ...(refusal === undefined ? {} : { refused: refusal.due }),
  };
}
