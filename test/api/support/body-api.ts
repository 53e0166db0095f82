import type { LightMyRequestResponse } from 'fastify';
import { agreement, openTestApi, type TestApi } from './open-api.ts';

/** An API for test files that send raw bodies. */
export interface BodyApi {
  readonly api: TestApi;
  post(url: string, payload: string | Buffer, type?: string): Promise<LightMyRequestResponse>;
  /** Requests a process with this body. */
  create(payload: string): Promise<LightMyRequestResponse>;
  /** A valid body with `more` in it. */
  request(more?: object): object;
}

/** Opens the API of {@link openTestApi} with functions to send any body. */
export async function openBodyApi(): Promise<BodyApi> {
  const api = await openTestApi();
  const post: BodyApi['post'] = (url, payload, type = 'application/json') =>
    api.app.inject({
      method: 'POST',
      url: `/api${url}`,
      headers: { authorization: api.basic, 'content-type': type },
      payload,
    });
  return {
    api,
    post,
    create: (payload) => post('/management/signing', payload),
    request: (more = {}) => ({
      flowKey: api.flowKey,
      pdfDocument: agreement.toString('base64'),
      pdfFileName: 'agreement.pdf',
      createSignees: [{ name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' }],
      ...more,
    }),
  };
}
