import { Type } from '@sinclair/typebox';
import { named, text } from './shared.ts';

const overviewMembers = {
  flowKey: Type.String(),
  name: Type.String(),
  flowType: Type.String(),
  active: Type.Boolean(),
  language: Type.String(),
  signatureType: Type.String(),
};

const overviewSchema = named('FlowOverview', overviewMembers);

/** One flow. */
export const flowDetails = named(
  'Flow',
  {
    ...overviewMembers,
    companyKey: Type.String(),
    requiresAuth: Type.Boolean(),
    signInOrder: Type.Boolean(),
    signatureLocation: Type.String(),
    reminderRule: text('{first}:{interval} in days.'),
    activityDisplayName: text('Name in the activity log.'),
    fileNameTemplate: text('Name of documents the flow creates.'),
    minAdditionalSignees: Type.Optional(Type.Integer()),
    maxAdditionalSignees: Type.Optional(Type.Integer()),
    defaultSignees: Type.Array(Type.Object({}, { additionalProperties: true })),
    initiationMethod: Type.String(),
    meta: Type.Record(Type.String(), Type.String()),
    createdAt: Type.String(),
    updatedAt: Type.String(),
    publishedVersion: text('Version of the schema in use.'),
  },
  { additionalProperties: true },
);

const versionMembers = {
  flowKey: Type.String(),
  version: Type.String(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
};

const schemaVersionSchema = named('SmartFlowSchemaVersion', versionMembers);

/** One version of a smart flow. */
export const smartFlow = named('SmartFlowSchema', {
  ...versionMembers,
  schema: Type.String({ description: 'JSON text.' }),
});

const putMembers = {
  schema: text('JSON text. Required, in the body or in the query.'),
  createdAt: text('ISO 8601; default now.'),
  updatedAt: text('ISO 8601; default now.'),
};

/** The flows of a company. */
export const flowList = Type.Array(overviewSchema);
/** Versions of a smart flow. */
export const schemaVersionList = Type.Array(schemaVersionSchema);
/** Request body: a new version; its members take precedence over the query. */
export const putSmartFlowBody = Type.Object(putMembers);
/** Query: a new version. */
export const putSmartFlowQuery = Type.Object({
  Schema: putMembers.schema,
  CreatedAt: putMembers.createdAt,
  UpdatedAt: putMembers.updatedAt,
});
