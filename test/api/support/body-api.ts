import type { LightMyRequestResponse } from 'fastify';
import { agreement, openTestApi, type TestApi } from './open-api.ts';

/** One interface for a file of tests that send bodies as they are. */
export interface BodyApi {
  readonly api: TestApi;
  post(url: string, payload: string | Buffer, type?: string): Promise<LightMyRequestResponse>;
  /** Asks for a process with this body. */
  create(payload: string): Promise<LightMyRequestResponse>;
  /** A body that is in order, with `more` in it. */
  request(more?: object): object;
}

/** Opens the interface of {@link openTestApi} with ways to send it any body. */
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
