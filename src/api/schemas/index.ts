/** The shapes of the interface: exact wire names live here and nowhere else. */
import type { TSchema } from '@sinclair/typebox';
import { activitySchemas } from './activity.ts';
import { authSchemas } from './auth.ts';
import { complianceSchemas } from './compliance.ts';
import { flowSchemas } from './flow.ts';
import { screeningSchemas } from './screening.ts';
import { sealingSchemas } from './sealing.ts';
import { sharedSchemas } from './shared.ts';
import { signSchemas } from './sign.ts';
import { signingSchemas } from './signing.ts';
import { webhookSchemas } from './webhook.ts';

export * from './activity.ts';
export * from './auth.ts';
export * from './compliance.ts';
export * from './examples.ts';
export * from './flow.ts';
export * from './screening.ts';
export * from './sealing.ts';
export * from './shared.ts';
export * from './sign.ts';
export * from './signing.ts';
export * from './webhook.ts';

/** Every schema with a name: a shape that stands once in the description. */
export const allSchemas: readonly TSchema[] = [
  ...sharedSchemas,
  ...signingSchemas,
  ...activitySchemas,
  ...flowSchemas,
  ...sealingSchemas,
  ...webhookSchemas,
  ...authSchemas,
  ...signSchemas,
  ...complianceSchemas,
  ...screeningSchemas,
];
