// Generated from the registry by `npm run generate`.
/** Method, path, and the kind of what is sent or answered where it is not JSON. */
export const endpointTable = {
  'candidateRequests.links.mail': 'POST /v1/candidate-requests/links',
  'candidateRequests.view': 'POST /v1/candidate-requests/view',
  'candidateRequests.submit': 'POST /v1/candidate-requests/submit',
  'candidateRequests.moments': 'POST /v1/candidate-requests/moments',
  'candidateRequests.archive': 'POST /v1/candidate-requests/archive bytes',
  'candidateRequests.bundle': 'POST /v1/candidate-requests/bundle bytes',
  'candidateRequests.contents': 'POST /v1/candidate-requests/contents',
  'candidateRequests.reelIndex': 'POST /v1/candidate-requests/reel-index',
  'candidateRequests.reels': 'POST /v1/candidate-requests/reels bytes',
  'candidateRequests.signatures': 'POST /v1/candidate-requests/signatures',
} as const
