import { defined } from '../../../base/defined.ts';
import { accessSeconds, type Customer } from '../../../domain/auth/index.ts';
import type { CompanyKey, PersonKey } from '../../../domain/keys.ts';
import { chooseLanguage } from '../../../domain/message/index.ts';
import type { Identity } from '../../../domain/person/index.ts';
import { type Circumstances, startRule } from '../../../domain/process/index.ts';
import { coded } from '../../operation.ts';
import type { IdentityProvider } from '../../ports/index.ts';
import { requireSequence } from '../../required.ts';
import { applyCommand, refusalError } from '../../service/index.ts';
import { loginOf, mismatchCode, mismatchError, whoIs } from '../../signing/index.ts';
import { isSuperseded, requirePerson, tokenOfLogin, tokenRow } from '../access-tokens.ts';
import { providerFor } from '../eid-methods.ts';
import { plainCustomer, scopeError } from '../flow-login.ts';
import {
  beginLogin,
  type LoginFailure,
  providerOf,
  type SettledLogin,
  type StartedLogin,
  settleLogin,
  startErrorCodes,
  unknownLogin,
} from '../login-session.ts';
import type { AuthPorts } from '../ports.ts';
import { loginGrantsAccess, passcodeMissing } from './sequence-passcode.ts';
import { hintFor, matchingPerson, type PersonPlace, placesOf } from './sequence-persons.ts';

/** A login for the documents of a sequence. */
export interface SequenceLoginRequest
  extends Omit<Parameters<IdentityProvider['start']>[0], 'purpose' | 'text'> {
  readonly scheme: 'sim-app' | 'eid-se' | 'device-link';
  readonly sequenceKey: string;
  /** Absent: any person of the sequence. */
  readonly personKey?: string;
  readonly circumstances?: Circumstances;
  /** The company whose credentials the caller presented; it may be any company. */
  readonly callerKey?: CompanyKey;
}

/** A poll of a login. */
export interface SequenceLoginPoll {
  readonly scheme: 'sim-app' | 'eid-se' | 'device-link';
  readonly token: string;
  readonly sequenceKey: string;
  readonly personKey?: string;
  readonly circumstances: Circumstances;
}

/** State of a login for a sequence. */
export type SequenceLoginAnswer =
  | { readonly state: 'waiting' }
  | {
      readonly state: 'done';
      readonly customer: Customer;
      /** Key of the person in the sequence. */
      readonly personKey: string;
      /** Grants access to the places of the person. Absent once its lifetime has passed. */
      readonly accessToken?: string;
    }
  | (LoginFailure & { readonly state: 'failed' });

/** Logins for the documents of sequences. */
export const sequenceOperations = {
  /**
   * Starts a login for the documents of a sequence. A login does not bypass a passcode: if no
   * document requires a login, it grants no access for a person with a passcode.
   *
   * @throws error.signee.not_found, authentication.error.idp.start, eid.provider.error
   * @throws authentication.credentials.invalid for a person with a passcode
   * @throws authentication.error.signee.logon.mismatch if no person there has the hinted number
   * @throws authentication.error.signee.unprovable if no such login can prove the person's identity
   * @example
   * const { token } = await identity.startSequenceLogin(request);
   */
  startSequenceLogin: coded(
    [
      'process.not_found',
      'authentication.credentials.invalid',
      mismatchCode,
      'authentication.start.too_frequent',
    ],
    async (ports: AuthPorts, request: SequenceLoginRequest): Promise<StartedLogin> => {
      const { scheme, sequenceKey, personKey, circumstances, callerKey, ...start } = request;
      const found = await ports.store.read(async (unit) => {
        if (personKey === undefined) {
          const sequence = await requireSequence(unit, undefined, sequenceKey);
          return { sequence, person: undefined, places: [] };
        }
        const { sequence, person } = await requirePerson(unit, { sequenceKey, personKey }, 'find');
        if (!(await loginGrantsAccess(unit, sequence, person))) throw passcodeMissing();
        return { sequence, person, places: await placesOf(unit, person) };
      });
      const { sequence, person, places } = found;
      const { loginHint, number } = await hintFor(ports, found, request);
      const own = defined({ personKey: person?.key });
      const place = { kind: 'sequence', sequenceKey: sequence.key, ...own } as const;
      const text = `${sequence.processKeys.length} documents`;
      const [first] = sequence.processKeys;
      const process =
        first === undefined
          ? undefined
          : await ports.store.read((unit) => unit.processes.find(first));
      const flowKey = process?.flowKey;
      const wished = chooseLanguage(places[0]?.signee.language, process?.policy.language);
      const shown = { text, language: wished.toLowerCase() };
      const at = { companyKey: sequence.companyKey, flowKey };
      const provider = providerFor(ports, scheme, start.channel, at);
      requireProvable(ports, provider, start.channel, places);
      const link = `${sequence.key} ${person?.key ?? ''}`;
      const isCompany = callerKey !== undefined && callerKey === sequence.companyKey;
      const starter = isCompany
        ? ({ by: 'company', companyKey: callerKey } as const)
        : ({ by: 'link', link, number } as const);
      const counted = { starter, circumstances, ...defined({ flowKey }) };
      return beginLogin(ports, {
        ...{ scheme, place, at, counted },
        start: { ...start, loginHint, ...shown },
      });
    },
    [...startErrorCodes, 'error.signee.not_found', 'authentication.error.signee.unprovable'],
  ),
  /**
   * Polls the state of a login for a sequence. The person of the sequence who responded is recorded
   * as logged in on each of their documents, once.
   *
   * @throws process.not_found
   * @throws authentication.error.signee.logon.mismatch if the person is not in the sequence
   * @example
   * const answer = await identity.pollSequenceLogin(poll);
   */
  pollSequenceLogin: coded(
    [
      'authentication.token.invalid',
      'authentication.token.scope.invalid',
      'authentication.credentials.invalid',
      mismatchCode,
      'authentication.poll.too_frequent',
    ],
    async (ports: AuthPorts, poll: SequenceLoginPoll): Promise<SequenceLoginAnswer> => {
      const { scheme, token, sequenceKey, personKey } = poll;
      const login = await settleLogin(ports, token, scheme, ({ place }) => {
        const isHere = place.kind === 'sequence' && place.sequenceKey === sequenceKey;
        const isPerson =
          personKey === undefined ||
          (place.kind === 'sequence' && (place.personKey ?? personKey) === personKey);
        if (!isHere || !isPerson) throw scopeError();
      });
      if (login.state === 'waiting') return { state: 'waiting' };
      if (login.state === 'failed') {
        const { hint, providerCode } = login;
        return { state: 'failed', hint, ...defined({ providerCode }) };
      }
      const { identity, answeredBy } = login;
      if (answeredBy !== undefined) requireAnswer(answeredBy, personKey);
      const person = answeredBy ?? (await recordLogin(ports, poll, login));
      await requireNotTakenOver(ports, { sequenceKey, personKey: person }, identity);
      const isOpen = ports.now() < (login.endedAtMs ?? 0) + accessSeconds.initial * 1000;
      const accessToken = isOpen ? { accessToken: tokenOfLogin(ports, token) } : {};
      const customer = plainCustomer(identity, token);
      return { state: 'done', customer, personKey: person, ...accessToken };
    },
    ['process.not_found'],
  ),
};

// A different matching person may have logged in since.
async function requireNotTakenOver(
  ports: AuthPorts,
  place: { readonly sequenceKey: string; readonly personKey: string },
  { ssn }: Identity,
): Promise<void> {
  const who = whoIs(ports, ssn);
  const isOver = await ports.store.read(async (unit) => {
    const { person } = await requirePerson(unit, place, 'find');
    return isSuperseded(unit, who, person.signingKeys);
  });
  if (isOver) throw mismatchError();
}

function requireProvable(
  ports: AuthPorts,
  provider: IdentityProvider,
  channel: SequenceLoginRequest['channel'],
  places: readonly PersonPlace[],
): void {
  const tellsPhone = provider.phoneChannels.includes(channel);
  const persons = () => [places.map(({ signee }) => signee)];
  for (const { process, signee } of places) {
    const refusal = startRule(process, signee, tellsPhone, { persons });
    if (refusal !== undefined) throw refusalError(refusal, ports.now());
  }
}

async function recordLogin(
  ports: AuthPorts,
  { token, sequenceKey, personKey, circumstances }: SequenceLoginPoll,
  login: SettledLogin & { readonly state: 'done' },
): Promise<PersonKey> {
  return ports.store.write(async (unit) => {
    const sequence = await requireSequence(unit, undefined, sequenceKey, 'lock');
    const now = await unit.logins.lock(login.key);
    if (now === undefined) throw unknownLogin();
    if (now.answeredBy !== undefined) {
      requireAnswer(now.answeredBy, personKey);
      return now.answeredBy;
    }
    const { place } = now;
    const wanted = personKey ?? (place.kind === 'sequence' ? place.personKey : undefined);
    const person = await matchingPerson(unit, sequence, login.identity, wanted);
    if (person === undefined) throw mismatchError();
    if (!(await loginGrantsAccess(unit, sequence, person))) throw passcodeMissing();
    const found = loginOf(ports, providerOf(ports, login), login.identity);
    for (const { processKey, signeeKey } of person.signingKeys) {
      // A closed document refuses this; the remaining documents are still opened.
      const command = { type: 'authenticate', signeeKey, login: found, circumstances } as const;
      const { refusal } = await applyCommand(unit, ports, processKey, command);
      if (refusal?.code === mismatchCode) throw mismatchError();
    }
    const scope = { kind: 'sequence', sequenceKey: sequence.key, personKey: person.key } as const;
    const startMs = now.endedAtMs ?? ports.now();
    const own = tokenOfLogin(ports, token);
    const row = tokenRow(own, sequence.companyKey, scope, startMs, { who: found.who });
    await unit.accessTokens.put(row);
    await unit.logins.save({ ...now, answeredBy: person.key });
    return person.key;
  });
}

function requireAnswer(answeredBy: string, wanted: string | undefined): void {
  if (wanted !== undefined && answeredBy !== wanted) throw mismatchError();
}
