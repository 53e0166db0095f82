import { readStampFonts } from '../../src/adapters/appearance/index.ts';
import { type DevelopmentTrust, openDevelopmentTrust } from '../../src/adapters/devtrust/index.ts';
import { simulatorDriver } from '../../src/adapters/eid/index.ts';
import { keyObjectSigner } from '../../src/adapters/keys/index.ts';
import { localTimestampAuthority } from '../../src/adapters/tsa/index.ts';
import type { SealPorts } from '../../src/app/documents/seal-ports.ts';
import { verifyDocument } from '../../src/app/documents/verify-document.ts';
import { writeConsequences } from '../../src/app/service/index.ts';
import type { SigningPorts } from '../../src/app/signing/index.ts';
import { memorySource } from '../../src/base/bytes.ts';
import { asKey, type ProcessKey, type SigneeKey } from '../../src/domain/keys.ts';
import {
  buildProcess,
  type NewProcess,
  type Signee,
  type SigningProcess,
} from '../../src/domain/process/index.ts';
import type { ProcessPolicy } from '../../src/domain/process/process.ts';
import { parseCertificate } from '../../src/formats/x509/index.ts';
import type { PdfVerificationReport } from '../../src/verify/report/report.ts';
import { simulatedIdentity } from './eid/simulated-identity.ts';
import { newSharedFolder } from './folders.ts';
import { countingRandom, fixture } from './sealing.ts';
import { openTestStore, type TestStore, testNowMs, testProcess, testSignee } from './store.ts';

/** The complete setup for signing, in a separate folder. */
export interface SigningWorld {
  readonly ports: SigningPorts;
  readonly trust: DevelopmentTrust;
  readonly stored: TestStore;
  /** Advances the clock. */
  pass(ms: number): void;
  /** A stored process that is open for signatures. */
  open(
    signees: readonly Signee[],
    changes?: Partial<NewProcess>,
    policy?: Partial<ProcessPolicy>,
    content?: Uint8Array,
  ): Promise<SigningProcess>;
  read(key: ProcessKey): Promise<SigningProcess>;
  /** The conclusion on the document of a process. */
  verify(key: ProcessKey): Promise<PdfVerificationReport>;
  bytes(key: ProcessKey): Promise<Uint8Array>;
  /** The value `code` of the newest message to a signee. */
  code(key: ProcessKey): Promise<string>;
  close(): Promise<void>;
}

/** A person who signs; `number` determines the key. */
export function person(number: number, changes: Partial<Signee> = {}): Signee {
  return testSignee(number, { state: 'Pending', delivery: 'None', ...changes });
}

/** Observed circumstances of a client. */
export const circumstances = { ip: '192.0.2.7', userAgent: 'Vafri/1.0' };

/** The request of a signee. */
export function by({ key: processKey }: SigningProcess, index = 0) {
  return { processKey, signeeKey: signeeKeyOf(index), circumstances };
}

/** The key of the signee that {@link person} creates from `index + 1`. */
export function signeeKeyOf(index: number): SigneeKey {
  return testSignee(index + 1).key;
}

/** One development trust for all tests of a process: creating it is slow. */
let trustFolder: string | undefined;
let processes = 0;

/** Location and time of a world; the defaults make tests repeatable. */
export interface WorldPlace {
  /** Data directory of the development trust. */
  readonly directory?: string;
  readonly startMs?: number;
}

/** A new world with a development trust, a store and the simulator. */
export async function openSigningWorld({
  directory = '',
  startMs = testNowMs + 3_600_000,
}: WorldPlace = {}): Promise<SigningWorld> {
  const clock = { nowMs: startMs };
  const now = (): number => clock.nowMs;
  const random = countingRandom();
  const stored = await openTestStore({ leaseNow: now });
  if (directory === '') trustFolder ??= newSharedFolder('signing');
  const home = directory === '' ? (trustFolder as string) : directory;
  const trust = await openDevelopmentTrust({ directory: home, now, random });
  const signer = keyObjectSigner(trust.seal('ec'));
  const authority = localTimestampAuthority({ ...trust.tsa(), now, random });
  const anchors = [parseCertificate(trust.rootCertificate)];
  const sealing: SealPorts = {
    signer,
    anchors,
    authority,
    revocation: trust.revocationSource(),
    now,
    random,
    fonts: readStampFonts,
  };
  const { store, vault, blobs } = stored;
  const issue = async (one: { name: string; serialNumber: string }) => trust.person(one);
  const ports: SigningPorts = {
    store,
    vault,
    blobs,
    now,
    random,
    frontEnd: 'https://sign.example.is',
    simulated: true,
    openSealing: async (level) => {
      if (level !== 'B-B') return sealing;
      const { authority: _authority, revocation: _revocation, ...plain } = sealing;
      return plain;
    },
    identity: simulatedIdentity({ driver: simulatorDriver({ issue }), vault, now, random }),
  };
  const read = async (key: ProcessKey): Promise<SigningProcess> => {
    const found = await store.read((unit) => unit.processes.find(key));
    if (found === undefined) throw new Error(`no process ${key}`);
    return found;
  };
  const bytes = async (key: ProcessKey): Promise<Uint8Array> =>
    blobs.get((await read(key)).document?.sha256 ?? '');
  return {
    ports,
    trust,
    stored,
    pass: (ms) => {
      clock.nowMs += ms;
    },
    async open(signees, more = {}, policy = {}, content = fixture('agreement.pdf')) {
      const sha256 = await blobs.put(content);
      const { document: _document, ...base } = testProcess(++processes);
      const request: NewProcess = {
        ...base,
        original: { sha256, lengthBytes: content.length },
        signees,
        policy: { ...testPolicy, ...policy },
        createdAtMs: now(),
        expiresAtMs: now() + 30 * 86_400_000,
        ...more,
      };
      const built = buildProcess(request, { nowMs: now() });
      await store.write(async (unit) => {
        await unit.processes.add(built.process);
        await writeConsequences(unit, ports, built.process, built.consequences, now());
      });
      return read(built.process.key);
    },
    read,
    bytes,
    async verify(key) {
      const source = memorySource(await bytes(key));
      const certificates = trust.certificates;
      const report = await verifyDocument({
        source,
        anchors,
        certificates,
        nowMs: now(),
        revocation: 'ignore',
      });
      return report as PdfVerificationReport;
    },
    async code(key) {
      const messages = await store.read((unit) => unit.messages.ofProcess(key));
      const codes = messages.filter(({ template }) => template === 'OneTimeCode');
      const newest = codes.reduce((a, b) => (b.createdAtMs >= a.createdAtMs ? b : a));
      return newest.values['code'] ?? '';
    },
    close: () => stored.close(),
  };
}

const testPolicy: ProcessPolicy = {
  sealLevel: 'B-B',
  evidencePage: false,
  mayDecline: false,
  retentionDays: 30,
  confirmSignees: false,
  confirmUser: false,
  language: 'Is',
};

/** A key that no process has. */
export const noProcess = asKey('process', 'sp404');
