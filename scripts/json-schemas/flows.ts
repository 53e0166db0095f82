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
    options: opt(about('Option ids of a radio group, option texts of a choice.', list(text))),
    lengthMax: opt(about('Maximum number of characters of a text.', whole)),
    label: opt(about('Label of the field for people.', text)),
    isMultiline: opt(flag),
    isReadOnly: opt(flag),
    isHidden: opt(
      about('True if not to be filled in by people: hidden, a password, or a file path.', flag),
    ),
    preset: opt(about('Preset value in the form: a text, an option, or `checked`.', text)),
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
    formUrl: opt(about('URL of its page, where customers start or log in.', text)),
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
        "Rule for logins as a signee without a known national number. Absent: the company's.",
        oneOf(...signeeIdentities),
      ),
    ),
    timeZone: opt(
      about("Time zone of evidence and mails: an IANA name. Absent: the company's.", text),
    ),
    signatureLocation: oneOf(...signatureLocations),
    reminderRule: opt(about('Reminder rule, `{first}:{interval}` in days.', text)),
    activityDisplayName: opt(text),
    fileNameTemplate: opt(
      about('Template of file names, with placeholders for values in double braces.', text),
    ),
    minAdditionalSignees: opt(whole),
    maxAdditionalSignees: opt(whole),
    defaultSignees: list(defaultSignee),
    sealLevel: about("Level of the company's seal, applied after the last signature.", level),
    evidencePage: about(
      'Whether the evidence page is attached. It always is for Simple and ClickToSign signatures.',
      flag,
    ),
    mayDecline: about('True if signees may decline.', flag),
    openLinks: opt(
      about(
        "True if the holder of one signee's link may see and do everything that any signee may.",
        flag,
      ),
    ),
    expiresAfterDays: whole,
    retentionDays: about('Days for which documents are retained after the end.', whole),
    notifyAddress: opt(
      about('Address of the company to which a mail is sent when a process is completed.', text),
    ),
    confirmSignees: about('Whether the result is mailed to the signees.', flag),
    confirmUser: about('Whether the result is mailed to the user who sent the request.', flag),
    complianceTypes: opt(
      about(
        'Assessments that a completed process answers. Absent: by the type of the flow.',
        list(oneOf(...complianceTypes)),
      ),
    ),
    familyLookup: opt(
      about(
        'True if logins of the flow may look up family data, which requires a special permission.',
        flag,
      ),
    ),
    questionMode: opt(oneOf(...questionModes)),
    loginsPerMinute: opt(
      about(
        'Logins of the flow that may be started per minute. Absent: the limit of the service.',
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
    answeredDate: opt(about('`YYYY-MM-DD`. Absent until it is answered.', text)),
    nextDate: opt(about('Due date of the next assessment.', text)),
    flowKey: opt(text),
    processKey: opt(about('Process with which it was last answered.', text)),
  },
  'Requirement',
);

const riskLevel = oneOf(...riskLevels);

const complianceStatus = {
  isCompliant: about('True if there is no message.', flag),
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
    'All requirements if one is overdue or not met; otherwise empty.',
    list(requirement),
  ),
  riskLevel: about('Level whose periods apply.', riskLevel),
  riskUntil: opt(
    about('Last day on which the risk evaluation is valid. Absent if there is none.', text),
  ),
  dueDate: about('Day by which action is required.', text),
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
            'Members whose value changed, with the new value.',
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

/** Documents of these commands with --json. */
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
      version: about('Opaque version identifier.', text),
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
