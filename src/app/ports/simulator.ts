import type { EidFailCode } from './eid.ts';

/** What somebody has decided in the place of a person of the e-ID simulator. */
export type SimulatorVerdict = 'approve' | EidFailCode;

/** A session of the simulator that waits for a decision. */
export interface WaitingSession {
  /** Name of the session, 32 hexadecimal digits. */
  readonly session: string;
  /** Channel and person: `App Łucja Żółkiewska`. */
  readonly label: string;
  /** Epoch milliseconds. */
  readonly openedAtMs: number;
}

/** Decides for the persons of a simulator that waits: from another terminal or program. */
export interface SimulatorDesk {
  /** Sessions that wait, the oldest first. */
  list(): Promise<readonly WaitingSession[]>;
  /** Decides a session; false when it does not wait any more. */
  decide(session: string, verdict: SimulatorVerdict): Promise<boolean>;
}
