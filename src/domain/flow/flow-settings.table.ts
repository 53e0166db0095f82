import { InnsigliError } from '../../base/errors.ts';
import { isMailAddress } from '../message/index.ts';
import { dialledPhone, isSamePerson, signeeIdentities } from '../person/index.ts';
import { deliveryTypes, reachFault, signatureTypes } from '../process/index.ts';
import { formatReminderRule, parseReminderRule } from '../reminder/index.ts';
import type { DefaultSignee, FlowSettings } from './flow.ts';
import { flag, isRecord, optional, refuseMember, text, timeZone, whole, word } from './member.ts';

/** What one setting is when nobody says, and how it is read from JSON. */
interface Setting<Value> {
  readonly initial: Value;
  /** @throws validation.error */
  readonly parse: (value: unknown, name: string) => Value;
}

const signeesMax = 20;

/** Every setting of a flow with its default: published ones where there are, else ours. */
export const flowSettings: {
  readonly [Name in keyof FlowSettings]-?: Setting<FlowSettings[Name]>;
} = {
  signatureType: { initial: 'Qualified', parse: word(signatureTypes) },
  requiresAuth: { initial: false, parse: flag },
  signeeIdentity: { initial: undefined, parse: optional(word(signeeIdentities)) },
  timeZone: { initial: undefined, parse: optional(timeZone) },
  signInOrder: { initial: false, parse: flag },
  signatureLocation: {
    initial: 'TopFirstPage',
    parse: word(['TopFirstPage', 'BottomLastPage'] as const),
  },
  reminderRule: { initial: undefined, parse: optional(parseRule) },
  activityDisplayName: { initial: undefined, parse: optional(text(200)) },
  fileNameTemplate: { initial: undefined, parse: optional(text(200)) },
  minAdditionalSignees: { initial: undefined, parse: optional(whole(0, signeesMax)) },
  maxAdditionalSignees: { initial: undefined, parse: optional(whole(0, signeesMax)) },
  defaultSignees: { initial: [], parse: parseSignees },
  sealLevel: { initial: 'B-LTA', parse: word(['B-B', 'B-T', 'B-LT', 'B-LTA'] as const) },
  evidencePage: { initial: true, parse: flag },
  mayDecline: { initial: false, parse: flag },
  openLinks: { initial: false, parse: flag },
  expiresAfterDays: { initial: 30, parse: whole(1, 365) },
  retentionDays: { initial: 30, parse: whole(0, 3650) },
  notifyAddress: { initial: undefined, parse: optional(mailAddress) },
  confirmSignees: { initial: true, parse: flag },
  confirmUser: { initial: true, parse: flag },
  familyLookup: { initial: undefined, parse: optional(flag) },
  loginsPerMinute: { initial: undefined, parse: optional(whole(1, 1000)) },
};

function parseRule(value: unknown, name: string): string {
  const rule = parseReminderRule(text(10)(value, name));
  return rule === undefined ? '0:0' : formatReminderRule(rule);
}

function mailAddress(value: unknown, name: string): string {
  const address = text(254)(value, name);
  return isMailAddress(address) ? address : refuseMember(name, 'an e-mail address', value);
}

function parseSignees(value: unknown, name: string): readonly DefaultSignee[] {
  if (!Array.isArray(value) || value.length > signeesMax) {
    return refuseMember(name, `a list of at most ${signeesMax} signees`, value);
  }
  const signees = value.map((each: unknown, index) => parseSignee(each, `${name}[${index}]`));
  signees.forEach((signee, index) => {
    const twin = signees.findIndex((other) => isSamePerson(other, signee));
    if (twin < index) refuseMember(`${name}[${index}]`, 'another person', `that of [${twin}]`);
  });
  return signees;
}

function parseSignee(value: unknown, name: string): DefaultSignee {
  if (!isRecord(value)) return refuseMember(name, 'an object', value);
  const known = ['name', 'email', 'phoneNumber', 'signatureType', 'delivery'];
  const unknown = Object.keys(value).find((member) => !known.includes(member));
  if (unknown !== undefined) return refuseMember(`${name}.${unknown}`, 'no such member', unknown);
  const email = optional(mailAddress)(value['email'], `${name}.email`);
  const phoneNumber = optional(phone)(value['phoneNumber'], `${name}.phoneNumber`);
  const type = value['signatureType'] ?? 'Qualified';
  const signatureType = word(signatureTypes)(type, `${name}.signatureType`);
  const delivery = word(deliveryTypes)(value['delivery'] ?? 'None', `${name}.delivery`);
  const contact = {
    name: text(200)(value['name'], `${name}.name`),
    ...(email === undefined ? {} : { email }),
    ...(phoneNumber === undefined ? {} : { phoneNumber }),
  };
  // With one who lacks something no process of the flow could be made.
  const fault = reachFault(contact, signatureType, delivery);
  if (fault === undefined) return { ...contact, signatureType, delivery };
  throw new InnsigliError('validation.error', `${name}: ${fault}`, { details: { field: name } });
}

function phone(value: unknown, name: string): string {
  const number = dialledPhone(text(40)(value, name));
  return number ?? refuseMember(name, 'seven digits, or + with the number of a country', value);
}
