import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  type HostTrust,
  requireSealTrust,
  type SealCertificate,
} from '../../../../src/app/storage/index.ts';
import { openTestStore, type TestStore } from '../../../support/store.ts';

let opened: TestStore;
beforeEach(async () => {
  opened = await openTestStore({ empty: true });
});
afterEach(() => opened.close());

const certificate = (sha256: string, subject: string, notBeforeMs: number): SealCertificate => ({
  sha256,
  subject,
  notBeforeMs,
});
const first = certificate('1', 'CN=Acme', 1000);
const renewed = certificate('2', 'CN=Acme', 2000);
const foreign = certificate('3', 'CN=Other', 3000);
const [a, b] = ['a'.repeat(64), 'b'.repeat(64)];
const test1 = { isProduction: false, developmentRoot: a } as const;
const production = { isProduction: true } as const;

const cases: readonly (readonly [
  about: string,
  before: readonly HostTrust[],
  host: HostTrust,
  expected: string,
])[] = [
  ['the first host is noted', [], { ...test1, certificate: first }, 'same'],
  ['one development trust', [test1], test1, 'same'],
  [
    'another development trust',
    [test1],
    { isProduction: false, developmentRoot: b },
    'trust.mismatch',
  ],
  ['no development trust where one existed', [test1], { isProduction: false }, 'trust.mismatch'],
  ['production has no development trust', [test1], { ...production, certificate: first }, 'same'],
  ['no key is compared', [{ ...production, certificate: first }], production, 'same'],
  [
    'the same certificate',
    [{ ...production, certificate: first }],
    { ...production, certificate: first },
    'same',
  ],
  [
    'a renewed certificate',
    [{ ...production, certificate: first }],
    { ...production, certificate: renewed },
    'same',
  ],
  [
    'the former certificate after a renewal',
    [
      { ...production, certificate: first },
      { ...production, certificate: renewed },
    ],
    { ...production, certificate: first },
    'older',
  ],
  [
    'a certificate of another subject',
    [{ ...production, certificate: first }],
    { ...production, certificate: foreign },
    'trust.mismatch',
  ],
  [
    'a key after the test key',
    [{ ...test1, certificate: 'development' }],
    { ...test1, certificate: first },
    'same',
  ],
  [
    'the test key after a key',
    [{ ...test1, certificate: first }],
    { ...test1, certificate: 'development' },
    'trust.mismatch',
  ],
];

test.each(cases)(
  'the trust of a host is compared with that of earlier hosts: %s',
  async (_, before, host, expected) => {
    const ports = { store: opened.store, now: () => 1 };
    for (const each of before) await requireSealTrust(ports, each);
    const found = await requireSealTrust(ports, host).catch(
      (error: { code: string }) => error.code,
    );
    expect(found).toBe(expected);
  },
);

test('hosts that start at the same time agree on one key', async () => {
  const ports = { store: opened.store, now: () => 1 };
  const hosts = [first, renewed, first, renewed, first];
  const found = await Promise.all(
    hosts.map((each) => requireSealTrust(ports, { ...production, certificate: each })),
  );
  expect(new Set(found).size).toBeLessThanOrEqual(2);
  expect(await requireSealTrust(ports, { ...production, certificate: renewed })).toBe('same');
  expect(await requireSealTrust(ports, { ...production, certificate: first })).toBe('older');
});
