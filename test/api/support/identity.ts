import { agreement, openTestApi, type TestApi } from './open-api.ts';

/** A response. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at answers of every shape
  readonly body: any;
}

/** The API, with short functions to call it. */
export interface IdentityApi extends TestApi {
  post(url: string, payload?: object, headers?: Record<string, string>): Promise<Reply>;
  get(url: string, headers?: Record<string, string>): Promise<Reply>;
  /** Lets a person respond: more than a polling interval passes. */
  answer(): void;
  /** A process to be signed, created through the API. */
  process(signee: object | readonly object[], more?: object): Promise<Place>;
  /** A sequence of two documents with the same persons. */
  sequence(signees: readonly object[], more?: object): Promise<SequencePlace>;
}

/** A process with its first signee. */
export interface Place {
  readonly processKey: string;
  readonly signeeKey: string;
  readonly signeeKeys: readonly string[];
  /** Path of the signing routes. */
  readonly sign: string;
  /** Path of the status routes. */
  readonly status: string;
}

/** A sequence with its persons. */
export interface SequencePlace {
  readonly sequenceKey: string;
  readonly personKeys: readonly string[];
  readonly path: string;
  readonly processes: readonly { readonly key: string; readonly signeeKeys: readonly string[] }[];
}

/** A person with a known number, and one without a phone number. */
export const einar = { name: 'Ödön Kőrösi', ssn: '6000101994', phoneNumber: '6666666' };

/** Opens the API of {@link openTestApi}. */
export async function openIdentityApi(
  ...opening: Parameters<typeof openTestApi>
): Promise<IdentityApi> {
  const api = await openTestApi(...opening);
  const ask = async (
    method: 'GET' | 'POST',
    url: string,
    payload?: object,
    headers: Record<string, string> = {},
  ): Promise<Reply> => {
    const given = payload === undefined ? {} : { payload };
    const reply = await api.app.inject({ method, url, headers, ...given });
    const isJson = String(reply.headers['content-type'] ?? '').includes('json');
    return {
      status: reply.statusCode,
      headers: reply.headers,
      body: isJson ? reply.json() : reply.body,
    };
  };
  const owner = { authorization: api.basic };
  const pdf = { pdfDocument: agreement.toString('base64'), pdfFileName: 'Samningur.pdf' };
  const options = (createSignees: object) => ({ flowKey: api.flowKey, ...pdf, createSignees });
  const made = (reply: Reply) => {
    if (reply.status === 200) return reply.body;
    throw new Error(`not made: ${JSON.stringify(reply.body)}`);
  };
  return {
    ...api,
    post: (url, payload, headers) => ask('POST', url, payload, headers),
    get: (url, headers) => ask('GET', url, undefined, headers),
    answer: () => api.pass(2500),
    process: async (signee, more = {}) => {
      const signees = Array.isArray(signee) ? signee : [signee];
      const payload = { ...options(signees), ...more };
      const { key, signees: shown } = made(
        await ask('POST', '/api/management/signing', payload, owner),
      );
      const signeeKeys = shown.map((each: { key: string }) => each.key);
      const [signeeKey] = signeeKeys;
      return {
        processKey: key,
        signeeKey,
        signeeKeys,
        sign: `/api/signing/sign/${key}/signee/${signeeKey}`,
        status: `/api/signing/status/processkey/${key}/signeekey/${signeeKey}`,
      };
    },
    sequence: async (signees, more = {}) => {
      const processes = [options(signees), options(signees)];
      const payload = { createSigningProcesses: processes, user: 'owner@example.test', ...more };
      const body = made(await ask('POST', '/api/management/signing/sequential', payload, owner));
      return {
        sequenceKey: body.key,
        personKeys: body.signees.map((each: { key: string }) => each.key),
        path: `/api/signing/sequential/${body.key}`,
        processes: body.signingProcesses.map(
          (each: { key: string; signees: { key: string }[] }) => ({
            key: each.key,
            signeeKeys: each.signees.map(({ key }) => key),
          }),
        ),
      };
    },
  };
}
