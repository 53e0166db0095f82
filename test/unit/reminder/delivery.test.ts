import { describe, expect, test } from 'vitest';
import { plannedDelivery, reminderRefusal } from '../../../src/domain/reminder.ts';

const email = 'a@example.org';
const phoneNumber = '+3545550101';

describe('reminderRefusal by type, delivery and missing address', () => {
  const types = ['Qualified', 'Simple', 'ClickToSign'] as const;
  for (const signatureType of types) {
    const sms = signatureType === 'Qualified' ? undefined : 'reminder.delivery.not_allowed';
    test.each([
      ['None', {}, undefined],
      ['None', { email, phoneNumber }, undefined],
      ['Email', { email }, undefined],
      ['Email', { phoneNumber }, 'reminder.email.missing'],
      ['Email', { email: ' ', phoneNumber }, 'reminder.email.missing'],
      ['Sms', { email, phoneNumber }, sms],
      ['Sms', { email }, sms ?? 'reminder.phone.missing'],
      ['Sms', { email, phoneNumber: '' }, sms ?? 'reminder.phone.missing'],
    ] as const)(`${signatureType} by %s with %j: %s`, (delivery, contact, code) => {
      expect(reminderRefusal({ signatureType, ...contact }, delivery)?.code).toBe(code);
    });
  }

  test('names the type that was found and no address', () => {
    const refusal = reminderRefusal({ signatureType: 'Simple', email, phoneNumber }, 'Sms');
    expect(refusal?.message).toContain('found Simple');
    expect(JSON.stringify(refusal)).not.toContain(phoneNumber);
  });
});

describe('plannedDelivery', () => {
  test.each([
    ['the owner notifies the signee', { delivery: 'None', email, phoneNumber }, 'None'],
    ['as invited by mail', { delivery: 'Email', email, phoneNumber }, 'Email'],
    ['as invited by text message', { delivery: 'Sms', email, phoneNumber }, 'Sms'],
    ['by mail without a phone number', { delivery: 'Sms', email }, 'Email'],
    ['no address at all', { delivery: 'Sms' }, 'None'],
    ['mail is never replaced by a text message', { delivery: 'Email', phoneNumber }, 'None'],
    [
      'an unsubscribed signee gets no mail',
      { delivery: 'Email', email, unsubscribed: true },
      'None',
    ],
    [
      'an unsubscribed signee still gets text messages',
      { delivery: 'Sms', phoneNumber, unsubscribed: true },
      'Sms',
    ],
  ] as const)('follows the signee: %s', (_, signee, delivery) => {
    expect(plannedDelivery({ signatureType: 'Qualified', ...signee })).toBe(delivery);
  });
});
