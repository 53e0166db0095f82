/** What a company may take of the service, and what it has taken. */
export { type QuotaChange, setQuotas } from './set-quotas.ts';
export {
  type QuotaUse,
  type QuotaWish,
  quotaReport,
  requireQuotas,
  takeQuotas,
} from './take-quotas.ts';
