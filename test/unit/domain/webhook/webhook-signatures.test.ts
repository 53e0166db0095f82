import { createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test, vi } from 'vitest';
import { ticksText, verifyEventSignature } from '../../../../src/domain/webhook/event-signature.ts';
import {
  newWebhookSecret,
  requireWebhookSecret,
  signEvent,
  standardHeaders,
  verifyWebhook,
} from '../../../../src/domain/webhook/index.ts';

import { verifyStandardSignature } from '../../../../src/domain/webhook/standard-signature.ts';

const nowMs = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const guid = '0b1c2d3e-4f50-4172-8394-a5b6c7d8e9f0';
const signatureKey = 'lykill-Þ-1';
const minute = 60_000;
const hour = 60 * minute;
const bytes = (value: number) => (count: number) => new Uint8Array(count).fill(value);
const [secretA, secretB] = [newWebhookSecret(bytes(1)), newWebhookSecret(bytes(2))];

describe('EventSignature', () => {
  test.each([
    // Computed from the calendar: .NET ticks.
    [Date.UTC(1970, 0, 1), '621355968000000000'],
    [Date.UTC(2019, 8, 2), '637029792000000000'],
    [Date.UTC(2026, 0, 2, 3, 4, 5, 678), '639029198456780000'],
  ])('converts %i ms to %s ticks', (atMs, ticks) => {
    expect(ticksText(atMs)).toBe(ticks);
  });

  test('follows the published rule, as reimplemented here', () => {
    const signed = signEvent({ atMs: nowMs, guid, signatureKey });
    const message = `${ticksText(nowMs)}${guid}`;
    const reference = createHmac('sha256', Buffer.from(signatureKey, 'utf8'))
      .update(Buffer.from(message, 'utf8'))
      .digest('base64');
    expect(signed).toEqual({
      timeStamp: '639029198456780000',
      guid,
      signedData: message,
      signature: reference,
    });
    expect(BigInt(signed.timeStamp)).toBeGreaterThan(2n ** 53n);
  });

  const { timeStamp, signature, signedData } = signEvent({ atMs: nowMs, guid, signatureKey });
  const sound = {
    TimeStamp: Number(timeStamp),
    Guid: guid,
    Signature: signature,
    SignedData: signedData,
  };
  const other = signEvent({ atMs: nowMs, guid, signatureKey: 'another' });
  test.each([
    ['unchanged', sound, nowMs, 'valid'],
    ['with the time as text', { ...sound, TimeStamp: timeStamp }, nowMs, 'valid'],
    ['a day later', sound, nowMs + 24 * hour, 'valid'],
    ['more than a day later', sound, nowMs + 24 * hour + 1, 'too old'],
    ['from the future', sound, nowMs - 6 * minute, 'too new'],
    ['by a different key', { ...sound, Signature: other.signature }, nowMs, 'mismatch'],
    ['truncated', { ...sound, Signature: signature.slice(0, 20) }, nowMs, 'mismatch'],
    ['with a different GUID', { ...sound, Guid: guid.replace('0b', '0c') }, nowMs, 'malformed'],
    ['with an empty GUID', { ...sound, Guid: '' }, nowMs, 'malformed'],
    ['with a longer GUID', { ...sound, Guid: `x${signedData}` }, nowMs, 'malformed'],
    ['with a different time', { ...sound, TimeStamp: Number(timeStamp) + 1e6 }, nowMs, 'malformed'],
    [
      'with extra characters in between',
      { ...sound, SignedData: `${timeStamp}-${guid}` },
      nowMs,
      'malformed',
    ],
    ['without SignedData', { ...sound, SignedData: undefined }, nowMs, 'missing'],
    ['with a number for a GUID', { ...sound, Guid: 7 }, nowMs, 'missing'],
    ['missing', undefined, nowMs, 'missing'],
    ['of the wrong type', 'text', nowMs, 'missing'],
  ])('is verified: %s', (_, signed, atMs, expected) => {
    const options = { signatureKey, nowMs: atMs, windowMs: 24 * hour };
    const verdict = verifyEventSignature({ EventSignature: signed }, options);
    expect(verdict.isValid ? 'valid' : verdict.fault).toBe(expected);
  });

  test.each([undefined, null, 7, 'text', [], { EventSignature: null }])(
    'is invalid for the payload %j',
    (payload) => {
      expect(verifyEventSignature(payload, { signatureKey, nowMs }).isValid).toBe(false);
    },
  );
});

describe('Standard Webhooks', () => {
  const body = Buffer.from('{"Id":"þ","n":639029418456780000}', 'utf8');
  const id = 'a'.repeat(32);
  const headers = standardHeaders({ id, atMs: nowMs, body, secrets: [secretB, secretA] });

  test.each([secretA, secretB])('the reference library accepts what %s signed', (secret) => {
    vi.useFakeTimers({ now: nowMs + 4 * minute });
    expect(() => new Webhook(secret).verify(body.toString('utf8'), { ...headers })).not.toThrow();
    vi.setSystemTime(nowMs + 6 * minute);
    expect(() => new Webhook(secret).verify(body.toString('utf8'), { ...headers })).toThrow(
      'too old',
    );
    vi.useRealTimers();
  });

  test('the signature of the reference library is accepted', () => {
    const signature = new Webhook(secretA).sign(id, new Date(nowMs), body.toString('utf8'));
    const theirs = { ...headers, 'webhook-signature': signature };
    const input = { headers: theirs, body, secrets: [secretB, secretA], nowMs };
    expect(verifyStandardSignature(input).isValid).toBe(true);
  });

  const ours = headers['webhook-signature'] ?? '';
  test.each([
    ['unchanged', {}, 0, 'valid'],
    ['with header names in upper case', 'capitals', 0, 'valid'],
    ['five minutes later', {}, 5 * minute, 'valid'],
    ['six minutes later', {}, 6 * minute, 'too old'],
    ['six minutes early', {}, -6 * minute, 'too new'],
    ['with a different ID', { 'webhook-id': 'b' }, 0, 'mismatch'],
    ['with a dot in the ID', { 'webhook-id': 'a.b' }, 0, 'malformed'],
    ['with a different time', { 'webhook-timestamp': '1767323044' }, 0, 'mismatch'],
    ['with an invalid time', { 'webhook-timestamp': '1e9' }, 0, 'malformed'],
    ['without a signature', { 'webhook-signature': '' }, 0, 'missing'],
    [
      'with an unknown version',
      { 'webhook-signature': ours.replaceAll('v1,', 'v1a,') },
      0,
      'mismatch',
    ],
    [
      'after many invalid ones',
      { 'webhook-signature': `${'v1,AAAA '.repeat(16)}${ours}` },
      0,
      'mismatch',
    ],
  ])('a signed request is verified: %s', (_, changes, laterMs, expected) => {
    const changed =
      changes === 'capitals'
        ? Object.fromEntries(
            Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
          )
        : { ...headers, ...(changes as object) };
    const verdict = verifyStandardSignature({
      headers: changed,
      body,
      secrets: [secretA],
      nowMs: nowMs + laterMs - 678,
      toleranceMs: 5 * minute,
    });
    expect(verdict.isValid ? 'valid' : verdict.fault).toBe(expected);
  });

  test('one changed byte of the body is a mismatch', () => {
    const changed = Buffer.from(body);
    changed.writeUInt8(changed.readUInt8(5) ^ 1, 5);
    const verdict = verifyStandardSignature({ headers, body: changed, secrets: [secretA], nowMs });
    expect(verdict).toEqual({ isValid: false, fault: 'mismatch' });
  });

  test.each([
    [secretA, true],
    ['whsec_', false],
    ['whsec_AAAA', false],
    [`whsec_${Buffer.alloc(65).toString('base64')}`, false],
    [Buffer.alloc(32).toString('base64'), false],
    [`whsec_${'!'.repeat(44)}`, false],
  ])('a webhook secret %s is accepted: %s', (secret, isOne) => {
    if (isOne) requireWebhookSecret(secret);
    else {
      expect(() => requireWebhookSecret(secret)).toThrow(
        expect.objectContaining({
          code: 'validation.error',
          message: expect.not.stringContaining('AAAA'),
        }),
      );
    }
  });
});

describe('both signatures together', () => {
  const { timeStamp, signature, signedData } = signEvent({ atMs: nowMs, guid, signatureKey });
  const body = Buffer.from(
    `{"Id":"x","EventData":{"EventType":2},"EventSignature":{"TimeStamp":${timeStamp},"Guid":"${guid}",` +
      `"Signature":"${signature}","SignedData":"${signedData}"}}`,
  );
  const headers = standardHeaders({ id: 'x', atMs: nowMs, body, secrets: [secretA] });
  test.each([
    ['both secrets', [secretA], signatureKey, body, true],
    ['the signature key only', [], signatureKey, body, true],
    ['the secret only', [secretA], undefined, body, true],
    ['no secret at all', [], undefined, body, false],
    ['one wrong secret of two', [secretB], signatureKey, body, false],
    ['a body that is not JSON', [secretA], signatureKey, Buffer.from('{'), false],
    ['an empty body', [], signatureKey, Buffer.alloc(0), false],
  ])('are verified with the available secrets: %s', (_, secrets, key, given, isValid) => {
    const known = { secrets, nowMs, ...(key === undefined ? {} : { signatureKey: key }) };
    const found = verifyWebhook({ headers, body: given }, known);
    expect(found.isValid).toBe(isValid);
    if (given === body) expect(found).toMatchObject({ eventId: 'x', eventType: 2 });
  });

  test('a stored request is verified without its age if requested', () => {
    const known = { secrets: [secretA], signatureKey, nowMs: nowMs + 1e12 };
    expect(verifyWebhook({ headers, body }, known).isValid).toBe(false);
    expect(verifyWebhook({ headers, body }, { ...known, anyAge: true }).isValid).toBe(true);
  });
});
