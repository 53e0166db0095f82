/** Whose documents are signed, and who may speak for them. */

export type { ApiKeyRecord, Company, CompanyUser } from './company.ts';
export { type ApiKeyScope, apiKeyScopes } from './company.ts';
export { type CompanySettings, withSettings } from './company-settings.ts';
export { findOrigin, originsMax, parseOrigin } from './origin.ts';
export { type QuotaName, type Quotas, quotaDay, quotaNames, usualQuotas } from './quotas.ts';
