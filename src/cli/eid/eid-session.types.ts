/** What is new in a session that waits. */
export interface EidNews {
  /** Word of the scheme for the step. */
  readonly step?: string;
  readonly link?: string;
  readonly verificationCode?: string;
  /** Page of the provider that the person goes to. */
  readonly redirectUrl?: string;
}

/** What the person or the provider has refused: an answer, also to a start. */
export interface EidFailure {
  readonly state: 'failed';
  readonly hint: string;
  /** Code of the provider as it was given. */
  readonly providerCode?: string;
}

/** How a login or signature stands. */
export type EidProgress<T> =
  | ({ readonly state: 'waiting' } & EidNews)
  | { readonly state: 'done'; readonly value: T }
  | EidFailure;

/** A session that was started, and what can be done with it. */
export interface EidSession<T> {
  /** What the person does: `Log in with app`. */
  readonly title: string;
  /** Test persons answer. */
  readonly isSimulated: boolean;
  readonly started: {
    readonly verificationCode: string;
    readonly pollingIntervalSeconds: number;
    readonly qrData?: string;
    readonly redirectUrl?: string;
  };
  readonly expiresAtMs: number;
  poll(): Promise<EidProgress<T>>;
  /** The newest text of the QR code, without asking the provider. */
  refresh(): Promise<string | undefined>;
  /** Receives the person on this machine who comes back from a page of the provider. */
  receiveReturns(): Promise<{ close(): Promise<void> } | undefined>;
  /** Ends it, at the provider too. */
  cancel(): Promise<void>;
}

/** Result of a session: failures of the person and the provider are answers. */
export type EidOutcome<T> = Exclude<EidProgress<T>, { readonly state: 'waiting' }>;
