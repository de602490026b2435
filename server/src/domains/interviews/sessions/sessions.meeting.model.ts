import { invalid, type Meeting, meetingProviders } from '@integrity/protocol'
import type { StoredMeeting } from './sessions.types.ts'

const hostOf = (url: string): string => new URL(url).hostname

const isOn = (host: string, hosts: readonly string[]): boolean =>
  hosts.some((own) => host === own || host.endsWith(`.${own}`))

/**
 * Refuses an address that hides something, or that under a provider's name leads somewhere else: the candidate is told by
 * that name what to expect, and a link elsewhere under it is what phishing looks like. What is stored is what was sent.
 */
export const checkMeetingUrl = ({ provider, url }: Pick<StoredMeeting, 'provider' | 'url'>): void => {
  if (/\p{C}/u.test(url) || !URL.canParse(url))
    throw invalid('url', 'must be an https address, without characters that nobody sees')
  const { username, password, hostname, host } = new URL(url)
  if (username !== '' || password !== '' || /^https:\/\/[^/?#]*@/.test(url))
    throw invalid('url', 'must be without a user name and a password')
  const { hosts, app } = meetingProviders[provider]
  // A dot at the end is the same host to the network, and another one to whoever compares.
  if (hosts.length > 0 && (hostname.endsWith('.') || host !== hostname || !isOn(hostname, hosts)))
    throw invalid('url', `${host} is not a host of ${app}; for a meeting held elsewhere the provider is \`other\``)
}

/** What app to expect is derived from the provider, so that it never goes among those that a person chose. */
export const meetingView = ({ provider, url, startsAt }: StoredMeeting): Meeting => {
  const { app } = meetingProviders[provider]
  return { provider, url, label: app ?? hostOf(url), startsAt, expectedApp: app }
}
