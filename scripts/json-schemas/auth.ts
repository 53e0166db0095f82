import { Type } from '@sinclair/typebox';
import { eidFailCodes, eidMethods } from '../../src/domain/auth/index.ts';
import {
  about,
  flag,
  list,
  members,
  moment,
  oneOf,
  opt,
  type Shapes,
  text,
  whole,
} from './words.ts';

const method = { ...oneOf(...eidMethods), title: 'EidMethod' };

const customer = members(
  {
    name: text,
    ssn: about('National number, digits only.', text),
    phoneNumber: opt(text),
    address: opt(text),
    postalCode: opt(text),
    city: opt(text),
    token: about('Identifies this response: 20 hexadecimal digits.', text),
    flowKey: opt(text),
    meta: opt(about('Family data.', Type.Record(text, text))),
  },
  'Customer',
);

const done = members({ state: oneOf('done'), customer });
/** A login or signature refused by the person or the provider. */
export const refusedByEid = members({
  state: oneOf('failed'),
  hint: about(
    `Reason for the failure: ${eidFailCodes.join(', ')}, or another keyword of the provider.`,
    text,
  ),
  providerCode: opt(about('Error code of the provider, unchanged.', text)),
});
const challenge = {
  verificationCode: opt(text),
  qrData: opt(about('Text of the QR code.', text)),
  redirectUrl: opt(about('Page of the provider to which the person is redirected.', text)),
};
const operator = {
  name: text,
  method: about('Login method and provider.', text),
  companyKey: text,
  simulated: flag,
  loggedInAt: moment,
  expiresAt: moment,
};
const session = members({ session: text });

/** Lines of `auth login --json --watch`. */
export const authEvent = Type.Union([
  members({ v: Type.Literal(1), event: oneOf('challenge'), ...challenge, expiresAt: moment }),
  members({ v: Type.Literal(1), event: oneOf('pending'), step: text }),
  members({ v: Type.Literal(1), event: oneOf('complete'), ...done.properties }),
  members({ v: Type.Literal(1), event: oneOf('failed'), ...refusedByEid.properties }),
]);

/** Documents of these commands with --json. */
export const authBodies = {
  'auth login': [done, refusedByEid],
  'auth start': [
    members({
      ...challenge,
      state: oneOf('waiting'),
      token: text,
      method,
      simulated: flag,
      pollingIntervalSeconds: whole,
      autoStartToken: opt(text),
      expiresAt: moment,
    }),
    refusedByEid,
  ],
  'auth poll': [
    members({ state: oneOf('waiting'), step: opt(text), qrData: opt(text) }),
    done,
    refusedByEid,
  ],
  'auth result': [members({ state: oneOf('done'), customer, simulated: flag })],
  'auth cancel': [members({ canceled: flag })],
  'auth status': [
    members({ state: oneOf('none') }),
    members({ state: oneOf('foreign'), why: text }),
    members({ state: oneOf('open', 'expired'), ...operator }),
  ],
  'auth logout': [members({ loggedOut: flag })],
  'auth providers': [
    members({
      methods: list(members({ method, provider: text, signs: flag, simulated: flag })),
    }),
  ],
  'auth doctor': [
    members({
      ok: flag,
      checks: list(
        members({ methods: list(method), provider: text, name: text, message: text, ok: flag }),
      ),
    }),
  ],
  'auth evidence show': [
    members({
      version: Type.Literal(1),
      provider: text,
      scheme: oneOf('sim-app', 'device-link', 'eid-se', 'eid-dk'),
      flowKey: text,
      login: about('Identifies the login: SHA-256 of its token, hexadecimal.', text),
      person: members({ ssn: text, name: text, subject: text }),
      startedAtMs: whole,
      endedAtMs: whole,
      evidence: members({
        scheme: text,
        format: oneOf('xmldsig', 'raw-signature', 'cms', 'jwt'),
        data: text,
        ocsp: opt(text),
        certificates: opt(list(text)),
        message: opt(text),
        keys: opt(text),
        asked: opt(members({ nonce: opt(text), text: opt(text) })),
      }),
      mac: about('MAC over the other members, with the key of the data directory.', text),
    }),
  ],
  'auth evidence verify': [
    members({ ok: flag, checks: list(members({ name: text, message: text, ok: flag })) }),
  ],
  'auth simulate list': [
    members({ sessions: list(members({ session: text, label: text, openedAt: moment })) }),
  ],
  'auth simulate approve': [session],
  'auth simulate reject': [session],
} satisfies Shapes;
