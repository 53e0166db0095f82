import { describe, expect, test } from 'vitest';
import { type EidEnvironment, EidError } from '../../../../src/app/ports/index.ts';
import { parseOcspRequest } from '../../../../src/formats/x509/index.ts';
import { cibaRequest, world as cibaWorld, openCiba } from '../../../support/eid/audkenni-ciba.ts';
import { loginRequest, openRest, world as restWorld } from '../../../support/eid/audkenni-rest.ts';
import { finish } from '../../../support/eid/run-session.ts';

const ocspUrl = 'http://ocsp.example/ocsp';
const channels = ['Sim', 'App'] as const;

const ways = channels.flatMap((channel) => [
  {
    name: `audkenni-rest, ${channel}`,
    ...{ world: restWorld, channel, request: loginRequest(channel) },
    open: (options: object) => openRest(options),
  },
  {
    name: `audkenni-ciba, ${channel}`,
    ...{ world: cibaWorld, channel, request: cibaRequest(channel) },
    open: (options: object) => openCiba(channel, options),
  },
]);

describe.each(ways)('certificate status: $name', ({ world, channel, request, open }) => {
  /** The requests to provider and responder. Every fault is one of the responder. */
  function scene() {
    const bench = open({ ocspUrl });
    const member = channel === 'Sim' ? world.person.sim : world.person.app;
    const responder = { fault: '', asked: 0 };
    const http: EidEnvironment['http'] = async (asked) => {
      if (asked.url !== ocspUrl) return bench.environment.http(asked);
      responder.asked++;
      if (responder.fault === 'down') return { status: 503, headers: {}, body: Buffer.alloc(0) };
      const { nonce } = parseOcspRequest(Buffer.from(asked.body ?? ''));
      const shown = responder.fault === 'other nonce' ? new Uint8Array(34).fill(4) : nonce;
      const body = world.pki.ocsp(
        responder.fault === 'other' ? world.other.app.certificate : member.certificate,
        {
          status: responder.fault === 'revoked' ? 'revoked' : 'good',
          ...(shown === undefined ? {} : { nonce: shown }),
        },
      );
      return { status: 200, headers: {}, body };
    };
    return { ...bench, responder, environment: { ...bench.environment, http } };
  }

  async function approved(fault: string) {
    const bench = scene();
    const { state } = await bench.driver.start(request, bench.environment);
    bench.approve();
    bench.responder.fault = fault;
    return { bench, state };
  }

  test('a good OCSP response is stored in the evidence', async () => {
    const { bench, state } = await approved('');
    const answer = await finish(bench, state);
    expect(answer).toMatchObject({ status: 'complete', evidence: { ocsp: expect.any(String) } });
    expect(bench.responder.asked).toBe(1);
  });

  test.each([
    ['revoked', 'certificateErr'],
    ['other nonce', 'invalidResponse'],
    ['other', 'invalidResponse'],
  ])('an OCSP response with the fault "%s" leads to %s', async (fault, code) => {
    const { bench, state } = await approved(fault);
    expect(await finish(bench, state)).toMatchObject({ status: 'failed', code });
  });

  test("the person's approval survives an unavailable responder", async () => {
    const { bench, state } = await approved('down');
    bench.advance(5_000);
    const waiting = await bench.driver.poll(state, bench.environment);
    if (waiting.status !== 'pending') throw new Error(`the session is ${waiting.status}`);
    const stored = waiting.state ?? {};
    await expect(bench.driver.poll(stored, bench.environment)).rejects.toMatchObject({
      code: 'providerUnavailable',
    });
    bench.responder.fault = '';
    expect(await finish(bench, stored)).toMatchObject({ status: 'complete' });
  });

  describe('without a configured responder', () => {
    /** A scene in which the certificate's addresses respond with this status. */
    async function named(options: object, status: 'good' | 'revoked' | 'none' | 'down') {
      const bench = open(options);
      const member = channel === 'Sim' ? world.person.sim : world.person.app;
      const asked: string[] = [];
      const findStatus: EidEnvironment['findStatus'] = async (certificate, issuer) => {
        asked.push([certificate, issuer].map((der) => der.length > 0).join());
        expect(Buffer.from(certificate).equals(member.certificate.der)).toBe(true);
        if (status === 'down') throw new EidError('providerUnavailable', 'no responder answered');
        if (status === 'none') return { ocsp: [], crls: [] };
        return { ocsp: [world.pki.ocsp(member.certificate, { status })], crls: [] };
      };
      const environment = { ...bench.environment, findStatus };
      const { state } = await bench.driver.start(request, environment);
      bench.approve();
      return { bench: { ...bench, environment }, state, asked };
    }

    test('the responder named in the certificate is asked and its response stored', async () => {
      const { bench, state, asked } = await named({}, 'good');
      const answer = await finish(bench, state);
      expect(answer).toMatchObject({ status: 'complete', evidence: { ocsp: expect.any(String) } });
      expect(asked).toEqual(['true,true']);
    });

    test('a revoked certificate is rejected', async () => {
      const { bench, state } = await named({}, 'revoked');
      expect(await finish(bench, state)).toMatchObject({ code: 'certificateErr' });
    });

    test('a certificate that names no responder is accepted', async () => {
      const { bench, state } = await named({}, 'none');
      const answer = await finish(bench, state);
      expect(answer).toMatchObject({ status: 'complete' });
      expect(answer).not.toHaveProperty('evidence.ocsp');
    });

    test('an unavailable responder keeps the session open', async () => {
      const { bench, state } = await named({}, 'down');
      bench.advance(5_000);
      const waiting = await bench.driver.poll(state, bench.environment);
      const stored = waiting.status === 'pending' ? (waiting.state ?? {}) : {};
      await expect(bench.driver.poll(stored, bench.environment)).rejects.toMatchObject({
        code: 'providerUnavailable',
      });
    });

    test('no responder is asked if the configuration relies on the provider', async () => {
      const { bench, state, asked } = await named({ revocation: 'provider' }, 'revoked');
      expect(await finish(bench, state)).toMatchObject({ status: 'complete' });
      expect(asked).toEqual([]);
      const found = await bench.driver.check(bench.environment);
      const { message } = found.find(({ name }) => name === 'revocation') ?? {};
      expect(message).toContain('the provider checks it');
    });
  });
});
