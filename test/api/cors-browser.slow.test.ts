import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserMissing, openSite, type Site } from './support/browser.ts';
import { einar, type IdentityApi, openIdentityApi, type Place } from './support/identity.ts';

const why = browserMissing === undefined ? '' : ` (skipped: ${browserMissing})`;
const clicker = { name: 'A', email: 'a@example.test', signatureType: 'ClickToSign' };

/** The outcome of each request as the page sees it: the status, or the name of the error. */
type Seen = Readonly<Record<string, unknown>>;

describe.skipIf(browserMissing !== undefined)(
  `CORS for pages of other origins in a browser${why}`,
  () => {
    let api: IdentityApi;
    let base = '';
    let acme: Site;
    let other: Site;
    let nobody: Site;
    beforeAll(async () => {
      api = await openIdentityApi();
      base = await api.app.listen({ host: '127.0.0.1', port: 0 });
      [acme, other, nobody] = [await openSite(), await openSite(), await openSite()];
      const [key] = Buffer.from(api.foreign.slice(6), 'base64').toString().split(':');
      await api.toolkit.addOrigins([acme.origin]);
      await (await api.service.open(key)).addOrigins([other.origin]);
    }, 60_000);
    afterAll(async () => {
      for (const site of [acme, other, nobody]) await site?.close();
      await api?.close();
    });

    /** Prefix of every script: `call` returns the response, or the name of the error. */
    const helpers = () => `
    const base = ${JSON.stringify(base)};
    const seen = {};
    const json = (body) => ({ 'content-type': 'application/json', body: JSON.stringify(body) });
    const call = async (what, path, { body, more, ...headers } = {}, method) => {
      method ??= body === undefined ? 'GET' : 'POST';
      try {
        const answer = await fetch(base + path, { method, headers, body, ...more });
        seen[what] = answer.type === 'opaque' ? 'opaque' : answer.status;
        return answer;
      } catch (error) {
        seen[what] = error.name;
        return undefined;
      }
    };
    const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));`;

    const story = (place: Place, closed: Place) => `${helpers()}
    const app = { authenticationContextType: 'App', loginHint: '${einar.ssn}' };
    const authorization = ${JSON.stringify(api.basic)};
    await call('flows', '/api/management/flow', { authorization });
    await call('wrong key', '/api/management/flow', { authorization: 'Basic eDp5' });
    await call('nothing there', '/api/signing/sp00/signee/si00');
    await call('health', '/healthz');
    await call('description', '/openapi.json');
    const at = '/api/signing/${place.processKey}/signee/${place.signeeKey}';
    await call('process', at);
    await call('cookies', at, { more: { credentials: 'include' } });
    await call('opaque', at, { more: { mode: 'no-cors' } });
    await call('change', at, json({ processKey: '${place.processKey}',
      signeeKey: '${place.signeeKey}', city: 'Vík' }), 'PUT');
    const pdf = await call('pdf', '/api/pdf/${place.processKey}/${place.signeeKey}.pdf');
    if (pdf !== undefined) {
      seen.file = pdf.headers.get('content-disposition');
      seen.bytes = (await pdf.arrayBuffer()).byteLength;
      const headers = { 'if-none-match': pdf.headers.get('etag') ?? '' };
      await call('same', '/api/pdf/${place.processKey}/${place.signeeKey}.pdf',
        { ...headers, more: { cache: 'no-store' } });
    }
    await call('click', '${place.sign}/click', json({}));
    await call('click again', '${place.sign}/click', json({}));
    const one = { processKey: '${closed.processKey}', signeeKey: '${closed.signeeKey}' };
    const begun = await call('start', '/api/signing/auth/start', json({ ...one, ...app }));
    const authRequestId = (await begun?.json())?.authRequestId;
    await pause(2500);
    const done = await call('poll', '/api/signing/auth/poll', json({ ...one, authRequestId }));
    seen.simulated = done?.headers.get('x-innsigli-simulated');
    seen.id = done?.headers.get('x-request-id')?.length;
    const token = done?.headers.get('x-access-token') ?? 'none';
    seen.token = token.length > 20;
    await call('opened', '/api/signing/${closed.processKey}/signee/${closed.signeeKey}',
      { 'x-access-token': token });
    return seen;`;

    const run = async (site: Site) => {
      const place = await api.process(clicker);
      const closed = await api.process(einar, { requiresAuth: true });
      const seen = await site.run<Seen>(story(place, closed));
      const process = await api.toolkit.processes.show({ key: place.processKey });
      return { seen, signee: process.signees[0] };
    };

    test('a page of the company can do everything that the signing page does', async () => {
      const { seen, signee } = await run(acme);
      expect(seen).toEqual({
        ...{ flows: 200, 'wrong key': 401, 'nothing there': 404 },
        ...{ health: 'TypeError', description: 'TypeError' },
        ...{ process: 200, cookies: 'TypeError', opaque: 'TypeError', change: 200 },
        ...{ pdf: 200, file: expect.stringContaining('Samningur.pdf'), same: 304 },
        bytes: expect.any(Number),
        ...{ click: 200, 'click again': 403 },
        ...{ start: 200, poll: 200, simulated: 'true', id: 24, token: true, opened: 200 },
      });
      expect([signee?.state, signee?.city]).toEqual(['Signed', 'Vík']);
    }, 60_000);

    test('a page of another company reads only responses that are public', async () => {
      const { seen } = await run(other);
      const { flows, process, pdf, click, start, cookies, ...rest } = seen;
      expect([flows, process, pdf, click, start, cookies]).toEqual(Array(6).fill('TypeError'));
      expect(rest).toMatchObject({ 'wrong key': 401, 'nothing there': 404, opened: 401 });
    }, 60_000);

    test('a page of an unregistered origin reads nothing, and its preflighted requests are not executed', async () => {
      const { seen, signee } = await run(nobody);
      const { simulated, id, token, ...answers } = seen;
      expect([simulated, id, token]).toEqual([undefined, undefined, false]);
      expect(new Set(Object.values(answers))).toEqual(new Set(['TypeError']));
      // The page could load the document as an image can: such a request has no preflight.
      expect([signee?.state, signee?.city]).toEqual(['Viewed', undefined]);
    }, 60_000);

    test('a page whose origin is removed can read nothing within seconds, despite its cached preflight', async () => {
      const { processKey, signeeKey } = await api.process(clicker);
      const at = `/api/signing/${processKey}/signee/${signeeKey}`;
      // A custom header: the browser sends a preflight and caches the result for a minute.
      const told = acme.run<Seen>(`${helpers()}
      seen.times = 0;
      for (let tries = 0; tries < 100 && seen.last !== 'TypeError'; tries += 1) {
        await call('last', '${at}', { 'x-request-id': 'again' });
        if (seen.last === 200) seen.times += 1;
        await pause(100);
      }
      return seen;`);
      const opened = async () =>
        (await api.toolkit.processes.show({ key: processKey })).signees[0]?.openedAtMs ?? 0;
      await expect.poll(opened, { timeout: 20_000 }).toBeGreaterThan(0);
      await api.toolkit.removeOrigins([acme.origin]);
      const removedAtMs = Date.now();
      const { last, times } = await told;
      expect([last, Number(times) > 0]).toEqual(['TypeError', true]);
      expect(Date.now() - removedAtMs).toBeLessThan(4000);
    }, 60_000);
  },
);
