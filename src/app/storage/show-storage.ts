import { defined } from '../../base/defined.ts';
import { type ContentsSample, sampleContents } from './bind-store.ts';
import { factNames, markNames, type StoragePorts } from './claim-folder.ts';
import { findRefusal } from './collect-contents.ts';
import { listHosts } from './hosts.ts';

/** Figures of a database and the folder of contents beside it. */
export interface StorageFigures extends ContentsSample {
  /** Id of the store in the database. */
  readonly databaseId?: string;
  /** Id of the store in the folder of contents. */
  readonly folderId?: string;
  /** The folder. */
  readonly folder: string;
  /** Contents in the folder. */
  readonly contents: number;
  /** Contents among them that nothing in the database refers to. */
  readonly unknown: number;
  /** Contents among them that are marked for removal. */
  readonly marked: number;
  /** Names of the hosts that use the store. */
  readonly hosts: readonly string[];
  /** Number of contents that the last collection was refused to remove. */
  readonly refused?: number;
}

const SAMPLE = 1000;
const AT_ONCE = 500;

/** Looks at both, whether or not they belong together; nothing is changed. */
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
