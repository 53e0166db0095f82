import type { InjectOptions } from 'fastify';
import { agreement } from './open-api.ts';
import type { World } from './world.ts';

/** A request to a route, and the expected response. */
export interface Row {
  /** `METHOD /path` as published. */
  readonly route: string;
  readonly what: string;
  readonly status: number;
  readonly code?: string;
  /** Name of the field that is reported. */
  readonly field?: string;
  send(world: World): Omit<InjectOptions, 'method'>;
}

type Send = Row['send'];

const pdf64 = agreement.toString('base64');
const signee = { name: 'Carl Example', email: 'carl@example.test', signatureType: 'ClickToSign' };
const period = 'StartDate=2020-01-01&EndDate=2100-01-01';
const own = ({ basic }: World) => ({ authorization: basic });
const tooLarge = { 'content-length': '80000000', 'content-type': 'application/json' };

const as =
  (url: (world: World) => string, payload?: (world: World) => unknown, more: object = {}): Send =>
  (world) => ({
    url: url(world),
    headers: { ...own(world), ...more },
    ...(payload === undefined ? {} : { payload: payload(world) as object }),
  });
const at = (url: string, payload?: (world: World) => unknown, more?: object) =>
  as(() => url, payload, more);
const open =
  (
    url: (world: World) => string,
    payload?: (world: World) => unknown,
    headers: object = {},
  ): Send =>
  (world) => ({
    url: url(world),
    headers: { ...headers },
    ...(payload === undefined ? {} : { payload: payload(world) as object }),
  });

const process = (world: World, changes: object = {}) => ({
  flowKey: world.flowKey,
  pdfDocument: pdf64,
  pdfFileName: 'agreement.pdf',
  createSignees: [signee],
  ...changes,
});

const wrongForm = ({ formFlow }: World) => ({
  flowKey: formFlow,
  createSignees: [signee],
  meta: { pdfFieldData: '{"nothing":"x"}' },
});

type Short = readonly [what: string, status: number, send: Send, code?: string, field?: string];

function rowsOf(route: string, ...rows: readonly Short[]): readonly Row[] {
  return rows.map(([what, status, send, code, field]) => ({
    route,
    what,
    status,
    send,
    ...(code === undefined ? {} : { code }),
    ...(field === undefined ? {} : { field }),
  }));
}

const make = '/api/management/signing';
const makeSequence = '/api/management/signing/sequential';
const unknown = 'sp00000000000000000000000000000000';

const attachments = [{ fileName: 'a.txt', fileContent: 'YWJj' }];
/** Rows of companies that have used up a quota. */
const beyondQuotas = (url: string, payload: (w: World, flowKey: string) => unknown): Short[] =>
  (
    [
      ['processes', 429, 'quota.processes.exceeded'],
      ['attachments', 429, 'quota.attachments.exceeded'],
      ['storedBytes', 507, 'quota.storage.exceeded'],
    ] as const
  ).map(([name, status, code]) => [
    `beyond its quota: ${name}`,
    status,
    (w) => {
      const { basic, flowKey } = w.beyond[name];
      return { url, headers: { authorization: basic }, payload: payload(w, flowKey) as object };
    },
    code,
  ]);

const managementRows = [
  ...rowsOf(
    'POST /management/signing',
    ['a document', 200, at(make, (w) => process(w))],
    [
      'names and values in any case, null for absent members',
      200,
      at('/API/Management/Signing/', (w) => ({
        FlowKey: w.flowKey,
        PDFDOCUMENT: pdf64,
        pdffilename: 'a.pdf',
        CreateSignees: [{ NAME: 'A', Email: 'a@example.test', SignatureType: 'clicktosign' }],
        sequenceKey: null,
        unknownMember: 1,
      })),
    ],
    ['without a flow', 400, at(make, () => ({})), 'validation.error', 'flowKey'],
    [
      'an unknown signature type',
      400,
      at(make, (w) => process(w, { createSignees: [{ ...signee, signatureType: 'Odd' }] })),
      'validation.error',
      'createSignees[0].signatureType',
    ],
    [
      'malformed JSON',
      400,
      at(make, () => '{"flowKey":', { 'content-type': 'application/json' }),
      'validation.error',
    ],
    [
      'the member __proto__',
      400,
      at(make, () => '{"__proto__":{"x":1}}', { 'content-type': 'application/json' }),
      'validation.error',
    ],
    [
      'a form as body',
      415,
      at(make, () => 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }),
      'request.media.unsupported',
    ],
    [
      'a raw PDF',
      415,
      at(make, () => agreement, { 'content-type': 'application/pdf' }),
      'request.media.unsupported',
    ],
    [
      'a data URL',
      400,
      at(make, (w) => process(w, { pdfDocument: `data:application/pdf;base64,${pdf64}` })),
      'validation.error',
      'pdfDocument',
    ],
    [
      'no signee',
      400,
      at(make, (w) => process(w, { createSignees: [] })),
      'validation.error',
      'createSignees',
    ],
    [
      'too many signees',
      400,
      at(make, (w) => process(w, { createSignees: Array.from({ length: 201 }, () => signee) })),
      'validation.error',
      'createSignees',
    ],
    [
      'a path for a file name',
      400,
      at(make, (w) => process(w, { pdfFileName: '../../etc/passwd' })),
      'validation.error',
    ],
    ['an unknown flow', 404, at(make, (w) => process(w, { flowKey: 'none' })), 'flow.not_found'],
    [
      'a flow of another company',
      404,
      at(make, (w) => process(w, { flowKey: w.trialFlow })),
      'flow.not_found',
    ],
    [
      'an invalid reminder rule',
      400,
      at(make, (w) => process(w, { reminderRule: 'often' })),
      'reminder.rule.invalid',
    ],
    [
      'a document that is not a PDF',
      400,
      at(make, (w) => process(w, { pdfDocument: 'AAAA' })),
      'pdf.notpdf',
    ],
    ['a value for an unknown field', 400, at(make, wrongForm), 'flow.values.invalid'],
    ['a body that is too large', 413, at(make, () => '{}', tooLarge), 'limit.exceeded'],
    [
      'an expired trial',
      406,
      (w) => ({
        url: make,
        headers: { authorization: w.trial },
        payload: process(w, { flowKey: w.trialFlow }),
      }),
      '10101',
    ],
    ...beyondQuotas(make, (w, flowKey) => process(w, { flowKey, attachments })),
  ),
  ...rowsOf(
    'DELETE /management/signing',
    ['cancelled again', 204, as((w) => `${make}?processkey=${w.canceled.key}&user=a@example.test`)],
    ['without a key', 400, at(make), 'validation.error', 'processKey'],
    ['unknown', 404, at(`${make}?ProcessKey=${unknown}`), 'process.not_found'],
    [
      'after all have signed',
      403,
      as((w) => `${make}?ProcessKey=${w.signed.key}`),
      'error.signee.process.finished',
    ],
    [
      'part of a sequence, by a different user',
      403,
      as((w) => `${make}?ProcessKey=${w.inSequence.key}&User=x@example.test`),
      'sequence.cancel.forbidden',
    ],
  ),
  ...rowsOf(
    'POST /management/signing/block',
    ['without a key', 400, at(`${make}/block`), 'validation.error', 'processKey'],
    ['unknown', 404, at(`${make}/block?ProcessKey=${unknown}`), 'process.not_found'],
    [
      'after all have signed',
      403,
      as((w) => `${make}/block?ProcessKey=${w.signed.key}`),
      'error.signee.process.finished',
    ],
    [
      'cancelled',
      403,
      as((w) => `${make}/block?ProcessKey=${w.canceled.key}`),
      'signing.forbidden.canceled',
    ],
  ),
  ...rowsOf(
    'GET /management/signing/example',
    ['of any flow', 200, at(`${make}/example`)],
    ['of a flow', 200, as((w) => `${make}/example?flowKey=${w.flowKey}`)],
    ['of an unknown flow', 404, at(`${make}/example?FlowKey=none`), 'flow.not_found'],
  ),
  ...rowsOf(
    'POST /management/signing/sequential',
    [
      'two documents',
      200,
      at(makeSequence, (w) => ({
        CreateSigningProcesses: [process(w), process(w)],
        user: 'owner@example.test',
        signInOrder: true,
      })),
    ],
    [
      'a bare array',
      200,
      at(makeSequence, (w) => [process(w, { user: 'owner@example.test' }), process(w)]),
    ],
    [
      'an empty list',
      400,
      at(makeSequence, () => []),
      'validation.error',
      'createSigningProcesses',
    ],
    [
      'without a user',
      400,
      at(makeSequence, (w) => ({ createSigningProcesses: [process(w)] })),
      'validation.error',
      'user',
    ],
    [
      'an unknown flow',
      404,
      at(makeSequence, (w) => [process(w, { flowKey: 'none', user: 'a@example.test' })]),
      'flow.not_found',
    ],
    [
      'a document that is not a PDF',
      400,
      at(makeSequence, (w) => [process(w, { pdfDocument: 'AAAA', user: 'a@example.test' })]),
      'pdf.notpdf',
    ],
    [
      'a value for an unknown field',
      400,
      at(makeSequence, (w) => [wrongForm(w)]),
      'flow.values.invalid',
    ],
    [
      'an invalid reminder rule',
      400,
      at(makeSequence, (w) => [process(w, { reminderRule: 'often', user: 'a@example.test' })]),
      'reminder.rule.invalid',
    ],
    ['a body that is too large', 413, at(makeSequence, () => '{}', tooLarge), 'limit.exceeded'],
    [
      'an expired trial',
      406,
      (w) => ({
        url: makeSequence,
        headers: { authorization: w.trial },
        payload: [process(w, { flowKey: w.trialFlow, user: 'a@example.test' })],
      }),
      '10101',
    ],
    ...beyondQuotas(makeSequence, (w, flowKey) => [process(w, { flowKey, attachments })]),
  ),
  ...rowsOf(
    'DELETE /management/signing/sequential',
    [
      'by another',
      403,
      as((w) => `${makeSequence}?SequenceKey=${w.sequenceKey}&User=x@example.test`),
      'sequence.cancel.forbidden',
    ],
    [
      'without a user',
      400,
      as((w) => `${makeSequence}?SequenceKey=${w.sequenceKey}`),
      'validation.error',
      'user',
    ],
    ['unknown', 404, at(`${makeSequence}?SequenceKey=pg0&User=a`), 'process.not_found'],
    [
      'after all have signed',
      403,
      as((w) => `${makeSequence}?SequenceKey=${w.doneSequenceKey}&User=owner@example.test`),
      'error.signee.process.finished',
    ],
  ),
];

type PlaceName =
  | ('open' | 'closed' | 'signed' | 'begun' | 'busy' | 'bounded' | 'inSequence')
  | ('canceled' | 'blocked' | 'ordered' | 'waiting');
const place = (key: PlaceName) => (w: World) => `/api/signing/${w[key].key}/signee`;
const bearer = { authorization: 'Bearer nothing' };

/** The access rules of a process that requires a login, for any route of it. */
function accessRows(route: string, url: (w: World) => string, payload?: () => object) {
  return rowsOf(
    route,
    ['without the required login', 401, open(url, payload), 'authentication.credentials.invalid'],
    [
      'an unknown scheme',
      401,
      open(url, payload, { authorization: 'Digest x' }),
      'authentication.credentials.invalid',
    ],
    ['an unknown token', 401, open(url, payload, bearer), 'authentication.token.invalid'],
    [
      'an unknown access token',
      401,
      open(url, payload, { 'x-access-token': 'x' }),
      'authentication.token.invalid',
    ],
    [
      'a token for a different document',
      403,
      (w) => ({
        url: url(w),
        headers: { authorization: `Bearer ${w.otherToken}` },
        ...(payload === undefined ? {} : { payload: payload() }),
      }),
      'authentication.token.scope.invalid',
    ],
    [
      'of another company',
      404,
      (w) => ({
        url: url(w),
        headers: { authorization: w.foreign },
        ...(payload === undefined ? {} : { payload: payload() }),
      }),
      'process.not_found',
    ],
  );
}

const signeeRows = [
  ...rowsOf(
    'GET /signing/{ProcessKey}/signee/{SigneeKey}',
    ['a process', 200, open((w) => `${place('open')(w)}/${w.open.signee}?useragent=Tester`)],
    ['a login by the company', 200, as((w) => `${place('closed')(w)}/${w.closed.signee}`)],
    ['signed', 200, open((w) => `${place('signed')(w)}/${w.signed.signee}`)],
    ['unknown', 404, open(() => `/api/signing/${unknown}/signee/si0`), 'process.not_found'],
    ['an unknown signee', 404, open((w) => `${place('open')(w)}/si0`), 'error.signee.not_found'],
    [
      'an unknown signee, with a login',
      404,
      as((w) => `${place('closed')(w)}/si0`),
      'process.not_found',
    ],
  ),
  ...accessRows(
    'GET /signing/{ProcessKey}/signee/{SigneeKey}',
    (w) => `${place('closed')(w)}/${w.closed.signee}`,
  ),
  ...rowsOf(
    'PUT /signing/{ProcessKey}/signee/{SigneeKey}',
    [
      'an address',
      200,
      open(
        (w) => `${place('open')(w)}/${w.open.signee}`,
        (w) => ({ City: 'Akureyri', ProcessKey: w.open.key }),
      ),
    ],
    [
      'a different key in the body',
      403,
      open(
        (w) => `${place('open')(w)}/${w.open.signee}`,
        () => ({ signeeKey: 'si0' }),
      ),
      'authentication.token.scope.invalid',
    ],
    [
      'a different key in the body, by the company',
      400,
      as(
        (w) => `${place('open')(w)}/${w.open.signee}`,
        () => ({ signeeKey: 'si0' }),
      ),
      'validation.error',
      'signeeKey',
    ],
    [
      'a fourth change of an address by link',
      403,
      open(
        (w) => `${place('bounded')(w)}/${w.bounded.signee}`,
        () => ({ email: 'fourth@example.test' }),
      ),
      'signing.forbidden.signee.limit',
    ],
    [
      'unknown',
      404,
      open(
        () => `/api/signing/${unknown}/signee/si0`,
        () => ({}),
      ),
      'process.not_found',
    ],
    [
      'an unknown signee',
      404,
      open(
        (w) => `${place('open')(w)}/si0`,
        () => ({}),
      ),
      'error.signee.not_found',
    ],
    [
      'after all have signed',
      403,
      open(
        (w) => `${place('signed')(w)}/${w.signed.signee}`,
        () => ({ city: 'Selfoss' }),
      ),
      'signing.forbidden.signee.signed',
    ],
    ...(['canceled', 'blocked'] as const).map(
      (key): Short => [
        key,
        403,
        open(
          (w) => `${place(key)(w)}/${w[key].signee}`,
          () => ({ city: 'Selfoss' }),
        ),
        `signing.forbidden.${key}`,
      ],
    ),
  ),
  ...accessRows(
    'PUT /signing/{ProcessKey}/signee/{SigneeKey}',
    (w) => `${place('closed')(w)}/${w.closed.signee}`,
    () => ({}),
  ),
  ...rowsOf(
    'POST /signing/{ProcessKey}/signee',
    [
      'a signee',
      200,
      open(place('open'), () => ({ ...signee, name: 'Dora', email: 'dora@example.test' })),
    ],
    [
      'again',
      403,
      open(place('open'), () => ({ ...signee, name: 'Dora', email: 'dora@example.test' })),
      'error.signee.add.exists',
    ],
    [
      'without a name',
      400,
      open(place('open'), () => ({ email: 'e@example.test' })),
      'validation.error',
    ],
    [
      'unknown',
      404,
      open(
        () => `/api/signing/${unknown}/signee`,
        () => signee,
      ),
      'process.not_found',
    ],
    [
      'part of a sequence',
      403,
      open(place('inSequence'), () => signee),
      'error.signee.wrong.route',
    ],
    [
      'after all have signed',
      403,
      open(place('signed'), () => signee),
      'error.signee.process.finished',
    ],
    [
      'after one has signed',
      403,
      open(place('begun'), () => signee),
      'signing.forbidden.document.signed',
    ],
    ['blocked', 403, open(place('blocked'), () => signee), 'signing.forbidden.blocked'],
    [
      'a sixth signee by link',
      403,
      open(place('bounded'), () => signee),
      'signing.forbidden.signee.limit',
    ],
  ),
  ...accessRows('POST /signing/{ProcessKey}/signee', place('closed'), () => signee),
  ...rowsOf('POST /signing/{ProcessKey}/signee', [
    'a namesake',
    200,
    open(place('open'), () => ({ ...signee, name: 'Anna Example', email: 'other@example.test' })),
  ]),
  ...rowsOf('PUT /signing/{ProcessKey}/signee/{SigneeKey}', [
    'an existing signee',
    403,
    open(
      (w) => `${place('open')(w)}/${w.open.signee}`,
      () => ({ email: 'other@example.test' }),
    ),
    'error.signee.add.exists',
  ]),
];

const file =
  (key: PlaceName, name = 'terms%20of%20use.txt') =>
  (w: World) =>
    `/api/signing/${w[key].key}/attachment/${w[key].attachment}/fileName/${name}`;
const attached = '/signing/{ProcessKey}/attachment/{Id}/fileName/{FileName}';
const pdfOf = (key: 'open' | 'closed' | 'purged') => (w: World) =>
  `/api/pdf/${w[key].key}/${w[key].signee}.pdf`;

const fileRows = [
  ...rowsOf(
    `GET ${attached}`,
    ['an attachment', 200, open(file('open'))],
    ['a different file name', 404, open(file('open', 'other.txt')), 'process.file.not_found'],
    ['a path', 404, open(file('open', '..%2f..%2fetc%2fpasswd')), 'process.file.not_found'],
    [
      'an unknown signee',
      404,
      open((w) => `${file('open')(w)}?SigneeKey=si0`),
      'error.signee.not_found',
    ],
    [
      'unknown',
      404,
      open(() => `/api/signing/${unknown}/attachment/at0/fileName/a`),
      'process.not_found',
    ],
  ),
  ...accessRows(`GET ${attached}`, file('closed')),
  ...rowsOf(
    `DELETE ${attached}`,
    [
      'unknown',
      404,
      open(() => `/api/signing/${unknown}/attachment/at0/fileName/a`),
      'process.not_found',
    ],
    ['a different file name', 404, open(file('open', 'other.txt')), 'process.file.not_found'],
    ['after all have signed', 403, open(file('signed')), 'error.signee.process.finished'],
    ['after one has signed', 403, open(file('begun')), 'signing.forbidden.document.signed'],
    ['during a signature', 403, open(file('busy')), '2002'],
    [
      'an unknown signee',
      404,
      open((w) => `${file('open')(w)}?SigneeKey=si0`),
      'error.signee.not_found',
    ],
  ),
  ...accessRows(`DELETE ${attached}`, file('closed')),
  ...rowsOf(
    'GET /pdf/{ProcessKey}/{SigneeKey}.pdf',
    ['a document', 200, open(pdfOf('open'))],
    ['a file extension in capitals', 200, open((w) => pdfOf('open')(w).replace('.pdf', '.PDF'))],
    ['a login by the company', 200, as(pdfOf('closed'))],
    ['a known ETag', 304, open(pdfOf('open'), undefined, { 'if-none-match': '*' })],
    ['unknown', 404, open(() => `/api/pdf/${unknown}/si0.pdf`), 'process.not_found'],
    [
      'an unknown signee',
      404,
      open((w) => `/api/pdf/${w.open.key}/si0.pdf`),
      'error.signee.not_found',
    ],
    ['after the purge', 404, open(pdfOf('purged')), 'process.file.not_found'],
  ),
  ...accessRows('GET /pdf/{ProcessKey}/{SigneeKey}.pdf', pdfOf('closed')),
];

const remind =
  (key: PlaceName, who: 'signee' | 'other' | 'third' = 'signee', base = '') =>
  (w: World) =>
    `${base}/management/signing/${w[key].key}/signee/${w[key][who]}/remind`;
const byMail = () => ({ communicationDeliveryType: 'email' });
const remindRoute = 'POST /management/signing/{ProcessKey}/signee/{SigneeKey}/remind';
const endOf = 'DELETE /signing/process/{ProcessKey}/signee/{SigneeKey}/remind';
const endOfPerson = 'DELETE /signing/sequence/{SequenceKey}/signee/{SequenceSigneeKey}/remind';

const reminderRows = [
  ...rowsOf(
    remindRoute,
    ['by mail', 200, as(remind('open'), byMail)],
    [
      'below /api',
      200,
      as(remind('open', 'signee', '/api'), () => ({
        CommunicationDeliveryType: 'None',
        User: 'a@example.test',
      })),
    ],
    [
      'without a delivery method',
      400,
      as(remind('open'), () => ({})),
      'validation.error',
      'communicationDeliveryType',
    ],
    [
      'a different key in the body',
      400,
      as(remind('open'), () => ({ ...byMail(), ProcessKey: 'sp0' })),
      'validation.error',
      'processKey',
    ],
    [
      'SMS to a signee by click',
      400,
      as(remind('open'), () => ({ CommunicationDeliveryType: 'Sms' })),
      'reminder.delivery.not_allowed',
    ],
    [
      'SMS to a signee without a phone number',
      400,
      as(remind('open', 'third'), () => ({ CommunicationDeliveryType: 'sms' })),
      'reminder.phone.missing',
    ],
    [
      'mail to a signee without an address',
      400,
      as(remind('open', 'other'), byMail),
      'reminder.email.missing',
    ],
    [
      'unknown',
      404,
      at(`/management/signing/${unknown}/signee/si0/remind`, byMail),
      'process.not_found',
    ],
    [
      'an unknown signee',
      404,
      as((w) => `/management/signing/${w.open.key}/signee/si0/remind`, byMail),
      'error.signee.not_found',
    ],
    ['signed', 403, as(remind('signed'), byMail), 'signing.forbidden.signee.signed'],
    ['cancelled', 403, as(remind('canceled'), byMail), 'signing.forbidden.canceled'],
    ['blocked', 403, as(remind('blocked'), byMail), 'signing.forbidden.blocked'],
    [
      'not yet started',
      403,
      as(remind('waiting'), () => ({ communicationDeliveryType: 'None' })),
      'signing.forbidden.inactive',
    ],
    [
      'out of order',
      403,
      as(remind('ordered', 'other'), () => ({ communicationDeliveryType: 'None' })),
      'signing.forbidden.order',
    ],
  ),
  ...rowsOf(
    endOf,
    ['ended', 200, as((w) => `/signing/process/${w.open.key}/signee/${w.open.signee}/remind`)],
    [
      'below /api',
      200,
      as((w) => `/api/signing/process/${w.open.key}/signee/${w.open.signee}/remind`),
    ],
    ['unknown', 404, at(`/signing/process/${unknown}/signee/si0/remind`), 'process.not_found'],
    [
      'an unknown signee',
      404,
      as((w) => `/signing/process/${w.open.key}/signee/si0/remind`),
      'error.signee.not_found',
    ],
  ),
  ...rowsOf(
    endOfPerson,
    ['ended', 200, as((w) => `/signing/sequence/${w.sequenceKey}/signee/${w.personKey}/remind`)],
    ['unknown', 404, at('/signing/sequence/pg0/signee/gs0/remind'), 'process.not_found'],
    [
      'an unknown person',
      404,
      as((w) => `/signing/sequence/${w.sequenceKey}/signee/gs0/remind`),
      'error.signee.not_found',
    ],
  ),
];

const logs = (route: string, url: string) =>
  rowsOf(
    route,
    ['one page of entries', 200, at(`${url}?${period.toLowerCase()}&take=2&STATUSFILTER=active`)],
    ['without a period', 400, at(url), 'validation.error', 'startDate'],
    [
      'an end before the start',
      400,
      at(`${url}?StartDate=2030-01-01&EndDate=2020-01-01`),
      'validation.error',
      'startDate',
    ],
    [
      'an unknown status',
      400,
      at(`${url}?${period}&StatusFilter=Odd`),
      'validation.error',
      'statusFilter',
    ],
  );

const activityRows = [
  ...logs('GET /signing/activity', '/api/signing/activity'),
  ...logs('GET /signing/activity/company', '/api/signing/activity/company'),
  ...logs('GET /signing/activity/user', '/api/signing/activity/user/'),
  ...logs('GET /signing/activity/total', '/api/signing/activity/total'),
  ...rowsOf(
    'GET /signing/activity/{ProcessKey}',
    ['the log of a process', 200, as((w) => `/api/signing/activity/${w.open.key}`)],
    ['a period', 200, as((w) => `/api/signing/activity/${w.open.key}?${period}`)],
    ['unknown', 404, at(`/api/signing/activity/${unknown}`), 'process.not_found'],
  ),
];

/** Rows of processes, sequences, signees, files, reminders and the log. */
export const processRows: readonly Row[] = [
  ...managementRows,
  ...signeeRows,
  ...fileRows,
  ...reminderRows,
  ...activityRows,
];

export { as, at, open, own, pdf64, process, rowsOf, type Short, signee, tooLarge };
