import { Type } from '@sinclair/typebox';
import { complianceTypes, riskLevels } from '../../src/domain/compliance/index.ts';
import { type FlowSettings, initiationMethods, questionModes } from '../../src/domain/flow/flow.ts';
import { signeeIdentities } from '../../src/domain/person/index.ts';
import { signatureLocations } from '../../src/domain/process/index.ts';
import {
  about,
  delivery,
  flag,
  flowType,
  level,
  list,
  members,
  moment,
  oneOf,
  opt,
  type Shapes,
  signatureType,
  text,
  whole,
} from './words.ts';

const formField = members(
  {
    name: text,
    kind: oneOf('text', 'checkbox', 'radio', 'choice'),
    isRequired: flag,
    options: opt(about('Ids of a radio group, texts of a choice.', list(text))),
    lengthMax: opt(about('Characters of a text at most.', whole)),
    label: opt(about('Name of the field for people.', text)),
    isMultiline: opt(flag),
    isReadOnly: opt(flag),
    isHidden: opt(about('Not for people: hidden, a password, or the path of a file.', flag)),
    preset: opt(about('What the form comes with: a text, an option, or `checked`.', text)),
  },
  'FormField',
);

const defaultSignee = members(
  {
    name: text,
    email: opt(text),
    phoneNumber: opt(text),
    signatureType,
    delivery,
  },
  'DefaultSignee',
);

const flowDetails = members(
  {
    companyKey: text,
    initiationMethod: oneOf(...initiationMethods),
    meta: Type.Record(text, text),
    createdAt: moment,
    updatedAt: moment,
    publishedVersion: opt(text),
    templateSha256: opt(text),
    fields: opt(about('Fields of the form of a FillAndSign flow.', list(formField))),
    formUrl: opt(about('Address of its page, where customers begin or log in.', text)),
    flowKey: text,
    name: text,
    flowType,
    active: flag,
    language: text,
    signatureType: text,
    signInOrder: flag,
    requiresAuth: flag,
    signeeIdentity: opt(
      about(
        'Who may log in as a signee of whom no number is known; absent: as the company says.',
        oneOf(...signeeIdentities),
      ),
    ),
    timeZone: opt(
      about('IANA name, for times in evidence and mails; absent: as the company says.', text),
    ),
    signatureLocation: oneOf(...signatureLocations),
    reminderRule: opt(about('`{first}:{interval}`.', text)),
    activityDisplayName: opt(text),
    fileNameTemplate: opt(about('Placeholders of the values in double braces.', text)),
    minAdditionalSignees: opt(whole),
    maxAdditionalSignees: opt(whole),
    defaultSignees: list(defaultSignee),
    sealLevel: about('Level of the seal of the company after the last signature.', level),
    evidencePage: about(
      'Attach the evidence page; always done for Simple and ClickToSign signatures.',
      flag,
    ),
    mayDecline: about('Signees may refuse.', flag),
    openLinks: opt(
      about('Who has the link of one signee sees and can do what all of them can.', flag),
    ),
    expiresAfterDays: whole,
    retentionDays: about('Days that documents are kept after the end.', whole),
    notifyAddress: opt(about('Mail to the company when a process is completed.', text)),
    confirmSignees: about('Mail the result to signees; to the user.', flag),
    confirmUser: flag,
    complianceTypes: opt(
      about(
        'Assessments that a completed process answers; absent: by the type of the flow.',
        list(oneOf(...complianceTypes)),
      ),
    ),
    familyLookup: opt(
      about('Logins of the flow may look up family data: a special permission.', flag),
    ),
    questionMode: opt(oneOf(...questionModes)),
    loginsPerMinute: opt(
      about(
        'Logins of the flow that may be started in a minute; left out: as the service says.',
        whole,
      ),
    ),
  } satisfies Readonly<Record<string, unknown> & Record<keyof FlowSettings, unknown>>,
  'FlowDetails',
);

const flowOverview = members(
  {
    flowKey: text,
    name: text,
    flowType,
    active: flag,
    language: text,
    signatureType: text,
  },
  'FlowOverview',
);

const requirement = members(
  {
    type: oneOf(...complianceTypes),
    answeredDate: opt(about('`YYYY-MM-DD`; absent while it was not answered.', text)),
    nextDate: opt(about('When it is due again.', text)),
    flowKey: opt(text),
    processKey: opt(about('Process with which it was answered last.', text)),
  },
  'Requirement',
);

const riskLevel = oneOf(...riskLevels);

const complianceStatus = {
  isCompliant: about('True when there is no message.', flag),
  pepFound: flag,
  messages: list(
    oneOf(
      'pep found',
      'has not been risk evaluated',
      'missed due dates',
      'does not meet all requirements',
    ),
  ),
  requirements: about(
    'All of them when one is missed or not met; nothing otherwise.',
    list(requirement),
  ),
  riskLevel: about('Level whose periods apply.', riskLevel),
  riskUntil: opt(about('Last day on which the evaluation of the risk counts.', text)),
  dueDate: about('Day by which something has to be done.', text),
};

const complianceRecord = {
  kind: oneOf('person', 'business'),
  name: text,
  ssn: opt(text),
  email: opt(text),
  phoneNumber: opt(text),
  owners: opt(list(text)),
  pepFound: flag,
  pepAcceptance: opt(members({ date: text, until: text, reason: text })),
  risk: opt(members({ date: text, level: opt(riskLevel), until: opt(text) })),
  requirements: list(requirement),
  updatedAtMs: whole,
};

const complianceOf = (group: 'individual' | 'business') => ({
  [`compliance ${group} status`]: [members(complianceStatus)],
  [`compliance ${group} record`]: [members({ kind: text })],
  [`compliance ${group} import`]: [members({ records: whole })],
  [`compliance ${group} evaluate`]: [members({ kind: text, level: riskLevel })],
  [`compliance ${group} show`]: [
    members({
      record: members(complianceRecord),
      changes: list(
        members({
          atMs: whole,
          source: oneOf('record', 'import', 'evaluate', 'accept', 'flow'),
          changed: about(
            'Members with another value than before.',
            Type.Record(text, Type.Unknown()),
          ),
        }),
      ),
    }),
  ],
  [`compliance ${group} due`]: [
    members({
      due: list(
        members({
          kind: oneOf('person', 'business'),
          name: text,
          ssn: opt(text),
          email: opt(text),
          phoneNumber: opt(text),
          status: members(complianceStatus),
        }),
      ),
    }),
  ],
});

/** The bodies of these commands under --json. */
export const flowsBodies = {
  'compliance import': [members({ records: whole })],
  'compliance record': [members({ kind: text })],
  'compliance status': [members(complianceStatus)],
  ...complianceOf('individual'),
  ...complianceOf('business'),
  'compliance individual accept': [members({ kind: text })],
  'flow create': [members({ flow: flowDetails })],
  'flow list': [members({ flows: list(flowOverview) })],
  'flow render': [members({ output: text, lengthBytes: whole })],
  'flow schema': [
    members({
      flowKey: text,
      version: about('Opaque.', text),
      schema: about('JSON text.', text),
      createdAtMs: whole,
      updatedAtMs: whole,
    }),
    members({
      versions: list(
        members({ version: text, isPublished: flag, createdAt: moment, updatedAt: moment }),
      ),
    }),
  ],
  'flow show': [members({ flow: flowDetails }), members({ css: text })],
  'flow update': [members({ flow: flowDetails })],
} satisfies Shapes;
