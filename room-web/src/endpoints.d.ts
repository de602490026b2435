// Written by build/endpoint-table.ts from the registry.
declare module 'virtual:endpoints/room' {
  export const endpoints: import('@integrity/protocol/clients/api-call').EndpointTable<
    import('./session/room-api.ts').UsedEndpoint
  >
}
declare module 'virtual:endpoints/invitation' {
  export const endpoints: import('@integrity/protocol/clients/api-call').EndpointTable<
    import('./session/invitation-api.ts').InvitationEndpoint
  >
}
declare module 'virtual:endpoints/requests' {
  export const endpoints: import('@integrity/protocol/clients/api-call').EndpointTable<
    import('./session/requests-api.ts').RequestsEndpoint
  >
}
