/** Several operators join the same database and folder at the same time. */
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openContentsFolder, openFileBlobs } from '../../../../src/adapters/blobs/index.ts';
import type { ContentsFolder } from '../../../../src/app/ports/index.ts';
import { adoptStore, bindStore, requireSameStore } from '../../../../src/app/storage/index.ts';
import { describeStores } from '../../../service/on-engines.ts';
import { newTemporaryFolder } from '../../../support/folders.ts';
import { testNowMs } from '../../../support/store.ts';

const folder = newTemporaryFolder('adopt');

describeStores('adoptStore', (store) => {
  const portsWith = (contentsFolder: ContentsFolder) => ({
    store: store(),
    blobs: openFileBlobs(folder),
    contentsFolder,
    now: () => testNowMs,
    random: (bytes: number) => randomBytes(bytes),
  });
  const marks = openContentsFolder(folder);

  test.each([0, 1, 2])(
    'several concurrent adoptions leave one matching pair of IDs; number %i is slow',
    async (slow) => {
      const ports = [0, 1, 2].map((number) =>
        portsWith({
          ...marks,
          async putMark(name, text) {
            if (number === slow) await sleep(50);
            await marks.putMark(name, text);
            if (number !== slow) await sleep(20);
          },
        }),
      );
      const outcomes = await Promise.allSettled(ports.map(adoptStore));
      const id = await requireSameStore(portsWith(marks));
      const told = outcomes.map((each) =>
        each.status === 'fulfilled' ? each.value : each.reason.code,
      );
      expect(told).toContain(id);
      for (const each of told) expect(each).toMatch(/^(store\.busy|[0-9a-f]{32})$/);
    },
  );

  test('an adoption that starts while another ends leaves one matching pair of IDs', async () => {
    let other: Promise<string> | undefined;
    const first = adoptStore(
      portsWith({
        ...marks,
        async putMark(name, text) {
          other ??= adoptStore(portsWith(marks));
          await sleep(20);
          await marks.putMark(name, text);
        },
      }),
    );
    const outcomes = await Promise.allSettled([first, first.then(() => other)]);
    const id = await requireSameStore(portsWith(marks));
    expect(outcomes[1]).toEqual({ status: 'fulfilled', value: id });
  });

  test('an adoption that was killed is completed by the next program', async () => {
    const killed = portsWith({
      ...marks,
      async putMark(name, text) {
        await marks.putMark(name, text);
        throw new Error('killed');
      },
    });
    await expect(adoptStore(killed)).rejects.toThrow('killed');
    const id = await marks.findMark('store');
    expect(await bindStore(portsWith(marks))).toBe(id);
  });

  test('an adoption concurrent with a program that joins both leaves one matching pair of IDs', async () => {
    await store().write(({ facts }) => facts.remove('store.id'));
    await marks.removeMark('store');
    let adopted: Promise<string> | undefined;
    const slow = portsWith({
      ...marks,
      async putMarkOnce(name, text) {
        const stands = await marks.putMarkOnce(name, text);
        adopted = adoptStore(portsWith(marks));
        await adopted;
        return stands;
      },
    });
    const bound = await bindStore(slow).catch((error) => error.code);
    const id = await requireSameStore(portsWith(marks));
    expect(await adopted).toBe(id);
    expect([id, 'store.busy']).toContain(bound);
  });
});
