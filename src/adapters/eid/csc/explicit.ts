import { EidError } from '../../../app/ports/index.ts';
import type { CscClient } from './client.types.ts';
import type { Credential } from './credential.ts';
import { requireText, secondsOf } from './members.ts';
import { callMethod } from './requests.ts';
import type { OrderState } from './session-state.ts';

/** Signature activation data, and when it ends. */
export interface Activation {
  readonly sad: string;
  readonly untilMs: number;
}

/** Life of signature activation data that says nothing of it. @spec CSC API §11.6 */
const USUAL_SECONDS = 3_600;

/**
 * Authorises one signature with values of the configuration. Values that a person would have to
 * type cannot be asked for: a credential that needs one is refused.
 *
 * @throws EidError `internalError` when the configured values do not suffice
 * @throws EidError `accountUnusable` when the provider refuses a value
 */
export async function authorizeExplicitly(
  client: CscClient,
  credential: Credential,
  order: OrderState,
  token: string,
): Promise<Activation> {
  const { settings, environment } = client;
  const values = settings.authorizationValues ?? {};
  const ids = requireObjects(credential, Object.keys(values));
  const body = {
    credentialID: credential.id,
    numSignatures: 1,
    hashes: [order.digest],
    hashAlgorithmOID: order.choice.hashAlgorithmOID,
    authData: ids.map((id) => ({ id, value: values[id] })),
    description: order.label,
  };
  const answer = await callMethod(client, 'credentials/authorize', body, token);
  const seconds = secondsOf(answer, 'expiresIn') ?? USUAL_SECONDS;
  return { sad: requireText(answer, 'SAD'), untilMs: environment.now() + seconds * 1_000 };
}

/**
 * The fewest objects with a value that satisfy the expression of the credential; all objects where
 * there is none.
 *
 * @throws EidError `internalError` when there is no such set
 */
function requireObjects(
  { objectIds, expression }: Pick<Credential, 'objectIds' | 'expression'>,
  known: readonly string[],
): readonly string[] {
  const usable = objectIds.filter((id) => known.includes(id)).slice(0, 8);
  const rule = expression ?? objectIds.join(' AND ');
  const sets = Array.from({ length: 2 ** usable.length }, (_, bits) =>
    usable.filter((_, index) => (bits >> index) % 2 === 1),
  ).sort((a, b) => a.length - b.length);
  const found = sets.find((set) => set.length > 0 && holds(rule, new Set(set)));
  if (found !== undefined) return found;
  const message =
    'the credential needs a value that is not configured: see option authorizationValues';
  throw new EidError('internalError', message);
}

/** True when the objects satisfy an expression of AND, OR, XOR and parentheses. */
function holds(expression: string, given: ReadonlySet<string>): boolean {
  const tokens = expression.slice(0, 1_024).match(/[()]|[^\s()]+/g) ?? [];
  let at = 0;
  const term = (depth: number): boolean | undefined => {
    const token = tokens[at++];
    if (token === undefined || token === ')' || depth > 16) return undefined;
    if (token !== '(') return given.has(token);
    const inner = chain(depth + 1);
    return tokens[at++] === ')' ? inner : undefined;
  };
  // Operators have one rank, left to right: the API does not say otherwise.
  const chain = (depth: number): boolean | undefined => {
    let value = term(depth);
    while (value !== undefined && /^(AND|OR|XOR)$/i.test(tokens[at] ?? '')) {
      const operator = (tokens[at++] as string).toUpperCase();
      const next = term(depth);
      if (next === undefined) return undefined;
      if (operator === 'AND') value = value && next;
      else value = operator === 'OR' ? value || next : value !== next;
    }
    return value;
  };
  const value = chain(0);
  return at === tokens.length && value === true;
}
