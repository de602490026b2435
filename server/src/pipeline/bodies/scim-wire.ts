import { type EndpointSpec, type ServiceError, scimUrns, wirePaths } from '@integrity/protocol'

/** The wire format of answers below a path, also of paths without an endpoint. */
export const wireOfPath = (path: string): EndpointSpec['wire'] =>
  path === wirePaths.scim || path.startsWith(`${wirePaths.scim}/`) ? 'scim' : undefined

/** A base address is often typed with a slash at its end, and then a path behind it: below SCIM's one slash is as good as two. */
export const plainPath = (path: string): string =>
  wireOfPath(path) === undefined ? path : path.replaceAll(/\/+/g, '/').replace(/(.)\/$/, '$1')

/** A refusal as RFC 7644 (section 3.12) writes it: the status is text. Services name the `scimType` that fits; a bad value is the usual one. */
export const scimRefusal = ({ status, message, code, extra }: ServiceError) => {
  const usual = code === 'invalid_request' && status === 400 ? 'invalidValue' : undefined
  const scimType = extra['scimType'] ?? usual
  return { schemas: [scimUrns.error], status: String(status), ...(scimType ? { scimType } : {}), detail: message }
}
