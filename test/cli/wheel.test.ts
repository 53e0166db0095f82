import { expect, test } from 'vitest';
import type { CliIo } from '../../src/cli/io.ts';
import { openTalk } from '../../src/cli/output/index.ts';

/** A terminal whose wheel takes a while to be loaded, as at its first use. */
function openTerminal() {
  const turned: string[] = [];
  const written: string[] = [];
  let loaded: () => void = () => undefined;
  const loading = new Promise<void>((resolve) => {
    loaded = resolve;
  });
  const stderr = { isTerminal: true, columns: 80, write: (text: string) => written.push(text) };
  const startSpinner: CliIo['startSpinner'] = async (text, isWanted) => {
    await loading;
    if (isWanted()) turned.push(text);
    return { stop: () => undefined };
  };
  const io = { stderr, stdout: stderr, env: {}, startSpinner } as unknown as CliIo;
  const manner = { quiet: false, json: false, verbose: false } as Parameters<typeof openTalk>[1];
  return { talk: openTalk(io, manner), turned, loaded, loading };
}

const wait = (timeMs: number) => new Promise<void>((resolve) => setTimeout(resolve, timeMs));

test('work that ends while the wheel is loaded shows none behind its result', async () => {
  const { talk, turned, loaded } = openTerminal();
  await talk.busy('Sealing', () => wait(250));
  talk.note('Sealed');
  loaded();
  await wait(20);
  expect(turned).toEqual([]);
});

test('the wheel of work that is over does not turn for the next', async () => {
  const { talk, turned, loaded } = openTerminal();
  await talk.busy('Reading', () => wait(250));
  await talk.busy('Sealing', async () => {
    await wait(250);
    loaded();
    await wait(20);
  });
  expect(turned).toEqual(['Sealing']);
});
