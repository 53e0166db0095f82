/** New state of a pending session. */
export interface EidNews {
  /** The scheme's keyword for the step. */
  readonly step?: string;
  readonly link?: string;
  readonly verificationCode?: string;
  /** Page of the provider for the person to open. */
  readonly redirectUrl?: string;
}

/** Refusal by the person or the provider, possibly already at the start. */
export interface EidFailure {
  readonly state: 'failed';
  readonly hint: string;
  /** Error code of the provider, unchanged. */
  readonly providerCode?: string;
}

/** State of a login or signature. */
export type EidProgress<T> =
  | ({ readonly state: 'waiting' } & EidNews)
  | { readonly state: 'done'; readonly value: T }
  | EidFailure;

/** A started session and its operations. */
export interface EidSession<T> {
  /** The person's action: `Log in with app`. */
  readonly title: string;
  /** True if test persons respond. */
  readonly isSimulated: boolean;
  readonly started: {
    readonly verificationCode: string;
    readonly pollingIntervalSeconds: number;
    readonly qrData?: string;
    readonly redirectUrl?: string;
  };
  readonly expiresAtMs: number;
  poll(): Promise<EidProgress<T>>;
  /** Returns the latest text of the QR code, without asking the provider. */
  refresh(): Promise<string | undefined>;
  /** Listens on this machine for the person's return from a page of the provider. */
  receiveReturns(): Promise<{ close(): Promise<void> } | undefined>;
  /** Cancels it, including at the provider. */
  cancel(): Promise<void>;
}

/** Result of a session; failures of the person or the provider are results, not errors. */
export type EidOutcome<T> = Exclude<EidProgress<T>, { readonly state: 'waiting' }>;
