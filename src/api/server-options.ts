/** Channel that reports failed logins between the processes of one service. */
export interface FailureLine {
  /** Reports failures under these keys to the other processes. */
  tell(keys: readonly string[]): void;
  /** Registers `count`, which is called with the keys that other processes report. */
  hear(count: (keys: readonly string[]) => void): void;
}

/** Rate limits of clients, and access to health data. */
export interface GuardOptions {
  /** Requests per second from one address, except this machine; 0: unlimited. Default: 100. */
  readonly requestsPerAddress?: number;
  /** Requests per second with the key of one company; 0: unlimited. Default: 2000. */
  readonly requestsPerCompany?: number;
  /** Token for `/metrics` and the details of `/readyz`. Default: only this machine sees them. */
  readonly operatorToken?: string;
  /** For production: without the token, they are not visible at all. Default: false. */
  readonly strict?: boolean;
  /** Other processes of the service, with which failed logins are counted jointly. */
  readonly failures?: FailureLine;
}

/** Size of a budget in its unit: bytes, connections. */
export interface BudgetSize {
  readonly whole: number;
  /** Limit of one sharer, per share. */
  readonly share: number;
  /** Part of the whole that is reserved for small clients. Default: none. */
  readonly kept?: number;
}

/** Limits of bytes held in memory, for calls of companies and for all others. */
export interface BytesHeld {
  readonly companies: BudgetSize;
  readonly others: BudgetSize;
  /** Bodies only: files that visitors upload for verification. */
  readonly visitors?: BudgetSize;
}

/** Options of the application. */
export interface ServerOptions extends GuardOptions {
  /** Addresses or networks of proxies with a trusted `X-Forwarded-For`. Default: none. */
  readonly trustProxy?: readonly string[];
  /**
   * Called once, with its address, when a request comes through a proxy on this machine that is not
   * listed in `trustProxy`. Default: not reported.
   */
  readonly unnamedProxy?: (address: string) => void;
  /** Receives each line of the log, as JSON. Default: nothing is logged. */
  readonly log?: (line: string) => void;
  /** Minimum severity of logged lines. Default: `info`. */
  readonly logLevel?: 'debug' | 'info' | 'warn' | 'error';
  /** Called when the application closes, after the last request. */
  readonly onClose?: () => Promise<void>;
  /** Private key and certificates, PEM: the server speaks TLS. Default: plain HTTP. */
  readonly tls?: { readonly key: string; readonly cert: string; readonly passphrase?: string };
  /**
   * Maximum number of open connections. Beyond it, an idle one of the client with most is closed.
   */
  readonly maxConnections?: number;
  /**
   * Time limits in milliseconds for receiving the headers and the whole of a request, and for
   * cutting off a client that sends or reads too little.
   */
  readonly patience?: {
    readonly headersMs: number;
    readonly requestMs: number;
    readonly paceMs?: number;
  };
  /** Processes that share the machine, including this one: each holds its part of the bodies. */
  readonly parts?: number;
  /** Limits of bytes of bodies held in memory. */
  readonly bodyBytes?: BytesHeld;
  /** Limits of bytes of responses held in memory. */
  readonly answerBytes?: BytesHeld;
}
