import { ServiceError } from '@integrity/protocol'

/** The `reason` of a refused page that `scripts/build-clients.ts` has not made here. */
export const unbuilt = 'pages_not_built'

/** What it means where a page could not be read. */
export const notBuilt = (cause: unknown): unknown => {
  if ((cause as NodeJS.ErrnoException).code !== 'ENOENT') return cause
  return new ServiceError('service_unavailable', 'the browser client is not built here; npm start builds it', {
    cause,
    extra: { reason: unbuilt },
  })
}
