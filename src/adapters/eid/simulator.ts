import { createHash } from 'node:crypto';
import type { ForeignScheme, IdentityProvider, Vault } from '../../app/ports/index.ts';
import { defined } from '../../base/defined.ts';
import { InnsigliError } from '../../base/errors.ts';
import type { Signer } from '../../seal/ports.ts';
import { foreignSession, newestLink } from './foreign-session.ts';
import {
  type FoundPerson,
  findAnywhere,
  findPerson,
  isTestNumber,
  type SimulatedPersons,
} from './person-of.ts';
import type { Scenario } from './test-persons.table.ts';

/** Dependencies of the simulator. */
export interface SimulatorOptions {
  /** A new key and certificate of a person, from a test CA. */
  readonly issue: (person: {
    readonly name: string;
    readonly serialNumber: string;
  }) => Promise<Signer>;
  /** Keeps the state of a session inside its reference: nothing is stored anywhere. */
  readonly vault: Pick<Vault, 'encrypt' | 'decrypt'>;
  /** Epoch milliseconds. */
  readonly now: () => number;
  readonly random: (count: number) => Uint8Array;
  /** Response time of a person, in milliseconds; default 1.5 s. */
  readonly answerAfterMs?: number;
  /** Plays this provider instead of the one for SIM and app: every test person has it. */
  readonly scheme?: ForeignScheme;
  /** Persons for numbers; default: test persons for reserved numbers, nobody for others. */
  readonly persons?: SimulatedPersons;
}

/** State of a session. */
interface Session {
  readonly id: string;
  readonly startedAtMs: number;
  readonly purpose: 'auth' | 'sign';
  readonly channel: 'Sim' | 'App';
  readonly hint: string;
}

/** After this a session is over for everybody. */
const DEADLINE_MS = 180_000;
/** Time for which a finished session can be queried again, in milliseconds. */
const KEPT_MS = 24 * 3_600_000;
const ANSWER_AFTER_MS = 1_500;
const POLLING_SECONDS = 2;
const CONTEXT = 'eid simulator session';
/** Each provider knows its own sessions only. */
const contextOf = (scheme: string) => (scheme === '' ? CONTEXT : `${CONTEXT} ${scheme}`);

/**
 * An identity provider for trying things out, without any network: test persons answer, or fail
 * to, as their numbers say. Its certificates come from a test CA and prove nothing.
 *
 * A session lives in its reference, encrypted and authenticated, so every process with the same
 * vault can go on with it, and a restart loses nothing.
 */
export function createIdentitySimulator(options: SimulatorOptions): IdentityProvider {
  const { issue, vault, now, random, answerAfterMs = ANSWER_AFTER_MS, scheme } = options;
  const { persons = 'reserved' } = options;
  const context = contextOf(scheme ?? '');
  const found = (channel: 'Sim' | 'App', hint: string): FoundPerson =>
    scheme === undefined
      ? requireStart(persons, channel, hint)
      : requireForeign(persons, scheme, hint);
  const stateOf = ({ startedAtMs }: Session, { scenario }: FoundPerson) => {
    const elapsedMs = now() - startedAtMs;
    if (elapsedMs >= KEPT_MS) return 'expiredTransaction';
    if (scenario === 'silence') return elapsedMs < DEADLINE_MS ? 'waiting' : 'expiredTransaction';
    if (elapsedMs < answerAfterMs) return 'waiting';
    return failures[scenario] ?? 'done';
  };

  const newest = (ref: string, played: ForeignScheme): string => {
    const { id, startedAtMs } = openSession(vault, ref, context);
    return newestLink(played, id, now() - startedAtMs);
  };

  return {
    name: scheme === undefined ? 'simulator' : `simulator ${scheme}`,
    isSimulated: true,
    phoneChannels: scheme === undefined ? ['Sim'] : [],
    isTestNumber,

    async start({ purpose, channel, loginHint, includeVerificationCode }) {
      found(channel, loginHint);
      const id = Buffer.from(random(16)).toString('hex');
      const session: Session = { id, startedAtMs: now(), purpose, channel, hint: loginHint };
      const ref = vault.encrypt(JSON.stringify(session), context);
      const pollingIntervalSeconds = POLLING_SECONDS;
      if (scheme !== undefined) {
        const shown = foreignSession(scheme, id);
        return { ref, verificationCode: '', pollingIntervalSeconds, ...shown };
      }
      const shown = channel === 'App' || includeVerificationCode ? verificationCode(id) : '';
      return { ref, verificationCode: shown, pollingIntervalSeconds };
    },

    async poll(ref) {
      const session = openSession(vault, ref, context);
      const person = found(session.channel, session.hint);
      const state = stateOf(session, person);
      if (state === 'waiting') return { state };
      if (state !== 'done') return { state: 'failed', hint: state };
      const { ssn, name, phone } = person.answers;
      const tellsPhone = scheme === undefined && session.channel === 'Sim' && phone !== '';
      const phoneNumber = tellsPhone ? { phoneNumber: phone } : {};
      return { state, identity: { ssn, name, ...phoneNumber } };
    },

    ...defined({
      refresh: scheme === undefined ? undefined : async (ref: string) => newest(ref, scheme),
    }),

    async signer(ref) {
      const session = openSession(vault, ref, context);
      const person = found(session.channel, session.hint);
      if (session.purpose !== 'sign' || stateOf(session, person) !== 'done') {
        throw new InnsigliError('authentication.token.invalid', 'the session has no signature');
      }
      const { ssn, name } = person.answers;
      return issue({ name, serialNumber: `PNOIS-${ssn}` });
    },
  };
}

function requireStart(
  persons: SimulatedPersons,
  channel: 'Sim' | 'App',
  hint: string,
): FoundPerson {
  const found = findPerson(persons, channel, hint);
  const { hasSim = false, hasApp = false } = found?.person ?? {};
  const isReachable = channel === 'Sim' ? hasSim : hasApp;
  if (found !== undefined && isReachable && found.scenario !== 'no-start') return found;
  const isNobody = found === undefined;
  const reason = isNobody ? 'no person has this number' : `no identity on ${channel}`;
  throw new InnsigliError(
    'authentication.error.idp.start',
    `the simulator did not start: ${reason}`,
    {
      hint: isNobody ? whoThere : 'test persons have an identity on Sim, in the App, or on both',
    },
  );
}

const whoThere =
  'Sim 6666666 and App 6000101994 are test persons, as innsigli sign --help says; ' +
  'simulatedPersons: any accepts every well-formed number as a fictitious person';

function requireForeign(
  persons: SimulatedPersons,
  scheme: ForeignScheme,
  hint: string,
): FoundPerson {
  const found = findAnywhere(persons, hint);
  if (found !== undefined && found.scenario !== 'no-start') return found;
  throw new InnsigliError('eid.provider.error', `the simulator of ${scheme} refused the start`, {
    ...(found === undefined ? { hint: whoThere } : {}),
  });
}

function openSession(vault: Pick<Vault, 'decrypt'>, ref: string, context: string): Session {
  try {
    return JSON.parse(vault.decrypt(ref, context)) as Session;
  } catch (cause) {
    throw new InnsigliError(
      'authentication.token.invalid',
      'the session belongs to another provider',
      {
        cause,
      },
    );
  }
}

const failures: { readonly [scenario in Scenario]?: string } = {
  cancel: 'userCancel',
  late: 'expiredTransaction',
  'start-failed': 'startFailed',
};

/** Four digits that both ends can compute. */
function verificationCode(id: string): string {
  const hash = createHash('sha256').update(`code ${id}`).digest();
  return String(hash.readUInt32BE(0) % 10_000).padStart(4, '0');
}
