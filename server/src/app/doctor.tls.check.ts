import type { Config } from '../kernel/config.ts'
import type { AddressAnswer } from '../platform/ask-address.ts'
import { isOwnMachine } from './doctor.address.check.ts'
import type { Finding } from './doctor.finding.ts'

const subject = 'TLS'
const dayMs = 86_400_000
/** Whatever renews certificates does so a month before their end. */
const noticedDays = 14
const urgentDays = 4

const withoutTls = (baseUrl: string): Finding =>
  isOwnMachine(baseUrl)
    ? { subject, state: 'note', reason: 'none, and none is needed on this machine alone' }
    : {
        subject,
        state: 'mend',
        reason: `BASE_URL ${baseUrl} is http: whoever is in between reads all`,
        todo: 'put a proxy with a certificate in front and set BASE_URL to https://…',
      }

/** The certificate of the address that people type: believed by this machine, and for how long still. */
export const checkTls = ({ baseUrl }: Config, answer: AddressAnswer | undefined, now: number): Finding => {
  if (!baseUrl.startsWith('https:')) return withoutTls(baseUrl)
  const certificate = answer?.certificate
  if (!certificate) return { subject, state: 'mend', reason: 'could not be looked at', todo: 'mend the address first' }
  if (certificate.distrust !== undefined)
    return {
      subject,
      state: 'mend',
      reason: `the certificate of ${baseUrl} is not believed: ${certificate.distrust}`,
      todo: 'give the proxy the whole chain, of a maker that browsers know',
    }
  const days = Math.floor((certificate.expiresAt - now) / dayMs)
  const reason = `the certificate of ${baseUrl} is good for ${days} days`
  if (days >= noticedDays) return { subject, state: 'ok', reason }
  return { subject, state: days < urgentDays ? 'mend' : 'note', reason, todo: 'look why it was not renewed' }
}
