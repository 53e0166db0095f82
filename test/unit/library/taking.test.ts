import { expect, test } from 'vitest';
import { memorySource } from '../../../src/base/bytes.ts';
import { checkingArguments } from '../../../src/wire/library/taking.ts';
import type { Toolkit } from '../../../src/wire/toolkit.types.ts';

const heard: unknown[][] = [];
const hear =
  <T>(result?: T) =>
  async (...args: unknown[]) => {
    heard.push(args);
    return result as T;
  };
const processes = { create: hear({ key: 'a' }) };
const company = { company: { key: 'c' }, processes, change: hear() };
const service = { open: hear(company), close: hear() };
const toolkit = { seal: hear(), verify: hear(), service: hear(service) } as unknown as Toolkit;
const given = checkingArguments(toolkit);
const last = () => heard.at(-1) as readonly unknown[];

test('a document in memory is copied, a source with slice is not', async () => {
  const bytes = Uint8Array.of(1, 2, 3);
  const read = { lengthBytes: 3, slice: () => bytes };
  const options = {
    reason: 'x',
    get level() {
      return 'B-B' as const;
    },
  };
  const done = given.seal(memorySource(bytes), options);
  bytes.fill(9);
  await done;
  expect([...(last()[0] as { bytes: Uint8Array }).bytes]).toEqual([1, 2, 3]);
  expect(last()[1]).not.toBe(options);
  expect(last()[1]).toEqual({ reason: 'x', level: 'B-B' });
  await given.seal(read, {});
  expect(last()[0]).toBe(read);
});

test('opened services copy arguments too; ports and functions are passed on', async () => {
  const company = await (await given.service()).open();
  const { signal } = new AbortController();
  const pdf = Uint8Array.of(1);
  const told = () => undefined;
  const create = company.processes.create as unknown as (...args: unknown[]) => Promise<unknown>;
  const done = create({ documents: [{ pdf }] }, signal, told);
  pdf.fill(9);
  expect(await done).toEqual({ key: 'a' });
  expect(last()).toEqual([{ documents: [{ pdf: Uint8Array.of(1) }] }, signal, told]);
  expect(last()[1]).toBe(signal);
  expect(company.company).toEqual({ key: 'c' });
});

test('arguments that cannot be copied are rejected with usage.invalid', async () => {
  const endless: { own?: unknown } = {};
  endless.own = endless;
  const seal = given.seal as unknown as (input: unknown) => unknown;
  await expect(seal(endless)).rejects.toMatchObject({ code: 'usage.invalid' });
});

test('instances of a class are passed unchanged, and null counts as undefined', async () => {
  class Source {
    readonly lengthBytes = 4;
    slice() {
      return Uint8Array.of(1, 2, 3, 4);
    }
  }
  const source = new Source();
  await (given.verify as unknown as (...args: unknown[]) => Promise<unknown>)(source, null, {
    revocation: null,
  });
  expect(last()[0]).toBe(source);
  expect(last().slice(1)).toEqual([undefined, { revocation: undefined }]);
});
