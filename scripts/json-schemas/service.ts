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
    why: opt(about('Reason for the failure as text, without secrets or personal data.', text)),
    isFinal: about(
      'True if no further attempt is planned; otherwise the job is retried automatically.',
      flag,
    ),
  },
  'FailedJob',
);

const diagnosis = members(
  {
    name: text,
    status: about(
      '`skipped`: not run, for the reason given in the message.',
      oneOf('warning', 'skipped', 'failed', 'ok'),
    ),
    message: text,
    hint: opt(text),
    until: opt(about('Expiry date of the checked object, ISO 8601.', text)),
    reason: opt(about('Reason for a warning, without names of files, hosts or persons.', text)),
    passing: opt(
      about('True for a temporary failure, such as an unreachable server.', Type.Literal(true)),
    ),
  },
  'Diagnosis',
);

const origin = members(
  {
    kind: oneOf('user', 'given', 'flag', 'environment', 'project', 'default'),
    name: about(
      'The flag, the variable, the path of the file or the name of an object. Empty for a ' +
        'default.',
      text,
    ),
  },
  'Origin',
);

const explainedSetting = members(
  {
    path: about('Path in a configuration file, such as `key.file`.', text),
    value: about(
      'Value as written in a file; secrets are references. `null`: not set.',
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
    required: about('Assessments required of each of them.', list(oneOf(...complianceTypes))),
    months: about(
      'Months until an assessment is due again, by risk level.',
      members({ PEP: periods, AML: periods, MIFID: periods }),
    ),
    riskMonths: about('Months for which a risk evaluation is valid.', periods),
  },
  'SubjectRules',
);

const complianceRules = members({ person: subjectRules, business: subjectRules });

const company = members(
  {
    signeeIdentity: opt(oneOf(...signeeIdentities)),
    timeZone: opt(about('IANA name. Absent: UTC.', text)),
    compliance: opt(
      about('Compliance rules for its customers. Absent: the default rules.', complianceRules),
    ),
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

/** Figures of the database and the folder of blobs. */
const storageFigures = {
  databaseId: opt(about('ID of the store in the database.', text)),
  folderId: opt(about('ID of the store in the folder of blobs.', text)),
  folder: about('The folder of blobs.', text),
  contents: about('Number of blobs in the folder.', whole),
  unknown: about('Number of blobs that the database does not refer to.', whole),
  marked: about('Number of blobs marked for deletion.', whole),
  hosts: about('Names of the hosts that use the store.', list(text)),
  refused: opt(
    about(
      'Number of blobs that the last garbage collection would have deleted; it was refused.',
      whole,
    ),
  ),
  sampled: whole,
  missing: about('Number of sampled blobs that are not in the folder.', whole),
};

/** Documents of these commands with --json. */
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
        'Lookups in the person register: one per login and kind.',
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
      created: about('Absolute paths of the files that were created.', list(text)),
      existing: about('Absolute paths of the files that already existed.', list(text)),
      rootCertificate: about(
        'Path of the development root certificate, for other validators.',
        text,
      ),
      company: opt(
        about(
          'The first company with its secrets, returned only once. Absent if none was created.',
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
      nowMs: about('System time in epoch milliseconds.', whole),
      expectedMs: opt(
        about(
          'Time derived from the records, epoch milliseconds. Absent if they agree with the clock.',
          whole,
        ),
      ),
      ok: flag,
      accepted: flag,
    }),
  ],
  'store collect': [
    members({
      contents: about('Number of blobs in the folder.', whole),
      orphans: about('Number of blobs without references that are older than an hour.', whole),
      marked: about('Number of orphans marked in this run.', whole),
      due: about('Number of orphans marked thirty days ago or earlier.', whole),
      removed: whole,
      restarted: about(
        'Whether the last collection of this folder was run by a different database, because ' +
          'this one was restored or is a copy. All earlier marks were dropped.',
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
      done: about('Number of completed jobs.', whole),
      kinds: opt(
        about(
          'The same by kind; kinds without jobs are absent.',
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
      failed: about('Jobs that did not achieve their purpose.', list(failedJob)),
    }),
  ],
} satisfies Shapes;
