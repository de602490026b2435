// Generated from the registry by `npm run generate`.
/** Method, path, and the kind of what is sent or answered where it is not JSON. */
export const endpointTable = {
  'invitations.inspect': 'POST /v1/invitations/inspect',
  'invitations.calendar': 'POST /v1/invitations/calendar bytes',
  'invitations.ticket': 'POST /v1/invitations/ticket',
  'invitations.readiness': 'POST /v1/invitations/readiness',
  'invitations.decline': 'POST /v1/invitations/decline',
  'invitations.contact': 'POST /v1/invitations/contact',
  'candidateRequests.links.invitation': 'POST /v1/candidate-requests/links/invitation',
  'candidateRequests.aids': 'POST /v1/candidate-requests/aids',
  'candidateRequests.declared': 'POST /v1/candidate-requests/aids/view',
} as const
