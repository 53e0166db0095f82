import { Type } from '@sinclair/typebox';
import { contextType, flag, named, oneOf, requiredText, text } from './shared.ts';
import { sequentialSigning, signingProcess } from './signing.ts';

const context = contextType('Sim: by phone number; App: by national number.');
/** Extent of the data about a person. Default: `NameAddress`. */
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
  token: Type.String({ description: 'ID of this response.' }),
  flowKey: text('The flow.'),
  meta: Type.Optional(Type.Record(Type.String(), Type.String())),
};

/** A person who has logged in. */
export const customer = named('Customer', customerMembers);
const noCustomer = Type.Union([customer, Type.Null()]);

const pollMembers = {
  waitingForUserInput: Type.Boolean({ description: 'True until the person has responded.' }),
  statusMessage: Type.String({ description: '`ok`, or the reason for the missing customer.' }),
  customer: noCustomer,
};

/** State of a login. */
export const pollCustomer = named('PollCustomer', pollMembers);

/** A started login. */
export const startedAuth = named('StartAuthResponse', {
  authRequestId: Type.String({ description: 'Token for polling.' }),
  verificationCode: Type.String({ description: 'Show it to the person; may be empty.' }),
  pollingInterval: Type.Integer({ description: 'Seconds between polls.' }),
});

/** Request body: start of a login. */
export const authStart = named('AuthStart', {
  flowKey: requiredText('A flow of the company.'),
  authenticationContextType: context,
  phoneNumber: text('Required for Sim, unless there is a loginHint.'),
  ssn: text('Required for App, unless there is a loginHint.'),
  includeVerificationCode: flag('Return a code for Sim too.'),
  loginHint: text('Alternative to phoneNumber or ssn.'),
});

/** Request body: poll of a login. */
export const authPoll = named('AuthPoll', {
  authRequestId: requiredText('From the start.'),
  flowKey: requiredText('Same as at the start.'),
  lookupType,
});

/** Request body: query for who has logged in at the page of a flow. */
export const authResult = named('AuthResult', {
  code: requiredText('`result` of the return URL of the person.'),
  flowKey: requiredText('The flow of the page.'),
  lookupType: Type.Optional(
    oneOf(['Name', 'NameAddress', 'NameAddressFamily'], 'Extent of the look-up; default: `Name`.'),
  ),
  codeVerifier: text('The secret behind `codeChallenge` of the link, if it had one.'),
});

/** State of a login of a signee. */
export const pollSignee = named('PollSigneeResponse', {
  ...pollMembers,
  signingProcess: Type.Optional(signingProcess),
});

/** State of a login at a sequence. */
export const pollSequence = named('PollSequenceResponse', {
  ...pollMembers,
  sequentialSigning: Type.Optional(sequentialSigning),
});

/** A started login by device link. */
export const startedDeviceLink = named('StartDeviceLinkResponse', {
  sessionId: Type.String(),
  deviceLinkUrl: Type.String({ description: 'For a QR code, or as a link on the device.' }),
  pollingInterval: Type.Integer(),
});

/** State of a login by device link. */
export const pollDeviceLink = named('PollDeviceLinkResponse', {
  ...pollMembers,
  deviceLinkUrl: text('The current one, while waiting.'),
});

/** A started login with a foreign e-ID. */
export const startedForeign = named('StartSessionResponse', {
  token: Type.String({ description: 'Token for polling.' }),
  autoStartToken: text('Opens the app on the same device.'),
  qrData: text('Text of a QR code.'),
  redirectUrl: text('Page of the provider, if any: send the person there.'),
  pollingInterval: Type.Integer(),
});

/** A token that gives access to a person's documents. */
export const accessToken = named('AccessToken', {
  accessToken: Type.String(),
  tokenType: Type.String(),
  expiresIn: Type.Integer({ description: 'Seconds.' }),
  expiresAt: Type.String(),
  sequenceKey: Type.String(),
  signeeKey: Type.String(),
});

/** Request body: the old login, which responds when the login has ended. */
export const oldAuth = Type.Object({
  phoneNumber: requiredText('Phone number.'),
  flowKey: requiredText('A flow of the company.'),
  lookupType,
});
/** Request body: start of a login of a signee. */
export const signeeAuthStart = Type.Object({
  processKey: requiredText('The process.'),
  signeeKey: requiredText('The signee.'),
  loginHint: text('Phone number or national number; default: that of the signee.'),
  authenticationContextType: context,
  includeVerificationCode: flag('Return a code for Sim too.'),
});
/** Request body: poll of a login of a signee. */
export const signeeAuthPoll = Type.Object({
  authRequestId: requiredText('From the start.'),
  processKey: requiredText('The process.'),
  signeeKey: text('The signee; default: the one the login was started for.'),
});
/** Request body: start of a login at a process. */
export const processAuthStart = Type.Object({
  processKey: text('Same as in the path.'),
  signeeKey: text('The signee; default: the only one, or the one named by loginHint.'),
  loginHint: text('Phone number for Sim, national number for App.'),
  authenticationContextType: context,
  includeVerificationCode: flag('Return a code for Sim too.'),
});
/** Request body: start of a login at a sequence. */
export const sequenceAuthStart = Type.Object({
  sequenceKey: text('Same as in the path.'),
  loginHint: requiredText('Phone number for Sim, national number for App.'),
  authenticationContextType: context,
  includeVerificationCode: flag('Return a code for Sim too.'),
});
/** Request body: start of a login by device link. */
export const deviceLinkStart = Type.Object({
  flowKey: requiredText('A flow of the company.'),
  returnUrl: text('Return URL on the same device.'),
  loginHint: text('The simulator responds as this person.'),
});
/** Request body: poll of a login by device link. */
export const deviceLinkPoll = Type.Object({
  sessionId: requiredText('From the start.'),
  flowKey: requiredText('Same as at the start.'),
  lookupType,
});
/** Request body: start of a login with a foreign e-ID; all members are optional. */
export const foreignStart = Type.Object({
  flowKey: text('Checked if present.'),
  endUserIp: text('IP address of the person.'),
  returnUrl: text('Return URL.'),
  userVisibleText: text('Shown to the person; only with the credentials of the company.'),
  loginHint: text('The simulator responds as this person.'),
});
/** Query: poll of a login with a foreign e-ID. */
export const foreignQuery = Type.Object({
  FlowKey: requiredText('The flow.'),
  LookupType: lookupType,
});
/** Request body: start of a login with a foreign e-ID at a sequence. */
export const sequenceForeignStart = Type.Object({
  endUserIp: text('IP address of the person.'),
  returnUrl: text('Return URL.'),
  loginHint: text('The simulator responds as this person; default: the signee.'),
});
/** Request body: poll of a login with a foreign e-ID at a sequence. */
export const sequenceForeignPoll = Type.Object({
  token: requiredText('From the start.'),
  signeeKey: text('The person of the sequence.'),
});
/** Request body: view of a sequence. */
export const sequenceView = Type.Object({
  authRequestId: text('Finishes this login.'),
  signeeKey: text('The person of the sequence.'),
});
/** Request body: a passcode. */
export const passcodeBody = Type.Object({ passcode: requiredText('The passcode.') });
/** Request body: request for a token. */
export const tokenBody = Type.Object({
  expiresInSeconds: Type.Optional(Type.Integer({ description: '60 to 86400; default 3600.' })),
});
