import {
  base64Bytes,
  chainRefusal,
  cookiesOf,
  findPerson,
  newId,
  type ProviderAnswer,
  type ProviderRequest,
  type ProviderSession,
  type ProviderState,
} from './sessions.ts';

/** State of the chains: the newest position of each, and the session that it has started. */
export interface Chains {
  readonly byAuthId: Map<string, { service: string; session?: ProviderSession }>;
  /** Sessions by token, for the cookie. */
  readonly byToken: Map<string, { service: string; session: ProviderSession }>;
}

const LOAD_BALANCER = 'audssossolb=03';

/** Prompts of `api_v200`, in the order of the documentation. */
const prompts = [
  ['NameCallback', 'clientId', 'Sláðu inn clientId'],
  ['NameCallback', 'relatedParty', 'Sláðu inn Related Party'],
  ['NameCallback', 'user', 'Sláðu inn símanúmer eða kennitölu'],
  ['NameCallback', 'message', 'Sláðu inn skilaboð til notanda'],
  ['NameCallback', 'vchoice', 'Nota vchoice (true eða false)'],
  ['NameCallback', 'confirmMessage', 'Nota confirmMessage (true eða false)'],
  ['NameCallback', 'hash', 'Sláðu inn Hash gildi'],
  ['ChoiceCallback', 'method', 'Veldu auðkenningarleið'],
] as const;

const choices = ['sim', 'app', 'cards'];

function rotated<T>(list: readonly T[], by: number): T[] {
  return list.map((_, index) => list[(index + by) % list.length] as T);
}

function emptyCallbacks(turn: number): object[] {
  return rotated(prompts, turn).map(([type, name, prompt], index) => {
    const output: object[] = [{ name: 'prompt', value: prompt }];
    const isChoice = name === 'method';
    if (isChoice) output.push({ name: 'choices', value: rotated(choices, turn) });
    if (isChoice) output.push({ name: 'defaultChoice', value: 0 });
    const input = [{ name: `IDToken${index + 1}`, value: isChoice ? 0 : '' }];
    return { type, output, input, _id: index };
  });
}

/**
 * `authenticate`: starts a chain, accepts the answers to its prompts, then waits for the person.
 */
export function authenticate(
  request: ProviderRequest,
  state: ProviderState,
  chains: Chains,
): ProviderAnswer {
  const { headers, url } = request;
  const service = url.searchParams.get('authIndexValue') ?? '';
  const isAsked =
    request.method === 'POST' &&
    headers['content-type'] === 'application/json' &&
    headers['accept-api-version'] === 'resource=2.0,protocol=1.0' &&
    url.searchParams.get('authIndexType') === 'service' &&
    ['api_v200', 'api_v201', 'api_v202'].includes(service);
  if (!isAsked) return { status: 400, body: { code: 400, reason: 'Bad Request' } };
  const message = JSON.parse(request.body) as { authId?: string; callbacks?: unknown[] };
  if (message.authId === undefined) return begin(service, state, chains);
  if (cookiesOf(request)['audssossolb'] !== '03') return chainRefusal('no node');
  const chain = chains.byAuthId.get(message.authId);
  if (chain === undefined) return chainRefusal('Invalid authId');
  chains.byAuthId.delete(message.authId);
  const callbacks = (message.callbacks ?? []) as Callback[];
  return chain.session === undefined
    ? fill(callbacks, chain.service, state, chains)
    : wait(callbacks, { ...chain, session: chain.session }, state, chains);
}

interface Callback {
  readonly type: string;
  readonly output: readonly { readonly name: string; readonly value: unknown }[];
  readonly input?: readonly { readonly name: string; readonly value: unknown }[];
}

function begin(service: string, state: ProviderState, chains: Chains): ProviderAnswer {
  const turn = state.nextId;
  const authId = newId(state, 'authId');
  chains.byAuthId.set(authId, { service });
  return {
    status: 200,
    headers: { 'set-cookie': [`${LOAD_BALANCER}; Path=/; Secure; HttpOnly`] },
    body: { authId, callbacks: emptyCallbacks(turn), stage: 'api' },
  };
}

function fill(
  callbacks: readonly Callback[],
  service: string,
  state: ProviderState,
  chains: Chains,
): ProviderAnswer {
  const given = new Map<string, unknown>();
  for (const { output, input } of callbacks) {
    const prompt = output.find(({ name }) => name === 'prompt')?.value;
    const known = prompts.find(([, , text]) => text === prompt);
    if (known !== undefined) given.set(known[1], input?.[0]?.value);
    const list = output.find(({ name }) => name === 'choices')?.value as string[] | undefined;
    if (list !== undefined) given.set('method', list[Number(input?.[0]?.value)]);
  }
  const refusal = state.refusals.shift() ?? refusalOf(given, state);
  if (refusal !== undefined) return chainRefusal(refusal);
  const person = findPerson(state, String(given.get('user')));
  if (person === undefined) return chainRefusal('mssp_105');
  const session: ProviderSession = {
    use: given.get('method') === 'sim' ? 'sim-auth' : 'app-auth',
    person,
    hash: base64Bytes(String(given.get('hash'))) ?? new Uint8Array(),
    text: String(given.get('message')),
    startedAtMs: state.nowMs,
    status: 'waiting',
  };
  state.sessions.push(session);
  return waiting({ service, session }, state, chains);
}

function refusalOf(given: ReadonlyMap<string, unknown>, state: ProviderState): string | undefined {
  if (given.size !== prompts.length) return 'mssp_102';
  if (given.get('clientId') !== state.clientId) return 'InvalidClientId';
  const message = String(given.get('message'));
  if (message === '' || /[\n\r]/.test(message)) return 'mssp_101';
  if ([...message].length > 60) return 'mssp_103';
  const isFlag = (name: string) => ['true', 'false'].includes(String(given.get(name)));
  if (!isFlag('vchoice') || !isFlag('confirmMessage')) return 'mssp_101';
  const method = given.get('method');
  if (method !== 'sim' && method !== 'app') return 'mssp_109';
  const hash = base64Bytes(String(given.get('hash')));
  return hash?.length === (method === 'sim' ? 32 : 64) ? undefined : 'mssp_103';
}

function waiting(
  chain: { service: string; session: ProviderSession },
  state: ProviderState,
  chains: Chains,
): ProviderAnswer {
  const authId = newId(state, 'authId');
  chains.byAuthId.set(authId, chain);
  const output = [
    { name: 'waitTime', value: '5000' },
    { name: 'message', value: 'templates.user.LoginTemplate.pollingwaitmessage' },
  ];
  return { status: 200, body: { authId, callbacks: [{ type: 'PollingWaitCallback', output }] } };
}

const MOST_MS = 180_000;

function wait(
  [callback]: readonly Callback[],
  chain: { service: string; session: ProviderSession },
  state: ProviderState,
  chains: Chains,
): ProviderAnswer {
  const { session } = chain;
  if (callback?.type !== 'PollingWaitCallback') return chainRefusal('mssp_101');
  if (session.status === 'refused') return chainRefusal(session.code ?? 'mssp_900');
  if (state.nowMs - session.startedAtMs > MOST_MS) {
    const body = { code: 401, reason: 'Unauthorized', message: 'Session has timed out' };
    return { status: 401, body: { ...body, detail: { errorCode: '110' } } };
  }
  if (session.status === 'waiting' || state.faults.has('never ends')) {
    return waiting(chain, state, chains);
  }
  const tokenId = newId(state, 'tokenId');
  chains.byToken.set(tokenId, chain);
  return {
    status: 200,
    headers: { 'set-cookie': [`audsso=${tokenId}; Path=/; Secure; HttpOnly`] },
    body: { tokenId, successUrl: '/sso/console', realm: '/audkenni' },
  };
}
