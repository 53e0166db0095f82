/** Registers of persons: imported, asked over HTTP, and the simulator with made-up persons. */
export { type HttpRegisterOptions, httpRegister } from './http-register.ts';
export { registerSimulator } from './register-simulator.ts';
export { registerTable, type TableOptions, tableRegister } from './table-register.ts';
