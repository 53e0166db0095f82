/**
 * The published interface, written down by hand from its specification. The description is compared
 * with it: nothing may be missing, and every addition is listed here with its reason.
 */

/** A body: a named shape, a list of one, its members, a content type, or nothing. */
export type ContractBody = string | readonly [string] | { readonly members: readonly string[] };

/** One published route. */
export interface ContractRoute {
  /** `METHOD /path` without `/api`, compared in any letter case. */
  readonly route: string;
  /** Also served at the root. */
  readonly atRoot?: true;
  readonly access: 'company' | 'process' | 'open';
  readonly query?: readonly string[];
  readonly body?: ContractBody;
  readonly answers: Readonly<Record<number, ContractBody>>;
  /** Error codes that the specification names for the route; a test must produce each of them. */
  readonly codes: readonly string[];
  /** Additions of our interface: `query X`, `body x`, `answer x`, `200 application/pdf`… */
  readonly more?: Readonly<Record<string, string>>;
}

const loginErrors = [
  'authentication.credentials.invalid',
  'authentication.token.invalid',
  'authentication.token.scope.invalid',
] as const;
const placeErrors = ['process.not_found', 'error.signee.not_found', ...loginErrors] as const;
const signErrors = [
  ...placeErrors,
  '2002',
  'signing.forbidden.canceled',
  'signing.forbidden.expired',
  'signing.forbidden.blocked',
  'signing.forbidden.signee.signed',
  'signing.forbidden.verification.missing',
] as const;
const pollErrors = [
  'validation.error',
  'authentication.token.invalid',
  'authentication.error.forbidden',
  'authentication.poll.too_frequent',
] as const;
const companyErrors = ['authentication.credentials.invalid'] as const;

const raw = 'documents are taken as they are too: what JSON has beside them goes in the query';
const simulator = 'says as whom the embedded simulator answers';
const brokers = 'brokers of e-ID show pages of their own';
const askedAgain = 'persons can be asked once more, behind that for their certificate';
const prompt = {
  'answer verificationCode': askedAgain,
  'answer autoStartToken': askedAgain,
  'answer qrData': askedAgain,
  'answer redirectUrl': askedAgain,
};
const activityQuery = [
  'StartDate',
  'EndDate',
  'User',
  'ProcessKey',
  'FlowType',
  'FlowKey',
  'Search',
  'StatusFilter',
];

const authRoutes: readonly ContractRoute[] = [
  {
    route: 'POST /auth/start',
    atRoot: true,
    access: 'open',
    body: 'AuthStart',
    answers: { 200: 'StartAuthResponse' },
    codes: ['authentication.error.idp.start', 'flow.not_found', 'validation.error'],
  },
  {
    route: 'POST /auth/poll',
    atRoot: true,
    access: 'open',
    body: 'AuthPoll',
    answers: { 200: 'PollCustomer' },
    codes: [...pollErrors, 'authentication.token.scope.invalid'],
  },
  {
    route: 'POST /auth',
    atRoot: true,
    access: 'open',
    body: { members: ['phoneNumber', 'flowKey', 'lookupType'] },
    answers: { 200: 'Customer' },
    codes: ['authentication.error.forbidden', 'flow.not_found'],
  },
  {
    route: 'POST /signing/auth/start',
    access: 'open',
    body: {
      members: [
        'processKey',
        'signeeKey',
        'loginHint',
        'authenticationContextType',
        'includeVerificationCode',
      ],
    },
    answers: { 200: 'StartAuthResponse' },
    codes: ['authentication.error.idp.start'],
  },
  {
    route: 'POST /signing/auth/poll',
    access: 'open',
    body: { members: ['authRequestId', 'processKey', 'signeeKey'] },
    answers: {
      200: { members: ['waitingForUserInput', 'statusMessage', 'customer', 'signingProcess'] },
    },
    codes: [
      'validation.error',
      'authentication.error.signee.logon.mismatch',
      'authentication.preprocess.utility.not.exists',
      'authentication.error.forbidden',
      '10101',
    ],
  },
  {
    route: 'POST /signing/{ProcessKey}/auth',
    access: 'open',
    body: {
      members: ['processKey', 'loginHint', 'authenticationContextType', 'includeVerificationCode'],
    },
    answers: { 200: 'StartAuthResponse' },
    codes: ['process.not_found', 'validation.error'],
    more: { 'body signeeKey': 'names the signee where the login hint does not' },
  },
  {
    route: 'POST /signing/sequential/{SequenceKey}/auth',
    access: 'open',
    body: { members: ['sequenceKey', 'loginHint', 'authenticationContextType'] },
    answers: { 200: 'StartAuthResponse' },
    codes: ['process.not_found', 'validation.error'],
    more: { 'body includeVerificationCode': 'as at every other start of a login' },
  },
  {
    route: 'POST /management/apikeys/validate',
    access: 'company',
    query: ['FlowKey', 'WebHookSignatureKey'],
    answers: { 200: { members: ['valid'] } },
    codes: [...companyErrors, 'flow.not_found', 'apikeys.webhook_signature_key.invalid'],
  },
  {
    route: 'POST /auth/devicelink/start',
    atRoot: true,
    access: 'company',
    body: { members: ['flowKey', 'returnUrl'] },
    answers: { 200: { members: ['sessionId', 'deviceLinkUrl', 'pollingInterval'] } },
    codes: [...companyErrors, 'flow.not_found', 'validation.error'],
    more: { 'body loginHint': simulator },
  },
  {
    route: 'POST /auth/devicelink/poll',
    atRoot: true,
    access: 'company',
    body: { members: ['sessionId', 'flowKey', 'lookupType'] },
    answers: {
      200: { members: ['waitingForUserInput', 'statusMessage', 'customer', 'deviceLinkUrl'] },
    },
    codes: [...companyErrors, ...pollErrors],
  },
  {
    route: 'POST /auth/eid-se/start',
    atRoot: true,
    access: 'open',
    body: { members: ['flowKey', 'endUserIp', 'returnUrl', 'userVisibleText'] },
    answers: { 200: { members: ['token', 'autoStartToken', 'qrData', 'pollingInterval'] } },
    codes: ['eid.provider.error', 'flow.not_found'],
    more: { 'body loginHint': simulator, 'answer redirectUrl': brokers },
  },
  {
    route: 'GET /auth/eid-se/status/token/{Token}',
    atRoot: true,
    access: 'open',
    query: ['FlowKey', 'LookupType'],
    answers: { 200: 'PollCustomer' },
    codes: [
      'validation.error',
      'authentication.token.invalid',
      'userCancel',
      'expiredTransaction',
      'startFailed',
    ],
  },
];

const processRoutes: readonly ContractRoute[] = [
  {
    route: 'POST /management/signing',
    access: 'company',
    body: 'CreateSigningProcess',
    answers: { 200: 'SigningProcess' },
    codes: [...companyErrors, 'validation.error', '10101', 'flow.not_found'],
  },
  {
    route: 'DELETE /management/signing',
    access: 'company',
    query: ['ProcessKey', 'User'],
    answers: { 204: '' },
    codes: [
      ...companyErrors,
      'validation.error',
      'process.not_found',
      'error.signee.process.finished',
    ],
  },
  {
    route: 'POST /management/signing/block',
    access: 'company',
    query: ['ProcessKey', 'User', 'Reason'],
    body: { members: ['processKey', 'user', 'reason'] },
    answers: { 204: '' },
    codes: [
      ...companyErrors,
      'validation.error',
      'process.not_found',
      'error.signee.process.finished',
    ],
  },
  {
    route: 'GET /management/signing/example',
    access: 'company',
    query: ['FlowKey'],
    answers: { 200: 'CreateSigningProcess' },
    codes: [...companyErrors, 'flow.not_found'],
  },
  {
    route: 'GET /signing/{ProcessKey}/signee/{SigneeKey}',
    access: 'process',
    query: ['UserAgent'],
    answers: { 200: 'SigningProcess' },
    codes: placeErrors,
  },
  {
    route: 'PUT /signing/{ProcessKey}/signee/{SigneeKey}',
    access: 'process',
    body: 'UpdateSignee',
    answers: { 200: 'Signee' },
    codes: [...placeErrors, 'validation.error'],
  },
  {
    route: 'POST /signing/{ProcessKey}/signee',
    access: 'process',
    body: 'AddSignee',
    answers: { 200: 'Signee' },
    codes: [
      'process.not_found',
      ...loginErrors,
      'error.signee.wrong.route',
      'error.signee.process.finished',
      'error.signee.add.exists',
    ],
  },
];

const tokenHeader = 'the x-access-token header goes with it';

const sequenceRoutes: readonly ContractRoute[] = [
  {
    route: 'POST /management/signing/sequential',
    access: 'company',
    body: 'CreateSequentialSigning',
    answers: { 200: 'SequentialSigning' },
    codes: [...companyErrors, 'validation.error', '10101', 'flow.not_found'],
  },
  {
    route: 'DELETE /management/signing/sequential',
    access: 'company',
    query: ['SequenceKey', 'User'],
    answers: { 200: 'SequentialSigning' },
    codes: [...companyErrors, 'validation.error', 'process.not_found', 'sequence.cancel.forbidden'],
  },
  {
    route: 'POST /signing/sequential/{SequenceKey}',
    access: 'process',
    body: { members: ['authRequestId', 'signeeKey'] },
    answers: { 200: 'SequentialSigning', 202: 'PollCustomer' },
    codes: [
      'process.not_found',
      ...loginErrors,
      'authentication.error.forbidden',
      'authentication.error.signee.logon.mismatch',
    ],
  },
  {
    route: 'POST /signing/sequential/{SequenceKey}/signee/{SequentialSigneeKey}/passcode',
    access: 'open',
    body: { members: ['passcode'] },
    answers: { 200: 'SequentialSigning' },
    codes: ['process.passcode.not_valid', 'process.not_found', 'error.signee.not_found'],
  },
  {
    route: 'POST /signing/sequential/{SequenceKey}/signee/{SequentialSigneeKey}/Token',
    access: 'company',
    body: { members: ['expiresInSeconds'] },
    answers: {
      200: {
        members: ['accessToken', 'tokenType', 'expiresIn', 'expiresAt', 'sequenceKey', 'signeeKey'],
      },
    },
    codes: [...companyErrors, 'process.not_found', 'error.signee.not_found', 'validation.error'],
  },
  {
    route: 'POST /signing/sequential/{SequenceKey}/signee/{SequentialSigneeKey}/auth/eid-se/start',
    access: 'open',
    body: { members: ['endUserIp', 'returnUrl'] },
    answers: { 200: { members: ['token', 'autoStartToken', 'qrData', 'pollingInterval'] } },
    codes: ['eid.provider.error', 'process.not_found', 'error.signee.not_found'],
    more: { 'body loginHint': simulator, 'answer redirectUrl': brokers },
  },
  {
    route: 'POST /signing/sequential/{SequenceKey}/auth/eid-se/start',
    access: 'open',
    body: { members: ['endUserIp', 'returnUrl'] },
    answers: { 200: { members: ['token', 'autoStartToken', 'qrData', 'pollingInterval'] } },
    codes: ['eid.provider.error', 'process.not_found'],
    more: { 'body loginHint': simulator, 'answer redirectUrl': brokers },
  },
  {
    route: 'POST /signing/sequential/{SequenceKey}/auth/eid-se/poll',
    access: 'open',
    body: { members: ['token', 'signeeKey'] },
    answers: {
      200: { members: ['waitingForUserInput', 'statusMessage', 'customer', 'sequentialSigning'] },
    },
    codes: [
      'authentication.token.invalid',
      'authentication.error.signee.logon.mismatch',
      'userCancel',
      'expiredTransaction',
    ],
    more: { '200': tokenHeader },
  },
];

const sign = '/signing/sign/{ProcessKey}/signee/{SigneeKey}';
const named = { 'body signeeKey': 'repeats the path: who names another signee is refused' };
const statusOf = '/signing/status/processkey/{ProcessKey}/signeekey/{SigneeKey}';
const started = { 200: 'StartSigningResponse' } as const;

const signRoutes: readonly ContractRoute[] = [
  {
    route: `POST ${sign}`,
    access: 'process',
    body: { members: ['loginHint', 'authenticationContextType'] },
    answers: started,
    codes: signErrors,
    more: { ...named, 'body includeVerificationCode': 'as at every other start of a login' },
  },
  ...['eid-se', 'eid-dk'].map(
    (scheme): ContractRoute => ({
      route: `POST ${sign}/${scheme}`,
      access: 'process',
      body: { members: [] },
      answers: started,
      codes: signErrors,
      more: {
        ...named,
        'body endUserIp': 'as at a login with the same identity',
        'body returnUrl': 'as at a login with the same identity',
      },
    }),
  ),
  {
    route: `POST ${sign}/otp`,
    access: 'process',
    body: { members: [] },
    answers: started,
    codes: signErrors,
    more: named,
  },
  {
    route: `POST ${sign}/otp/confirm`,
    access: 'process',
    body: { members: ['token', 'code'] },
    answers: started,
    codes: [...placeErrors, '1120', '1121', '1122'],
    more: named,
  },
  {
    route: `POST ${sign}/click`,
    access: 'process',
    body: { members: [] },
    answers: started,
    codes: signErrors,
    more: named,
  },
  ...['eid-se', 'eid-dk'].map(
    (scheme): ContractRoute => ({
      route: `GET ${statusOf}/${scheme}/token/{Token}`,
      access: 'process',
      answers: { 200: 'SigningStatus' },
      codes: placeErrors,
      more: prompt,
    }),
  ),
  {
    route: `GET ${statusOf}/token/{Token}`,
    access: 'process',
    answers: { 200: 'DocumentStatus' },
    codes: placeErrors,
    more: prompt,
  },
];

const attachment = '/signing/{ProcessKey}/attachment/{Id}/fileName/{FileName}';
const remind = '/management/signing/{ProcessKey}/signee/{SigneeKey}/remind';
const forLog = { 'query User': 'who ends them stands in the log' };
const forPasscodes = { 'query SigneeKey': 'another signee of the document may have a passcode' };
const reminderErrors = [
  ...companyErrors,
  'process.not_found',
  'error.signee.not_found',
  'internal.unexpected',
] as const;

const fileRoutes: readonly ContractRoute[] = [
  {
    route: `GET ${attachment}`,
    access: 'process',
    answers: { 200: '*/*' },
    codes: ['process.not_found', 'process.file.not_found', ...loginErrors],
    more: forPasscodes,
  },
  {
    route: `DELETE ${attachment}`,
    access: 'process',
    answers: { 204: '' },
    codes: ['process.not_found', 'process.file.not_found', ...loginErrors],
    more: forPasscodes,
  },
  {
    route: `POST ${remind}`,
    atRoot: true,
    access: 'company',
    body: {
      members: [
        'CommunicationDeliveryType',
        'User',
        'IncludeUnsubscribe',
        'ProcessKey',
        'SigneeKey',
      ],
    },
    answers: { 200: 'string' },
    codes: [
      ...reminderErrors,
      'validation.error',
      'reminder.delivery.not_allowed',
      'reminder.phone.missing',
      'signing.forbidden.signee.signed',
    ],
  },
  {
    route: 'DELETE /signing/process/{ProcessKey}/signee/{SigneeKey}/remind',
    atRoot: true,
    access: 'company',
    answers: { 200: 'string' },
    codes: reminderErrors,
    more: forLog,
  },
  {
    route: 'DELETE /signing/sequence/{SequenceKey}/signee/{SequenceSigneeKey}/remind',
    atRoot: true,
    access: 'company',
    answers: { 200: 'string' },
    codes: reminderErrors,
    more: forLog,
  },
  ...['GET', 'HEAD'].map(
    (method): ContractRoute => ({
      route: `${method} /pdf/{ProcessKey}/{SigneeKey}.pdf`,
      access: 'process',
      answers: { 200: method === 'GET' ? 'application/pdf' : '' },
      codes: ['process.not_found', 'process.file.not_found', ...loginErrors],
      more: { '304': 'the tag of the document was sent with the request' },
    }),
  ),
];

const activityErrors = [...companyErrors, 'validation.error'] as const;
const wrappers = ['SigningProcessActivityLogWrapper'] as const;
const pages = ['Take', 'Skip'];

const activityRoutes: readonly ContractRoute[] = [
  ...['', '/company', '/user'].map(
    (end): ContractRoute => ({
      route: `GET /signing/activity${end}`,
      access: 'company',
      query: [...activityQuery, ...pages],
      answers: { 200: wrappers },
      codes: activityErrors,
    }),
  ),
  {
    route: 'GET /signing/activity/total',
    access: 'company',
    query: activityQuery,
    answers: { 200: { members: ['total'] } },
    codes: activityErrors,
  },
  {
    route: 'GET /signing/activity/{ProcessKey}',
    access: 'company',
    query: [...activityQuery, ...pages],
    answers: { 200: wrappers },
    codes: activityErrors,
  },
];

const documentRoutes: readonly ContractRoute[] = [
  {
    route: 'POST /management/sealing',
    access: 'company',
    body: 'SealingRequest',
    answers: { 200: 'SealingResponse' },
    codes: [...companyErrors, 'validation.error', 'internal.unexpected'],
    more: {
      'query FlowKey': raw,
      'query Reason': raw,
      'query LanguageType': raw,
      'query AddSealOnAllPages': raw,
      'request application/pdf': raw,
      '200 application/pdf': 'published beside the JSON answer; Accept decides',
    },
  },
  {
    route: 'POST /management/sealing/xml',
    access: 'company',
    body: 'SealingXmlRequest',
    answers: { 200: { members: ['xmlDocument'] } },
    codes: [...companyErrors, 'validation.error', 'internal.unexpected'],
    more: {
      'query FlowKey': raw,
      'request application/xml': raw,
      'request text/xml': raw,
      '200 application/xml': 'Accept decides',
    },
  },
  {
    route: 'POST /management/archive',
    access: 'company',
    body: { members: ['pdfDocument', 'fileName'] },
    answers: { 200: { members: ['pdfDocument', 'fileName'] } },
    codes: [
      ...companyErrors,
      'validation.error',
      'internal.unexpected',
      'archive.document.not_signed',
    ],
    more: {
      'query FileName': raw,
      'request application/pdf': raw,
      '200 application/pdf': 'published beside the JSON answer; Accept decides',
    },
  },
];

const flowErrors = [...companyErrors, 'flow.not_found'] as const;
const versions = '/management/smartflows/{FlowKey}';

const settingRoutes: readonly ContractRoute[] = [
  {
    route: 'GET /management/flow',
    access: 'company',
    answers: { 200: ['FlowOverview'] },
    codes: companyErrors,
  },
  {
    route: 'GET /management/flow/{FlowKey}',
    access: 'company',
    answers: { 200: 'Flow' },
    codes: flowErrors,
  },
  {
    route: 'GET /management/flow/css/{FlowKey}.css',
    access: 'company',
    answers: { 200: 'text/css' },
    codes: flowErrors,
  },
  {
    route: `GET ${versions}`,
    access: 'company',
    answers: { 200: ['SmartFlowSchemaVersion'] },
    codes: flowErrors,
  },
  {
    route: `GET ${versions}/{Version}`,
    access: 'open',
    answers: { 200: 'SmartFlowSchema' },
    codes: ['flow.not_found'],
  },
  {
    route: `PUT ${versions}/{Version}`,
    access: 'company',
    query: ['Schema', 'CreatedAt', 'UpdatedAt'],
    body: { members: ['schema', 'createdAt', 'updatedAt'] },
    answers: { 200: 'SmartFlowSchema' },
    codes: [...flowErrors, 'validation.error'],
  },
  {
    route: 'POST /management/webhook',
    access: 'company',
    body: { members: ['flowKey', 'type', 'url'] },
    answers: { 200: 'Webhook' },
    codes: [...flowErrors, 'validation.error'],
    more: { 'body active': 'a webhook can begin switched off' },
  },
  {
    route: 'PUT /management/webhook/{Id}',
    access: 'company',
    body: { members: ['flowKey', 'type', 'url', 'active'] },
    answers: { 200: 'Webhook' },
    codes: [...companyErrors, 'webhook.not_found', 'validation.error'],
  },
  {
    route: 'DELETE /management/webhook/{Id}',
    access: 'company',
    answers: { 204: '' },
    codes: [...companyErrors, 'webhook.not_found'],
  },
  {
    route: 'GET /management/webhook/flowKey/{FlowKey}',
    access: 'company',
    query: ['Type'],
    answers: { 200: ['Webhook'] },
    codes: flowErrors,
  },
  {
    route: 'POST /management/emailtemplate',
    access: 'company',
    body: 'CreateEmailTemplate',
    answers: { 200: 'EmailTemplate' },
    codes: [...flowErrors, 'validation.error'],
  },
  {
    route: 'PUT /management/emailtemplate/{Id}',
    access: 'company',
    body: 'CreateEmailTemplate',
    answers: { 200: 'EmailTemplate' },
    codes: [...companyErrors],
  },
  {
    route: 'DELETE /management/emailtemplate/{Id}',
    access: 'company',
    answers: { 204: '' },
    codes: [...companyErrors],
  },
  {
    route: 'GET /management/emailtemplate/flowKey/{FlowKey}',
    access: 'company',
    answers: { 200: ['EmailTemplate'] },
    codes: flowErrors,
  },
];

const registerRoutes: readonly ContractRoute[] = [
  {
    route: 'GET /management/compliances/individuals/status',
    access: 'company',
    query: ['Ssn', 'Email', 'Phone'],
    answers: {
      200: { members: ['pep_found', 'status', 'status_messages', 'requirements', 'is_compliant'] },
    },
    codes: [
      ...companyErrors,
      'compliance.not_found',
      'compliance.person.ambiguous',
      'validation.error',
    ],
  },
  {
    route: 'GET /management/compliances/businesses/status',
    access: 'company',
    query: ['Ssn', 'Name'],
    answers: { 200: { members: ['status', 'status_messages', 'requirements', 'is_compliant'] } },
    codes: [
      ...companyErrors,
      'compliance.not_found',
      'compliance.person.ambiguous',
      'validation.error',
    ],
  },
  {
    route: 'POST /watchlist/person',
    access: 'company',
    body: {
      members: [
        'countryCode',
        'firstName',
        'middleName',
        'lastName',
        'originalName',
        'dateOfBirth',
        'gender',
        'flowKey',
        'MatchRate',
      ],
    },
    answers: {
      200: { members: ['errors', 'id', 'date', 'match', 'status', 'request', 'flowkey'] },
    },
    codes: [
      'invalid_credentials',
      'invalid_request',
      'invalid_date',
      'invalid_flow_key',
      'rate_limited',
    ],
  },
];

/** Every published route. */
export const contractRoutes: readonly ContractRoute[] = [
  ...authRoutes,
  ...processRoutes,
  ...sequenceRoutes,
  ...signRoutes,
  ...fileRoutes,
  ...activityRoutes,
  ...documentRoutes,
  ...settingRoutes,
  ...registerRoutes,
];

const contact = ['name', 'ssn', 'phoneNumber', 'email', 'address', 'postalCode', 'city'];
const createSignee = [
  'processKey',
  ...contact,
  'reason',
  'hidePersonalCode',
  'communicationDeliveryType',
  'signatureType',
  'language',
  'customSmsText',
  'user',
  'passcode',
];
const times = ['createdAt', 'updatedAt'];
const template = [
  'flowKey',
  'to',
  'Bcc',
  'subject',
  'message',
  'includeFiles',
  'templateType',
  'language',
];
const overview = ['flowKey', 'name', 'flowType', 'active', 'language', 'signatureType'];
const place = ['address', 'postalCode', 'city'];

/** Ours: the published shapes of a status are incomplete. */
const shownPrompt = ['verificationCode', 'autoStartToken', 'qrData', 'redirectUrl'] as const;

/** Members of the published shapes. A trailing `!` marks a required member. */
export const contractShapes: Readonly<Record<string, readonly string[]>> = {
  AuthStart: [
    'flowKey!',
    'authenticationContextType!',
    'phoneNumber',
    'ssn',
    'includeVerificationCode',
    'loginHint',
  ],
  AuthPoll: ['authRequestId!', 'flowKey!', 'lookupType'],
  StartAuthResponse: ['authRequestId', 'verificationCode', 'pollingInterval'],
  PollCustomer: ['waitingForUserInput', 'statusMessage', 'customer'],
  Customer: [
    'name',
    'ssn',
    'phoneNumber',
    'email',
    'address',
    'postalCode',
    'city',
    'token',
    'flowKey',
    'meta',
  ],
  CreateSigningProcess: [
    'flowKey!',
    'pdfDocument',
    'pdfFileName',
    'createSignees!',
    'meta',
    'attachments',
    'attachmentReferences',
    'requiresAuth',
    'signInOrder',
    'signatureLocation',
    'user',
    'sequenceKey',
    'activityDisplayName',
    'flattenDocument',
    'reminderRule',
  ],
  CreateSignee: createSignee,
  AddSignee: createSignee,
  UpdateSignee: ['signeeKey', 'processKey', 'email', ...place, 'reason', 'user'],
  SigningProcess: [
    'key',
    'signees',
    'flowKey',
    'status',
    'meta',
    'pdfFileName',
    'attachments',
    'attachmentReferences',
    'requiresAuth',
    'user',
    'signInOrder',
    'signatureLocation',
    'sequenceKey',
    'flattenDocument',
    'reminderRule',
    'activityDisplayName',
    'createdAt',
    'expiresAt',
  ],
  Signee: [
    ...contact,
    'key',
    'signed',
    'signedAt',
    'processKey',
    'reason',
    'hidePersonalCode',
    'communicationDeliveryType',
    'url',
    'signatureType',
    'language',
    'customSmsText',
  ],
  SigningAttachment: ['fileName!', 'fileContent!'],
  AttachmentReference: [
    'id',
    'fileName',
    'contentLength',
    'contentType',
    'url',
    'description',
    'processKey',
    'attachmentType',
    'signeeKey',
  ],
  CreateSequentialSigning: ['createSigningProcesses!', 'user!', 'requiresAuth', 'signInOrder'],
  SequentialSigning: [
    'key',
    'status',
    'requiresAuth',
    'user',
    'signInOrder',
    'signees',
    'signingProcesses',
  ],
  SequentialSigningSignee: ['key', 'url', 'signingKeys', 'name', 'signed'],
  SigneeKeys: ['signeeKey', 'processKey'],
  StartSigningResponse: [
    'token',
    'pollingInterval',
    'verificationCode',
    'autoStartToken',
    'qrData',
    'redirectUrl',
  ],
  SigningStatus: ['status', 'hintCode', 'statusMessage', ...shownPrompt, 'signee'],
  DocumentStatus: ['status', 'signed', 'statusMessage', ...shownPrompt, 'document'],
  SignedDocument: ['content', 'digest', 'fileName'],
  SigningProcessActivityLogWrapper: [
    'processKey',
    'activityLog',
    'signees',
    'sequenceSignees',
    'attachmentReferences',
    'activityDisplayName',
  ],
  SigningProcessActivityLog: [
    'flowKey',
    'processKey',
    'signeeKey',
    'status',
    'description',
    'userAgent',
    'fileName',
    'createdAt',
    'createdBy',
    'requiresAuth',
    'signInOrder',
    'signatureLocation',
    'sequenceKey',
  ],
  SigneeActivityLog: [
    'processKey',
    'signeeKey',
    'ssn',
    'name',
    ...place,
    'phone',
    'email',
    'createdAt',
    'createdBy',
    'updatedAt',
    'signatureType',
  ],
  SequentialSigningSigneeActivityLog: ['sequenceKey', 'signeeKey', 'url', 'signingKeys'],
  SealingRequest: ['pdfDocument!', 'flowKey!', 'reason', 'languageType', 'addSealOnAllPages'],
  SealingResponse: ['pdfDocument'],
  SealingXmlRequest: ['xmlDocument!', 'flowKey!'],
  FlowOverview: overview,
  Flow: [
    ...overview,
    'companyKey',
    'requiresAuth',
    'signInOrder',
    'signatureLocation',
    'reminderRule',
    'activityDisplayName',
    'fileNameTemplate',
    'minAdditionalSignees',
    'maxAdditionalSignees',
    'defaultSignees',
    'initiationMethod',
    'meta',
    ...times,
    'publishedVersion',
  ],
  SmartFlowSchemaVersion: ['flowKey', 'version', ...times],
  SmartFlowSchema: ['flowKey', 'version', ...times, 'schema'],
  Webhook: ['id', 'flowKey', 'type', 'url', 'active', ...times, 'secret'],
  CreateEmailTemplate: template,
  EmailTemplate: ['id', ...template, ...times],
  ErrorResponse: ['responseStatus', 'errorCode', 'message'],
  ResponseStatus: ['errorCode', 'message', 'errors', 'meta'],
  ResponseError: ['errorCode', 'fieldName', 'message'],
};

/** Shapes with fewer, additional or differently required members than published, and why. */
export const shapeReasons: Readonly<Record<string, string>> = {
  'Webhook.secret': 'the Standard Webhooks signature needs one; only the creation answers it',
  'ResponseStatus.stackTrace': 'never answered',
  'ResponseError.meta': 'never answered: there is nothing to say in it',
  'SequentialSigningSignee.name': 'others of a sequence are shown by name and state',
  'SequentialSigningSignee.signed': 'others of a sequence are shown by name and state',
  'UpdateSignee.signeeKey': 'required by one source; the path has it',
  'UpdateSignee.processKey': 'required by one source; the path has it',
};

/** Values of the published enumerations where they are sent. */
export const contractEnums: Readonly<Record<string, readonly string[]>> = {
  'AuthStart.authenticationContextType': ['Sim', 'App'],
  'AuthPoll.lookupType': ['Name', 'NameAddress', 'NameAddressFamily'],
  'CreateSignee.signatureType': ['Qualified', 'Simple', 'ClickToSign'],
  'CreateSignee.communicationDeliveryType': ['None', 'Email', 'Sms'],
  'CreateSignee.language': [
    'NotSet',
    'Is',
    'En',
    'Nb',
    'Da',
    'De',
    'Fr',
    'Sv',
    'Cs',
    'Pl',
    'Es',
    'Hu',
  ],
  'CreateSigningProcess.signatureLocation': ['TopFirstPage', 'BottomLastPage'],
  'SealingRequest.languageType': ['Is', 'En'],
  'CreateEmailTemplate.templateType': ['Signup', 'Notification', 'Confirmation', 'SalesPerson'],
  'CreateWebhook.type': [
    'SignedDocument',
    'AllSigned',
    'Auth',
    'Signup',
    'Canceled',
    'Expired',
    'Reminder',
    'CompanyTermination',
    'EmailVerification',
    'Completed',
    'Created',
    'GroupSigned',
    'Blocked',
  ],
  'ScreeningRequest.gender': ['Male', 'Female'],
  'ComplianceRequirement.compliance_type': ['PEP', 'AML', 'MIFID'],
};

/** Status of every published code. */
export const contractCodes: Readonly<Record<string, number>> = {
  '1120': 400,
  '1121': 400,
  '1122': 400,
  'authentication.credentials.invalid': 401,
  'authentication.token.invalid': 401,
  'authentication.error.signee.logon.mismatch': 401,
  'authentication.preprocess.utility.not.exists': 401,
  'error.signee.wrong.route': 403,
  'error.signee.process.finished': 403,
  'error.signee.add.exists': 403,
  'authentication.token.scope.invalid': 403,
  'authentication.error.forbidden': 403,
  'authentication.error.idp.start': 403,
  '2002': 403,
  'signing.forbidden.canceled': 403,
  'signing.forbidden.expired': 403,
  'signing.forbidden.signee.signed': 403,
  'signing.forbidden.verification.missing': 403,
  'process.passcode.not_valid': 403,
  'process.not_found': 404,
  'error.signee.not_found': 404,
  'flow.not_found': 404,
  'process.file.not_found': 404,
  '10101': 406,
  'validation.error': 400,
  'reminder.delivery.not_allowed': 400,
  'reminder.phone.missing': 400,
  'archive.document.not_signed': 400,
  'signing.forbidden.blocked': 403,
  'sequence.cancel.forbidden': 403,
  'apikeys.webhook_signature_key.invalid': 403,
  'webhook.not_found': 404,
  'authentication.poll.too_frequent': 429,
  'eid.provider.error': 502,
};

/** Our own codes, which the specification does not mention. */
export const ownCodes: Readonly<Record<string, string>> = {
  'internal.unexpected': 'the published 500 has no code',
  'quota.processes.exceeded': 'companies have quotas',
  'quota.attachments.exceeded': 'companies have quotas',
  'quota.storage.exceeded': 'companies have quotas',
  'quota.requests.exceeded': 'companies have quotas',
  'request.share.exceeded': 'what one client has under way at once is limited',
  'request.rate.exceeded': 'requests of one address and one company are limited',
  'request.throttled': 'guessing of credentials is slowed down',
  'authentication.start.too_frequent': 'nobody rings at a phone again and again',
  'authentication.key.scope': 'an API key may be good for some routes only',
  'store.busy': 'the database is at its limit',
  'store.unavailable': 'the database cannot be reached',
  'store.readonly': 'the database is a standby',
  'store.full': 'the disk is full',
  'store.replaced': 'the database file was moved or replaced',
  'clock.back': 'the clock may be set wrong',
  'activity.chain.broken': 'a log that was changed is not gone on with',
  'service.busy': 'work on documents is limited',
  'service.timeout': 'work on documents is limited',
  'request.media.unsupported': 'HTTP has a status for it',
  'limit.exceeded': 'HTTP has a status for it',
  'register.unavailable': 'a register of persons that fails is published nowhere',
  'register.answer.invalid': 'a register of persons that fails is published nowhere',
  'register.configuration': 'a register of persons that fails is published nowhere',
  'idempotency.key.reused': 'Idempotency-Key is ours',
  'idempotency.in_flight': 'Idempotency-Key is ours',
  'process.conflict': 'two changed the process at once, again and again',
  'process.state.refused': 'the process is in another state',
  'signing.forbidden.inactive': 'the process has not started',
  'signing.forbidden.signee.limit': 'a link adds and changes so much and no more',
  'signing.forbidden.document.signed': 'somebody has agreed to the document as it is',
  'signing.forbidden.order': 'another signee comes first',
  'signing.forbidden.type': 'the signee signs in another way',
  'reminder.email.missing': 'as for a missing phone',
  'reminder.rule.invalid': 'names what is wrong',
  'message.phone.missing': 'as for a reminder',
  'message.email.missing': 'as for a reminder',
  'message.delivery.not_allowed': 'as for a reminder',
  'message.channel.none': 'a service may send neither mail nor text messages',
  'key.weak': 'a process begins only where its document can be sealed',
  'flow.values.invalid': 'names the values that do not fit the form or schema of a flow',
  'pdf.notpdf': 'names what is wrong with a document, as every code pdf.… does',
  'pdf.password.needed': 'names what is wrong with a document',
  'pdf.truncated': 'names what is wrong with a document',
  'xml.invalid': 'names what is wrong with a document, as every code xml.… does',
  'xml.dtd.forbidden': 'names what is wrong with a document',
  'authentication.error.signee.unprovable': 'a login that can never fit is not started',
  'tsa.unreachable': 'the time-stamp authority is not ours',
  'tsa.timeout': 'the time-stamp authority is not ours',
  'revocation.missing': 'issuers of certificates are not ours',
  'flow.schema.invalid': 'names what is wrong',
  'template.invalid': 'names what is wrong',
  'template.not_found': 'as for webhooks',
  'webhook.url.invalid': 'names what is wrong',
  'compliance.not_found': 'the published 404 has no code',
  'screening.date.invalid': 'answered as invalid_date',
  'screening.list.required': 'production has no embedded list',
  'screening.flow.invalid': 'answered as invalid_flow_key',
  'screening.quota.exceeded': 'answered as rate_limited',
};

/** Routes that the specification does not mention, and why they exist. */
export const ownRoutes: Readonly<Record<string, string>> = {
  'GET /': 'says where the description is',
  'GET /s/{Key}/{PersonKey}': 'the signing page, behind the links of mails',
  'POST /s/{Key}/{PersonKey}': 'the forms of that page',
  'GET /s/{Key}/{PersonKey}/documents/{DocumentKey}': 'the document of that page, in ranges',
  'GET /s/{Key}/{PersonKey}/documents/{DocumentKey}/text': 'the text of that document, as a page',
  'GET /s/assets/{Asset}': 'style and script of that page',
  'GET /s/styles/{FlowKey}': 'style sheet of a flow, for its pages',
  'GET /s/logos/{FlowKey}': 'logo of the company, for its pages',
  'GET /s/{Key}/{PersonKey}/unsubscribe': 'the link of reminders',
  'POST /s/{Key}/{PersonKey}/unsubscribe': 'the form of that page, and the button of mail programs',
  'GET /s/eid/callback': 'the return from the page of an e-ID provider',
  'GET /{ProcessKey}/{SigneeKey}.pdf': 'the link of webhooks and messages',
  'GET /attachment/{ProcessKey}/{Id}/{FileName}': 'the link of webhooks and answers',
  'POST /verify': 'judges what anybody has signed',
  'GET /verify': 'leads browsers to the page that checks signed files',
  'POST /auth/result': 'who has logged in at the page of a flow',
  'GET /s/{FlowKey}': 'the form of a flow, published as a page',
  'POST /s/{FlowKey}': 'the form of that page',
  'GET /f/{FlowKey}': 'the form of a flow, published as a page',
  'GET /s/verify': 'the page that checks signed files',
  'POST /s/verify': 'the form of that page',
  'GET /healthz': 'for machines that watch the service',
  'GET /readyz': 'for machines that watch the service',
  'GET /metrics': 'for machines that watch the service',
  'POST /tsa': 'the authority of the development trust',
  'POST /ocsp': 'the issuer of the development trust',
  'GET /ocsp/{Request}': 'the issuer of the development trust',
  'GET /crl/{Name}': 'the issuer of the development trust',
  'GET /issuer/{Name}': 'the issuer of the development trust',
};
