/** Registers of persons: the simulator with made-up addresses and families. */
export { registerSimulator } from './register-simulator.ts';
