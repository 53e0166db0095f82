import { type TSchema, Type } from '@sinclair/typebox';
import { contextType, flag, oneOf, ref, requiredText, text } from './shared.ts';
import { sequentialSigning, signingProcess } from './signing.ts';

/** Ways to reach a person. */
const context = contextType('Sim: by phone number; App: by national number.');
/** How much is told of a person; `NameAddress` when it is left out. */
export const lookupType = Type.Optional(
  oneOf(['Name', 'NameAddress', 'NameAddressFamily'], 'Extent of the look-up.'),
);

const customerMembers = {
  name: Type.String(),
  ssn: Type.String(),
  phoneNumber: text('Phone number.'),
  email: text('E-mail address.'),
  address: text('Street and number.'),
  postalCode: text('Postal code.'),
  city: text('City.'),
  token: Type.String({ description: 'Id of this response.' }),
  flowKey: text('The flow.'),
  meta: Type.Optional(Type.Record(Type.String(), Type.String())),
};

const customerSchema = Type.Object(customerMembers, { $id: 'Customer' });
const noCustomer = Type.Union([ref(customerSchema), Type.Null()]);

const pollMembers = {
  waitingForUserInput: Type.Boolean({ description: 'True until the person has responded.' }),
  statusMessage: Type.String({ description: '`ok`, or the reason why there is no customer.' }),
  customer: noCustomer,
};

const pollSchema = Type.Object(pollMembers, { $id: 'PollCustomer' });

const startSchema = Type.Object(
  {
    authRequestId: Type.String({ description: 'Token for polling.' }),
    verificationCode: Type.String({ description: 'Show it to the person; may be empty.' }),
    pollingInterval: Type.Integer({ description: 'Seconds between polls.' }),
  },
  { $id: 'StartAuthResponse' },
);

const authStartSchema = Type.Object(
  {
    flowKey: requiredText('A flow of the company.'),
    authenticationContextType: context,
    phoneNumber: text('Required for Sim, unless there is a loginHint.'),
    ssn: text('Required for App, unless there is a loginHint.'),
    includeVerificationCode: flag('Return a code for Sim too.'),
    loginHint: text('Alternative to phoneNumber or ssn.'),
  },
  { $id: 'AuthStart' },
);

const authPollSchema = Type.Object(
  {
    authRequestId: requiredText('From the start.'),
    flowKey: requiredText('Same as at the start.'),
    lookupType,
  },
  { $id: 'AuthPoll' },
);

const signeePollSchema = Type.Object(
  { ...pollMembers, signingProcess: Type.Optional(signingProcess) },
  { $id: 'PollSigneeResponse' },
);

const sequencePollSchema = Type.Object(
  { ...pollMembers, sequentialSigning: Type.Optional(sequentialSigning) },
  { $id: 'PollSequenceResponse' },
);

const deviceLinkStartSchema = Type.Object(
  {
    sessionId: Type.String(),
    deviceLinkUrl: Type.String({ description: 'For a QR code, or as a link on the device.' }),
    pollingInterval: Type.Integer(),
  },
  { $id: 'StartDeviceLinkResponse' },
);

const deviceLinkPollSchema = Type.Object(
  { ...pollMembers, deviceLinkUrl: text('The newest one, while waiting.') },
  { $id: 'PollDeviceLinkResponse' },
);

const foreignStartSchema = Type.Object(
  {
    token: Type.String({ description: 'Token for polling.' }),
    autoStartToken: text('Opens the app on the same device.'),
    qrData: text('Text of a QR code.'),
    pollingInterval: Type.Integer(),
  },
  { $id: 'StartSessionResponse' },
);

const accessTokenSchema = Type.Object(
  {
    accessToken: Type.String(),
    tokenType: Type.String(),
    expiresIn: Type.Integer({ description: 'Seconds.' }),
    expiresAt: Type.String(),
    sequenceKey: Type.String(),
    signeeKey: Type.String(),
  },
  { $id: 'AccessToken' },
);

/** Body that starts a login. */
export const authStart = ref(authStartSchema);
/** Body that asks how a login stands. */
export const authPoll = ref(authPollSchema);
/** Body of the old login, which waits. */
export const oldAuth = Type.Object({
  phoneNumber: requiredText('Phone number.'),
  flowKey: requiredText('A flow of the company.'),
  lookupType,
});
/** A login that was started. */
export const startedAuth = ref(startSchema);
/** How a login stands. */
export const pollCustomer = ref(pollSchema);
/** A person who has logged in. */
export const customer = ref(customerSchema);
/** Body that starts a login of a signee. */
export const signeeAuthStart = Type.Object({
  processKey: requiredText('The process.'),
  signeeKey: requiredText('The signee.'),
  loginHint: text('Phone number or national number; default: that of the signee.'),
  authenticationContextType: context,
  includeVerificationCode: flag('Return a code for Sim too.'),
});
/** Body that asks how a login of a signee stands. */
export const signeeAuthPoll = Type.Object({
  authRequestId: requiredText('From the start.'),
  processKey: requiredText('The process.'),
  signeeKey: text('The signee; default: the one whom the login was started for.'),
});
/** Body that starts a login at a process. */
export const processAuthStart = Type.Object({
  processKey: text('Same as in the path.'),
  signeeKey: text('The signee; default: the only one, or the one whom loginHint names.'),
  loginHint: text('Phone number for Sim, national number for App.'),
  authenticationContextType: context,
  includeVerificationCode: flag('Return a code for Sim too.'),
});
/** Body that starts a login at a sequence. */
export const sequenceAuthStart = Type.Object({
  sequenceKey: text('Same as in the path.'),
  loginHint: requiredText('Phone number for Sim, national number for App.'),
  authenticationContextType: context,
  includeVerificationCode: flag('Return a code for Sim too.'),
});
/** How a login of a signee stands. */
export const pollSignee = ref(signeePollSchema);
/** How a login at a sequence stands. */
export const pollSequence = ref(sequencePollSchema);
/** Body that starts a login by device link. */
export const deviceLinkStart = Type.Object({
  flowKey: requiredText('A flow of the company.'),
  returnUrl: text('Return URL on the same device.'),
  loginHint: text('The simulator responds as this person.'),
});
/** Body that asks how a login by device link stands. */
export const deviceLinkPoll = Type.Object({
  sessionId: requiredText('From the start.'),
  flowKey: requiredText('Same as at the start.'),
  lookupType,
});
/** A login by device link that was started. */
export const startedDeviceLink = ref(deviceLinkStartSchema);
/** How a login by device link stands. */
export const pollDeviceLink = ref(deviceLinkPollSchema);
/** Body that starts a login with a foreign identity; everything may be left out. */
export const foreignStart = Type.Object({
  flowKey: text('Checked when it is sent.'),
  endUserIp: text('Address of the person.'),
  returnUrl: text('Return URL.'),
  userVisibleText: text('Shown to the person; only with the credentials of the company.'),
  loginHint: text('The simulator responds as this person.'),
});
/** A login with a foreign identity that was started. */
export const startedForeign = ref(foreignStartSchema);
/** Query that asks how a login with a foreign identity stands. */
export const foreignQuery = Type.Object({
  FlowKey: requiredText('The flow.'),
  LookupType: lookupType,
});
/** Body that starts a login with a foreign identity at a sequence. */
export const sequenceForeignStart = Type.Object({
  endUserIp: text('Address of the person.'),
  returnUrl: text('Return URL.'),
  loginHint: text('The simulator responds as this person; default: the signee.'),
});
/** Body that asks how a login with a foreign identity at a sequence stands. */
export const sequenceForeignPoll = Type.Object({
  token: requiredText('From the start.'),
  signeeKey: text('The person of the sequence.'),
});
/** Body that shows a sequence. */
export const sequenceView = Type.Object({
  authRequestId: text('Finishes this login.'),
  signeeKey: text('The person of the sequence.'),
});
/** Body with a passcode. */
export const passcodeBody = Type.Object({ passcode: requiredText('The passcode.') });
/** Body that asks for a token. */
export const tokenBody = Type.Object({
  expiresInSeconds: Type.Optional(Type.Integer({ description: '60 to 86400; default 3600.' })),
});
/** A token that opens the places of a person. */
export const accessToken = ref(accessTokenSchema);

/** Schemas with a name. */
export const authSchemas: readonly TSchema[] = [
  customerSchema,
  pollSchema,
  startSchema,
  authStartSchema,
  authPollSchema,
  signeePollSchema,
  sequencePollSchema,
  deviceLinkStartSchema,
  deviceLinkPollSchema,
  foreignStartSchema,
  accessTokenSchema,
];
