import { Type } from '@sinclair/typebox';
import type { CompanySettings } from '../../src/domain/company.ts';
import { complianceTypes } from '../../src/domain/compliance/index.ts';
import { signeeIdentities } from '../../src/domain/person/index.ts';
import {
  about,
  flag,
  level,
  list,
  members,
  moment,
  oneOf,
  opt,
  type Shapes,
  text,
  whole,
} from './words.ts';

const failedJob = members(
  {
    kind: oneOf(
      'message',
      'remind',
      'webhook',
      'finalize',
      'expire',
      'purge',
      'anchor',
      'rescreen',
    ),
    ref: text,
    code: text,
    why: opt(about('What kept it, in words; no secrets, no persons.', text)),
    isFinal: about(
      'No further attempt is planned; otherwise the job is retried automatically.',
      flag,
    ),
  },
  'FailedJob',
);

const diagnosis = members(
  {
    name: text,
    status: about(
      '`skipped`: not done, and the message says why.',
      oneOf('warning', 'skipped', 'failed', 'ok'),
    ),
    message: text,
    hint: opt(text),
    until: opt(about('Day on which what the check is about ends, ISO 8601.', text)),
    reason: opt(about('What a warning is about, without names of files, hosts and persons.', text)),
    passing: opt(
      about(
        'Of a failure that may pass by itself, such as a server that is away.',
        Type.Literal(true),
      ),
    ),
  },
  'Diagnosis',
);

const origin = members(
  {
    kind: oneOf('user', 'given', 'flag', 'environment', 'project', 'default'),
    name: about(
      'The flag, the variable, the path of the file or the name of an object; empty for a default.',
      text,
    ),
  },
  'Origin',
);

const explainedSetting = members(
  {
    path: about('Path in a configuration file, such as `key.file`.', text),
    value: about(
      'As a file would state it; secrets are references. `null`: not set.',
      Type.Unknown(),
    ),
    origin,
  },
  'ExplainedSetting',
);

const namedKey = members({ key: text, name: text }, 'NamedKey');

const periods = members({ low: whole, medium: whole, high: whole }, 'Periods');

const subjectRules = members(
  {
    required: about(
      'Assessments that each of them has to answer.',
      list(oneOf(...complianceTypes)),
    ),
    months: about(
      'Months until an assessment is due again, by level of risk.',
      members({ PEP: periods, AML: periods, MIFID: periods }),
    ),
    riskMonths: about('Months for which an evaluation of the risk counts.', periods),
  },
  'SubjectRules',
);

const complianceRules = members({ person: subjectRules, business: subjectRules });

const company = members(
  {
    signeeIdentity: opt(oneOf(...signeeIdentities)),
    timeZone: opt(about('IANA name; absent: UTC.', text)),
    compliance: opt(about('What its customers have to answer.', complianceRules)),
    trialEndsAt: opt(moment),
    key: text,
    name: text,
    createdAt: opt(moment),
  } satisfies Readonly<Record<string, unknown> & Record<keyof CompanySettings, unknown>>,
  'Company',
);

const companyWithAccess = members(
  {
    ...company.properties,
    users: list(members({ email: text, name: text })),
    origins: list(text),
    apiKeys: list(
      members({
        id: text,
        label: text,
        createdAt: moment,
        scopes: opt(list(oneOf('sign', 'read', 'manage', 'screen'))),
        expiresAt: opt(moment),
      }),
    ),
  },
  'CompanyWithAccess',
);

/** What is known of the database and the contents. */
const storageFigures = {
  databaseId: opt(about('Id of the store in the database.', text)),
  folderId: opt(about('Id of the store in the folder of contents.', text)),
  folder: about('The folder.', text),
  contents: about('Contents in the folder.', whole),
  unknown: about('Of those, not referred to by anything in the database.', whole),
  marked: about('Of those, marked for removal.', whole),
  hosts: about('Names of the hosts that use the store.', list(text)),
  refused: opt(about('The last collection wanted to remove so many, and was refused.', whole)),
  sampled: whole,
  missing: about('Of those, not in the folder.', whole),
};

/** The bodies of these commands under --json. */
export const serviceBodies = {
  'company create': [members({ company, apiKey: text, apiKeyId: text, webhookSignatureKey: text })],
  'company key create': [members({ id: text, apiKey: text })],
  'company key revoke': [members({ id: text })],
  'company list': [members({ companies: list(company) })],
  'company logo': [
    members({
      logo: Type.Union([
        members({
          contentType: oneOf('image/png', 'image/jpeg'),
          width: about('Pixels.', whole),
          height: about('Pixels.', whole),
        }),
        Type.Null(),
      ]),
    }),
  ],
  'company origin add': [members({ origins: list(text) })],
  'company origin list': [members({ origins: list(text) })],
  'company origin remove': [members({ origins: list(text) })],
  'company quota': [
    members({
      quotas: Type.Record(text, members({ most: whole, used: whole })),
      lookups: about(
        'Look-ups in the register of persons: one for each login and kind.',
        Type.Record(text, members({ today: whole, total: whole })),
      ),
    }),
  ],
  'register import': [members({ persons: whole, importedAt: moment })],
  'register show': [
    members({
      url: opt(text),
      imported: opt(members({ persons: whole, importedAt: moment }, 'RegisterFigures')),
    }),
  ],
  'company show': [members({ company: companyWithAccess })],
  'company trial': [members({ key: text, trialEndsAt: Type.Union([Type.Null(), text]) })],
  'company update': [
    members({
      company: members({
        key: text,
        settings: members({
          signeeIdentity: Type.Union([oneOf(...signeeIdentities), Type.Null()]),
          timeZone: Type.Union([text, Type.Null()]),
          compliance: Type.Union([complianceRules, Type.Null()]),
        } satisfies Record<keyof CompanySettings, unknown>),
      }),
    }),
  ],
  'company user': [members({ user: members({ email: text, name: text }) })],
  completion: [members({ keys: list(namedKey) })],
  'config explain': [
    members({
      files: members({ project: opt(text), user: opt(text) }),
      settings: list(explainedSetting),
    }),
  ],
  doctor: [members({ level, ok: flag, checks: list(diagnosis) })],
  init: [
    members({
      dataDir: text,
      created: about('Absolute paths of the files that were made now.', list(text)),
      existing: about('Absolute paths of the files that were there.', list(text)),
      rootCertificate: about(
        'Path of the development root certificate, for other validators.',
        text,
      ),
      company: opt(
        about(
          'The first company with its secrets, which are shown this once; absent when ' +
            'there is one.',
          members({ key: text, name: text, apiKey: text, webhookSignatureKey: text }),
        ),
      ),
    }),
  ],
  serve: [members({ url: text })],
  'store adopt': [
    members({
      storeId: opt(text),
      ...storageFigures,
      adopted: flag,
    }),
  ],
  'store clock': [
    members({
      nowMs: about('Epoch milliseconds that the system shows.', whole),
      expectedMs: opt(
        about(
          'Epoch milliseconds that follow from what was noted; undefined: nothing ' +
            'speaks against it.',
          whole,
        ),
      ),
      ok: flag,
      accepted: flag,
    }),
  ],
  'store collect': [
    members({
      contents: about('Contents in the folder.', whole),
      orphans: about('Of those, not referred to and older than an hour.', whole),
      marked: about('Of the orphans, marked in this run.', whole),
      due: about('Of the orphans, marked thirty days ago or before.', whole),
      removed: whole,
      restarted: about(
        'The database did not run the last collection of this folder: it was ' +
          'restored, or is a copy. Every mark of before was dropped.',
        flag,
      ),
      dryRun: flag,
    }),
  ],
  'store show': [
    members({
      ...storageFigures,
      ok: flag,
    }),
  ],
  'tsa serve': [members({ url: text, tsa: text })],
  worker: [
    members({
      done: about('Jobs that were done.', whole),
      kinds: opt(
        about(
          'The same by their kinds; kinds without any are left out.',
          members({
            message: opt(whole),
            remind: opt(whole),
            webhook: opt(whole),
            finalize: opt(whole),
            expire: opt(whole),
            purge: opt(whole),
            anchor: opt(whole),
            rescreen: opt(whole),
          }),
        ),
      ),
      failed: about('Jobs that did not achieve what they are for.', list(failedJob)),
    }),
  ],
} satisfies Shapes;
