import { audkenniCibaDriver } from '../../src/adapters/eid/audkenni/index.ts';
import { bankidDriver } from '../../src/adapters/eid/bankid-se/index.ts';
import { cscDriver } from '../../src/adapters/eid/csc/index.ts';
import { simulatorDriver } from '../../src/adapters/eid/index.ts';
import { oidcDriver } from '../../src/adapters/eid/oidc/index.ts';
import type { EidDriver, EidEnvironment } from '../../src/app/ports/index.ts';
import { buildName } from '../../src/formats/x509/index.ts';
import { clientKeys } from '../support/eid/audkenni/backchannel.ts';
import { makeWorld, type World } from '../support/eid/audkenni/persons.ts';
import { httpAnswer, providerRequest } from '../support/eid/audkenni-bench.ts';
import { agreed, audkenniProvider } from '../support/eid/audkenni-server.ts';
import { bankidPki } from '../support/eid/bankid-answer.ts';
import { bankidServer } from '../support/eid/bankid-server.ts';
import { keyAlgorithms } from '../support/eid/csc/csc-bench.ts';
import { cscServer } from '../support/eid/csc/csc-server.ts';
import { cscFacts } from '../support/eid/csc/provider-state.ts';
import { clientId, clientSecret, issuer, keyNamed } from '../support/eid/oidc/oidc-bench.ts';
import { OidcServer } from '../support/eid/oidc-server.ts';
import { makeTestPki, type TestPki } from '../support/pki.ts';
import type { SigningWorld } from '../support/signing.ts';

/** A provider with a person who signs through it. */
export interface EidWay {
  readonly name: string;
  readonly driver: EidDriver;
  readonly channel: 'Sim' | 'App';
  readonly http?: EidEnvironment['http'];
  readonly person: { readonly name: string; readonly ssn: string; readonly phoneNumber?: string };
  /** Numbers of a signee in whose place that person, or a stranger, answers. */
  readonly other: { readonly ssn: string; readonly phoneNumber?: string };
  /** Has somebody else answer from now on; absent: the signee of `other` is enough for that. */
  mistake?(): void;
  /** The person agrees; gives the address with which they come back from a page. */
  agree?(redirectUrl: string): URL | undefined;
}

type Now = () => number;

const other = { ssn: '0203901589', phoneNumber: '0100015' };

/** Every provider: the simulator in each of its parts, and the protocol servers of the drivers. */
export function eidWays({ ports, trust }: SigningWorld, persons: TestPki): readonly EidWay[] {
  const { now } = ports;
  const issue = (one: { name: string; serialNumber: string }) => trust.person(one);
  const simulated = (scheme?: 'eid-se' | 'eid-dk' | 'device-link') =>
    simulatorDriver({ issue, ...(scheme === undefined ? {} : { scheme }) });
  const both = { name: 'Ödön Kőrösi', ssn: '6000101994', phoneNumber: '6666666' };
  const simulator = { channel: 'App', person: both, other } as const;
  const world = makeWorld(persons);
  return [
    { ...simulator, name: 'simulator Sim', channel: 'Sim', driver: simulated() },
    { ...simulator, name: 'simulator App', driver: simulated() },
    { ...simulator, name: 'simulator eid-se', driver: simulated('eid-se') },
    { ...simulator, name: 'simulator eid-dk', driver: simulated('eid-dk') },
    { ...simulator, name: 'simulator device-link', driver: simulated('device-link') },
    bankidWay(now),
    cscWay('raw', persons, now),
    cscWay('cms', persons, now),
    audkenniWay('App', world, now),
    audkenniWay('Sim', world, now),
    oidcWay(now),
  ];
}

function bankidWay(now: Now): EidWay {
  const person = { number: '199003102390', name: 'Testa Exempelsson' };
  const certificates = bankidPki(makeTestPki({ nowMs: now() }));
  const server = bankidServer({
    ...{ certificates, now, person: certificates.person(person) },
    user: { personalNumber: person.number, name: person.name },
  });
  return {
    name: 'BankID',
    channel: 'App',
    driver: bankidDriver({ anchors: [certificates.root.der] }),
    http: async ({ method, url, headers = {}, body = '' }) => {
      const { pathname: path } = new URL(url);
      const given = { method, path, headers, body: Buffer.from(body).toString('utf8') };
      const answer = server.handle({ ...given, client: 'relying party' });
      return { ...answer, body: Buffer.from(answer.body) };
    },
    person: { name: person.name, ssn: person.number },
    other: { ssn: '196408233234' },
    agree: () => void server.control.approve(),
  };
}

function cscWay(delivery: 'raw' | 'cms', pki: TestPki, now: Now): EidWay {
  const key = delivery === 'raw' ? 'P-256' : 'RSA-2048';
  const person = { ssn: '0103901099', name: 'Anna Björk Prófsdóttir' };
  const issue = (name: string, number: string, from = pki) => {
    const subject = { countryName: 'IS', commonName: name, serialNumber: `PNOIS-${number}` };
    return from.issue({ name: `csc ${key} ${number}`, key, subjectDer: buildName(subject) });
  };
  const server = cscServer({
    ...{ now, version: '2.0', mode: 'oauth2code', algo: keyAlgorithms[key] ?? [] },
    member: issue(person.name, person.ssn),
    stranger: issue('Annar Maður', other.ssn),
    foreign: issue(person.name, person.ssn, makeTestPki({ nowMs: now() })),
  });
  server.approve();
  const { url, clientId, clientSecret, redirectUri } = cscFacts;
  const contract = { url, version: '2.0', clientId, clientSecret, redirectUri } as const;
  return {
    name: `CSC ${delivery}`,
    channel: 'App',
    driver: cscDriver({ ...contract, delivery, anchors: [pki.member('root').der] }),
    http: async ({ method, url: address, headers = {}, body = '' }) =>
      server.handle({ method, url: address, headers, body: Buffer.from(body).toString('utf8') }),
    person,
    other,
    agree: (redirectUrl) => server.visit(redirectUrl, 'approve'),
  };
}

function audkenniWay(channel: 'Sim' | 'App', world: World, now: Now): EidWay {
  const provider = audkenniProvider(world);
  const { person, pki } = world;
  const privateKey = clientKeys.privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  // It sends the certificate of the person without those of its issuers.
  const anchors = [pki.member('ca').der];
  return {
    name: `Auðkenni CIBA ${channel}`,
    channel,
    driver: audkenniCibaDriver({ ...agreed, anchors, privateKey, channel }),
    http: async (request) => {
      provider.state.nowMs = now();
      return httpAnswer(provider.handle(providerRequest(request)));
    },
    person: { name: person.name, ssn: person.ssn, phoneNumber: person.phone },
    other: { ssn: person.ssn, phoneNumber: person.phone },
    mistake: () => provider.inject('person: another one'),
    agree: () => void provider.approve(),
  };
}

/** MitID through a broker, in which the person sees the text that they agree to. */
function oidcWay(now: Now): EidWay {
  const person = { ssn: '0707614285', name: 'Ditlev Von Testesen' };
  const redirectUri = 'https://service.example/eid/return';
  const claims = {
    sub: '{0f9960a0-d28d-4353-a3e2-ea07f8ffa185}',
    authenticationtype: 'urn:grn:authn:dk:mitid:substantial',
    uuid: '74ffcd31-fbaf-4c33-bdac-169f25c1e416',
    cprNumberIdentifier: person.ssn,
    name: person.name,
    country: 'DK',
  };
  const server = new OidcServer({
    ...{ issuer, clientId, redirectUri, now, pushed: 'offered', keys: [keyNamed('one')] },
    ...{ person: claims, inIdToken: Object.keys(claims) },
    secret: { value: clientSecret, way: 'basic' },
  });
  const clientAuthentication = { method: 'client_secret_basic', secret: clientSecret } as const;
  return {
    name: 'OIDC',
    channel: 'App',
    driver: oidcDriver({ issuer, clientId, clientAuthentication, redirectUri, profile: 'idura' }),
    http: async (request) => {
      const answer = server.handle(request);
      return { ...answer, body: Buffer.from(answer.body) };
    },
    person,
    other: { ssn: '0101801234' },
    agree(redirectUrl) {
      server.visit(redirectUrl);
      return server.approve();
    },
  };
}
