import type * as Answer from './timestamp-answer.ts'
import type * as Certificates from './timestamp-certificates.ts'
import type * as Request from './timestamp-request.ts'

export type Timestamps = typeof Answer & typeof Certificates & typeof Request

/** What asks for time stamps and checks them (RFC 3161). Its ASN.1 is a hundred modules, which a start does not pay for. */
export const loadTimestamps = async (): Promise<Timestamps> => {
  const [answer, certificates, request] = await Promise.all([
    import('./timestamp-answer.ts'),
    import('./timestamp-certificates.ts'),
    import('./timestamp-request.ts'),
  ])
  return { ...answer, ...certificates, ...request }
}
