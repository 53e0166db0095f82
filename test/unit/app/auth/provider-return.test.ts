import { afterAll, beforeAll, expect, test } from 'vitest';
import { openVault } from '../../../../src/adapters/vault/index.ts';
import { tokenDigest } from '../../../../src/app/auth/access-tokens.ts';
import type { AuthPorts } from '../../../../src/app/auth/ports.ts';
import { takeReturn } from '../../../../src/app/auth/provider-return.ts';
import type { IdentityProvider } from '../../../../src/app/ports/index.ts';
import { returnAddress } from '../../../../src/app/signing/index.ts';
import { asKey } from '../../../../src/domain/keys.ts';
import { openSigningWorld, type SigningWorld } from '../../../support/signing.ts';

let world: SigningWorld;
let ports: AuthPorts;
let provider: IdentityProvider;
const called: string[] = [];
const [loginToken, signingToken] = ['l'.repeat(43), 's'.repeat(43)];

beforeAll(async () => {
  world = await openSigningWorld();
  provider = {
    ...world.ports.identity,
    callback: async (ref) => {
      called.push(ref);
      return `${ref} back`;
    },
  };
  const foreign = { 'eid-se': provider, 'eid-dk': provider, 'device-link': provider };
  ports = { ...world.ports, identity: provider, foreign } as unknown as AuthPorts;
  const createdAtMs = ports.now();
  await ports.store.write(async (unit) => {
    await unit.logins.add({
      ...{ key: tokenDigest(loginToken), scheme: 'eid-se', place: { kind: 'flow' } },
      ...{ providerRef: 'login', provider: provider.name, pollingMs: 2000, createdAtMs },
      ...{ state: 'waiting', customers: {} },
    });
    await unit.challenges.add({
      ...{ token: signingToken, kind: 'eid-sign', tries: 0, state: 'waiting', createdAtMs },
      ...{ processKey: asKey('process', 'sp00'), signeeKey: asKey('signee', 'si00') },
      ...{ providerRef: 'signing', provider: provider.name, expiresAtMs: createdAtMs + 180_000 },
    });
  });
});
afterAll(() => world.close());

const addressOf = (kind: 'login' | 'signing', token: string, vault = ports.vault) =>
  returnAddress({ vault, frontEnd: ports.frontEnd }, provider, { kind, token })?.returnUrl ?? '';
const rows: readonly (readonly [string, () => string])[] = [
  ['of a signature, with the token of a login', () => addressOf('signing', loginToken)],
  ['of a login, with the token of a signature', () => addressOf('login', signingToken)],
  [
    'of another installation',
    () => addressOf('login', loginToken, openVault(new Uint8Array(32).fill(9))),
  ],
  [
    'that the vault encrypted for another purpose',
    () => {
      const state = ports.vault.encrypt(`l${loginToken}`, 'eid session bankid').replace('.', '-');
      return `https://sign.example.is/s/eid/callback?state=${state}`;
    },
  ],
  ['with the token alone', () => `https://sign.example.is/s/eid/callback?state=l${loginToken}`],
];

test.each(rows)('rejects a return address %s', async (_, address) => {
  const before = called.length;
  await expect(takeReturn(ports, address())).rejects.toMatchObject({
    code: 'authentication.token.invalid',
  });
  expect(called).toHaveLength(before);
});

test('stores the return address with its own session, once', async () => {
  const refs = async () =>
    ports.store.read(async (unit) => [
      (await unit.logins.find(tokenDigest(loginToken)))?.providerRef,
      (await unit.challenges.find(signingToken))?.providerRef,
    ]);
  // A simulator that no configured provider uses is found by its name alone.
  const named = { ...ports, providers: { choose: () => provider, named: () => provider } };
  await takeReturn(named as AuthPorts, addressOf('login', loginToken));
  expect(await refs()).toEqual(['login back', 'signing']);
  await takeReturn(named as AuthPorts, addressOf('signing', signingToken));
  expect(await refs()).toEqual(['login back', 'signing back']);
});
