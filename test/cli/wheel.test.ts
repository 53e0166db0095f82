import { expect, test } from 'vitest';
import type { CliIo } from '../../src/cli/io.ts';
import { openConsole } from '../../src/cli/output/index.ts';

/** A terminal whose wheel takes a while to load, as on its first use. */
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
  const mode = { quiet: false, json: false, verbose: false } as Parameters<typeof openConsole>[1];
  return { console: openConsole(io, mode), turned, loaded, loading };
}

const wait = (timeMs: number) => new Promise<void>((resolve) => setTimeout(resolve, timeMs));

test('work that ends while the wheel is loading shows no wheel after its result', async () => {
  const { console, turned, loaded } = openTerminal();
  await console.busy('Sealing', () => wait(250));
  console.note('Sealed');
  loaded();
  await wait(20);
  expect(turned).toEqual([]);
});

test('the wheel of finished work does not turn for the next task', async () => {
  const { console, turned, loaded } = openTerminal();
  await console.busy('Reading', () => wait(250));
  await console.busy('Sealing', async () => {
    await wait(250);
    loaded();
    await wait(20);
  });
  expect(turned).toEqual(['Sealing']);
});
