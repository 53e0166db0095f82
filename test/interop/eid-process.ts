import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTestNumber } from '../../src/adapters/eid/index.ts';
import type { AuthPorts } from '../../src/app/auth/index.ts';
import { takeReturn } from '../../src/app/auth/provider-return.ts';
import { drivenIdentity, eidTrust } from '../../src/app/eid/index.ts';
import { EidError, type IdentityProvider } from '../../src/app/ports/index.ts';
import { pollQualified, type SigningPorts, startQualified } from '../../src/app/signing/index.ts';
import { codeOf, errorKinds, isInnsigliError } from '../../src/base/errors.ts';
import type { SigningProcess } from '../../src/domain/process/index.ts';
import { parseCertificate } from '../../src/formats/x509/index.ts';
import { by, openSigningWorld, person, type SigningWorld } from '../support/signing.ts';
import { report, unless } from './checks.ts';
import { type EidWay, eidWays } from './eid-ways.ts';
import type { Level, SealedFile } from './matrix.ts';
import type { PersonsPki } from './persons-pki.ts';
import { finalize, sealedFile } from './process.ts';
import type { SignedDocument } from './service-story-judges.ts';

/** Documents of processes that were signed through e-ID providers. */
export interface EidDocuments {
  /** After each signature, and sealed. */
  readonly files: readonly SealedFile[];
  /** The sealed ones: every signature of them has to be valid. */
  readonly sealed: readonly SignedDocument[];
}

const second = { name: 'Jürgen Weiß', ssn: '6000101996' };

/**
 * Signs a document through every provider, then by a second person, and seals it; has somebody
 * else answer, who must be refused with the document unchanged.
 *
 * @param dataDir with the development trust of the program under test
 */
export async function signByEids(
  dataDir: string,
  root: string,
  persons: PersonsPki,
  folder: string,
): Promise<EidDocuments> {
  mkdirSync(folder, { recursive: true });
  // In the past, so that no judge meets a signature of the future.
  const world = await openSigningWorld({ directory: dataDir, startMs: persons.pki.nowMs });
  const ports = withPersons(world.ports, persons);
  const files: SealedFile[] = [];
  const sealed: SignedDocument[] = [];
  try {
    const ways = eidWays(world, persons.pki);
    const bySecond = ways.find(({ name }) => name === 'simulator App') as EidWay;
    const roots = [root, persons.root];
    for (const way of ways) {
      const made = await attempt(`${way.name} signs`, () =>
        signOne({ ...world, ports }, [way, bySecond], roots, folder),
      );
      files.push(...(made ?? []));
      const last = made?.at(-1);
      if (last !== undefined) {
        sealed.push({ path: last.path, name: last.name, signatures: 3, level: 'B-LTA' });
      }
      await attempt(`${way.name} refuses`, () => refuseOther({ ...world, ports }, way));
    }
    return { files, sealed };
  } finally {
    await world.close();
  }
}

async function attempt<T>(what: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    report(what, [`${codeOf(error)}: ${error instanceof Error ? error.message : error}`]);
    return undefined;
  }
}

/** Ports that know the PKI of persons besides the development trust. */
function withPersons(ports: SigningPorts, { pki, revocationOr }: PersonsPki): SigningPorts {
  const anchor = parseCertificate(pki.member('root').der);
  return {
    ...ports,
    async openSealing(level) {
      const sealing = await ports.openSealing(level);
      const anchors = [...sealing.anchors, anchor];
      if (level === 'B-B') return { ...sealing, anchors };
      return { ...sealing, anchors, revocation: revocationOr(sealing.revocation) };
    },
  };
}

/** Ports with the provider of a way. */
function portsOf(ports: SigningPorts, way: EidWay): SigningPorts & { identity: IdentityProvider } {
  const { now, random, vault } = ports;
  const offline = () => Promise.reject(new EidError('providerUnavailable', 'no network'));
  const [first = 'Redirect', ...others] = way.driver.channels;
  const identity = drivenIdentity(way.driver, {
    environment: { now, random, http: way.http ?? offline, trust: eidTrust() },
    ...{ vault, startError: 'authentication.error.idp.start', isTestNumber },
    ...(others.length === 0 ? { channel: first } : {}),
    isSimulated: way.http === undefined,
  });
  return { ...ports, identity };
}

type Place = { readonly process: SigningProcess; readonly index: number };

/** One signature from its start to its end, with a session for the certificate where needed. */
async function sign({ pass, ports: given }: SigningWorld, way: EidWay, place: Place) {
  const ports = portsOf(given, way);
  const { process, index } = place;
  const start = { ...by(process, index), channel: way.channel };
  const started = await startQualified(ports, start);
  const { token } = started;
  for (let round = 0; round < 6; round++) {
    const address = round > 1 ? undefined : way.agree?.(started.redirectUrl ?? '');
    if (round === 0 && address !== undefined) {
      await takeReturn(ports as SigningPorts as AuthPorts, address.href);
    }
    pass(6_000);
    const answer = await pollQualified(ports, { ...by(process, index), token });
    if (answer.state !== 'waiting') return answer;
  }
  throw new Error('the session did not end');
}

async function signOne(
  world: SigningWorld,
  [way, simulator]: readonly [EidWay, EidWay],
  roots: readonly string[],
  folder: string,
): Promise<readonly SealedFile[]> {
  const signees = [way.person, second].map((one, index) =>
    person(index + 1, { ...one, signatureType: 'Qualified', language: 'En' }),
  );
  const policy = { sealLevel: 'B-LTA' } as const;
  const process = await world.open(signees, { signatureLocation: 'TopFirstPage' }, policy);
  const files: SealedFile[] = [];
  let input = 'fixtures/pdf/agreement.pdf';
  const keep = async (what: string, level: Level) => {
    const name = `${way.name} ${what}`;
    const path = join(folder, `eid_${name.replaceAll(/[^\w-]/g, '_')}.pdf`);
    writeFileSync(path, await world.bytes(process.key));
    const file = sealedFile(path, name, input, level, roots[0] ?? '');
    files.push({ ...file, roots });
    input = path;
  };
  const expect = (what: string, { state }: { readonly state: string }) =>
    report(`${way.name} ${what}`, unless({ [`signed (${state})`]: state === 'signed' }));
  const isCms = way.driver.signing?.delivery === 'cms';
  expect('signs', await sign(world, way, { process, index: 0 }));
  await keep('signed', isCms ? 'B-B' : 'B-T');
  expect('lets another sign', await sign(world, simulator, { process, index: 1 }));
  await keep('signed by a second', 'B-T');
  const why = await finalize(world.ports);
  report(
    `${way.name} is sealed`,
    why.map(({ code, why: text }) => `${code}: ${text}`),
  );
  await keep('sealed', 'B-LTA');
  return files;
}

/** The answer of a person who is not the signee: 401, and every byte as it was. */
async function refuseOther(world: SigningWorld, way: EidWay): Promise<void> {
  const signee = { name: 'Annar Maður', ...way.other };
  const process = await world.open([person(1, { ...signee, signatureType: 'Qualified' })]);
  const before = await world.bytes(process.key);
  way.mistake?.();
  let found = 'nothing';
  try {
    const answer = await sign(world, way, { process, index: 0 });
    found = answer.state === 'failed' ? answer.hint : answer.state;
  } catch (error) {
    if (!isInnsigliError(error)) throw error;
    found = `${error.code} ${(error.details as { reason?: string } | undefined)?.reason ?? ''}`;
  }
  const after = await world.bytes(process.key);
  const wanted = 'authentication.error.signee.logon.mismatch';
  report(
    `${way.name} refuses another person: ${found.trim()}`,
    unless({
      'refused with 401': found.startsWith(wanted) && errorKinds[wanted].httpStatus === 401,
      'document unchanged': Buffer.compare(before, after) === 0,
    }),
  );
}
