/** Registers of persons: imported, accessed over HTTP, and a simulator with synthetic persons. */
export { type HttpRegisterOptions, httpRegister } from './http-register.ts';
export { registerSimulator } from './register-simulator.ts';
export { registerTable, type TableOptions, tableRegister } from './table-register.ts';
