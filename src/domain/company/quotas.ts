/** What one company may take of the service: as much as there is by default for all of them. */
export interface Quotas {
  /** Bytes of documents and attachments, as often as they are in a process that is not purged. */
  readonly storedBytes: number;
  /** New processes in a day, UTC; those of sequences too. */
  readonly processes: number;
  /** Attachments of new processes in a day. */
  readonly attachments: number;
  /** Mails to one address in a day. */
  readonly mailsPerRecipient: number;
  /** Requests with an `Idempotency-Key` in a day. */
  readonly namedRequests: number;
}

/** The name of a quota. */
export type QuotaName = keyof Quotas;

/** What a company may take unless its record says otherwise: more than a small firm ever does. */
export const usualQuotas: Quotas = {
  storedBytes: 50_000_000_000,
  processes: 20_000,
  attachments: 20_000,
  mailsPerRecipient: 1_000,
  namedRequests: 100_000,
};

/** All quotas, in the order in which they are shown. */
export const quotaNames = Object.keys(usualQuotas) as readonly QuotaName[];

/** The day of a quota, and the seconds until the next one begins. */
export function quotaDay(nowMs: number): { readonly day: string; readonly restSeconds: number } {
  const restMs = DAY_MS - (((nowMs % DAY_MS) + DAY_MS) % DAY_MS);
  return { day: new Date(nowMs).toISOString().slice(0, 10), restSeconds: Math.ceil(restMs / 1000) };
}

const DAY_MS = 86_400_000;
