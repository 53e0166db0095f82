/** Registers of persons: the simulator with made-up addresses and families. */
export { personWithoutMeter, registerSimulator } from './register-simulator.ts';
