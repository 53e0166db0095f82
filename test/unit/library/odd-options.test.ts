import { describe, expect, test } from 'vitest';
import * as library from '../../../src/index.ts';
import { isInnsigliError } from '../../../src/index.ts';
import { optionNames } from '../../../src/wire/library/check-arguments.ts';
import { makeTestPki } from '../../support/pki.ts';
import { fixture, sealOptions } from '../../support/sealing.ts';

// As called from plain JavaScript.
type Call = (...args: unknown[]) => unknown;

const all: Readonly<Record<string, unknown>> = { ...library };
const exported = (name: string) => all[name] as Call;

const pki = makeTestPki();
const pdf = fixture('agreement.pdf');
const xml = new TextEncoder().encode('<a/>');
const files = [{ name: 'a.txt', content: xml }];
const { signer, ...longTerm } = sealOptions(pki);
const seal = { ...longTerm, signer, level: 'B-B' };
const sealed = (await library.sealPdf(pdf, sealOptions(pki, { level: 'B-B' }))).bytes;
const calls: Readonly<Record<string, readonly [unknown, object]>> = {
  sealPdf: [pdf, seal],
  sealPdfWithCms: [pdf, { signer: { estimatedLengthBytes: 100, signContent: async () => xml } }],
  augmentPdf: [sealed, longTerm],
  verifyDocument: [sealed, { trust: longTerm.trust }],
  sealXml: [xml, seal],
  augmentXml: [xml, longTerm],
  sealContainer: [files, seal],
  augmentContainer: [xml, longTerm],
  augmentCms: [xml, longTerm],
  planArchive: [sealed, longTerm],
};

const oddValues: readonly (readonly [string, unknown])[] = [
  ['null', null],
  ['a number', 7],
  ['no number', Number.NaN],
  ['text', 'x'],
  ['no text', ''],
  ['true', true],
  ['an object', {}],
  ['an array', []],
  ['an array of null', [null]],
  ['an array of objects', [{}]],
  ['an array of numbers', [1, 2, 3, Number.NaN]],
  ['a symbol', Symbol('x')],
  ['a big integer', 7n],
  ['a function', () => 1],
  ['an invalid date', new Date(Number.NaN)],
  ['an object without prototype', Object.create(null)],
  ['bytes', Uint8Array.of(1, 2, 3)],
  ['a revoked Proxy', revoked()],
  ['a Proxy of bytes', new Proxy(new Uint8Array(3), {})],
  ['an object whose members throw', throwing()],
  ['a long text', 'x'.repeat(1 << 20)],
];

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function throwing(): unknown {
  const refuse = () => {
    throw new TypeError('this object does not show itself');
  };
  return new Proxy({}, { get: refuse, has: refuse, ownKeys: refuse, getPrototypeOf: refuse });
}

/** The code, or `done`. Any error other than an InnsigliError is returned as it is. */
async function outcome(call: Call, ...args: unknown[]): Promise<string> {
  try {
    await call(...args);
    return 'done';
  } catch (error) {
    return isInnsigliError(error) && error.code !== 'internal.unexpected'
      ? 'a code'
      : String(error);
  }
}

describe('odd arguments fail only with a code', () => {
  test.each(Object.keys(calls))('as options of %s', async (name) => {
    const call = exported(name);
    const [source, options] = calls[name] as readonly [unknown, object];
    const found: string[] = [];
    const tell = (what: string, result: string) => {
      if (result !== 'done' && result !== 'a code') found.push(`${what}: ${result}`);
    };
    for (const [kind, odd] of oddValues) {
      tell(`the document is ${kind}`, await outcome(call, odd, options));
      tell(`options are ${kind}`, await outcome(call, source, odd));
      for (const option of optionNames[name as 'sealPdf']) {
        tell(`${option}: ${kind}`, await outcome(call, source, { ...options, [option]: odd }));
      }
    }
    tell('nothing', await outcome(call));
    expect(found).toEqual([]);
  });

  const members: readonly (readonly [string, string, readonly string[]])[] = [
    ['sealPdf', 'visible', optionNames.visible],
    ['sealXml', 'place', ['city', 'street', 'state', 'postalCode', 'country']],
    ['sealXml', 'policy', ['id', 'digest', 'digestAlgorithm', 'uri', 'notice']],
    ['sealPdf', 'signer', ['certificate', 'chain', 'algorithm', 'sign']],
    ['sealPdfWithCms', 'signer', ['estimatedLengthBytes', 'signContent']],
    ['augmentPdf', 'timestampAuthority', ['name', 'tokenLengthBytes', 'timestamp']],
    ['augmentPdf', 'revocation', ['find']],
  ];
  test.each(members)('in %s, as members of %s', async (name, option, names) => {
    const call = exported(name);
    const [source, options] = calls[name] as readonly [unknown, Record<string, object>];
    const policy = { id: '1.2.3', digest: xml, digestAlgorithm: 'sha256' };
    const usual = options[option] ?? (option === 'policy' ? policy : {});
    const found: string[] = [];
    for (const [kind, odd] of oddValues) {
      for (const member of names) {
        const changed = { ...options, [option]: { ...usual, [member]: odd } };
        const result = await outcome(call, source, changed);
        if (result !== 'done' && result !== 'a code') found.push(`${member}: ${kind}: ${result}`);
      }
    }
    expect(found).toEqual([]);
  });

  const makers = [
    'fromSignpdfSigner',
    'toSignpdfSigner',
    'keyObjectSigner',
    'p12Signer',
    'pemSigner',
    'combinedRevocationSource',
    'httpRevocationSource',
    'staticRevocationSource',
    'failoverTimestampAuthority',
    'httpTimestampAuthority',
    'localTimestampAuthority',
  ] as const;
  test.each(makers)('as arguments of %s', async (name) => {
    const call = exported(name);
    const found: string[] = [];
    for (const [kind, odd] of oddValues) {
      for (const args of [[odd], [signer, odd], [[odd]]]) {
        const result = await outcome(call, ...args);
        if (result !== 'done' && result !== 'a code') found.push(`${kind}: ${result}`);
      }
    }
    expect(found).toEqual([]);
  });
});
