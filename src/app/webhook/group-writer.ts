import { isStoreAway } from '../patient-store.ts';

/** Writes items in groups: what comes in while one group is written makes the next. */
export interface GroupWriter<Item> {
  /** Resolves when the item is written. */
  add(item: Item): Promise<void>;
}

interface Entry<Item> {
  readonly item: Item;
  done(): void;
  failed(error: unknown): void;
}

/** What comes in within this time is written together: waiting for the disk costs most. */
const lingerMs = 25;
/** So many are written at once. */
const enough = 128;

/**
 * A {@link GroupWriter} over `write`. Where a group fails its items are written one by one, so that
 * one that cannot be written does not take the others with it.
 */
export function groupWriter<Item>(
  write: (group: readonly Item[]) => Promise<void>,
): GroupWriter<Item> {
  let waiting: Entry<Item>[] = [];
  let isWriting = false;
  let timer: NodeJS.Timeout | undefined;
  const writeAll = async () => {
    clearTimeout(timer);
    isWriting = true;
    while (waiting.length > 0) {
      const group = waiting;
      waiting = [];
      await writeGroup(write, group);
    }
    isWriting = false;
    timer = undefined;
  };
  return {
    add: (item) =>
      new Promise<void>((done, failed) => {
        waiting.push({ item, done, failed });
        if (isWriting) return;
        if (waiting.length >= enough) void writeAll();
        else timer ??= setTimeout(() => void writeAll(), lingerMs);
      }),
  };
}

async function writeGroup<Item>(
  write: (group: readonly Item[]) => Promise<void>,
  group: readonly Entry<Item>[],
): Promise<void> {
  try {
    await write(group.map(({ item }) => item));
    for (const { done } of group) done();
  } catch (error) {
    // A store that is away takes none of them.
    if (group.length === 1 || isStoreAway(error)) {
      for (const { failed } of group) failed(error);
      return;
    }
    for (const entry of group) await writeGroup(write, [entry]);
  }
}
