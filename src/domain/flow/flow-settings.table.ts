import { defined } from '../../base/defined.ts';
import {
  boolean,
  integer,
  invalid,
  isRecord,
  list,
  oneOf,
  optional,
  refuse,
  singleLine,
  timeZone,
} from '../../base/input.ts';
import { sealLevels } from '../../base/level.ts';
import { complianceTypes } from '../compliance/index.ts';
import { isMailAddress } from '../message/index.ts';
import { dialledPhone, isSamePerson, signeeIdentities } from '../person/index.ts';
import { deliveryTypes, reachFault, signatureLocations, signatureTypes } from '../process/index.ts';
import { formatReminderRule, parseReminderRule } from '../reminder.ts';
import { type DefaultSignee, type FlowSettings, initiationMethods, questionModes } from './flow.ts';

/** Default value of a setting, and its parser from JSON. */
interface Setting<Value> {
  readonly initial: Value;
  /** @throws validation.error */
  readonly parse: (value: unknown, name: string) => Value;
}

const signeesMax = 20;

/** Every setting of a flow with its default: the published default if there is one, else ours. */
export const flowSettings: {
  readonly [Name in keyof FlowSettings]-?: Setting<FlowSettings[Name]>;
} = {
  signatureType: { initial: 'Qualified', parse: oneOf(signatureTypes) },
  requiresAuth: { initial: false, parse: boolean },
  signeeIdentity: { initial: undefined, parse: optional(oneOf(signeeIdentities)) },
  timeZone: { initial: undefined, parse: optional(timeZone) },
  signInOrder: { initial: false, parse: boolean },
  signatureLocation: { initial: 'TopFirstPage', parse: oneOf(signatureLocations) },
  reminderRule: { initial: undefined, parse: optional(parseRule) },
  activityDisplayName: { initial: undefined, parse: optional(singleLine(200)) },
  fileNameTemplate: { initial: undefined, parse: optional(singleLine(200)) },
  minAdditionalSignees: { initial: undefined, parse: optional(integer(0, signeesMax)) },
  maxAdditionalSignees: { initial: undefined, parse: optional(integer(0, signeesMax)) },
  defaultSignees: { initial: [], parse: parseSignees },
  sealLevel: { initial: 'B-LTA', parse: oneOf(sealLevels) },
  evidencePage: { initial: true, parse: boolean },
  mayDecline: { initial: false, parse: boolean },
  openLinks: { initial: false, parse: boolean },
  expiresAfterDays: { initial: 30, parse: integer(1, 365) },
  retentionDays: { initial: 30, parse: integer(0, 3650) },
  notifyAddress: { initial: undefined, parse: optional(mailAddress) },
  confirmSignees: { initial: true, parse: boolean },
  confirmUser: { initial: true, parse: boolean },
  initiationMethod: { initial: undefined, parse: optional(oneOf(initiationMethods)) },
  questionMode: { initial: undefined, parse: optional(oneOf(questionModes)) },
  familyLookup: { initial: undefined, parse: optional(boolean) },
  complianceTypes: { initial: undefined, parse: optional(list(oneOf(complianceTypes))) },
  loginsPerMinute: { initial: undefined, parse: optional(integer(1, 1000)) },
};

function parseRule(value: unknown, name: string): string {
  const rule = parseReminderRule(singleLine(10)(value, name));
  return rule === undefined ? '0:0' : formatReminderRule(rule);
}

function mailAddress(value: unknown, name: string): string {
  const address = singleLine(254)(value, name);
  return isMailAddress(address) ? address : refuse(name, 'an e-mail address', value);
}

function parseSignees(value: unknown, name: string): readonly DefaultSignee[] {
  if (!Array.isArray(value) || value.length > signeesMax) {
    return refuse(name, `a list of at most ${signeesMax} signees`, value);
  }
  const signees = value.map((each: unknown, index) => parseSignee(each, `${name}[${index}]`));
  signees.forEach((signee, index) => {
    const twin = signees.findIndex((other) => isSamePerson(other, signee));
    if (twin < index) refuse(`${name}[${index}]`, 'another person', `that of [${twin}]`);
  });
  return signees;
}

function parseSignee(value: unknown, name: string): DefaultSignee {
  if (!isRecord(value)) return refuse(name, 'an object', value);
  const known = ['name', 'email', 'phoneNumber', 'signatureType', 'delivery'];
  const unknown = Object.keys(value).find((member) => !known.includes(member));
  if (unknown !== undefined) return refuse(`${name}.${unknown}`, 'no such member', unknown);
  const email = optional(mailAddress)(value['email'], `${name}.email`);
  const phoneNumber = optional(phone)(value['phoneNumber'], `${name}.phoneNumber`);
  const type = value['signatureType'] ?? 'Qualified';
  const signatureType = oneOf(signatureTypes)(type, `${name}.signatureType`);
  const delivery = oneOf(deliveryTypes)(value['delivery'] ?? 'None', `${name}.delivery`);
  const contact = {
    name: singleLine(200)(value['name'], `${name}.name`),
    ...defined({ email, phoneNumber }),
  };
  // If a default signee lacks contact data, no process of the flow could be created.
  const fault = reachFault(contact, signatureType, delivery);
  if (fault === undefined) return { ...contact, signatureType, delivery };
  return invalid(name, fault);
}

function phone(value: unknown, name: string): string {
  const number = dialledPhone(singleLine(40)(value, name));
  return number ?? refuse(name, 'seven digits, or + with a country code', value);
}
