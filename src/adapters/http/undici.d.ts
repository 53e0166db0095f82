// The parts of undici that are loaded: all of it takes three times as long.
declare module 'undici/lib/dispatcher/agent.js' {
  const agent: typeof import('undici').Agent;

  // biome-ignore lint/style/noDefaultExport: as undici exports it
  export { agent as default };
}
declare module 'undici/lib/core/connect.js' {
  const build: typeof import('undici').buildConnector;

  // biome-ignore lint/style/noDefaultExport: as undici exports it
  export { build as default };
}
