import { type TSchema, Type } from '@sinclair/typebox';
import { ref, text } from './shared.ts';

const overviewMembers = {
  flowKey: Type.String(),
  name: Type.String(),
  flowType: Type.String(),
  active: Type.Boolean(),
  language: Type.String(),
  signatureType: Type.String(),
};

const overviewSchema = Type.Object(overviewMembers, { $id: 'FlowOverview' });

const flowSchema = Type.Object(
  {
    ...overviewMembers,
    companyKey: Type.String(),
    requiresAuth: Type.Boolean(),
    signInOrder: Type.Boolean(),
    signatureLocation: Type.String(),
    reminderRule: text('{first}:{interval} in days.'),
    activityDisplayName: text('Name in the activity log.'),
    fileNameTemplate: text('Name of documents that the flow makes.'),
    minAdditionalSignees: Type.Optional(Type.Integer()),
    maxAdditionalSignees: Type.Optional(Type.Integer()),
    defaultSignees: Type.Array(Type.Object({}, { additionalProperties: true })),
    initiationMethod: Type.String(),
    meta: Type.Record(Type.String(), Type.String()),
    createdAt: Type.String(),
    updatedAt: Type.String(),
    publishedVersion: text('Version of the schema in use.'),
  },
  { $id: 'Flow', additionalProperties: true },
);

const versionMembers = {
  flowKey: Type.String(),
  version: Type.String(),
  createdAt: Type.String(),
  updatedAt: Type.String(),
};

const schemaVersionSchema = Type.Object(versionMembers, { $id: 'SmartFlowSchemaVersion' });

const smartFlowSchema = Type.Object(
  { ...versionMembers, schema: Type.String({ description: 'JSON text.' }) },
  { $id: 'SmartFlowSchema' },
);

const putMembers = {
  schema: text('JSON text. Required, in the body or in the query.'),
  createdAt: text('ISO 8601; default now.'),
  updatedAt: text('ISO 8601; default now.'),
};

/** The flows of a company. */
export const flowList = Type.Array(ref(overviewSchema));
/** One flow. */
export const flowDetails = ref(flowSchema);
/** Versions of a smart flow. */
export const schemaVersionList = Type.Array(ref(schemaVersionSchema));
/** One version of a smart flow. */
export const smartFlow = ref(smartFlowSchema);
/** Body that puts a version; its members win over the query. */
export const putSmartFlowBody = Type.Object(putMembers);
/** Query that puts a version. */
export const putSmartFlowQuery = Type.Object({
  Schema: putMembers.schema,
  CreatedAt: putMembers.createdAt,
  UpdatedAt: putMembers.updatedAt,
});

/** Schemas with a name. */
export const flowSchemas: readonly TSchema[] = [
  overviewSchema,
  flowSchema,
  schemaVersionSchema,
  smartFlowSchema,
];
