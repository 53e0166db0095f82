import { InnsigliError } from '../../base/errors.ts';
import { invalid } from '../../base/input.ts';
import type { Customer } from '../../domain/auth/index.ts';
import { asKey, type CompanyKey } from '../../domain/keys.ts';
import { type Identity, numbersOf, standingOf } from '../../domain/person/index.ts';
import {
  type Circumstances,
  closedCodes,
  type DecisionContext,
  type SigningProcess,
  signeeRefs,
} from '../../domain/process/index.ts';
import { coded } from '../operation.ts';
import type { StoreUnit } from '../ports/index.ts';
import { requireProcess } from '../required.ts';
import { readPersons } from '../service/index.ts';
import {
  type EidChoice,
  foreignHintError,
  type LoginChoice,
  mismatchCode,
  pollAuth,
  type StartedSession,
  startAuth,
  whoIs,
} from '../signing/index.ts';
import { tokenOfLogin, tokenRow } from './access-tokens.ts';
import { lookupErrorCodes, plainCustomer, pollErrorCodes, scopeError } from './flow-login.ts';
import { paceChallenge } from './login-session.ts';
import { findByNumber, type NamedNumber, type NumberPlace } from './number-guesses.ts';
import type { AuthPorts } from './ports.ts';
import { asksPasscode, passcodeMissing } from './sequence/index.ts';

/** A login of a signee. */
export interface SigneeLoginRequest extends LoginChoice {
  readonly processKey: string;
  /** Absent: the signee identified by the login hint. */
  readonly signeeKey?: string;
  readonly circumstances: Circumstances;
  /** The company whose credentials the caller presented; it may be any company. */
  readonly callerKey?: CompanyKey;
}

/** A poll of a login of a signee. */
export interface SigneeLoginPoll {
  readonly token: string;
  readonly processKey: string;
  /** Absent: the signee for whom it was started. */
  readonly signeeKey?: string;
  readonly circumstances: Circumstances;
}

/** State of a login of a signee. */
export type SigneeLoginAnswer =
  | { readonly state: 'waiting' }
  | {
      readonly state: 'done';
      readonly customer: Customer;
      readonly process: SigningProcess;
      /** Key of the signee. */
      readonly signeeKey: string;
      readonly accessToken: string;
    }
  | { readonly state: 'failed'; readonly hint: string };

/** Logins of signees. */
export const signeeOperations = {
  /**
   * Starts a login of a signee by SIM or app. A login does not bypass a passcode: if the document
   * requires no login, none is started for a person with a passcode.
   *
   * @throws validation.error without a number, signing.forbidden.*
   * @throws authentication.credentials.invalid for a person with a passcode
   * @throws authentication.error.signee.logon.mismatch for the number of a different person
   * @example
   * const session = await identity.startSigneeLogin(request);
   */
  startSigneeLogin: coded(
    [
      'process.not_found',
      'error.signee.not_found',
      'authentication.error.idp.start',
      'authentication.error.signee.unprovable',
      'authentication.credentials.invalid',
      mismatchCode,
      'authentication.start.too_frequent',
      'signing.forbidden.expired',
      '10101',
    ],
    async (
      ports: AuthPorts,
      { processKey, signeeKey, circumstances, callerKey, ...choice }: SigneeLoginRequest,
    ): Promise<StartedSession> => {
      const named =
        signeeKey ?? (await signeeNamed(ports, { key: processKey, ip: circumstances.ip }, choice));
      const process = await ports.store.read(async (unit) => {
        const found = await requireOpen(unit, ports, processKey);
        const isClosed = !found.requiresAuth && (await asksPasscode(unit, found, named));
        if (isClosed) throw passcodeMissing();
        return found;
      });
      const isCompany = callerKey !== undefined && callerKey === process.companyKey;
      const place = {
        ...{ processKey: process.key, signeeKey: asKey('signee', named), circumstances },
        ...(isCompany ? { companyKey: callerKey } : {}),
      };
      // A process key is printed on the evidence: a client with only the key counts as a stranger.
      return startAuth(ports, { ...place, ...choice, isByNumber: signeeKey === undefined });
    },
  ),
  /**
   * Polls the state of a login of a signee. When it is done, a token grants access to their place
   * in the process.
   *
   * @throws signing.forbidden.*, network.offline
   * @example
   * const answer = await identity.pollSigneeLogin(poll);
   */
  pollSigneeLogin: coded(
    [
      ...pollErrorCodes,
      'authentication.token.scope.invalid',
      mismatchCode,
      'authentication.preprocess.utility.not.exists',
      'process.not_found',
      '10101',
      ...lookupErrorCodes,
    ],
    async (
      ports: AuthPorts,
      { token, processKey, signeeKey, circumstances }: SigneeLoginPoll,
    ): Promise<SigneeLoginAnswer> => {
      const nowMs = ports.now();
      const { process, challenge } = await ports.store.read(async (unit) => ({
        process: await requireOpen(unit, ports, processKey),
        challenge: await unit.challenges.find(token),
      }));
      if (challenge?.kind === 'eid-auth') {
        const isHere = challenge.processKey === process.key;
        if (!isHere || (signeeKey ?? challenge.signeeKey) !== challenge.signeeKey)
          throw scopeError();
        await paceChallenge(ports, challenge);
      }
      const own = signeeKey ?? challenge?.signeeKey ?? '';
      const startedAtMs = challenge?.createdAtMs ?? nowMs;
      const place = { processKey: process.key, signeeKey: asKey('signee', own), circumstances };
      const answer = await pollAuth(ports, { ...place, token }, (who) =>
        admit(ports, process, who),
      );
      if (answer.state !== 'done') return answer;
      const accessToken = tokenOfLogin(ports, token);
      const scope = {
        kind: 'process',
        processKey: process.key,
        signeeKey: place.signeeKey,
      } as const;
      // The lifetime starts with the login: polling again does not extend it.
      const who = whoIs(ports, answer.identity.ssn);
      const row = tokenRow(accessToken, process.companyKey, scope, startedAtMs, { who });
      const kept = await ports.store.read((unit) => unit.accessTokens.find(row.sha256));
      // A repeated poll writes nothing.
      if (kept === undefined) await ports.store.write((unit) => unit.accessTokens.put(row));
      const customer = plainCustomer(answer.identity, token, process.flowKey);
      const { process: after } = answer;
      return { state: 'done', customer, process: after, signeeKey: place.signeeKey, accessToken };
    },
    [...closedCodes, 'network.offline'],
  ),
};

async function requireOpen(
  unit: StoreUnit,
  ports: AuthPorts,
  key: string,
): Promise<SigningProcess> {
  const process = await requireProcess(unit, undefined, key);
  const company = await unit.companies.find(process.companyKey);
  const { trialEndsAtMs } = company ?? {};
  if (trialEndsAtMs === undefined || ports.now() < trialEndsAtMs) return process;
  throw new InnsigliError('10101', `the trial of company ${process.companyKey} has ended`);
}

/** The signee identified by the hint, or the only one. */
async function signeeNamed(
  ports: AuthPorts,
  place: NumberPlace,
  { channel, loginHint = '' }: EidChoice,
): Promise<string> {
  if (loginHint.trim() !== '') {
    const key = asKey('process', place.key);
    const lock = (unit: StoreUnit) => unit.processes.lock(key);
    return findByNumber(ports, place, lock, async (unit) => {
      const process = await requireOpen(unit, ports, place.key);
      return matchingSignee(process, await readPersons(unit, process), channel, loginHint);
    });
  }
  const { signees } = await ports.store.read((unit) => requireOpen(unit, ports, place.key));
  const [only] = signees;
  if (only !== undefined && signees.length === 1) return only.key;
  return invalid('loginHint', 'expected a number of a signee, found none');
}

function matchingSignee(
  process: SigningProcess,
  persons: Pick<DecisionContext, 'persons'>,
  channel: EidChoice['channel'],
  hint: string,
): NamedNumber<string> {
  // The number of the other channel is not matched: the lookup would only reveal its owner.
  const { key, signees } = process;
  const known = signees.map((signee) => {
    const places = signeeRefs(process, signee, persons);
    const isKnown = numbersOf(places, channel).length > 0;
    return { signee, isKnown, standing: standingOf(places, channel, hint) };
  });
  const named = known.find(({ isKnown, standing }) => isKnown && standing !== undefined);
  if (named !== undefined) return { right: named.signee.key };
  const [only] = known;
  if (only !== undefined && known.length === 1) {
    return only.isKnown ? { wrong: foreignHintError() } : { right: only.signee.key };
  }
  const unknown = `process ${key} has no signee with this number`;
  const options = { hint: 'identify the signee with signeeKey' };
  return { wrong: new InnsigliError('error.signee.not_found', unknown, options) };
}

// Some documents are restricted to persons with a registered meter.
async function admit(
  { register }: AuthPorts,
  { meta }: SigningProcess,
  { ssn }: Identity,
): Promise<void> {
  if (meta['utilityCheck'] !== 'true' || (await register.hasMeter(ssn))) return;
  const code = 'authentication.preprocess.utility.not.exists';
  throw new InnsigliError(code, 'the person who logged in has no meter');
}
