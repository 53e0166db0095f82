import type { SimulatorVerdict } from '../../../app/ports/index.ts';

/** Decisions on sessions of a simulator that waits for them, shared by all processes. */
export interface SimulatorVerdicts {
  /** Lists a session that waits. `label` names channel and person for the one who decides. */
  open(session: string, label: string): Promise<void>;
  find(session: string): Promise<SimulatorVerdict | undefined>;
  /** Decides `cancelled`, unless something was decided before. */
  cancel(session: string): Promise<void>;
}
