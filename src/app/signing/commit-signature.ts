import { defined } from '../../base/defined.ts';
import { InnsigliError, isInnsigliError } from '../../base/errors.ts';
import type { ProcessKey } from '../../domain/keys.ts';
import type { ProvedIdentity } from '../../domain/person/index.ts';
import {
  type CommandOf,
  isByTestPerson,
  lastShown,
  type SignatureType,
  type SigningProcess,
  signingRule,
} from '../../domain/process/index.ts';
import type { Store, StoreUnit } from '../ports/index.ts';
import { applyCommand, refusalError, requireAccepted } from '../service/index.ts';
import {
  readSignee,
  requireShown,
  requireType,
  requireUnchanged,
  type SigneeInProcess,
  type SigneeRequest,
  type SigningPorts,
} from './find-signee.ts';
import { type OwnSignature, type SignatureOrder, signDocument } from './sign-document.ts';

type Proof = CommandOf<'sign'>['proof'];

/** A signature to be created and committed. */
export interface SignatureCommit
  extends SigneeRequest,
    Pick<SignatureOrder, 'method' | 'drawing'>,
    Pick<Proof, 'channel' | 'sessionId'> {
  /** The signee's own signature and identity. Undefined: the company's key signs. */
  readonly own?: OwnSignature & { readonly login: ProvedIdentity };
  /** `click`, `code` or the name of an identity provider. */
  readonly provedBy: string;
  readonly type: SignatureType;
  /** Fencing token of the lease, if there is one. */
  readonly token?: number;
  /** Further writes in the transaction of the signature. */
  also?(unit: StoreUnit): Promise<void>;
}

/** Rounds in addition to one per signee: one concurrent signature succeeds in each round. */
const SPARE_ROUNDS = 4;

/**
 * Creates a signature and commits it. PDF work is done outside the transaction, so the document may
 * change meanwhile; the work is then repeated on the new document.
 *
 * @throws process.not_found, error.signee.not_found, process.file.not_found, process.conflict
 * @throws signing.forbidden.*, 2002
 */
export function commitSignature(
  commit: SignatureCommit,
  ports: SigningPorts,
): Promise<SigningProcess> {
  return inTurn(ports.store, commit.processKey, () => signInRounds(commit, ports));
}

async function signInRounds(commit: SignatureCommit, ports: SigningPorts): Promise<SigningProcess> {
  for (let round = 1; ; round++) {
    const found = await readSignee(ports, commit);
    const rounds = commit.token === undefined ? found.process.signees.length + SPARE_ROUNDS : 1;
    requireMaySign(found, commit.type, ports.now());
    try {
      return await signOnce(found, commit, ports);
    } catch (error) {
      const isLate = isInnsigliError(error) && error.code === 'process.conflict';
      if (!isLate || round >= rounds) throw error;
    }
  }
}

function requireMaySign(found: SigneeInProcess, type: SignatureType, nowMs: number): void {
  requireType(found, type);
  // The transaction makes the final decision; this check only avoids wasted work.
  const refusal = signingRule(found.process, found.signee, { nowMs });
  const isTurn = refusal?.code === 'signing.forbidden.order' && found.process.sequenceKey;
  if (refusal !== undefined && !isTurn) throw refusalError(refusal, nowMs);
}

async function signOnce(
  { process, signee }: SigneeInProcess,
  commit: SignatureCommit,
  ports: SigningPorts,
): Promise<SigningProcess> {
  const { signeeKey, circumstances, method, provedBy, channel, sessionId, own, token } = commit;
  const isTest =
    own?.login.isSimulated === true || channel === 'TestNumber' || isByTestPerson(signee);
  requireUnchanged(process, commit);
  requireShown(process, commit);
  const { drawing } = commit;
  const order = { process, signee, method, isTest, ...defined({ own, drawing }) };
  const { seenSha256, document, certificate, field } = await signDocument(order, ports);
  const shownSha256 = lastShown(signee);
  const proof: Proof = {
    ...circumstances,
    method: provedBy,
    certificate,
    signedSha256: seenSha256,
    field,
    ...defined({ channel, sessionId, shownSha256 }),
  };
  const command = {
    type: 'sign',
    signeeKey,
    seenSha256,
    document,
    proof,
    ...defined({ token }),
    ...(own === undefined ? {} : { own: own.login }),
  } as const;
  const outcome = await ports.store.write(async (unit) => {
    const who = await identityOfToken(unit, commit.tokenSha256);
    const applied = await applyCommand(unit, ports, process.key, { ...command, ...who }, process);
    if (applied.refusal === undefined) await commit.also?.(unit);
    return applied;
  });
  return requireAccepted(outcome);
}

// Read within the transaction: the login may have been replaced since the token was checked.
async function identityOfToken(unit: StoreUnit, tokenSha256: string | undefined) {
  if (tokenSha256 === undefined) return {};
  const token = await unit.accessTokens.find(tokenSha256);
  if (token === undefined) throw unknownToken();
  // A passcode is not a login: its holder has no identity.
  if (token.isPasscode === true) return { who: '' };
  return token.who === undefined ? {} : { who: token.who };
}

/** The error for an unknown token. */
export function unknownToken(): InnsigliError {
  return new InnsigliError('authentication.token.invalid', 'there is no such session');
}

const queues = new WeakMap<Store, Map<ProcessKey, Promise<unknown>>>();

/**
 * Runs `work` after all earlier work on the same document. It only avoids wasted signatures within
 * one program; between programs the transaction decides.
 */
async function inTurn<T>(store: Store, key: ProcessKey, work: () => Promise<T>): Promise<T> {
  const queue = queues.get(store) ?? new Map<ProcessKey, Promise<unknown>>();
  queues.set(store, queue);
  const before = queue.get(key) ?? Promise.resolve();
  const turn = before.then(work, work);
  queue.set(key, turn);
  try {
    return await turn;
  } finally {
    if (queue.get(key) === turn) queue.delete(key);
  }
}
