/** Schemas of the API: exact wire names are defined here and nowhere else. */

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
