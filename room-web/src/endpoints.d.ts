/** Written by build/endpoint-table.ts from the registry. */
declare module 'virtual:endpoints' {
  export const endpoints: import('./session/room-api.ts').EndpointTable
}
