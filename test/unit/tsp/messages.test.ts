import { describe, expect, test } from 'vitest';
import { der } from '../../../src/formats/asn1/index.ts';
import {
  buildMessageImprint,
  buildTimestampRequest,
  buildTimestampResponse,
  buildTstInfo,
  parseTimestampRequest,
  parseTimestampResponse,
  parseTimestampToken,
  type TimestampFailure,
  type TimestampStatus,
} from '../../../src/formats/tsp/index.ts';

const hex = (bytes: Uint8Array | undefined) => bytes && Buffer.from(bytes).toString('hex');
const imprint = new Uint8Array(32).fill(0xab);
const invalid = expect.objectContaining({ name: 'InnsigliError', code: 'tsp.invalid' });

describe('an RFC 3161 request', () => {
  test('is encoded as specified', () => {
    const request = buildTimestampRequest({
      digest: 'sha256',
      imprint,
      nonce: Uint8Array.of(0x40, 1),
      policy: '2.999.1',
    });
    expect(hex(request)).toBe(
      `3040020101302f300b0609608648016503040201${'0420'}${'ab'.repeat(32)}` +
        '0603883701020240010101ff',
    );
  });

  test.each([
    ['everything', { nonce: Uint8Array.of(0x81, 2), policy: '1.2.3', certReq: true }],
    ['nothing optional', { certReq: false }],
    ['a nonce alone', { nonce: Uint8Array.of(0, 0, 5), certReq: false }],
    ['a policy alone', { policy: '2.999.77' }],
  ])('with %s survives a round trip', (_, more) => {
    const input = { digest: 'sha512', imprint: new Uint8Array(64), ...more } as const;
    const parsed = parseTimestampRequest(buildTimestampRequest(input));
    expect(parsed).toMatchObject({ version: 1, digest: 'sha512', extended: false });
    expect(parsed.policy).toBe('policy' in more ? more.policy : undefined);
    expect(parsed.certReq).toBe('certReq' in more ? more.certReq : true);
    expect(hex(parsed.imprintDer)).toBe(hex(buildMessageImprint('sha512', new Uint8Array(64))));
    const sent = 'nonce' in more ? BigInt(`0x${hex(more.nonce)}`) : undefined;
    const found = parsed.nonce && BigInt(`0x${hex(parsed.nonce)}`);
    expect(found).toBe(sent);
  });

  test('with extensions, another version or another digest is still parsed', () => {
    const algorithm = der.sequence(der.oid('2.999.5'), der.nil());
    const strange = der.sequence(
      der.smallInteger(2),
      der.sequence(algorithm, der.octetString(imprint)),
      der.explicit(0, der.sequence()),
    );
    const parsed = parseTimestampRequest(strange);
    expect(parsed).toMatchObject({ version: 2, digest: undefined, extended: true, certReq: false });
  });

  test.each([
    ['nothing', new Uint8Array(0)],
    ['fields in an incorrect order', der.sequence(der.smallInteger(1), der.nil())],
    [
      'an unknown field',
      der.sequence(der.smallInteger(1), buildMessageImprint('sha256', imprint), der.nil()),
    ],
  ])('with %s is rejected as tsp.invalid', (_, bytes) => {
    expect(() => parseTimestampRequest(bytes)).toThrow(invalid);
  });
});

describe('an RFC 3161 response', () => {
  const token = der.sequence(der.utf8String('token'));

  test.each<[TimestampStatus, TimestampFailure | undefined]>([
    ['granted', undefined],
    ['grantedWithMods', undefined],
    ['rejection', 'badAlg'],
    ['rejection', 'badRequest'],
    ['rejection', 'badDataFormat'],
    ['rejection', 'timeNotAvailable'],
    ['rejection', 'unacceptedPolicy'],
    ['rejection', 'unacceptedExtension'],
    ['rejection', 'addInfoNotAvailable'],
    ['rejection', 'systemFailure'],
    ['waiting', undefined],
    ['revocationWarning', undefined],
    ['revocationNotification', undefined],
  ])('with %s %s survives a round trip', (status, failure) => {
    const granted = status.startsWith('granted');
    const parsed = parseTimestampResponse(
      buildTimestampResponse({
        status,
        statusText: 'þetta er svar',
        ...(failure === undefined ? {} : { failure }),
        ...(granted ? { token } : {}),
      }),
    );
    expect(parsed).toMatchObject({ status, failure, statusText: 'þetta er svar' });
    expect(hex(parsed.token)).toBe(granted ? hex(token) : undefined);
  });

  test('has its status text cleaned and shortened', () => {
    const statusText = `a\u0007b\r\nc${'x'.repeat(9999)}`;
    const parsed = parseTimestampResponse(
      buildTimestampResponse({ status: 'waiting', statusText }),
    );
    expect(parsed.statusText).toMatch(/^a b cx+$/);
    expect(parsed.statusText.length).toBeLessThanOrEqual(500);
  });

  test.each([
    ['nothing', new Uint8Array(0)],
    ['an HTML page', Buffer.from('<html>')],
    ['an unknown status', der.sequence(der.sequence(der.smallInteger(6)))],
    ['a huge status', der.sequence(der.sequence(der.integerFromContent(new Uint8Array(9))))],
    ['no status', der.sequence()],
  ])('with %s is rejected as tsp.invalid', (_, bytes) => {
    expect(() => parseTimestampResponse(bytes)).toThrow(invalid);
  });
});

describe('a TSTInfo', () => {
  const statement = {
    policy: '2.999.1',
    imprintDer: buildMessageImprint('sha256', imprint),
    serialNumber: Uint8Array.of(9, 9),
    genTimeMs: Date.UTC(2026, 0, 2, 3, 4, 5),
  };
  /** A SignedData without signers suffices to read a TSTInfo. */
  const wrap = (content: Uint8Array, type = '1.2.840.113549.1.9.16.1.4') =>
    der.sequence(
      der.oid('1.2.840.113549.1.7.2'),
      der.explicit(
        0,
        der.sequence(
          der.smallInteger(3),
          der.setOf(),
          der.sequence(der.oid(type), der.explicit(0, der.octetString(content))),
          der.setOf(),
        ),
      ),
    );
  const fields = [
    der.smallInteger(1),
    der.oid('2.999.1'),
    statement.imprintDer,
    der.smallInteger(7),
  ];
  const time = (text: string) => der.element(0x18, [Buffer.from(text)]);
  const read = (...more: Uint8Array[]) =>
    parseTimestampToken(wrap(der.sequence(...fields, ...more))).info;

  test('survives a round trip, with and without optional fields', () => {
    expect(parseTimestampToken(wrap(buildTstInfo(statement))).info).toMatchObject({
      policy: '2.999.1',
      digest: 'sha256',
      genTimeMs: statement.genTimeMs,
      accuracyMs: undefined,
      ordering: false,
      nonce: undefined,
      tsa: undefined,
    });
    const more = { ...statement, accuracySeconds: 2, nonce: Uint8Array.of(0, 0x80) };
    const { info, tstInfoDer } = parseTimestampToken(wrap(buildTstInfo(more)));
    expect(info).toMatchObject({ accuracyMs: 2000 });
    expect(hex(info.nonce)).toBe('0080');
    expect(hex(info.serialNumber)).toBe('0909');
    expect(hex(tstInfoDer)).toBe(hex(buildTstInfo(more)));
  });

  test('may have fractions, microseconds, ordering and a name', () => {
    const accuracy = der.sequence(
      der.implicit(0, der.integerFromContent(Uint8Array.of(1, 0xf4))),
      der.implicit(1, der.smallInteger(100)),
    );
    const name = der.explicit(4, der.sequence());
    const info = read(
      time('20260102030405.25Z'),
      accuracy,
      der.boolean(true),
      der.explicit(0, name),
      der.explicit(1, der.sequence()),
    );
    expect(info).toMatchObject({ accuracyMs: 500.1, ordering: true });
    expect(info.genTimeMs).toBe(Date.UTC(2026, 0, 2, 3, 4, 5, 250));
    expect(hex(info.tsa)).toBe(hex(name));
  });

  test.each([
    ['a time without zone', () => read(time('20260102030405'))],
    ['a UTCTime', () => read(der.element(0x17, [Buffer.from('260102030405Z')]))],
    ['no time', () => read()],
    ['a field out of order', () => read(time('20260102030405Z'), der.smallInteger(1), der.nil())],
    ['another content type', () => parseTimestampToken(wrap(buildTstInfo(statement), '2.999.3'))],
    ['version 2', () => parseTimestampToken(wrap(der.sequence(der.smallInteger(2))))],
  ])('with %s is rejected as tsp.invalid', (_, act) => {
    expect(act).toThrow(invalid);
  });
});
