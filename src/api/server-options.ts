/** Channel for failures between the processes of one service. */
export interface FailureLine {
  /** Tells the others of failures under these keys. */
  tell(keys: readonly string[]): void;
  /** Has `count` called with the keys that others tell. */
  hear(count: (keys: readonly string[]) => void): void;
}

/** Rate limits of clients, and the receivers of health data. */
export interface GuardOptions {
  /** Requests a second from one address, but this machine; 0: any number. Default: 100. */
  readonly requestsPerAddress?: number;
  /** Requests a second with the key of one company; 0: any number. Default: 2000. */
  readonly requestsPerCompany?: number;
  /** Opens `/metrics` and the details of `/readyz`. Default: only this machine sees them. */
  readonly operatorToken?: string;
  /** For real use: without the token nobody sees them. Default: false. */
  readonly strict?: boolean;
  /** Other processes of the service, which count wrong logins together with this one. */
  readonly failures?: FailureLine;
}

/** Size of a budget in its unit: bytes, connections. */
export interface BudgetSize {
  readonly whole: number;
  /** Limit of one sharer, for each of its shares. */
  readonly share: number;
  /** Part of the whole that is reserved for small clients; none when left out. */
  readonly kept?: number;
}

/** Bytes that are held at once, for the callers of companies and for all others. */
export interface BytesHeld {
  readonly companies: BudgetSize;
  readonly others: BudgetSize;
  /** Bodies only: files that visitors have checked. */
  readonly visitors?: BudgetSize;
}

/** Options of the application. */
export interface ServerOptions extends GuardOptions {
  /** Addresses or networks of proxies with a trusted `X-Forwarded-For`. Default: none. */
  readonly trustProxy?: readonly string[];
  /**
   * Called once, with its address, when a request comes by way of a proxy on this machine that
   * `trustProxy` does not name. Default: nobody is told.
   */
  readonly unnamedProxy?: (address: string) => void;
  /** Takes each line of the log, JSON. Default: nothing is logged. */
  readonly log?: (line: string) => void;
  /** Least severity that is logged. Default: `info`. */
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error';
  /** Called when the application closes, after the last request. */
  readonly onClose?: () => Promise<void>;
  /** Private key and certificates, PEM: the server speaks TLS. Default: plain HTTP. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly passphrase?: string };
  /** Open connections at most; then an idle one is closed, of the client with most. */
  readonly maxConnections?: number;
  /**
   * Milliseconds until the headers and the whole of a request must have come, and until a client
   * that sends or reads too little is cut off.
   */
  readonly patience?: {
    readonly headersMs: number;
    readonly requestMs: number;
    readonly paceMs?: number;
  };
  /** Processes that share the machine, of which this is one: each holds its part of the bodies. */
  readonly parts?: number;
  /** Bytes of bodies that are held at once. */
  readonly bodyBytes?: BytesHeld;
  /** Bytes of answers that are held at once. */
  readonly answerBytes?: BytesHeld;
}
