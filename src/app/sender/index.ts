/** Who sends mails: the user behind them, and the logo of the company. */
export * from './company-logo.ts';
export * from './name-user.ts';
