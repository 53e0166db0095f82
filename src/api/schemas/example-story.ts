/**
 * The one story that all examples of the description tell: a company lets three persons sign an
 * agreement, and two of its documents go out as one sequence.
 */

/** Keys of what there is in the story. */
export const keys = {
  company: '3f9c1a7b2d54',
  flow: '7b1e90c4d2aa',
  process: 'sp4c0f2d91a7b84e6f9d3158c2e07b6a14',
  order: 'sp8e21b6d07c5a4f339b60a1d4f27c9e05',
  terms: 'sp17d4a90be6c352f8047e9c1b5a20d63f',
  qualified: 'si1b7e3c90d2f84a65b8c7e10f93a2d4c6',
  simple: 'si5d20a9f17c3b4e88a1f6037be4c92d18',
  click: 'si9c64e1b80f7d42a3b5d8e2f01a6c73b9',
  added: 'si2fa7d5c31e9b40867c04d9b3f58e6a20',
  ofOrder: 'si70c3e8d5a94f1b62d7b0f3961ce48a25',
  ofTerms: 'sib81f60d3e72a9c54086de4b7c95f1a02',
  sequence: 'pg4a1c9e0b72d6f83521',
  person: 'gs3e7a0c91b4',
  attachment: 'at4fe30a9f442f004a',
  token: 'zwZpelZOsOu-Mk3otk3EqMfmdIk641EMZl-WMInsF6I',
  webhookSignature: 'wsk-2b9d40e7c1f85a36',
} as const;

/** Names, times and addresses of the story. */
export const facts = {
  version: '2026-03',
  owner: 'owner@acme.example.com',
  fileName: 'agreement.pdf',
  attachmentName: 'terms.txt',
  createdAt: '2026-03-02T09:30:00.000Z',
  signedAt: '2026-03-02T10:15:30.000Z',
  expiresAt: '2026-04-01T09:30:00.000Z',
} as const;

const { flow: flowKey, process: processKey, sequence: sequenceKey } = keys;
const { owner, fileName, attachmentName, createdAt, signedAt, expiresAt } = facts;
const frontEnd = 'https://sign.example.com';

/** A page that says nothing, so that an example can be sent as it stands. */
export const pdf64 =
  'JVBERi0xLjcKMSAwIG9iago8PC9UeXBlL0NhdGFsb2cvUGFnZXMgMiAwIFI+PgplbmRvYmoKMiAwIG9iago8PC9UeX' +
  'BlL1BhZ2VzL0tpZHNbMyAwIFJdL0NvdW50IDE+PgplbmRvYmoKMyAwIG9iago8PC9UeXBlL1BhZ2UvUGFyZW50IDIg' +
  'MCBSL01lZGlhQm94WzAgMCA1OTUgODQyXS9SZXNvdXJjZXM8PD4+Pj4KZW5kb2JqCnhyZWYKMCA0CjAwMDAwMDAwMD' +
  'AgNjU1MzUgZiAKMDAwMDAwMDAwOSAwMDAwMCBuIAowMDAwMDAwMDU0IDAwMDAwIG4gCjAwMDAwMDAxMDUgMDAwMDAg' +
  'biAKdHJhaWxlcgo8PC9TaXplIDQvUm9vdCAxIDAgUj4+CnN0YXJ0eHJlZgoxODQKJSVFT0YK';
/** A small order. */
export const xml64 = 'PG9yZGVyPjxpdGVtPjE8L2l0ZW0+PC9vcmRlcj4=';
/** How answers with documents begin; examples do not show the rest. */
export const sealed64 = 'JVBERi0xLjcK';
/** The same for XML. */
export const sealedXml64 = 'PG9yZGVyPg==';

const people = {
  qualified: {
    name: 'Ödön Kőrösi',
    ssn: '6000101994',
    phoneNumber: '6666666',
    email: 'odon@example.com',
  },
  simple: { name: 'Björn Example', phoneNumber: '+11111111111', email: 'bjorn@example.com' },
  click: { name: 'Anna Example', email: 'anna@example.com' },
  added: { name: 'Dora Example', email: 'dora@example.com' },
} as const;

/** The person who logs in with an electronic identity. */
export const customer = {
  name: people.qualified.name,
  ssn: people.qualified.ssn,
  phoneNumber: people.qualified.phoneNumber,
  address: 'Prófgata 71',
  postalCode: '600',
  city: 'Akureyri',
  token: '15507b0eb417fb308d3b',
  flowKey,
};

/** A login that nobody has answered yet. */
export const waiting = {
  waitingForUserInput: true,
  statusMessage: 'waiting for the person',
  customer: null,
};
/** A login that is done. */
export const finished = { waitingForUserInput: false, statusMessage: 'ok', customer };

/** Signees as they are asked for. */
export const createSignees = [
  {
    ...people.qualified,
    reason: 'Buyer',
    communicationDeliveryType: 'Email',
    signatureType: 'Qualified',
    language: 'Is',
  },
  {
    ...people.simple,
    reason: 'Seller',
    communicationDeliveryType: 'Email',
    signatureType: 'Simple',
    language: 'En',
  },
  { ...people.click, communicationDeliveryType: 'None', signatureType: 'ClickToSign' },
];
/** The signee who is added later. */
export const addedSignee = { ...people.added, signatureType: 'ClickToSign' };

/** A process as it is asked for. */
export const createProcess = {
  flowKey,
  pdfDocument: pdf64,
  pdfFileName: fileName,
  createSignees,
  meta: { reference: '2026-001' },
  attachments: [{ fileName: attachmentName, fileContent: 'VGVybXM=' }],
  requiresAuth: false,
  signInOrder: false,
  signatureLocation: 'TopFirstPage',
  user: owner,
  activityDisplayName: 'Agreement 2026-001',
  flattenDocument: false,
  reminderRule: '1:3',
};

/** Documents of a sequence as they are asked for. */
export const createSequence = {
  createSigningProcesses: ['order.pdf', 'terms.pdf'].map((pdfFileName) => ({
    flowKey,
    pdfDocument: pdf64,
    pdfFileName,
    createSignees: [createSignees[2]],
  })),
  user: owner,
  requiresAuth: false,
  signInOrder: true,
};

const signeeOf = (of: string, key: string, signee: object, more: object = {}) => ({
  communicationDeliveryType: 'None',
  ...signee,
  key,
  signed: false,
  processKey: of,
  hidePersonalCode: false,
  url: `${frontEnd}/s/${of}/${key}`,
  ...more,
});

/** The signees of the agreement as they are answered. */
export const signees = [keys.qualified, keys.simple, keys.click].map((key, at) =>
  signeeOf(processKey, key, createSignees[at] ?? {}),
);
/** The first of them when he has signed. */
export const signedSignee = { ...signees[0], signed: true, signedAt };
/** The third of them with another address. */
export const changedSignee = { ...signees[2], city: 'Akureyri' };
/** The one who was added later. */
export const answeredAddition = signeeOf(processKey, keys.added, addedSignee);

const reference = {
  id: keys.attachment,
  fileName: attachmentName,
  contentLength: 5,
  contentType: 'text/plain; charset=utf-8',
  url: `${frontEnd}/attachment/${processKey}/${keys.attachment}/${attachmentName}`,
  processKey,
  attachmentType: 'Unspecified',
};

const times = { createdAt, expiresAt };
const places = {
  requiresAuth: false,
  signatureLocation: 'TopFirstPage',
  flattenDocument: false,
  user: owner,
};

/** The agreement as it is answered right after it was made. */
export const process = {
  key: processKey,
  signees,
  flowKey,
  status: 'Created',
  meta: { reference: '2026-001' },
  pdfFileName: fileName,
  attachments: [],
  attachmentReferences: [reference],
  ...places,
  signInOrder: false,
  reminderRule: '1:3',
  activityDisplayName: 'Agreement 2026-001',
  ...times,
};

const member = (key: string, signee: string, pdfFileName: string) => ({
  key,
  signees: [signeeOf(key, signee, createSignees[2] ?? {})],
  flowKey,
  status: 'Created',
  meta: {},
  pdfFileName,
  attachments: [],
  attachmentReferences: [],
  ...places,
  signInOrder: true,
  sequenceKey,
  ...times,
});

/** The sequence as it is answered right after it was made. */
export const sequence = {
  key: sequenceKey,
  status: 'Created',
  requiresAuth: false,
  user: owner,
  signInOrder: true,
  signees: [
    {
      key: keys.person,
      url: `${frontEnd}/s/${sequenceKey}/${keys.person}`,
      signingKeys: [
        { signeeKey: keys.ofOrder, processKey: keys.order },
        { signeeKey: keys.ofTerms, processKey: keys.terms },
      ],
      name: createSignees[2]?.name,
      signed: false,
    },
  ],
  signingProcesses: [
    member(keys.order, keys.ofOrder, 'order.pdf'),
    member(keys.terms, keys.ofTerms, 'terms.pdf'),
  ],
};

const entry = (status: string, at: string, more: object) => ({
  flowKey,
  processKey,
  status,
  createdAt: `2026-03-02T${at}.0000000Z`,
  createdBy: 'System',
  requiresAuth: false,
  signInOrder: false,
  signatureLocation: 'TopFirstPage',
  ...more,
});

/** The agreement in the activity log. */
export const activity = {
  processKey,
  activityDisplayName: 'Agreement 2026-001',
  activityLog: [
    entry('Created', '09:30:00', { createdBy: owner, fileName }),
    entry('SigneeAdded', '09:30:00', { signeeKey: keys.qualified }),
    entry('Started', '09:30:00', { createdBy: owner }),
    entry('SigneeSigned', '10:15:30', { signeeKey: keys.qualified }),
  ],
  signees: [
    {
      processKey,
      signeeKey: keys.qualified,
      ssn: people.qualified.ssn,
      name: people.qualified.name,
      phone: people.qualified.phoneNumber,
      email: people.qualified.email,
      createdAt: '2026-03-02T09:30:00.0000000Z',
      createdBy: 'System',
      updatedAt: '2026-03-02T10:15:30.0000000Z',
      signatureType: 'Qualified',
    },
  ],
  sequenceSignees: [],
  attachmentReferences: [reference],
};

const flowOverview = {
  flowKey,
  name: 'Documents',
  flowType: 'DropAndSign',
  active: true,
  language: 'Is',
  signatureType: 'Qualified',
};

/** The flows of the company. */
export const flows = [flowOverview];
/** The flow with all its settings. */
export const flow = {
  ...flowOverview,
  companyKey: keys.company,
  requiresAuth: false,
  signInOrder: false,
  signatureLocation: 'TopFirstPage',
  defaultSignees: [],
  initiationMethod: 'Api',
  meta: {},
  createdAt: '2026-01-05T08:00:00.000Z',
  updatedAt: '2026-01-05T08:00:00.000Z',
};
