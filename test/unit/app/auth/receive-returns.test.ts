import { get, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openReturnReceiver } from '../../../../src/adapters/eid/index.ts';
import { tokenDigest } from '../../../../src/app/auth/access-tokens.ts';
import type { AuthPorts } from '../../../../src/app/auth/ports.ts';
import { receiveReturns } from '../../../../src/app/auth/receive-returns.ts';
import type { IdentityProvider } from '../../../../src/app/ports/index.ts';
import { returnAddress } from '../../../../src/app/signing/index.ts';
import { asKey } from '../../../../src/domain/keys.ts';
import { openSigningWorld, type SigningWorld } from '../../../support/signing.ts';

let world: SigningWorld;
let provider: IdentityProvider;
const token = 't'.repeat(43);
const words = { returned: 'Go on.', notReturned: 'Nobody waits.' };
const companyKey = asKey('company', 'co00');

beforeAll(async () => {
  world = await openSigningWorld();
  provider = { ...world.ports.identity, callback: async (ref) => `${ref} back` };
  await world.ports.store.write((unit) =>
    unit.logins.add({
      ...{ key: tokenDigest(token), scheme: 'eid-dk', place: { kind: 'flow' } },
      ...{ providerRef: 'login', provider: provider.name, pollingMs: 2000 },
      ...{ createdAtMs: world.ports.now(), state: 'waiting', customers: {} },
    }),
  );
});
afterAll(() => world.close());

function portsAt(frontEnd: string, own: IdentityProvider = provider): AuthPorts {
  const foreign = { 'eid-se': own, 'eid-dk': own, 'device-link': own };
  const parts = { identity: own, foreign, frontEnd, openReturnReceiver };
  return { ...world.ports, ...parts } as unknown as AuthPorts;
}

/** An unused port. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const ask = (url: string, method = 'GET') =>
  new Promise<{ readonly status: number; readonly text: string }>((resolve, reject) => {
    const asked = (method === 'GET' ? get : request)(url, { method, agent: false }, (answer) => {
      let text = '';
      answer.on('data', (part: Buffer) => {
        text += part.toString();
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    asked.on('error', reject);
    asked.end();
  });

test('the receiver accepts the return of its own login once and rejects any other', async () => {
  const frontEnd = `http://127.0.0.1:${await freePort()}`;
  const ports = portsAt(frontEnd);
  const receiver = await receiveReturns(ports, companyKey, token, words);
  const { returnUrl = '' } = returnAddress(ports, provider, { kind: 'login', token }) ?? {};
  const refused = { status: 401, text: 'Nobody waits.\n' };
  expect(await ask(`${frontEnd}/s/eid/callback?state=other`)).toEqual(refused);
  expect(await ask(`${frontEnd}/s/eid/callback`, 'POST')).toMatchObject({ status: 405 });
  expect(await ask(`${frontEnd}/s/eid/callback/more`)).toMatchObject({ status: 404 });
  expect(await ask(`${frontEnd}/s/eid/callback?state=${'x'.repeat(9000)}`)).toEqual(refused);
  expect(await ask(returnUrl)).toEqual({ status: 200, text: 'Go on.\n' });
  const kept = await ports.store.read((unit) => unit.logins.find(tokenDigest(token)));
  expect(kept?.providerRef).toBe('login back');
  await receiver?.close();
  await expect(ask(returnUrl)).rejects.toThrow('ECONNREFUSED');
});

test('no receiver is opened if another program listens on the port', async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const { port } = other.address() as AddressInfo;
  const ports = portsAt(`http://127.0.0.1:${port}`);
  expect(await receiveReturns(ports, companyKey, token, words)).toBeUndefined();
  await new Promise((resolve) => other.close(resolve));
});

test.each([
  ['a front end on another machine', 'http://sign.example.is', token],
  ['a front end with TLS', 'https://127.0.0.1:8443', token],
  ['a login that does not exist', 'http://127.0.0.1:1', 'x'.repeat(43)],
])('no receiver is opened for %s', async (_, frontEnd, which) => {
  const ports = { ...portsAt(frontEnd), openReturnReceiver: () => Promise.reject(new Error()) };
  expect(await receiveReturns(ports, companyKey, which, words)).toBeUndefined();
});

test('no receiver is opened for a provider without a page', async () => {
  const { callback: _, ...plain } = provider;
  const ports = portsAt('http://127.0.0.1:1', plain);
  const never = { ...ports, openReturnReceiver: () => Promise.reject(new Error()) };
  expect(await receiveReturns(never, companyKey, token, words)).toBeUndefined();
});
