import { afterEach, describe, expect, test, vi } from 'vitest';
import { copyBytes, taken } from '../../../src/base/taken.ts';
import {
  augmentPdf,
  type CmsSigner,
  fromSignpdfSigner,
  isInnsigliError,
  type SealPdfOptions,
  type Signer,
  sealContainer,
  sealPdf,
  sealPdfWithCms,
  sealXml,
  toSignpdfSigner,
} from '../../../src/index.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture, sealOptions } from '../../support/sealing.ts';
import { testAuthority } from '../../support/tsa.ts';
import { verifyDocument } from '../../support/verify-document.ts';

const pki = makeTestPki();
const pdf = fixture('agreement.pdf');
const xml = new TextEncoder().encode('<a><b>10</b></a>');
const trust = [pki.member('root').der];
const at = new Date(pki.nowMs);
const checked = async (bytes: Uint8Array) =>
  (await verifyDocument(bytes, { trust, at })).indication;

/** An authority that writes to the caller's buffer before it responds. */
function meddling(buffer: Uint8Array): SealPdfOptions['timestampAuthority'] {
  const authority = testAuthority(pki);
  return {
    ...authority,
    async timestamp(request) {
      buffer.fill(0x20, 400, 440);
      return authority.timestamp(request);
    },
  };
}

/** Bytes of a caller's buffer that hide their tail. */
function lying(bytes: Uint8Array): Uint8Array {
  class Lying extends Uint8Array {
    override get length() {
      return 2 ** 40;
    }
    override subarray(): Uint8Array<ArrayBuffer> {
      return new Uint8Array(8);
    }
  }
  return new Lying(bytes);
}

function shared(bytes: Uint8Array): Uint8Array {
  const memory = new Uint8Array(new SharedArrayBuffer(bytes.length));
  memory.set(bytes);
  return memory;
}

const signpdfSigner = (): Promise<CmsSigner> =>
  toSignpdfSigner(sealOptions(pki).signer).then((signer) => fromSignpdfSigner(signer));

describe('arguments are copied before use', () => {
  test.each<[string, (buffer: Uint8Array) => Promise<Uint8Array>]>([
    [
      'sealPdf',
      async (buffer) => {
        const options = sealOptions(pki, { timestampAuthority: meddling(buffer) as never });
        return (await sealPdf(buffer, options)).bytes;
      },
    ],
    [
      'augmentPdf',
      async (buffer) => {
        const options = sealOptions(pki, { timestampAuthority: meddling(buffer) as never });
        const { signer: _, ...longTerm } = options;
        return (await augmentPdf(buffer, longTerm)).bytes;
      },
    ],
    [
      'sealPdfWithCms',
      async (buffer) => {
        const inner = await signpdfSigner();
        const signer: CmsSigner = {
          ...inner,
          async signContent(content) {
            buffer.fill(0x20, 400, 440);
            return inner.signContent(content);
          },
        };
        return (await sealPdfWithCms(buffer, { signer, trust, now: () => at })).bytes;
      },
    ],
  ])("%s: the caller's buffer may change meanwhile", async (call, work) => {
    const source =
      call === 'augmentPdf' ? (await sealPdf(pdf, sealOptions(pki, { level: 'B-T' }))).bytes : pdf;
    for (const room of [0, 1 << 19]) {
      // A large document takes another code path: it is not joined by copying.
      const padding = new Uint8Array(call === 'augmentPdf' ? 0 : room).fill(0x0a);
      const buffer = new Uint8Array([...source, ...padding]);
      const bytes = await work(buffer);
      expect(Buffer.compare(buffer, source)).not.toBe(0);
      expect(bytes.subarray(0, source.length)).toEqual(source);
      expect(await checked(bytes)).toBe('TOTAL-PASSED');
    }
  });

  test.each<[string, (bytes: Uint8Array) => Uint8Array]>([
    ['shared memory', shared],
    ['an incorrect length', lying],
    ['a Buffer', (bytes) => Buffer.from(bytes)],
    [
      'memory that may grow',
      (bytes) => {
        const memory = Reflect.construct(ArrayBuffer, [
          bytes.length,
          { maxByteLength: 1 << 20 },
        ]) as ArrayBuffer;
        const view = new Uint8Array(memory);
        view.set(bytes);
        return view;
      },
    ],
  ])('%s: the document is sealed and verified correctly', async (_, make) => {
    const { bytes } = await sealPdf(make(pdf), sealOptions(pki, { level: 'B-B' }));
    expect(bytes.subarray(0, pdf.length)).toEqual(pdf);
    expect((await verifyDocument(make(bytes), { trust, at })).indication).not.toBe('TOTAL-FAILED');
  });

  test('getters of options are read once', async () => {
    const counts = new Map<string, number>();
    const watched = <T extends object>(target: T): T =>
      new Proxy(target, {
        get(from, key, receiver) {
          if (typeof key === 'string') counts.set(key, (counts.get(key) ?? 0) + 1);
          return Reflect.get(from, key, receiver);
        },
      });
    const { signer, ...options } = sealOptions(pki, { certify: 2, reason: 'because' });
    const result = await sealPdf(pdf, watched({ ...options, signer: watched(signer) }));
    expect(await checked(result.bytes)).toBe('TOTAL-PASSED');
    const often = [...counts].filter(([key, count]) => count > 1 && !signature.has(key));
    expect(often).toEqual([]);
  });

  test('an option is used as it was validated, even if its getter changes', async () => {
    let reads = 0;
    const options = {
      ...sealOptions(pki, { level: 'B-B' }),
      get certify() {
        return (reads++ === 0 ? 2 : 9) as 2;
      },
    };
    const { bytes } = await sealPdf(pdf, options);
    expect(Buffer.from(bytes).toString('latin1')).toContain('/P 2');
    expect(reads).toBe(1);
  });

  test('trust anchors added to the same array are used in the next call', async () => {
    const { bytes } = await sealPdf(pdf, sealOptions(pki, { level: 'B-B' }));
    const anchors: Uint8Array[] = [];
    const report = async () => (await verifyDocument(bytes, { trust: anchors, at })).signatures[0];
    expect((await report())?.trusted).toBe(false);
    anchors.push(...trust);
    expect((await report())?.trusted).toBe(true);
    anchors.pop();
    expect((await report())?.trusted).toBe(false);
  });

  test('a trust anchor modified in place is used as modified in the next call', async () => {
    const { bytes } = await sealPdf(pdf, sealOptions(pki, { level: 'B-B' }));
    const root = Uint8Array.from(trust[0] as Uint8Array);
    const anchors: (Uint8Array | string)[] = [root];
    const report = async () => (await verifyDocument(bytes, { trust: anchors, at })).signatures[0];
    expect((await report())?.trusted).toBe(true);
    root.fill(0, 0, 1);
    await expect(report()).rejects.toMatchObject({ code: 'x509.invalid' });
    root.fill(0x30, 0, 1);
    expect((await report())?.trusted).toBe(true);
    anchors[0] = 7 as never;
    await expect(report()).rejects.toThrow('a certificate of trust: expected PEM text or bytes');
  });
});

/** Read by requirePort and then copied. */
const signature = new Set(['sign']);

describe('a port that returns invalid values', () => {
  const { signer } = sealOptions(pki);
  const detached = new Uint8Array(8);
  structuredClone(detached, { transfer: [detached.buffer] });
  const answers: readonly [string, unknown][] = [
    ['undefined', undefined],
    ['null', null],
    ['text', 'signature'],
    ['an ArrayBuffer', new ArrayBuffer(256)],
    ['a Proxy of bytes', new Proxy(new Uint8Array(256), {})],
    ['no bytes', new Uint8Array(0)],
    ['detached memory', detached],
    ['a number', 7],
  ];
  const calls: readonly [string, (signer: Signer) => Promise<unknown>][] = [
    ['sealPdf', (odd) => sealPdf(pdf, sealOptions(pki, { level: 'B-B', signer: odd }))],
    ['sealXml', (odd) => sealXml(xml, sealOptions(pki, { level: 'B-B', signer: odd }))],
    [
      'sealContainer, CAdES',
      (odd) =>
        sealContainer([{ name: 'a.txt', content: xml }], {
          ...sealOptions(pki, { level: 'B-B', signer: odd }),
          format: 'cades',
        }),
    ],
    ['toSignpdfSigner', async (odd) => (await toSignpdfSigner(odd)).sign(Buffer.from(pdf))],
    [
      'sealPdfWithCms',
      (odd) => {
        const cms = { estimatedLengthBytes: 8192, signContent: odd.sign };
        return sealPdfWithCms(pdf, { signer: cms, trust, now: () => at });
      },
    ],
    [
      'fromSignpdfSigner',
      (odd) => {
        const cms = fromSignpdfSigner({ sign: odd.sign } as never);
        return Promise.resolve(cms.signContent(pdf));
      },
    ],
  ];
  const table = calls.flatMap(([name, call]) =>
    answers.map(([what, answer]) => [name, what, call, answer] as const),
  );
  test.each(table)(
    '%s: a signer returning %s fails with key.sign.failed',
    async (_, _what, call, answer) => {
      const odd = { ...signer, sign: async () => answer } as unknown as Signer;
      await expect(call(odd)).rejects.toMatchObject({ code: 'key.sign.failed' });
    },
  );

  test.each<[string, object, RegExp]>([
    ['no certificate', { certificate: undefined }, /signer.certificate: expected bytes/],
    ['no chain', { chain: undefined }, /signer.chain: expected an array/],
    ['a chain of text', { chain: ['x'] }, /signer.chain: expected bytes/],
    ['no algorithm', { algorithm: undefined }, /signer.algorithm: expected an object/],
    [
      'an unknown scheme',
      { algorithm: { scheme: 'dsa', digest: 'sha256' } },
      /scheme: expected rsa/,
    ],
    [
      'an unknown digest',
      { algorithm: { scheme: 'ecdsa', digest: 'crc' } },
      /digest: expected .*sha256/,
    ],
  ])('a signer with %s fails with usage.invalid', async (_, change, message) => {
    const odd = { ...signer, ...change } as Signer;
    for (const [, call] of calls.slice(0, 4)) {
      await expect(call(odd)).rejects.toMatchObject({
        code: 'usage.invalid',
        message: expect.stringMatching(message),
      });
    }
  });

  test('fails with a code: authorities, sources, clocks and random bytes', async () => {
    const codes = async (changes: object) => {
      try {
        await sealPdf(pdf, sealOptions(pki, changes));
        return 'sealed';
      } catch (error) {
        return isInnsigliError(error) ? error.code : String(error);
      }
    };
    const authority = (timestamp: unknown) => ({
      timestampAuthority: { name: 'odd', timestamp },
    });
    expect(await codes(authority(async () => undefined))).toBe('tsa.response.invalid');
    expect(await codes(authority(() => 7))).toBe('tsa.response.invalid');
    expect(await codes(authority(() => Promise.reject(new TypeError('x'))))).toBe(
      'tsa.unreachable',
    );
    const source = (find: unknown) => ({ revocation: { find } });
    expect(await codes(source(async () => undefined))).toBe('network.failed');
    expect(await codes(source(async () => ({ ocsp: [7], crls: [] })))).toBe('network.failed');
    const posing = Object.setPrototypeOf(() => 0, Uint8Array.prototype) as unknown;
    expect(await codes(source(async () => ({ ocsp: [posing], crls: [] })))).toBe('network.failed');
    expect(await codes({ now: () => 7 })).toBe('usage.invalid');
    expect(await codes({ now: () => new Date(Number.NaN) })).toBe('usage.invalid');
    expect(await codes({ random: () => undefined })).toBe('usage.invalid');
    expect(await codes({ random: () => new Uint8Array(1) })).toBe('usage.invalid');
  });
});

describe('a port that never answers', () => {
  afterEach(() => void vi.useRealTimers());
  const never = () => new Promise<never>(() => undefined);
  const { signer } = sealOptions(pki);
  test.each<[string, string, () => Promise<unknown>]>([
    [
      'a signer',
      'key.sign.failed',
      () => sealPdf(pdf, sealOptions(pki, { level: 'B-B', signer: { ...signer, sign: never } })),
    ],
    [
      'a CMS signer',
      'key.sign.failed',
      () =>
        sealPdfWithCms(pdf, {
          signer: { estimatedLengthBytes: 100, signContent: never },
          now: () => at,
        }),
    ],
    [
      'an authority',
      'tsa.timeout',
      () =>
        sealPdf(pdf, sealOptions(pki, { timestampAuthority: { name: 'slow', timestamp: never } })),
    ],
    [
      'a revocation source',
      'network.failed',
      () => sealPdf(pdf, sealOptions(pki, { revocation: { find: never } })),
    ],
  ])('times out after 300 s: %s fails with %s', async (_, code, call) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const outcome = call().then(
      () => 'done',
      (error) => error,
    );
    for (let turn = 0; turn < 200 && vi.getTimerCount() === 0; turn++) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(vi.getTimerCount()).toBe(1);
    await vi.advanceTimersByTimeAsync(300_000);
    expect(await outcome).toMatchObject({ code, message: expect.stringMatching(/within 300 s/) });
  });
});

describe('taken', () => {
  test('copies bytes, texts, dates, arrays and objects', () => {
    const bytes = Uint8Array.of(1, 2);
    const time = new Date(7);
    const work = () => 1;
    const given = { bytes, time, list: [bytes, 'x', null], work };
    const copy = taken('x', given);
    expect(copy).toEqual(given);
    expect(copy.bytes).not.toBe(bytes);
    expect(copy.time).not.toBe(time);
    expect(copy.work).toBe(work);
  });

  test.each<[string, unknown, string]>([
    ['an endless length', new Proxy([], { get: () => 2 ** 40 }), 'limit.exceeded'],
    ['endless nesting', endless(), 'limit.exceeded'],
    [
      'a getter that throws',
      {
        get a() {
          throw new TypeError('no');
        },
      },
      'usage.invalid',
    ],
    ['numbers that are not bytes', new Float64Array(1), 'usage.invalid'],
  ])('rejects %s', (_, value, code) => {
    expect(() => taken('x', value)).toThrow(expect.objectContaining({ code }));
  });

  test('accepts bytes of another realm', async () => {
    const { runInNewContext } = await import('node:vm');
    expect([...copyBytes('x', runInNewContext('Uint8Array.of(1, 2)'))]).toEqual([1, 2]);
  });
});

function endless(): unknown {
  const value: { own?: unknown } = {};
  value.own = value;
  return value;
}
