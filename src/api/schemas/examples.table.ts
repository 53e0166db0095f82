import * as story from './example-story.ts';

/** What a route is asked and answers in the story. */
export interface RouteExamples {
  /** Values of path and query where they are not those of {@link parameterExamples}. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Bodies of success by status. */
  readonly answers?: Readonly<Record<number, unknown>>;
  /** Codes that are the words of a provider and no codes of this service: code → sentence. */
  readonly words?: Readonly<Record<string, string>>;
}

const { keys, facts } = story;

/** Values of path, query and header by name. */
export const parameterExamples: Readonly<Record<string, unknown>> = {
  ProcessKey: keys.process,
  SigneeKey: keys.click,
  SequenceKey: keys.sequence,
  SequentialSigneeKey: keys.person,
  SequenceSigneeKey: keys.person,
  Key: keys.process,
  PersonKey: keys.click,
  FlowKey: keys.flow,
  WebHookSignatureKey: keys.webhookSignature,
  Token: keys.token,
  Version: facts.version,
  FileName: facts.attachmentName,
  Id: 1,
  User: facts.owner,
  Reason: 'Agreed',
  UserAgent: 'ExampleBrowser/1.0',
  StartDate: '2026-03-01T00:00:00Z',
  EndDate: '2026-04-01T00:00:00Z',
  Take: '100',
  Skip: '0',
  FlowType: 'DropAndSign',
  Search: 'agreement',
  StatusFilter: 'All',
  LookupType: 'NameAddress',
  LanguageType: 'En',
  AddSealOnAllPages: false,
  Schema: '{"type":"object"}',
  CreatedAt: facts.createdAt,
  UpdatedAt: facts.createdAt,
  Type: 'AllSigned',
  Ssn: '6000101994',
  Email: 'odon@example.com',
  Phone: '6666666',
  Name: 'Acme ehf.',
  Request: 'MEIwQDA+',
  'idempotency-key': 'agreement-2026-001',
};

const started = { authRequestId: keys.token, verificationCode: '8691', pollingInterval: 2 };
const startedForeign = {
  token: keys.token,
  autoStartToken: 'da34f55a2b21ff7824bd3f37a0bd40dd',
  qrData: 'eid-se.simulator.ccc54a63e7dca8c8c5a2fd492b83c8e8.0.cfe6a509b75e554f0577b50172d8a158',
  pollingInterval: 2,
};
const clicked = { token: keys.token, pollingInterval: 2 };
const app = { authenticationContextType: 'App', loginHint: story.customer.ssn };
const poll = { authRequestId: keys.token, flowKey: keys.flow };
const deviceLinkUrl = 'https://eid-simulator.invalid/device-link/f95036b7474e5209?t=0&p=8a513041';
const words = {
  userCancel: 'the person has cancelled',
  expiredTransaction: 'nobody answered in time',
  startFailed: 'the app of the person could not be started',
};
const signed = { status: 'Signed', statusMessage: 'ok' };
const remindersEnded = { answers: { 200: 'The planned reminders are cancelled.' } };
const attachment = { parameters: { Id: keys.attachment } };
const foreignLogin = { body: { endUserIp: '192.0.2.10' }, answers: { 200: startedForeign } };

const management: Readonly<Record<string, RouteExamples>> = {
  'POST /management/signing': { body: story.createProcess, answers: { 200: story.process } },
  'DELETE /management/signing': {},
  'POST /management/signing/block': {
    body: { processKey: keys.process, user: facts.owner, reason: 'Dispute' },
  },
  'GET /management/signing/example': { answers: { 200: story.createProcess } },
  'GET /signing/{ProcessKey}/signee/{SigneeKey}': { answers: { 200: story.process } },
  'PUT /signing/{ProcessKey}/signee/{SigneeKey}': {
    body: { signeeKey: keys.click, processKey: keys.process, city: 'Akureyri', user: facts.owner },
    answers: { 200: story.changedSignee },
  },
  'POST /signing/{ProcessKey}/signee': {
    body: story.addedSignee,
    answers: { 200: story.answeredAddition },
  },
  'POST /management/signing/sequential': {
    body: story.createSequence,
    answers: { 200: story.sequence },
  },
  'DELETE /management/signing/sequential': {
    answers: { 200: { ...story.sequence, status: 'Canceled' } },
  },
  'GET /signing/{ProcessKey}/attachment/{Id}/fileName/{FileName}': {
    ...attachment,
    answers: { 200: 'Terms' },
  },
  'DELETE /signing/{ProcessKey}/attachment/{Id}/fileName/{FileName}': attachment,
  'POST /management/signing/{ProcessKey}/signee/{SigneeKey}/remind': {
    body: {
      CommunicationDeliveryType: 'Email',
      User: facts.owner,
      IncludeUnsubscribe: true,
      ProcessKey: keys.process,
      SigneeKey: keys.click,
    },
    answers: { 200: 'The reminder is on its way.' },
  },
  'DELETE /signing/process/{ProcessKey}/signee/{SigneeKey}/remind': remindersEnded,
  'DELETE /signing/sequence/{SequenceKey}/signee/{SequenceSigneeKey}/remind': remindersEnded,
  'GET /pdf/{ProcessKey}/{SigneeKey}.pdf': { answers: { 200: '%PDF-1.7\n' } },
  'GET /signing/activity': { answers: { 200: [story.activity] } },
  'GET /signing/activity/company': { answers: { 200: [story.activity] } },
  'GET /signing/activity/user': { answers: { 200: [story.activity] } },
  'GET /signing/activity/total': { answers: { 200: { total: 1 } } },
  'GET /signing/activity/{ProcessKey}': { answers: { 200: [story.activity] } },
};

const flowMembers = { flowKey: keys.flow, version: facts.version };
const flowTimes = { createdAt: facts.createdAt, updatedAt: facts.createdAt };
const smartFlow = { ...flowMembers, ...flowTimes, schema: '{"type":"object"}' };
const webhook = {
  id: 1,
  flowKey: keys.flow,
  type: 'AllSigned',
  url: 'https://receiver.example.com/hook',
  active: true,
  ...flowTimes,
};
const template = {
  flowKey: keys.flow,
  to: '{{customer.email}}',
  Bcc: '',
  subject: 'A document for {{customer.name}}',
  message: '<p>Hello {{customer.name}}</p>',
  includeFiles: false,
  templateType: 'Signup',
  language: 'En',
};

const settings: Readonly<Record<string, RouteExamples>> = {
  'GET /management/flow': { answers: { 200: story.flows } },
  'GET /management/flow/{FlowKey}': { answers: { 200: story.flow } },
  'GET /management/flow/css/{FlowKey}.css': { answers: { 200: 'h1 { color: #204060 }' } },
  'GET /management/smartflows/{FlowKey}': { answers: { 200: [{ ...flowMembers, ...flowTimes }] } },
  'GET /management/smartflows/{FlowKey}/{Version}': { answers: { 200: smartFlow } },
  'PUT /management/smartflows/{FlowKey}/{Version}': {
    body: { schema: smartFlow.schema },
    answers: { 200: smartFlow },
  },
  'POST /management/webhook': {
    body: { flowKey: keys.flow, type: webhook.type, url: webhook.url },
    answers: { 200: { ...webhook, secret: 'whsec_ruJWKuF2AXmuXkTBvj37zUG7IZdSf7onL9FTUrkvIGg=' } },
  },
  'PUT /management/webhook/{Id}': {
    body: { active: false },
    answers: { 200: { ...webhook, active: false } },
  },
  'DELETE /management/webhook/{Id}': {},
  'GET /management/webhook/flowKey/{FlowKey}': { answers: { 200: [webhook] } },
  'POST /management/emailtemplate': {
    body: template,
    answers: { 200: { id: 1, ...template, ...flowTimes } },
  },
  'PUT /management/emailtemplate/{Id}': {
    body: { subject: 'Please sign' },
    answers: { 200: { id: 1, ...template, subject: 'Please sign', ...flowTimes } },
  },
  'DELETE /management/emailtemplate/{Id}': {},
  'GET /management/emailtemplate/flowKey/{FlowKey}': {
    answers: { 200: [{ id: 1, ...template, ...flowTimes }] },
  },
  'POST /management/apikeys/validate': { answers: { 200: { valid: true } } },
  'GET /': { answers: { 200: { description: '/openapi.json', page: '/api/swagger-ui/' } } },
  'GET /healthz': { answers: { 200: { ok: true } } },
  'GET /readyz': { answers: { 200: { ready: true }, 503: { ready: false } } },
  'GET /metrics': { answers: { 200: 'innsigli_info{version="0.1.0"} 1\n' } },
  'POST /tsa': {},
  'POST /ocsp': {},
  'GET /ocsp/{Request}': {},
  'GET /crl/{Name}': { parameters: { Name: 'root' } },
  'GET /issuer/{Name}': { parameters: { Name: 'root' } },
};

const report = {
  valid: true,
  v: 1,
  format: 'pdf',
  indication: 'TOTAL-PASSED',
  coverage: 'full',
  signatures: [
    {
      kind: 'signature',
      field: 'Signature1',
      subFilter: 'ETSI.CAdES.detached',
      indication: 'TOTAL-PASSED',
      level: 'B-LTA',
      intact: true,
      trusted: true,
    },
  ],
};

const documents: Readonly<Record<string, RouteExamples>> = {
  'POST /management/sealing': {
    body: { pdfDocument: story.pdf64, flowKey: keys.flow, reason: 'Agreed', languageType: 'En' },
    answers: { 200: { pdfDocument: story.sealed64 } },
  },
  'POST /management/sealing/xml': {
    body: { xmlDocument: story.xml64, flowKey: keys.flow },
    answers: { 200: { xmlDocument: story.sealedXml64 } },
  },
  'POST /management/archive': {
    parameters: { FileName: facts.fileName },
    body: { pdfDocument: story.pdf64, fileName: facts.fileName },
    answers: { 200: { pdfDocument: story.sealed64, fileName: facts.fileName } },
  },
  'POST /verify': { body: { document: story.pdf64 }, answers: { 200: report } },
};

const logins: Readonly<Record<string, RouteExamples>> = {
  'POST /auth/start': {
    body: {
      flowKey: keys.flow,
      authenticationContextType: 'Sim',
      phoneNumber: story.customer.phoneNumber,
      includeVerificationCode: true,
    },
    answers: { 200: started },
  },
  'POST /auth/poll': {
    body: { ...poll, lookupType: 'NameAddress' },
    answers: { 200: story.finished },
  },
  'POST /auth': {
    body: {
      phoneNumber: story.customer.phoneNumber,
      flowKey: keys.flow,
      lookupType: 'NameAddress',
    },
    answers: { 200: story.customer },
  },
  'POST /auth/devicelink/start': {
    body: { flowKey: keys.flow, returnUrl: 'https://shop.example.com/back' },
    answers: { 200: { sessionId: keys.token, deviceLinkUrl, pollingInterval: 2 } },
  },
  'POST /auth/devicelink/poll': {
    body: { sessionId: keys.token, flowKey: keys.flow, lookupType: 'NameAddress' },
    answers: { 200: { ...story.waiting, deviceLinkUrl } },
  },
  'POST /auth/eid-se/start': {
    body: { flowKey: keys.flow, endUserIp: '192.0.2.10' },
    answers: { 200: startedForeign },
  },
  'GET /auth/eid-se/status/token/{Token}': { answers: { 200: story.finished }, words },
  'POST /signing/auth/start': {
    body: { processKey: keys.process, signeeKey: keys.qualified, ...app },
    answers: { 200: started },
  },
  'POST /signing/auth/poll': {
    body: { authRequestId: keys.token, processKey: keys.process, signeeKey: keys.qualified },
    answers: { 200: { ...story.finished, signingProcess: story.process } },
  },
  'POST /signing/{ProcessKey}/auth': {
    body: { processKey: keys.process, ...app },
    answers: { 200: started },
  },
  'POST /signing/sequential/{SequenceKey}': {
    body: { authRequestId: keys.token, signeeKey: keys.person },
    answers: { 200: story.sequence, 202: story.waiting },
  },
  'POST /signing/sequential/{SequenceKey}/auth': {
    body: { sequenceKey: keys.sequence, ...app },
    answers: { 200: started },
  },
  'POST /signing/sequential/{SequenceKey}/signee/{SequentialSigneeKey}/passcode': {
    body: { passcode: 'correct horse' },
    answers: { 200: story.sequence },
  },
  'POST /signing/sequential/{SequenceKey}/signee/{SequentialSigneeKey}/token': {
    body: { expiresInSeconds: 3600 },
    answers: {
      200: {
        accessToken: keys.token,
        tokenType: 'Bearer',
        expiresIn: 3600,
        expiresAt: '2026-03-02T10:30:00.000Z',
        sequenceKey: keys.sequence,
        signeeKey: keys.person,
      },
    },
  },
  'POST /signing/sequential/{SequenceKey}/signee/{SequentialSigneeKey}/auth/eid-se/start':
    foreignLogin,
  'POST /signing/sequential/{SequenceKey}/auth/eid-se/start': foreignLogin,
  'POST /signing/sequential/{SequenceKey}/auth/eid-se/poll': {
    body: { token: keys.token, signeeKey: keys.person },
    answers: { 200: { ...story.finished, sequentialSigning: story.sequence } },
    words,
  },
};

const sign = '/signing/sign/{ProcessKey}/signee/{SigneeKey}';
const statusOf = '/signing/status/processkey/{ProcessKey}/signeekey/{SigneeKey}';
const foreign = { parameters: { SigneeKey: keys.qualified } };
const simple = { parameters: { SigneeKey: keys.simple } };
const foreignStatus = {
  ...foreign,
  answers: { 200: { ...signed, signee: story.signedSignee } },
};

const signatures: Readonly<Record<string, RouteExamples>> = {
  [`POST ${sign}`]: {
    ...foreign,
    body: app,
    answers: { 200: { ...clicked, verificationCode: '1475' } },
  },
  [`POST ${sign}/eid-se`]: {
    ...foreign,
    body: { endUserIp: '192.0.2.10' },
    answers: { 200: startedForeign },
  },
  [`POST ${sign}/eid-dk`]: {
    ...foreign,
    body: { returnUrl: 'https://shop.example.com/back' },
    answers: {
      200: { ...clicked, redirectUrl: 'https://eid-simulator.invalid/eid-dk/1736759253a7b099' },
    },
  },
  [`POST ${sign}/otp`]: { ...simple, body: {}, answers: { 200: clicked } },
  [`POST ${sign}/otp/confirm`]: {
    ...simple,
    body: { token: keys.token, code: '4711' },
    answers: { 200: clicked },
  },
  [`POST ${sign}/click`]: { body: {}, answers: { 200: clicked } },
  [`GET ${statusOf}/eid-se/token/{Token}`]: foreignStatus,
  [`GET ${statusOf}/eid-dk/token/{Token}`]: foreignStatus,
  [`GET ${statusOf}/token/{Token}`]: {
    answers: {
      200: {
        ...signed,
        signed: true,
        document: {
          content: story.sealed64,
          digest: 'M1AjtuNW/gKQmfx6Ie8tq3GPQTID5oJXH+rb2AP9jk8=',
          fileName: facts.fileName,
        },
      },
    },
  },
};

const compliant = {
  status: 'compliant',
  status_messages: [],
  requirements: [],
  is_compliant: true,
};
const person = { countryCode: 'IS', firstName: 'Ragnheiður', lastName: 'Fjallmundardóttir' };

const registers: Readonly<Record<string, RouteExamples>> = {
  'GET /management/compliances/individuals/status': {
    answers: {
      200: {
        pep_found: true,
        status: 'not_compliant',
        status_messages: ['pep found', 'missed due dates'],
        requirements: [
          {
            compliance_type: 'PEP',
            answered_date: '2025-02-01',
            next_date: '2026-02-01',
            flow_key: keys.flow,
          },
        ],
        is_compliant: false,
      },
    },
  },
  'GET /management/compliances/businesses/status': { answers: { 200: compliant } },
  'POST /watchlist/person': {
    body: {
      ...person,
      dateOfBirth: '1968-11-30',
      gender: 'Female',
      flowKey: keys.flow,
      MatchRate: 80,
    },
    answers: {
      200: {
        errors: [],
        id: [{ id: '9d1c7f20b8e4435fa06b2e5d8c13f794' }],
        date: [{ date: facts.createdAt }],
        match: [
          {
            category: 'PEP',
            categories: ['PEP'],
            match_rate: 100,
            matchedFields: ['name', 'dateOfBirth', 'country'],
            gender: 'Female',
            deceased: false,
            firstName: person.firstName,
            lastName: person.lastName,
            fullName: `${person.firstName} ${person.lastName}`,
            images: [],
            dateOfBirth: '1968-11-30',
            countries: ['IS'],
            placeOfBirth: 'Reykjavík',
            primaryLocation: 'Reykjavík, Iceland',
            generalInfo: { nationality: 'IS' },
            furtherInformation: [],
            descriptions: [{ description1: 'PEP', description2: 'Head of state body' }],
            roles: [{ title: 'Minister of Examples', status: 'Current', country: 'IS' }],
            officialLists: [],
          },
        ],
        status: [{ status: 'Finished' }],
        request: {
          ...person,
          dateOfBirth: '1968-11-30',
          gender: 'Female',
          flowKey: keys.flow,
          matchRate: 80,
        },
        flowkey: keys.flow,
      },
    },
  },
};

/** Examples by `METHOD /path`, in lower case: paths are found in any letter case. */
export const routeExamples: ReadonlyMap<string, RouteExamples> = new Map(
  Object.entries({
    ...management,
    ...settings,
    ...documents,
    ...logins,
    ...signatures,
    ...registers,
  }).map(([route, examples]) => [route.toLowerCase(), examples]),
);
